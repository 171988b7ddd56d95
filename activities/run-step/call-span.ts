import type { Attributes } from '@opentelemetry/api';
import type { Usage } from '../../src/common/tool-fault.ts';
import { textParam } from '../../src/platform/drivers/credentials.ts';
import type { DriverTarget } from '../../src/platform/drivers/driver.ts';
import { apiOf } from '../../src/platform/drivers/language-model.ts';
import { inChildSpan } from '../../src/platform/telemetry/tracing.ts';
import type { StepJob } from './step-job.ts';

/**
 * Makes the call of a Tool within a span of OpenTelemetry's conventions for generative AI: `chat`
 * with its model and tokens for a model, `execute_tool` for another Tool. Without texts.
 */
export function inCallSpan<Result extends { readonly usage: Usage }>(
  { call, tool }: Pick<StepJob, 'call' | 'tool'>,
  target: DriverTarget,
  work: () => Promise<Result>,
): Promise<Result> {
  const isModel = tool.operation.type === 'llm_call';
  const model = isModel ? textParam(target, 'model') : null;
  const { conversationId } = call.run;
  const attributes: Attributes = {
    'gen_ai.operation.name': isModel ? 'chat' : 'execute_tool',
    ...(isModel
      ? { 'gen_ai.provider.name': apiOf(target), 'gen_ai.request.model': model ?? tool.name }
      : { 'gen_ai.tool.name': tool.name }),
    ...(conversationId === null ? {} : { 'gen_ai.conversation.id': conversationId }),
    'aiden.run_id': call.run.runId,
    'aiden.step_id': call.stepId,
  };
  const name = isModel ? `chat ${model ?? tool.name}` : `execute_tool ${tool.name}`;
  return inChildSpan(name, { kind: 'client', attributes }, async (span) => {
    const result = await work();
    const { inputTokens, outputTokens, costUsd } = result.usage;
    if (isModel)
      span?.setAttributes({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        ...(costUsd === null ? {} : { 'aiden.cost_usd': costUsd }),
      });
    return result;
  });
}
