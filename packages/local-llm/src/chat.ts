import { createHash } from 'node:crypto';
import { countTokens, decode, encode } from 'gpt-tokenizer/encoding/cl100k_base';
import type { ChatRequest } from './chat-request.ts';
import type { Language } from './language.ts';
import { CHAT_MODEL, respond } from './respond.ts';

export interface Completion {
  readonly id: string;
  readonly text: string;
  readonly finishReason: 'stop' | 'length';
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
}

/** Answers a request whole; it is ready in milliseconds, so streaming only parts it. */
export function complete(language: Language, request: ChatRequest): Completion {
  const stopped = cutAtStop(respond(language, request.messages, request.format), request.stop);
  const { text, cut } = cutAtTokens(stopped, request.maxTokens);
  // Three tokens a message and three for the reply's opening, as OpenAI counts its chat format.
  const prompt = request.messages.reduce((sum, { content }) => sum + 4 + countAll(content), 3);
  const completion = countAll(text);
  const digest = createHash('sha256')
    .update(JSON.stringify([request.messages, request.format, text]))
    .digest('hex');
  return {
    id: `chatcmpl-${digest.slice(0, 24)}`,
    text,
    finishReason: cut ? 'length' : 'stop',
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}

function countAll(text: string): number {
  // Marks like <|endoftext|> in a text are text here.
  return countTokens(text, { disallowedSpecial: new Set() });
}

function cutAtStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

function cutAtTokens(text: string, maxTokens: number | null): { text: string; cut: boolean } {
  if (maxTokens === null || text.length <= maxTokens) return { text, cut: false };
  const tokens = encode(text, { disallowedSpecial: new Set() });
  if (tokens.length <= maxTokens) return { text, cut: false };
  // A cut inside a character of several tokens leaves a replacement mark.
  return { text: decode(tokens.slice(0, maxTokens)).replace(/\uFFFD+$/, ''), cut: true };
}

export function completionBody(completion: Completion, createdSeconds: number): object {
  return {
    id: completion.id,
    object: 'chat.completion',
    created: createdSeconds,
    model: CHAT_MODEL,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: completion.text, refusal: null },
        logprobs: null,
        finish_reason: completion.finishReason,
      },
    ],
    usage: completion.usage,
  };
}

/** The chunks of a streamed answer: the role, a word each, the end, and the usage if asked for. */
export function* completionChunks(
  completion: Completion,
  createdSeconds: number,
  includeUsage: boolean,
): Generator<object> {
  const chunk = (choices: object[], usage: object | null): object => ({
    id: completion.id,
    object: 'chat.completion.chunk',
    created: createdSeconds,
    model: CHAT_MODEL,
    choices,
    ...(includeUsage ? { usage } : {}),
  });
  const delta = (content: object, finishReason: string | null): object =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }], null);
  yield delta({ role: 'assistant', content: '' }, null);
  for (const word of completion.text.match(/\s*\S+|\s+$/g) ?? [])
    yield delta({ content: word }, null);
  yield delta({}, completion.finishReason);
  if (includeUsage) yield chunk([], completion.usage);
}
