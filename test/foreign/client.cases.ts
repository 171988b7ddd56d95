import { type ForeignCase, rows } from './foreign-case.ts';

// Requests as clients of OpenAI's API, of GraphQL and of browsers send them.

type Said = readonly [role: string, content: string];
/** The messages that a Process gets, or the parameter that is refused. */
export type ReadBody = { readonly messages: readonly Said[] } | { readonly refused: string };

const hello = { role: 'user', content: 'Hello?' };
const body = (more: object) => ({ model: 'chat', messages: [hello], ...more });
const said = (...messages: object[]) => body({ messages });

/** Bodies of chat completions. */
export const BODIES: readonly ForeignCase<unknown, ReadBody>[] = rows('client', 'BODIES', {
  said,
  hello,
  body,
});

/** A request below the base URL of OpenAI's clients. */
export interface Request {
  readonly path: string;
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The status of each, and the words of its error. */
export const REQUESTS: readonly ForeignCase<
  Request,
  { readonly status: number; readonly words?: RegExp }
>[] = rows('client', 'REQUESTS');

/** Headers of a page of an allowed origin, which its preflight asks for. */
export const PREFLIGHTS: readonly ForeignCase<string, 'allowed'>[] = rows('client', 'PREFLIGHTS');

/** An Origin in dev, and the origin that the refusal offers. */
export const DEV_ORIGINS: readonly ForeignCase<string, 'a setting' | 'nothing'>[] = rows(
  'client',
  'DEV_ORIGINS',
);

const UUID = 'ef305a60-1f0c-7d1a-9c55-0f2b6f0a3c11';

interface Asked {
  readonly root: 'query' | 'mutation';
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Ids as client caches keep them, and the arguments that a resolver gets, or the refused path. */
export const NODE_IDS: readonly ForeignCase<Asked, object>[] = rows('client', 'NODE_IDS', { UUID });
