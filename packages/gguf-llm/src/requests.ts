import { z } from 'zod';
import { ApiError } from '../../local-llm/src/api-error.ts';
import { checked } from '../../local-llm/src/json-http.ts';
import type { ChatJob } from './model.ts';

const MESSAGES_MAX = 1_000;
const INPUTS_MAX = 2_048;

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});
const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }),
  }),
]);
const tokens = z.number().int().min(1).nullish();
const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: format.nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.number().int().nullish(),
  n: z.number().int().nullish(),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: z.unknown().optional(),
});

export type ChatRequest = Omit<ChatJob, 'signal' | 'onText' | 'onReasoning'> & {
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

/** @throws ApiError 400 or 404 that names the parameter at fault */
export function readChatRequest(value: unknown, model: string): ChatRequest {
  const given = checked(chatBody, value);
  if (given.model !== model) throw unknownModel(given.model, model);
  if (given.n != null && given.n !== 1)
    throw new ApiError(400, 'unsupported_value', 'Only n = 1 is supported.', 'n');
  const choice = given.tool_choice;
  if (choice != null && choice !== 'auto' && choice !== 'none')
    throw new ApiError(
      400,
      'unsupported_parameter',
      'This server does not call tools; leave tool_choice at auto or none.',
      'tool_choice',
    );
  // An answer in words alone would look as if the model had chosen no tool.
  if (choice !== 'none' && (given.tools?.length ?? 0) > 0)
    throw new ApiError(400, 'unsupported_parameter', 'This server does not call tools.', 'tools');
  const stop = typeof given.stop === 'string' ? [given.stop] : (given.stop ?? []);
  return {
    messages: given.messages.map(({ role, content }, index) => ({
      role: roleOf(role),
      content: textOf(content ?? '', index),
    })),
    schema: schemaOf(given.response_format ?? null),
    maxTokens: given.max_completion_tokens ?? given.max_tokens ?? null,
    stop: stop.filter((text) => text !== ''),
    temperature: given.temperature ?? null,
    topP: given.top_p ?? null,
    seed: given.seed ?? null,
    stream: given.stream === true,
    includeUsage: given.stream_options?.include_usage === true,
  };
}

function roleOf(role: z.infer<typeof message>['role']): 'system' | 'user' | 'assistant' {
  if (role === 'developer') return 'system';
  return role === 'tool' || role === 'function' ? 'user' : role;
}

/** `json_object` asks for any object. */
function schemaOf(given: z.infer<typeof format> | null): object | null {
  if (given === null || given.type === 'text') return null;
  const any = { type: 'object' };
  return given.type === 'json_object' ? any : (given.json_schema.schema ?? any);
}

function textOf(content: string | z.infer<typeof part>[], index: number): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text }) => {
      if (type === 'text' && text !== undefined) return text;
      const message = `This model reads text only, not ${type}.`;
      throw new ApiError(400, 'unsupported_content', message, `messages[${index}].content`);
    })
    .join('\n');
}

const embeddingBody = z.looseObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(INPUTS_MAX)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});

/** @throws ApiError 400 or 404 that names the parameter at fault */
export function readEmbeddingRequest(
  value: unknown,
  model: string,
): { readonly texts: readonly string[]; readonly isBase64: boolean } {
  const { model: given, input, encoding_format: encoding } = checked(embeddingBody, value);
  if (given !== model) throw unknownModel(given, model);
  return {
    texts: typeof input === 'string' ? [input] : input,
    isBase64: encoding === 'base64',
  };
}

function unknownModel(given: string, model: string): ApiError {
  const message = `There is no model "${given.slice(0, 100).toWellFormed()}" here, but ${model}.`;
  return new ApiError(404, 'model_not_found', message, 'model');
}
