import { isJsonObject } from '../../common/json.ts';
import type { Usage } from '../../common/tool-fault.ts';
import type { DriverTarget } from './driver.ts';

/** Tokens of one exchange. */
export interface LlmUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface Asked {
  readonly system: string | null;
  /** Messages with calls of tools or their results count as their JSON. */
  readonly messages: readonly object[];
}

// The overhead of chat formats per message.
const TOKENS_PER_MESSAGE = 4;

/** The provider's token counts. Counts that are missing, or 0 for a text, are estimated. */
export async function estimateUsage(
  said: { readonly inputTokens: number | null; readonly outputTokens: number | null },
  { system, messages }: Asked,
  spoken: string,
): Promise<LlmUsage> {
  const given = { inputTokens: said.inputTokens ?? 0, outputTokens: said.outputTokens ?? 0 };
  if (given.inputTokens > 0 && (given.outputTokens > 0 || spoken === '')) return given;
  // Loaded on demand: its tables are large, and most providers report counts.
  const { countTokens } = await import('../../common/token-budget.ts');
  const texts = [system ?? '', ...messages.map(textOf)];
  const inputTokens = texts.reduce((sum, text) => sum + countTokens(text) + TOKENS_PER_MESSAGE, 0);
  return {
    inputTokens: given.inputTokens || inputTokens,
    outputTokens: given.outputTokens || countTokens(spoken),
  };
}

function textOf(message: object): string {
  const isPlain = 'content' in message && !('calls' in message);
  return isPlain ? String(message.content) : JSON.stringify(message);
}

/** Adds the cost by connectionParams.pricing (USD per million tokens); null without pricing. */
export function toUsage(
  { inputTokens, outputTokens }: LlmUsage,
  { connectionParams }: DriverTarget,
): Usage {
  const pricing = connectionParams['pricing'];
  const { inputPerMillion, outputPerMillion } = isJsonObject(pricing) ? pricing : {};
  const isPriced = typeof inputPerMillion === 'number' && typeof outputPerMillion === 'number';
  const costUsd = isPriced
    ? (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1_000_000
    : null;
  return { inputTokens, outputTokens, costUsd, llmCalls: 1, toolCalls: 0 };
}
