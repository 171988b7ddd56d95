import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { checked } from './json-http.ts';
import type { Shape } from './json-shape.ts';
import { CHAT_CHARS_MAX, MESSAGES_MAX } from './limits.ts';
import type { ChatMessage } from './prompt.ts';
import { CHAT_MODEL, type ResponseFormat } from './respond.ts';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});
const schemaObject = z.record(z.string(), z.unknown());
const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ name: z.string().optional(), schema: schemaObject.optional() }),
  }),
]);
const tokens = z.number().int().min(1).nullish();
const body = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: format.nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.number().int().nullish(),
  tool_choice: z.unknown().optional(),
});

/**
 * A checked chat request. Sampling settings are accepted and have no effect: the same request has
 * the same answer.
 */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly format: ResponseFormat;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
}

/** @throws ApiError 400 or 404 with the parameter at fault. */
export function readChatRequest(value: unknown): ChatRequest {
  const given = checked(body, value);
  if (given.model !== CHAT_MODEL) throw unknownModel(given.model);
  if (given.n != null && given.n !== 1) {
    throw new ApiError(
      400,
      'unsupported_value',
      'Only n = 1 is supported: every answer would be the same.',
      'n',
    );
  }
  const choice = given.tool_choice;
  // Left to choose, this model never calls a tool, as any model may; forced to, it must say that it
  // can't.
  if (choice != null && choice !== 'auto' && choice !== 'none') {
    throw new ApiError(
      400,
      'unsupported_parameter',
      `${CHAT_MODEL} does not call tools; leave tool_choice at auto or none.`,
      'tool_choice',
    );
  }
  const messages = given.messages.map(
    ({ role, content }, index): ChatMessage => ({
      role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : role,
      content: textOf(content ?? '', index),
    }),
  );
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > CHAT_CHARS_MAX) {
    throw new ApiError(
      400,
      'context_length_exceeded',
      `The messages hold ${characters} characters; at most ${CHAT_CHARS_MAX} are read.`,
      'messages',
    );
  }
  return {
    messages,
    format: formatOf(given.response_format ?? { type: 'text' }),
    stream: given.stream === true,
    includeUsage: given.stream_options?.include_usage === true,
    maxTokens: given.max_completion_tokens ?? given.max_tokens ?? null,
    stop: (typeof given.stop === 'string' ? [given.stop] : (given.stop ?? [])).filter(
      (text) => text !== '',
    ),
  };
}

function formatOf(given: z.infer<typeof format>): ResponseFormat {
  if (given.type !== 'json_schema') return { type: given.type };
  const { schema } = given.json_schema;
  return schema === undefined
    ? { type: 'json_object' }
    : { type: 'json_schema', schema: schema as Shape };
}

function textOf(content: string | z.infer<typeof part>[], index: number): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text }) => {
      if ((type === 'text' || type === 'input_text') && text !== undefined) return text;
      throw new ApiError(
        400,
        'unsupported_content',
        `${CHAT_MODEL} reads text only, not ${type}.`,
        `messages[${index}].content`,
      );
    })
    .filter((text) => text !== '')
    .join('\n');
}

export function unknownModel(model: string): ApiError {
  return new ApiError(
    404,
    'model_not_found',
    `There is no model "${model.slice(0, 100).toWellFormed()}" here; GET /v1/models lists ` +
      'what there is.',
    'model',
  );
}
