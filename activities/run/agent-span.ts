import type { Json } from '../../src/common/json.ts';
import { answerTexts } from '../../src/platform/drivers/span-texts.ts';
import { activeTracing, recordSpan } from '../../src/platform/telemetry/tracing.ts';
import { offersTools } from '../../src/runs/agent/agent-step.ts';
import type { RunOutcome } from '../../src/runs/end/run-error.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import { findCancelledSteps, findStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { type StepRun, stepKey } from '../../src/runs/steps/step-run.ts';
import type { KnownSnapshot, RunContext } from '../deps.ts';
import { agentSpanId, modelAttributes, placeAttributes } from '../run-step/call-span.ts';

type SpanDeps = Pick<RunContext, 'graph' | 'snapshots'>;

interface AgentEnd {
  readonly output: Json;
  /** The code of the failure; null: the agent has answered. */
  readonly errorCode: string | null;
}

/**
 * Records the span `invoke_agent` of a step that offers tools, at its end. Its rounds and calls,
 * which other processes may have made, are its children. Tokens and cost are theirs alone, so that
 * a receiver which adds up the spans of a trace counts them once.
 */
export async function recordAgentSpan(
  { graph, snapshots }: SpanDeps,
  {
    run,
    stepId,
    index,
    ...end
  }: AgentEnd & { readonly run: RunHead; readonly stepId: string; readonly index: number | null },
): Promise<void> {
  if (activeTracing() === null) return;
  const known = await snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null || !offersTools(step)) return;
  const key = stepKey(run.runId, stepId, index);
  const [agent] = await graph.read((tx) => findStepRuns(tx, run.ownerId, [key]));
  if (agent !== undefined) sendSpan(known, run, agent, end);
}

/**
 * Records the spans of the agents that the end of their run cut off: by a cancel, by a timeout, or
 * because another step failed.
 */
export async function recordCutAgents(
  { graph, snapshots }: SpanDeps,
  run: RunHead,
  outcome: RunOutcome,
): Promise<void> {
  if (activeTracing() === null) return;
  const known = await snapshots.get(run.snapshotHash);
  const { steps } = known.process(run.processId);
  const stepIds = steps.filter(offersTools).map(({ id }) => id);
  if (stepIds.length === 0) return;
  const agents = await graph.read((tx) => findCancelledSteps(tx, run, stepIds));
  const errorCode = outcome.status === 'timed_out' ? outcome.error.code : 'CANCELLED';
  for (const agent of agents) sendSpan(known, run, agent, { output: null, errorCode });
}

function sendSpan(
  known: KnownSnapshot,
  run: RunHead,
  { stepId, index, startedAt }: StepRun,
  { output, errorCode }: AgentEnd,
): void {
  const calls = known.findStep(run.processId, stepId)?.calls;
  // A step that was refused or cancelled before its first round is no agent that worked.
  if (startedAt === null || calls === undefined || !('toolId' in calls)) return;
  const tool = known.findTool(calls.toolId);
  const name = known.findProcess(run.processId)?.name ?? stepId;
  const isTextSent = activeTracing()?.texts === true && errorCode === null;
  recordSpan(`invoke_agent ${name}`, {
    spanId: agentSpanId(run, stepId, index),
    kind: 'internal',
    startedAt: new Date(startedAt),
    failed: errorCode !== null,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': run.processId,
      'gen_ai.agent.name': name,
      ...(tool === null ? {} : modelAttributes(tool)),
      ...placeAttributes(run, stepId),
      ...(errorCode === null ? {} : { 'error.type': errorCode }),
      ...(isTextSent ? answerTexts(textOf(output)) : {}),
    },
  });
}

const textOf = (output: Json) => (typeof output === 'string' ? output : JSON.stringify(output));
