import { isJsonObject, type JsonObject } from '../../src/common/json.ts';
import { countTokens } from '../../src/common/token-budget.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';

// What a provider adds around the messages, and what our count may miss of its own tokenizer's.
const OVERHEAD_TOKENS = 64;
const COUNT_MARGIN = 1.2;
const OUTPUT_TOKENS_DEFAULT = 4_096;

/** The most one LLM call may cost, to be reserved before it: everything it is given, and all it may answer. */
export function estimateCall(
  tool: ToolSnapshot,
  inputs: JsonObject,
  outputMax: number | null,
): { tokens: number; cost: number } {
  const { operation, connectionParams } = tool;
  if (operation.type !== 'llm_call') return { tokens: 0, cost: 0 };
  const given = [
    operation.systemPrompt ?? '',
    operation.promptTemplate,
    JSON.stringify(inputs),
    JSON.stringify(operation.responseSchema ?? ''),
  ];
  const inputTokens = Math.ceil(countTokens(given.join('\n')) * COUNT_MARGIN) + OVERHEAD_TOKENS;
  const limits = [outputMax, numberOf(connectionParams['maxTokens'])].filter(
    (limit) => limit !== null,
  );
  const outputTokens = limits.length === 0 ? OUTPUT_TOKENS_DEFAULT : Math.min(...limits);
  // A structured answer that breaks its schema gets one repair round, which sends everything again.
  const rounds = operation.responseSchema ? 2 : 1;
  const pricing = isJsonObject(connectionParams['pricing']) ? connectionParams['pricing'] : {};
  const cost =
    (inputTokens * (numberOf(pricing['inputPerMillion']) ?? 0) +
      outputTokens * (numberOf(pricing['outputPerMillion']) ?? 0)) /
    1_000_000;
  return { tokens: rounds * (inputTokens + outputTokens), cost: rounds * cost };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
