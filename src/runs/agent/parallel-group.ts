import { planStages } from '../../processes/definition/plan.ts';
import type { ProcessStep } from '../../processes/process.ts';
import { readPart } from './agent-step.ts';

interface Place {
  readonly runId: string;
  readonly stepId: string;
  readonly index: number | null;
}

/**
 * Names the steps that run beside this one (S0-TC-01): those of a stage, the items of a forEach or
 * the calls of one round of an agent; null for a step that runs alone.
 */
export function parallelGroupOf(
  steps: readonly ProcessStep[],
  { runId, stepId, index }: Place,
): string | null {
  const part = readPart(stepId);
  const defined = part?.stepId ?? stepId;
  if (part !== null && part.call !== null) return `${runId}/${defined}~${part.round}`;
  if (index !== null) return `${runId}/${defined}`;
  const stage = planStages(steps).findIndex((ids) => ids.length > 1 && ids.includes(defined));
  return stage < 0 ? null : `${runId}/stage-${stage + 1}`;
}
