import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { PROBE_MS_MAX } from '../../common/limits.ts';
import type { DriverTarget } from './driver.ts';
import { isAnswer } from './mcp-ping.ts';
import { commandOf, environmentOf, type McpParts } from './mcp-session.ts';
import { listOrPing } from './mcp-tools-list.ts';
import { StdioTransport } from './stdio-transport.ts';

const KEPT_MS = 5 * 60_000;
/** Less than a probe has, so that its message has what the server printed. */
const LOOK_MS = PROBE_MS_MAX - 250;

interface Kept {
  readonly client: Client;
  readonly transport: StdioTransport;
  readonly connected: Promise<void>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps stdio MCP servers between probes, one process per command and environment; five minutes
 * after its last probe each ends. Only probes use them: a call gets a process of its own, because a
 * server may keep a user's data (docs/decisions/0040).
 */
export class KeptServers {
  readonly #mcpServers: McpParts['mcpServers'];
  readonly #kept = new Map<string, Kept>();

  constructor(mcpServers: McpParts['mcpServers']) {
    this.#mcpServers = mcpServers;
  }

  /**
   * @returns the names of its tools; null where they are not known
   * @throws Error when the server does not start or answer before the signal
   */
  async look(target: DriverTarget, given: AbortSignal): Promise<readonly string[] | null> {
    const signal = AbortSignal.any([given, AbortSignal.timeout(LOOK_MS)]);
    const command = commandOf(target, this.#mcpServers);
    const environment = environmentOf(target, command);
    const text = JSON.stringify([command, environment]);
    const key = createHash('sha256').update(text).digest('hex');
    const fresh = () => {
      const kept = this.#open(
        key,
        new StdioTransport(command, environment, target.secret?.value ?? null),
      );
      return this.#lookAt(key, kept, signal, { isFresh: true, given });
    };
    const kept = this.#kept.get(key);
    if (kept === undefined) return fresh();
    // A kept server may have ended without a word; then a new one answers for it.
    return this.#lookAt(key, kept, signal, { isFresh: false, given }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return fresh();
    });
  }

  /**
   * @param isFresh it starts now, so that silence after its start concerns the question alone
   * @param given the part of the signal that is the caller's
   */
  async #lookAt(
    key: string,
    kept: Kept,
    signal: AbortSignal,
    { isFresh, given }: { readonly isFresh: boolean; readonly given: AbortSignal },
  ): Promise<readonly string[] | null> {
    clearTimeout(kept.timer);
    try {
      await untilAborted(signal, kept.connected);
      const tools = await listOrPing(kept.client, signal).catch((error: unknown) => {
        if (signal.aborted || !isFresh || !isAnswer(error)) throw error;
        return null;
      });
      clearTimeout(kept.timer);
      kept.timer = setTimeout(() => this.#drop(key, kept), KEPT_MS);
      kept.timer.unref();
      return tools;
    } catch (error) {
      this.#drop(key, kept);
      const isLate = signal.aborted && !given.aborted;
      throw isLate ? late(kept.transport) : (kept.transport.fault ?? error);
    }
  }

  close(): void {
    for (const [key, kept] of this.#kept) this.#drop(key, kept);
  }

  #open(key: string, transport: StdioTransport): Kept {
    const client = new Client({ name: 'aiden', version: '1' });
    const connected = client.connect(transport);
    connected.catch(() => {});
    const kept: Kept = { client, transport, connected, timer: undefined };
    // One that ended is started again by the next probe.
    client.onclose = () => this.#drop(key, kept);
    this.#kept.set(key, kept);
    return kept;
  }

  #drop(key: string, kept: Kept): void {
    clearTimeout(kept.timer);
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
    kept.transport.kill();
  }
}

const late = ({ printed }: StdioTransport): Error =>
  new Error(`No answer within ${PROBE_MS_MAX / 1_000} s.${printed}`);

const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
