import { RESPONSE_BYTES_MAX } from '../../src/common/limits.ts';
import { type ForeignCase, rows } from './foreign-case.ts';
import type { Answered, Fault } from './mcp.cases.ts';

// Stdio servers of others, and the result for a caller of Aiden.

/**
 * A server: what it writes for each message. In a text the id of the request stands for `{id}`. A
 * line break is written after each text, unless it ends in a backslash.
 */
export interface Written {
  /** Before it reads anything. */
  readonly start?: string;
  readonly initialize?: string;
  readonly list?: string;
  readonly call?: string;
  /** To stderr, with each message. */
  readonly stderr?: string;
  /** The exit code, once it has written what stands at `exitsAt`, or has got an `answer`. */
  readonly exit?: number;
  readonly exitsAt?: 'start' | 'initialize' | 'call' | 'answer';
  /** The time before its answer to tools/call. */
  readonly callMs?: number;
  /** A process that it starts, which keeps the output open: in its group or in one of its own. */
  readonly child?: 'in the group' | 'detached';
  /** It goes on after the end of its input. */
  readonly stays?: boolean;
  /** It reads nothing. */
  readonly isDeaf?: boolean;
  /** The text is written as bytes of another encoding. */
  readonly encoding?: 'latin1' | 'utf16le';
}

const done = '{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}';
const open =
  '{"jsonrpc":"2.0","id":{id},"result":{"protocolVersion":"2025-06-18","capabilities":{},' +
  '"serverInfo":{"name":"s","version":"1"}}}';

const builders = {
  done,
  open,
  with: (...parts: string[]) => parts.join(''),
  indented: (text: string) => JSON.stringify(JSON.parse(text), null, 2),
  noise: () => 'a line of a log\n'.repeat(Math.ceil(RESPONSE_BYTES_MAX / 16) + 1),
  long: (chars: number) => 'x'.repeat(chars),
  says: (words: string) =>
    `{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"${words}"}]}}`,
};

/** Answers to tools/call of the tool `it`, with nothing else amiss than what is given. */
export const STDIO_CALLS: readonly ForeignCase<Written, Answered | Fault>[] = rows(
  'mcp-stdio',
  'CALLS',
  builders,
);

/** Probes, and words of the fault of those that are down. */
export const STDIO_PROBES: readonly ForeignCase<Written, 'healthy' | RegExp>[] = rows(
  'mcp-stdio',
  'PROBES',
  builders,
);
