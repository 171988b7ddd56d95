import { addUsage, NO_USAGE, type Usage } from '../../common/tool-fault.ts';
import type { StepRun } from '../steps/step-run.ts';
import { type AgentPart, readPart } from './agent-step.ts';

/** A round of a step that offers tools, with the calls that it requested. */
export interface AgentRound {
  /** From 1. */
  readonly index: number;
  readonly round: StepRun;
  readonly toolCalls: readonly StepRun[];
}

interface Part {
  readonly part: AgentPart;
  readonly step: StepRun;
}

/** The rounds of a step, in order; none where it offers no tools. @param all StepRuns of its run */
export function roundsOf(
  { stepId, index }: Pick<StepRun, 'stepId' | 'index'>,
  all: readonly StepRun[],
): AgentRound[] {
  const parts = partsOf({ stepId, index }, all);
  return parts
    .filter(({ part }) => part.call === null)
    .sort((left, right) => left.part.round - right.part.round)
    .map(({ part, step }) => ({
      index: part.round,
      round: step,
      toolCalls: parts
        .filter(({ part: other }) => other.call !== null && other.round === part.round)
        .sort((left, right) => (left.part.call?.index ?? 0) - (right.part.call?.index ?? 0))
        .map(({ step: call }) => call),
    }));
}

/** The usage of a step, with its rounds and their calls. */
export function usageOf(step: StepRun, all: readonly StepRun[]): Usage {
  return partsOf(step, all).reduce(
    (sum, { step: part }) => addUsage(sum, part.usage),
    step.usage ?? NO_USAGE,
  );
}

/** The steps that are defined, without the rounds and calls of steps that offer tools. */
export function definedSteps(all: readonly StepRun[]): StepRun[] {
  return all.filter(({ stepId }) => readPart(stepId) === null);
}

const partsOf = (
  { stepId, index }: Pick<StepRun, 'stepId' | 'index'>,
  all: readonly StepRun[],
): Part[] =>
  all.flatMap((step) => {
    if (step.index !== index) return [];
    const part = readPart(step.stepId);
    return part?.stepId === stepId ? [{ part, step }] : [];
  });
