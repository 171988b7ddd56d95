import type { Attributes } from '@opentelemetry/api';
import type { Usage } from '../../src/common/tool-fault.ts';
import { inChildSpan } from '../../src/platform/telemetry/tracing.ts';
import { modelOf } from './model-of.ts';
import type { StepJob } from './step-job.ts';

/**
 * Makes the call of a Tool within a span of OpenTelemetry's conventions for generative AI: `chat`
 * with its model and tokens for a model, `execute_tool` for another Tool. Without texts.
 */
export function inCallSpan<Result extends { readonly usage: Usage }>(
  { call, tool }: Pick<StepJob, 'call' | 'tool'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const model = modelOf(tool);
  const named = model?.name ?? tool.name;
  const { conversationId } = call.run;
  const attributes: Attributes = {
    'gen_ai.operation.name': model === null ? 'execute_tool' : 'chat',
    ...(model === null
      ? { 'gen_ai.tool.name': tool.name }
      : { 'gen_ai.request.model': named, 'gen_ai.provider.name': model.provider ?? undefined }),
    ...(conversationId === null ? {} : { 'gen_ai.conversation.id': conversationId }),
    'aiden.run_id': call.run.runId,
    'aiden.step_id': call.stepId,
  };
  const name = model === null ? `execute_tool ${tool.name}` : `chat ${named}`;
  return inChildSpan(name, { kind: 'client', attributes }, async (span) => {
    const result = await work();
    const { inputTokens, outputTokens, costUsd } = result.usage;
    if (model !== null)
      span?.setAttributes({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        ...(costUsd === null ? {} : { 'aiden.cost_usd': costUsd }),
      });
    return result;
  });
}
