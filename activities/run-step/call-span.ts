import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import type { Json } from '../../src/common/json.ts';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { short } from '../../src/platform/drivers/span-texts.ts';
import { inChildSpan, noteTexts } from '../../src/platform/telemetry/tracing.ts';
import { readPart } from '../../src/runs/agent/agent-step.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import { modelOf } from './model-of.ts';
import type { StepJob } from './step-job.ts';

// Spans of OpenTelemetry's conventions for generative AI (docs/decisions/0137).

/**
 * Makes the call of a Tool within a span: `chat` with its model and tokens for a model,
 * `execute_tool` for another Tool. The parts of an agent are children of its span.
 */
export function inCallSpan<Result extends { readonly output: Json; readonly usage: Usage }>(
  { call, tool, inputs }: Pick<StepJob, 'call' | 'tool' | 'inputs'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const isModel = tool.operation.type === 'llm_call';
  const attributes: Attributes = {
    'gen_ai.operation.name': isModel ? 'chat' : 'execute_tool',
    ...(isModel ? modelAttributes(tool) : { 'gen_ai.tool.name': tool.name }),
    ...placeAttributes(call.run, call.stepId),
  };
  const named = modelOf(tool)?.name ?? tool.name;
  const part = readPart(call.stepId);
  const init = {
    kind: isModel ? 'client' : 'internal',
    attributes,
    parentSpanId: part === null ? null : agentSpanId(call.run, part.stepId, call.index),
  } as const;
  return inChildSpan(`${attributes['gen_ai.operation.name']} ${named}`, init, async (span) => {
    if (!isModel)
      noteTexts(() => ({ 'gen_ai.tool.call.arguments': short(JSON.stringify(inputs)) }));
    try {
      const result = await work();
      const { inputTokens, outputTokens, costUsd } = result.usage;
      if (isModel)
        span?.setAttributes({
          'gen_ai.usage.input_tokens': inputTokens,
          'gen_ai.usage.output_tokens': outputTokens,
          ...(costUsd === null ? {} : { 'aiden.cost_usd': costUsd }),
        });
      else noteTexts(() => ({ 'gen_ai.tool.call.result': short(JSON.stringify(result.output)) }));
      return result;
    } catch (error) {
      if (error instanceof ToolFault) span?.setAttributes({ 'error.type': error.code });
      throw error;
    }
  });
}

/** The model that a Tool calls, and its provider. */
export function modelAttributes(tool: ToolSnapshot): Attributes {
  const model = modelOf(tool);
  return {
    'gen_ai.request.model': model?.name ?? tool.name,
    'gen_ai.provider.name': model?.provider ?? undefined,
  };
}

/** The run and step of a span, and its conversation. */
export function placeAttributes({ runId, conversationId }: RunHead, stepId: string): Attributes {
  return {
    ...(conversationId === null ? {} : { 'gen_ai.conversation.id': conversationId }),
    'aiden.run_id': runId,
    'aiden.step_id': stepId,
  };
}

/** Id of an agent's span. The processes that make its rounds and calls know it before its end. */
export function agentSpanId({ runId }: RunHead, stepId: string, index: number | null): string {
  return createHash('sha256')
    .update(stepKey(runId, stepId, index))
    .digest('hex')
    .slice(0, 16);
}
