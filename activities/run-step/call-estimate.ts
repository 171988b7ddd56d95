import { isJsonObject } from '../../src/common/json.ts';
import { countTokens } from '../../src/common/token-budget.ts';
import type { CallCost } from '../../src/runs/attempts/budget.ts';
import type { StepJob } from './step-job.ts';

// Tokens that a provider adds around the messages.
const OVERHEAD_TOKENS = 64;
// The provider's tokenizer may count more tokens than ours.
const COUNT_MARGIN = 1.2;
const OUTPUT_TOKENS_DEFAULT = 4_096;

/**
 * The most that one LLM call may cost, in tokens and US dollars: all of its input and the longest
 * output.
 */
export function estimateCall({ tool, inputs, step, round }: StepJob): CallCost {
  const { operation, connectionParams } = tool;
  const mayRequest = round !== null && round.call.last === null;
  const outputMax = mayRequest ? null : (step.output.tokenBudget ?? null);
  if (operation.type !== 'llm_call') return { tokens: 0, cost: 0 };
  const texts = [
    operation.systemPrompt ?? '',
    operation.promptTemplate,
    JSON.stringify(inputs),
    JSON.stringify(operation.responseSchema ?? ''),
    ...(round === null ? [] : [JSON.stringify([round.call.tools, round.call.transcript])]),
  ];
  const inputTokens = Math.ceil(countTokens(texts.join('\n')) * COUNT_MARGIN) + OVERHEAD_TOKENS;
  const limits = [outputMax, numberOf(connectionParams['maxTokens'])].filter(
    (limit) => limit !== null,
  );
  const outputTokens = limits.length === 0 ? OUTPUT_TOKENS_DEFAULT : Math.min(...limits);
  // A structured output that breaks its schema gets one repair round, which sends everything again.
  const rounds = operation.responseSchema ? 2 : 1;
  const pricing = isJsonObject(connectionParams['pricing']) ? connectionParams['pricing'] : {};
  const cost =
    (inputTokens * (numberOf(pricing['inputPerMillion']) ?? 0) +
      outputTokens * (numberOf(pricing['outputPerMillion']) ?? 0)) /
    1_000_000;
  return { tokens: rounds * (inputTokens + outputTokens), cost: rounds * cost };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
