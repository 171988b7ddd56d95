import { readPart } from './agent-step.ts';

/**
 * Names the steps that run beside this one (S0-TC-01): those of a stage, the items of a forEach or
 * the calls of one round of an agent; null for a step that runs alone.
 * @param stages as `planStages` gives them
 */
export function parallelGroupOf(
  stages: readonly (readonly string[])[],
  runId: string,
  { stepId, index }: { readonly stepId: string; readonly index: number | null },
): string | null {
  const part = readPart(stepId);
  const defined = part?.stepId ?? stepId;
  if (part !== null && part.call !== null) return `${runId}/${defined}~${part.round}`;
  if (index !== null) return `${runId}/${defined}`;
  const stage = stages.findIndex((ids) => ids.length > 1 && ids.includes(defined));
  return stage < 0 ? null : `${runId}/stage-${stage + 1}`;
}
