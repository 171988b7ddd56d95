import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { oneLineJson } from '../../common/well-formed.ts';
import { type RequestId, readMessage } from './mcp-messages.ts';

/** The operator's definition of a stdio server. Without `cwd`: the worker's directory. */
export interface McpServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Names of the variables that may carry a Secret. Default none. */
  readonly env?: readonly string[];
}

// Time to exit after stdin ended; a cancel may take 2 s in all.
const LEAVE_MS = 500;

/**
 * MCP over a child process, one per call. The SDK's transport passes on PATH, HOME and USER, waits
 * up to 4 s before a kill, and leaves grandchildren running. This one passes only the given
 * environment and kills the whole process group.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServerCommand;
  readonly #env: Readonly<Record<string, string>>;
  /** The beginning of a line that has not ended. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #latestRequest: RequestId | null = null;
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null;

  constructor(server: McpServerCommand, env: Readonly<Record<string, string>>) {
    this.#server = server;
    this.#env = env;
  }

  start(): Promise<void> {
    const { command, args, cwd } = this.#server;
    const child = spawn(command, args, {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'ignore'], // Its stderr may contain the secret.
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.on('close', () => {
      this.#child = null;
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', () =>
        reject(new ToolFault('TOOL_FAILED', 'The MCP server could not be started.')),
      );
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null) throw new Error('The MCP server has ended.');
    if ('method' in message && 'id' in message) this.#latestRequest = message.id;
    return new Promise((resolve, reject) => {
      const line = oneLineJson(serializeMessage(message));
      child.stdin.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends stdin, then kills the group if needed. Resolves when the child has exited. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdin.end();
    const timer = setTimeout(() => this.kill(), LEAVE_MS);
    await gone;
    clearTimeout(timer);
    killGroup(child.pid); // Ends processes that it left running.
  }

  kill(): void {
    killGroup(this.#child?.pid);
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...this.#pieces, chunk.subarray(from, end)]);
      [this.#pieces, this.#piecesBytes, from] = [[], 0, end + 1];
      this.#take(line.toString('utf8'));
    }
    const rest = chunk.subarray(from);
    this.#pieces.push(rest);
    this.#piecesBytes += rest.length;
    if (this.#piecesBytes <= RESPONSE_BYTES_MAX) return;
    this.#pieces = [];
    this.#piecesBytes = 0;
    this.onerror?.(
      new ToolFault(
        'PAYLOAD_TOO_LARGE',
        `The MCP server sent a message above ${RESPONSE_BYTES_MAX / 1024 / 1024} MiB.`,
      ),
    );
    this.kill();
  }

  #take(line: string): void {
    try {
      const message = readMessage(line, this.#latestRequest);
      if (message !== null) this.onmessage?.(message);
    } catch {
      // Not a message: servers print to stdout by mistake, which is no reason to stop.
    }
  }
}

const LINE_FEED = 0x0a;

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
