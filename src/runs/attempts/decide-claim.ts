import { isOpen, type RunStatus } from '../run/run.ts';
import type { StepRun } from '../steps/step-run.ts';

/**
 * `claim`: the next attempt may begin. `lost`: the step's last attempt was lost with its worker,
 * and has to be ended. `ended`: the step has an end. `over`: its run has.
 */
export type ClaimDecision =
  | { readonly kind: 'claim'; readonly attempt: number }
  | { readonly kind: 'lost'; readonly attempt: number; readonly record: StepRun }
  | { readonly kind: 'ended'; readonly record: StepRun }
  | { readonly kind: 'over' };

/** Whether another attempt of a step may begin. @param attemptsMax as its retry policy has it */
export function decideClaim(
  { runStatus, record }: { readonly runStatus: RunStatus; readonly record: StepRun | null },
  attemptsMax: number,
): ClaimDecision {
  const isRunOpen = isOpen(runStatus);
  if (record === null) return isRunOpen ? { kind: 'claim', attempt: 1 } : { kind: 'over' };
  const { status, attempt } = record;
  const isAtWork = status === 'pending' || status === 'waiting' || status === 'running';
  if (!isAtWork) return status === 'cancelled' && record.error === null ? OVER : ended(record);
  if (!isRunOpen) return OVER;
  if (status === 'running' && attempt >= attemptsMax) return { kind: 'lost', attempt, record };
  return { kind: 'claim', attempt: attempt + 1 };
}

const OVER: ClaimDecision = { kind: 'over' };

const ended = (record: StepRun): ClaimDecision => ({ kind: 'ended', record });
