import type { ProcessStep } from './process.ts';

/** What a set of steps calls, each once. */
export function targetIds(steps: readonly Pick<ProcessStep, 'calls'>[]): {
  toolIds: string[];
  processIds: string[];
} {
  const toolIds = new Set<string>();
  const processIds = new Set<string>();
  for (const { calls } of steps) {
    if ('toolId' in calls) toolIds.add(calls.toolId);
    else processIds.add(calls.processId);
  }
  return { toolIds: [...toolIds], processIds: [...processIds] };
}
