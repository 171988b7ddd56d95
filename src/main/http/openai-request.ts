import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';

// The part of OpenAI's chat completions that a Process can serve (docs/decisions/0069).

/** An error in OpenAI's shape. */
export class OpenaiError extends Error {
  override readonly name = 'OpenaiError';
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    more: {
      readonly code?: string | null;
      readonly param?: string | null;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    const type = more.type ?? TYPES[status] ?? 'invalid_request_error';
    this.body = { error: { message, type, param: more.param ?? null, code: more.code ?? null } };
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
};

const MESSAGES_MAX = 2_000;
const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
});
const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
});
const Body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().nullish(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A request that is valid; the model is not looked up yet. */
export interface ChatCompletionRequest {
  /** Name or id of a Process. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly isStream: boolean;
  readonly includeUsage: boolean;
  /** Whether calls of tools are told as the reasoning. */
  readonly showTools: boolean;
  /** The conversation that the last message continues; null: the messages are all there is. */
  readonly conversationId: string | null;
}

/** @throws OpenaiError 400 that names the parameter */
export function readChatCompletion(value: unknown): ChatCompletionRequest {
  const parsed = Body.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const param = path.length === 0 ? null : path.join('.');
    const name = path.at(-1) ?? '';
    const taken = typeof name === 'number' ? A_MESSAGE : TAKEN.get(String(name));
    const told = taken ?? `is not valid: ${issue?.message ?? 'another type is expected'}`;
    throw invalid(`${param ?? 'The body'} ${told}.`, param, 'invalid_value');
  }
  const { model, messages, stream, stream_options, n, tools, functions, metadata, ...rest } =
    parsed.data;
  if (n != null && n !== 1) throw invalid('Only n = 1 is served.', 'n');
  if ((tools?.length ?? 0) > 0)
    throw invalid('A Process calls its own tools; tools of the caller are not served.', 'tools');
  if ((functions?.length ?? 0) > 0)
    throw invalid('Functions of the caller are not served.', 'functions');
  const format = rest.response_format?.type ?? 'text';
  if (format !== 'text')
    throw invalid('The Process decides on the shape of its answer.', 'response_format');
  const read = messages
    .map(readMessage)
    // An answer without text, such as one that was stopped, says nothing to a model.
    .filter(({ role, content }) => role !== 'assistant' || content.trim() !== '');
  if (messages.at(-1)?.role !== 'user')
    throw invalid('The last message has to be a user message.', 'messages');
  return {
    model,
    messages: read,
    isStream: stream === true,
    includeUsage: stream_options?.include_usage === true,
    ...readMetadata(metadata ?? {}),
  };
}

/** Other keys belong to the caller. A key of ours that is misread would lose the talk's memory. */
function readMetadata({
  conversation = null,
  tool_events: events = null,
}: Readonly<Record<string, unknown>>) {
  if (conversation !== null && (typeof conversation !== 'string' || conversation.trim() === ''))
    throw invalid(
      'metadata.conversation takes the id of a conversation, as text.',
      'metadata.conversation',
      'invalid_type',
    );
  if (events !== null && events !== 'shown' && events !== 'hidden')
    throw invalid(
      'metadata.tool_events takes "shown" or "hidden".',
      'metadata.tool_events',
      'invalid_value',
    );
  return { conversationId: conversation, showTools: events === 'shown' };
}

/** What each parameter takes, for the message where it is something else. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['', 'has to be a JSON object'],
  ['model', 'takes the name or the id of a Process, as text'],
  ['messages', `takes a list of 1 to ${MESSAGES_MAX} messages`],
  ['role', 'takes system, developer, user or assistant'],
  ['content', 'takes a text, or a list of parts of the type text'],
  ['stream', 'takes true or false'],
  ['include_usage', 'takes true or false'],
  ['n', 'takes 1'],
  ['tools', 'takes a list; a Process calls its own tools'],
  ['functions', 'takes a list; a Process calls its own tools'],
  ['tool_calls', 'takes a list'],
  ['response_format', 'takes an object, such as {"type": "text"}'],
  ['type', 'takes a text, such as "text"'],
  ['text', 'takes a text'],
  ['refusal', 'takes a text'],
  ['stream_options', 'takes an object, such as {"include_usage": true}'],
  ['metadata', 'takes an object, such as {"conversation": "<id>"}'],
]);
const A_MESSAGE = 'has to be an object, such as {"role": "user", "content": "Hello"}';

const ROLES: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

function readMessage({ role: given, content, tool_calls }: z.infer<typeof Message>, at: number) {
  const param = `messages.${at}`;
  const role = Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
  if (role === undefined || (tool_calls?.length ?? 0) > 0)
    throw invalid(
      'Messages are of system, developer, user or assistant, in text.',
      `${param}.role`,
    );
  const text = typeof content === 'string' ? content : textOf(content ?? [], `${param}.content`);
  if (text.trim() !== '' || role === 'assistant') return { role, content: text };
  const message = `A message of the role ${given} needs a text; this one is empty.`;
  throw invalid(message, `${param}.content`, 'invalid_value');
}

function textOf(parts: readonly z.infer<typeof Part>[], param: string): string {
  const texts = parts.map(({ type, text, refusal }) => {
    // An answer that the model declined comes back with its history.
    if (type === 'refusal' && refusal !== undefined) return refusal;
    if (type !== 'text' || text === undefined)
      throw invalid('Only parts of the type text are served.', param);
    return text;
  });
  return texts.join('\n');
}

const invalid = (
  message: string,
  param: string | null,
  code: string = 'unsupported_parameter',
): OpenaiError => new OpenaiError(400, message, { param, code });

/** The initial context that the messages supply to a Process. */
export function contextOf(
  { initialContext }: { readonly initialContext: readonly string[] },
  { messages }: Pick<ChatCompletionRequest, 'messages'>,
): JsonObject {
  const supplied: JsonObject = {
    message: messages.at(-1)?.content ?? '',
    messages: messages.map((message) => ({ ...message })),
    recalled: [],
  };
  return Object.fromEntries(
    Object.entries(supplied).filter(([key]) => initialContext.includes(key)),
  );
}
