import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/json.ts';
import type { EarlierAnswer } from '../../conversations/same-request.cypher.ts';

// Clients of OpenAI's API send a request again after a timeout, a lost connection or a 5xx, and
// give it no key (docs/decisions/0091).

/** Equal requests of one user have the same fingerprint. */
export function fingerprintOf(request: {
  readonly userId: string;
  readonly processId: string;
  readonly conversationId: string | null;
  readonly messages: readonly object[];
}): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** Whether the client says that it sent this request before. Some libraries always say 0. */
export function isRetry(retryCount: string | readonly string[] | undefined): boolean {
  return Number(retryCount ?? 0) > 0;
}

/**
 * How to serve a request in a conversation that ends in the answer to an equal request.
 * - `join`: the same request once more, so it gets the answer of the first one.
 * - `again`: the message is in the conversation and has no answer, so it is answered again.
 * - `new`: the first one was answered, so the person says the same thing again.
 */
export function servingOf(
  { outcome }: Pick<EarlierAnswer, 'outcome'>,
  { isRepeated }: { readonly isRepeated: boolean },
): 'join' | 'again' | 'new' {
  if (outcome === null) return 'join';
  if (outcome === 'completed') return isRepeated ? 'join' : 'new';
  return isRepeated && outcome === 'failed' ? 'join' : 'again';
}

/**
 * How long in ms a run goes on after its last client hung up. Clients begin a retry within half a
 * second to four seconds.
 */
export const GRACE_MS = 5_000;

interface Followed {
  readonly fingerprint: string;
  clients: number;
  /** Whether a client got the end of the answer. */
  isDelivered: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The runs that clients wait for, in this process. A run that all its clients left without the end
 * of its answer is abandoned after a grace; until then an equal request may take it over.
 */
export class FollowedRuns {
  readonly #runs = new Map<string, Followed>();
  readonly #graceMs: number;
  #isClosed = false;

  constructor(graceMs: number = GRACE_MS) {
    this.#graceMs = graceMs;
  }

  /** A run of an equal request that no client waits for any more; null: there is none. */
  leftRun(fingerprint: string): string | null {
    for (const [runId, run] of this.#runs)
      if (run.fingerprint === fingerprint && run.clients === 0) return runId;
    return null;
  }

  /**
   * Counts a client that waits for the run.
   * @returns counts it out; `abandoned` is called where no client takes the run over
   */
  follow(
    { runId, fingerprint }: { readonly runId: string; readonly fingerprint: string },
    abandoned: () => void,
  ): (left: { readonly isDelivered: boolean }) => void {
    const run = this.#runs.get(runId) ?? {
      fingerprint,
      clients: 0,
      isDelivered: false,
      timer: undefined,
    };
    this.#runs.set(runId, run);
    clearTimeout(run.timer);
    run.clients++;
    return ({ isDelivered }) => {
      run.clients--;
      run.isDelivered ||= isDelivered;
      if (run.clients > 0) return;
      if (run.isDelivered || this.#isClosed) return void this.#runs.delete(runId);
      run.timer = setTimeout(() => {
        this.#runs.delete(runId);
        abandoned();
      }, this.#graceMs).unref();
    };
  }

  /** From now on no run is abandoned. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#runs.values()) clearTimeout(timer);
    this.#runs.clear();
  }
}
