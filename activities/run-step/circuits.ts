import { destinationOf } from '../../src/catalog/services/endpoint.ts';
import { type Backoff, backoffMs } from '../../src/common/backoff.ts';
import { type Clock, instantOf } from '../../src/common/clock.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';

/** Failed calls in a row after which calls to a destination pause. */
export const FAILURES_BEFORE_PAUSE = 5;
/** The pause after the fifth failure, and its growth with each further failure. */
const PAUSE: Backoff = { firstMs: 2_000, maxMs: 60_000 };
/** Steps that waited for the same pause come back spread over this time. */
const SPREAD_MS = 1_000;
/** Destinations that failed last, at most; the oldest is forgotten first. */
const DESTINATIONS_MAX = 10_000;

export interface CircuitCall {
  readonly call: { readonly run: Pick<RunHead, 'ownerId'> };
  readonly tool: Pick<ToolSnapshot, 'name' | 'serviceId' | 'protocol' | 'connectionParams'>;
}

interface Circuit {
  failures: number;
  lastMessage: string;
  pausedUntilMs: number;
}

/**
 * A circuit breaker per owner and destination, in this process (docs/decisions/0044). After five
 * calls in a row that found no working server, calls pause for 2 to 60 s. After a pause one call
 * is let through; its success ends the pauses. Calls that a pause stops take no place of a Worker
 * while they wait.
 */
export interface Circuits {
  /** TARGET_UNHEALTHY, retryable after the pause, while calls pause; else null. */
  pauseOf(job: CircuitCall): ToolFault | null;
  /** Reports how a call ended. Only faults that another attempt may cure count as failures. */
  ended(job: CircuitCall, error: unknown): void;
}

/** @param nowMs default: a clock that never jumps */
export function createCircuits(
  clock: Clock,
  spreadMs: () => number = () => Math.round(Math.random() * SPREAD_MS),
  nowMs: () => number = () => performance.now(),
): Circuits {
  const circuits = new Map<string, Circuit>();
  return {
    pauseOf(job) {
      const circuit = circuits.get(keyOf(job));
      if (circuit === undefined || circuit.failures < FAILURES_BEFORE_PAUSE) return null;
      const leftMs = circuit.pausedUntilMs - nowMs();
      if (leftMs <= 0) {
        // This call tries the destination. The others go on waiting for its end.
        circuit.pausedUntilMs = nowMs() + pauseMs(circuit);
        return null;
      }
      const until = instantOf(clock.nowMs() + leftMs);
      return new ToolFault(
        'TARGET_UNHEALTHY',
        `Calls to the target of ${job.tool.name} pause until ${until}, because the last ` +
          `${circuit.failures} failed: ${circuit.lastMessage}`,
        { retryable: true, retryAfterMs: Math.ceil(leftMs) + spreadMs() },
      );
    },
    ended(job, error) {
      const key = keyOf(job);
      if (!(error instanceof ToolFault) || !error.retryable || error.retryAfterMs !== null) {
        circuits.delete(key);
        return;
      }
      const failures = (circuits.get(key)?.failures ?? 0) + 1;
      const circuit = { failures, lastMessage: error.message, pausedUntilMs: 0 };
      circuit.pausedUntilMs = nowMs() + pauseMs(circuit);
      circuits.delete(key);
      circuits.set(key, circuit);
      const [oldest] = circuits.keys();
      if (circuits.size > DESTINATIONS_MAX && oldest !== undefined) circuits.delete(oldest);
    },
  };
}

const pauseMs = ({ failures }: Circuit): number =>
  backoffMs(PAUSE, Math.max(1, failures - FAILURES_BEFORE_PAUSE + 1));

/** Calls of one owner cannot make another owner's calls pause. */
function keyOf({ call, tool }: CircuitCall): string {
  const destination = destinationOf(tool.protocol, tool.connectionParams) ?? tool.serviceId;
  return `${call.run.ownerId} ${destination}`;
}
