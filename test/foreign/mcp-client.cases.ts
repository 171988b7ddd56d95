import { type ForeignCase, rows } from './foreign-case.ts';

// Requests of MCP clients to /mcp, and the right answer to each.

export interface Sent {
  /** Default POST. */
  readonly method?: string;
  readonly path?: string;
  /** Beside those of a client that does all as the protocol says; null: without this one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** `own` is a session of the caller, the default; `none` sends no id; else the id itself. */
  readonly session?: string;
  /** The message, as an object or as the text of the body. */
  readonly body?: unknown;
  readonly isGzip?: boolean;
}

/** Parts of the answer; a text of JSON-RPC with the same id, if the message has one. */
export interface Told {
  readonly status: number;
  readonly result?: object;
  readonly code?: number;
  readonly words?: RegExp;
  /** The text of the id in the answer. */
  readonly id?: string;
  readonly type?: RegExp;
  readonly headers?: Readonly<Record<string, RegExp>>;
}

const ask = (method: string, params?: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params === undefined ? {} : { params }),
  ...more,
});

export const SENT: readonly ForeignCase<Sent, Told>[] = rows('mcp-client', 'SENT', {
  ask,
  list: ask('tools/list'),
  begin: (params: object) => ask('initialize', params),
  full: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
  large: () => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(2 ** 21)}"}}`,
});
