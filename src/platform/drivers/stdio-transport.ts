import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { withEllipsis } from '../../common/ellipsis.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import { oneLineJson } from '../../common/well-formed.ts';
import { answers, type RequestId } from './mcp-messages.ts';
import { redactSecret } from './redact-secret.ts';
import { type OutputFault, type Received, ServerOutput, UNREADABLE } from './stdio-output.ts';

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
/** Time for the rest of the output after the exit; a process of the server may keep it open. */
const REST_MS = 1_000;
/** Time for an answer beside one that cannot be read, which a server may have printed as a log. */
const UNREADABLE_MS = 1_000;
const SHOWN_CHARS_MAX = 200;
const USAGE = { ...NO_USAGE, toolCalls: 1 };

type Child = ChildProcessByStdio<Writable, Readable, null>;

/**
 * MCP over a child process, one per call. The SDK's transport passes on PATH, HOME and USER, waits
 * up to 4 s before a kill, and leaves grandchildren running. This one passes only the given
 * environment and kills the whole process group. `onerror` gets a ToolFault for each failure that
 * ends the server, with its exit code and its last words.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServerCommand;
  readonly #env: Readonly<Record<string, string>>;
  readonly #output: ServerOutput;
  #fault: ToolFault | null = null;
  #latestRequest: RequestId | null = null;
  #isAnswered = true;
  #child: Child | null = null;
  #gone: Promise<void> = Promise.resolve();
  #unreadable: NodeJS.Timeout | undefined;
  #isLeaving = false;

  /** @param secret stands in `env`; what the server prints is shown without it */
  constructor(
    server: McpServerCommand,
    env: Readonly<Record<string, string>>,
    secret: string | null,
  ) {
    this.#server = server;
    this.#env = env;
    // A server may print one line of a key of several.
    this.#output = new ServerOutput(redactSecret(secret, ...(secret?.split(/\r?\n/) ?? [])).text);
  }

  start(): Promise<void> {
    const child = this.#spawn();
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stdout.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#gone = new Promise((resolve) => {
      const finish = () => {
        this.#finish(child);
        resolve();
      };
      child.once('close', finish);
      child.once('exit', () => setTimeout(finish, REST_MS).unref());
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', (error) => {
        this.#isLeaving = true; // `close` follows, without an exit to tell of.
        reject(notStarted(error));
      });
    });
  }

  /** Node's message of a refused environment quotes the value, which is the secret. */
  #spawn(): Child {
    const { command, args, cwd } = this.#server;
    try {
      return spawn(command, args, {
        env: this.#env,
        stdio: ['pipe', 'pipe', 'ignore'], // Its stderr may contain the secret.
        detached: true,
        ...(cwd === undefined ? {} : { cwd }),
      });
    } catch (error) {
      throw notStarted(error);
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    // An abort sends a cancel, and nobody catches what its listener throws.
    if (child === null) return Promise.reject(this.#endFault(null));
    if ('method' in message && 'id' in message) {
      [this.#latestRequest, this.#isAnswered] = [message.id, false];
      clearTimeout(this.#unreadable);
    }
    return new Promise((resolve, reject) => {
      const line = oneLineJson(serializeMessage(message));
      // A server that closed its input has often ended; its exit tells more.
      const refuse = () => setTimeout(() => reject(this.#endFault(child)), REST_MS).unref();
      child.stdin.write(line, (error) => (error ? refuse() : resolve()));
    });
  }

  /** Ends stdin, then kills the group if needed. Resolves when the child has exited. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#isLeaving = true;
    child.stdin.end();
    const timer = setTimeout(() => this.kill(), LEAVE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  kill(): void {
    killGroup(this.#child?.pid);
  }

  /** Why the server ended; null while it runs, and after a `close`. */
  get fault(): ToolFault | null {
    return this.#fault;
  }

  /** A sentence with the latest line that is no message; empty where there is none. */
  get printed(): string {
    const { said } = this.#output;
    return said === '' ? '' : ` It printed: ${withEllipsis(said, SHOWN_CHARS_MAX)}`;
  }

  /** Called once. A process that the server started may keep its output open for ever. */
  #finish(child: Child): void {
    if (this.#child === null) return;
    this.#deliver(() => this.#output.end(this.#latestRequest));
    this.#child = null;
    clearTimeout(this.#unreadable);
    child.stdout.destroy();
    killGroup(child.pid); // Ends processes that it left running.
    const fault = this.#isLeaving ? null : this.#endFault(child);
    // The caller takes the last answer first.
    setImmediate(() => {
      if (fault !== null) this.#report(fault);
      this.onclose?.();
    });
  }

  #receive(chunk: Buffer): void {
    this.#deliver(() => this.#output.push(chunk, this.#latestRequest));
  }

  #deliver(read: () => readonly Received[]): void {
    for (const { messages, fault, isUnreadable } of read()) {
      for (const message of messages) this.#take(message);
      if (fault !== null) {
        this.#fail(fault);
        return;
      }
      // A log may have an answer that was read already.
      if (!isUnreadable || this.#isAnswered) continue;
      clearTimeout(this.#unreadable);
      this.#unreadable = setTimeout(() => this.#fail(UNREADABLE), UNREADABLE_MS).unref();
    }
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      clearTimeout(this.#unreadable);
      if (this.#latestRequest !== null) this.#isAnswered ||= answers(message, this.#latestRequest);
    }
    this.onmessage?.(message);
  }

  #fail({ code, message }: OutputFault): void {
    this.#report(new ToolFault(code, message, { usage: USAGE }));
    this.kill();
  }

  #report(fault: ToolFault): void {
    this.#fault ??= fault;
    this.onerror?.(fault);
  }

  #endFault(child: Child | null): ToolFault {
    const { exitCode = null, signalCode = null } = child ?? {};
    const how =
      signalCode !== null
        ? ` (signal ${signalCode})`
        : exitCode === null
          ? ''
          : ` (exit code ${exitCode})`;
    return new ToolFault(
      'TOOL_FAILED',
      `The MCP server ended before it answered${how}. Its operator finds the reason by starting ` +
        `its command.${this.printed}`,
      { retryable: true, usage: USAGE },
    );
  }
}

/** Why a command could not be started, by the code of the system; the operator's file has it. */
function notStarted(error: unknown): ToolFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  const words = [reason, code].filter(Boolean).join(', ');
  return new ToolFault(
    'TOOL_FAILED',
    `The MCP server could not be started${words === '' ? '' : ` (${words})`}. ` +
      'The operator checks its command in the list of AIDEN_MCP_SERVERS.',
    { details: { code } },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its command or its folder is not there',
  EACCES: 'its command may not be run',
  E2BIG: 'its arguments or its Secret are too long',
  ERR_INVALID_ARG_VALUE: 'its arguments or its Secret have a NUL character',
};

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
