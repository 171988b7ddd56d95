import { createHash } from 'node:crypto';
import { type ForeignCase, rows } from './foreign-case.ts';

// Requests of GraphQL clients to /graphql, and the right answer to each.

export interface Posted {
  /** Default POST. */
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The query string of a GET. */
  readonly search?: Readonly<Record<string, string>>;
  /** The params, or the text of the body. */
  readonly body?: unknown;
  readonly isGzip?: boolean;
}

export interface Got {
  readonly status: number;
  readonly data?: unknown;
  readonly code?: string;
  readonly words?: RegExp;
  readonly type?: RegExp;
}

const viewer = '{ viewer { name } }';
const upper = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase();

const builders = {
  viewer,
  two: 'query A { viewer { name } } query B { viewer { id } }',
  repeat: (text: string, times: number) => text.repeat(times),
  between: (before: string, text: string, times: number, after: string) =>
    `${before}${text.repeat(times)}${after}`,
  upperHash: {
    query: viewer,
    extensions: { persistedQuery: { version: 1, sha256Hash: upper(viewer) } },
  },
  chain: (length: number) =>
    `{ ...F0 } ${Array.from(
      { length },
      (_one, index) => `fragment F${index} on Query { ...F${index + 1} }`,
    ).join(' ')} fragment F${length} on Query { __typename }`,
};

export const POSTED: readonly ForeignCase<Posted, Got>[] = rows('graphql', 'POSTED', builders);

/** What a peer writes to a socket, and the close code or the messages that it gets. */
export interface Socket {
  /** Default graphql-transport-ws. */
  readonly protocols?: readonly string[];
  readonly path?: string;
  readonly writes: readonly unknown[];
}
export type Heard =
  | { readonly close: number; readonly words?: RegExp }
  | { readonly hears: readonly object[] };

export const SOCKETS: readonly ForeignCase<Socket, Heard>[] = rows('graphql', 'SOCKETS', {
  ...builders,
  init: { type: 'connection_init' },
  ask: (id: string, payload: object) => ({ id, type: 'subscribe', payload }),
});
