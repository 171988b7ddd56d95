import { AGENT_ROUNDS_DEFAULT, AGENT_TOOL_CALLS_DEFAULT } from '../../common/limits.ts';
import type { AgentLimits, ProcessStep } from '../../processes/process.ts';

// A step that offers tools has one StepRun for itself, one per round and one per call of a tool
// (docs/decisions/0065). The ids of rounds and calls are made from the step's id. `~` occurs in no
// id of a step, so they never collide. Workflows use this file, so it imports no zod.

/** A round of a step, or one call of that round. */
export interface AgentPart {
  /** Id of the step that offers the tools. */
  readonly stepId: string;
  /** From 1. */
  readonly round: number;
  /** Null for the round itself. `index` counts from 0 within the round. */
  readonly call: { readonly index: number; readonly name: string } | null;
}

const PART = /^([^~]+)~(\d{1,6})(?:\.(\d{1,6})\.([A-Za-z0-9_-]{1,64}))?$/;

/** Id of a round: `answer~2`. */
export function roundId(stepId: string, round: number): string {
  return `${stepId}~${round}`;
}

/** Id of a call: `answer~2.0.search_memory`. */
export function callId(stepId: string, round: number, index: number, name: string): string {
  return `${stepId}~${round}.${index}.${name}`;
}

/** Null for the id of an ordinary step. */
export function readPart(id: string): AgentPart | null {
  const [, stepId, round, index, name] = PART.exec(id) ?? [];
  if (stepId === undefined) return null;
  const call = index === undefined || name === undefined ? null : { index: Number(index), name };
  return { stepId, round: Number(round), call };
}

/** Definitions in histories of older versions have no `tools`. */
export function offersTools(step: Pick<ProcessStep, 'tools'>): boolean {
  return step.tools !== null && step.tools !== undefined && step.tools.length > 0;
}

export function limitsOf({ agent }: Pick<ProcessStep, 'agent'>): AgentLimits {
  return {
    maxRounds: agent?.maxRounds ?? AGENT_ROUNDS_DEFAULT,
    maxToolCalls: agent?.maxToolCalls ?? AGENT_TOOL_CALLS_DEFAULT,
    toolChoice: agent?.toolChoice ?? 'auto',
    approvalTimeout: agent?.approvalTimeout ?? null,
  };
}

/** A round as a step of its own: the call of the model, with the step's retry policy. */
export function roundStep(step: ProcessStep, round: number): ProcessStep {
  const { timeout, retry } = step.execution;
  return {
    ...step,
    id: roundId(step.id, round),
    execution: { ...PLAIN, timeout: timeout ?? null, retry: retry ?? null },
    dependsOn: [],
    tools: null,
    agent: null,
  };
}

/** A call of a tool as a step of its own. Its result is kept whole. */
export function callStep(
  step: ProcessStep,
  { round, call }: { readonly round: number; readonly call: NonNullable<AgentPart['call']> },
  target: ProcessStep['calls'],
): ProcessStep {
  const id = callId(step.id, round, call.index, call.name);
  return {
    id,
    description: null,
    calls: target,
    inputs: {},
    output: { variable: id, tokenBudget: null, required: false },
    execution: { ...PLAIN, timeout: step.execution.timeout ?? null },
    dependsOn: [roundId(step.id, round)],
    tools: null,
    agent: null,
  };
}

const PLAIN: ProcessStep['execution'] = {
  mode: 'sequential',
  condition: null,
  timeout: null,
  interactionMode: 'auto',
  retry: null,
  forEach: null,
  maxConcurrency: null,
  failedItemsMax: null,
  failedShareMax: null,
  onFailure: null,
  fallback: null,
  cacheSeconds: null,
};
