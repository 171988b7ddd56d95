import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isJsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';

/**
 * Any result: its parts are read one by one, so that one of another form does not hide the rest.
 */
export const AnyResult = z.looseObject({});
// The SDK's default timeout of a minute is shorter than a step's. The signal ends a call instead.
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** A server that has opened a session may leave a ping without an answer. */
const PING_MS = 3_000;

/**
 * Sends a ping. Any answer will do, also an error: many servers have no `ping`.
 * @throws Error where the server gave no answer
 */
export async function ping(client: Client, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PING_MS)]);
  const options = { signal: limit, timeout: NO_LIMIT_MS };
  await client.request({ method: 'ping' }, AnyResult, options).catch((error: unknown) => {
    // The SDK makes an McpError of an abort, too.
    if (limit.aborted || !isAnswer(error)) throw error;
  });
}

/**
 * Statuses of a refused Secret, and those with which a gateway speaks for a server that is gone.
 */
const NO_ANSWER: readonly number[] = [401, 403, 407, 502, 503, 504];

/**
 * Whether a failed ping comes from a server that can be called: it was answered with an error of
 * JSON-RPC, whatever its status.
 * @param isOpen the server has opened the session, so that anything but a refused Secret and the
 * word of a gateway concerns the ping alone
 */
export function isAnswer(error: unknown, isOpen = false): boolean {
  if (error instanceof McpError) return !isClosed(error);
  if (!(error instanceof ToolFault)) return false;
  const { status = null, code = null } = isJsonObject(error.details) ? error.details : {};
  if (typeof status !== 'number') return isOpen;
  return !NO_ANSWER.includes(status) && (isOpen || code !== null);
}

/** Whether the SDK made the error because the connection ended. */
export function isClosed({ code, message }: McpError): boolean {
  return code === ErrorCode.ConnectionClosed && /Connection closed$/.test(message);
}
