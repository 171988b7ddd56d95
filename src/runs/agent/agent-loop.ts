import { entryOf } from '../../common/entry-of.ts';
import { AGENT_EQUAL_CALLS_MAX } from '../../common/limits.ts';
import type { AgentLimits } from '../../processes/process.ts';
import type { RequestedCall } from './round.ts';

// The decisions of a loop of rounds. Workflows use this file, so it imports types and limits only.

export interface PlannedCall extends RequestedCall {
  /** Why it is not made, in words for the model; null where it is made. */
  readonly refusal: string | null;
  /** Its StepRun has ended. */
  isDone: boolean;
}

/** The state of a loop between two rounds. */
export interface LoopCounts {
  /** Calls that were made. */
  readonly made: number;
  /** Requests per call with equal arguments. */
  readonly seen: Readonly<Record<string, number>>;
}

export interface PlannedRound extends LoopCounts {
  readonly calls: PlannedCall[];
  /** Why the next round is the last; null where it need not be. */
  readonly last: string | null;
}

/**
 * Decides which calls of a round are made: those without a fault, within `maxToolCalls`, and not
 * equal to AGENT_EQUAL_CALLS_MAX earlier ones.
 */
export function planCalls(
  { made: before, seen: known }: LoopCounts,
  requested: readonly RequestedCall[],
  { maxToolCalls }: Pick<AgentLimits, 'maxToolCalls'>,
): PlannedRound {
  let made = before;
  let last: string | null = null;
  const seen: Record<string, number> = { ...known };
  const calls = requested.map((call): PlannedCall => {
    const times = entryOf(seen, call.same) ?? 0;
    seen[call.same] = times + 1;
    let refusal = call.fault;
    if (times >= AGENT_EQUAL_CALLS_MAX) {
      refusal =
        `This call was requested ${times} times before with the same arguments, so it is not ` +
        'made again.';
      last = 'The same call was requested again and again.';
    } else if (refusal === null && made >= maxToolCalls) {
      refusal = `The limit of ${maxToolCalls} calls of tools is reached.`;
      last = refusal;
    } else if (refusal === null) {
      made++;
    }
    return { ...call, refusal, isDone: refusal !== null };
  });
  return { calls, made, seen, last };
}

/** Why a round is the last by its number; null where it is not. */
export function lastByNumber(
  round: number,
  { maxRounds }: Pick<AgentLimits, 'maxRounds'>,
): string | null {
  return round < maxRounds ? null : `The limit of ${maxRounds} rounds is reached.`;
}
