import type { Json } from '../../src/common/json.ts';
import { answerTexts } from '../../src/platform/drivers/span-texts.ts';
import { activeTracing, recordSpan } from '../../src/platform/telemetry/tracing.ts';
import { offersTools } from '../../src/runs/agent/agent-step.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import { findStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { RunContext } from '../deps.ts';
import { agentSpanId, modelAttributes, placeAttributes } from '../run-step/call-span.ts';

interface AgentEnd {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
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
  { graph, snapshots }: Pick<RunContext, 'graph' | 'snapshots'>,
  { run, stepId, index, output, errorCode }: AgentEnd,
): Promise<void> {
  const tracing = activeTracing();
  if (tracing === null) return;
  const known = await snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null || !offersTools(step) || !('toolId' in step.calls)) return;
  const key = stepKey(run.runId, stepId, index);
  const [agent] = await graph.read((tx) => findStepRuns(tx, run.ownerId, [key]));
  // A step that was refused before its first round is no agent that worked.
  if (agent?.startedAt == null) return;
  const tool = known.findTool(step.calls.toolId);
  const name = known.findProcess(run.processId)?.name ?? stepId;
  recordSpan(`invoke_agent ${name}`, {
    spanId: agentSpanId(run, stepId, index),
    kind: 'internal',
    startedAt: new Date(agent.startedAt),
    failed: errorCode !== null,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': run.processId,
      'gen_ai.agent.name': name,
      ...(tool === null ? {} : modelAttributes(tool)),
      ...placeAttributes(run, stepId),
      ...(errorCode === null ? {} : { 'error.type': errorCode }),
      ...(tracing.texts && errorCode === null ? answerTexts(textOf(output)) : {}),
    },
  });
}

const textOf = (output: Json) => (typeof output === 'string' ? output : JSON.stringify(output));
