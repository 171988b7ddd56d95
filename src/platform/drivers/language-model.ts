import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  InvalidResponseDataError,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
} from 'ai';
import { LRUCache } from 'lru-cache';
import type { AgentCall, AgentMessage, ModelTool, ModelToolCall } from '../../common/agent-call.ts';
import { withEllipsis } from '../../common/ellipsis.ts';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { wellFormedJsonText } from '../../common/well-formed.ts';
import type { Egress, FetchLike } from '../egress/egress.ts';
import { noteTexts } from '../telemetry/tracing.ts';
import { parsed } from './answer-error.ts';
import { evenAnswer, evenAnthropicAnswer } from './answer-stream.ts';
import { endpointOf, httpCredentials, numberParam, textParam } from './credentials.ts';
import type { DriverTarget } from './driver.ts';
import { httpFailure, isRetryableStatus, retryAfterOf } from './http-failure.ts';
import { joinNeighbours } from './join-neighbours.ts';
import { estimateUsage, type LlmUsage, toUsage } from './llm-usage.ts';
import type { ChatMessage, ModelMessages } from './message-parts.ts';
import { type LeftOut, RefusedFields, refusedField, without } from './refused-fields.ts';
import { partsOf, withoutParts } from './refused-parts.ts';
import { askedTexts, saidTexts } from './span-texts.ts';
import { schemaInstruction } from './structured-output.ts';
import { openThoughtFilter } from './thoughts.ts';

/** Tools that the model may call in its answer. */
export type OfferedTools = Pick<AgentCall, 'tools' | 'choice'>;

/** One request to a model, with a streamed answer. */
export interface Exchange {
  readonly target: DriverTarget;
  /** Instructions, without the schema. */
  readonly system: string | null;
  readonly messages: ModelMessages;
  /** Null: no tools. With tools the schema is stated in the prompt only. */
  readonly offered: OfferedTools | null;
  /** JSON Schema of the answer; sent to providers that support it. */
  readonly schema: JsonObject | null;
  readonly maxOutputTokens: number | null;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  onText(delta: string): void;
  onReasoning(delta: string): void;
  /** The text so far was a thought. It follows as reasoning. */
  onRetract(): void;
  /**
   * Called before the first text where the model calls no tools, so that none are offered to it.
   */
  onWithoutTools?(): void;
  /** Called before the first text where the model's server refused images or files. */
  onWithoutParts?(note: string): void;
  /** Called when the answer has ended, also after a failure; flushes the redacted streams. */
  onEnd(): void;
}

export interface Spoken {
  readonly text: string;
  /** Whether the model thought; its thoughts are no part of the text. */
  readonly hasThought: boolean;
  readonly finish: string;
  /** The model was stopped before the end of its text. */
  readonly isCut: boolean;
  readonly usage: LlmUsage;
  readonly toolCalls: readonly ModelToolCall[];
  /** The thought that the server wants back with the calls; '' where it wants none. */
  readonly thought: string;
}

/** The only file that imports the AI SDK (docs/decisions/0012). */
export interface LanguageModels {
  /** @throws ToolFault with the usage so far: text streamed before a failure is billed */
  speak(exchange: Exchange): Promise<Spoken>;
}

// Reasoning models may send no event for minutes.
const IDLE_MS = 5 * 60_000;

export function openLanguageModels(egress: Egress): LanguageModels {
  // The SDK prints warnings about models to the console; a server uses its log.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

  /** Schemas that a model's server refused; they are stated in the prompt only. */
  const wordsOnly = new LRUCache<string, true>({ max: WORDS_ONLY_MAX });
  /** Parameters of tools that a model's server refused; they are stated in descriptions only. */
  const bareTools = new LRUCache<string, true>({ max: WORDS_ONLY_MAX });
  /** Models whose server said that they call no tools. */
  const toolless = new LRUCache<string, true>({ max: WORDS_ONLY_MAX });
  /** Images and files that a model's server refused. */
  const refusedParts = new LRUCache<string, true>({ max: WORDS_ONLY_MAX });

  const refusedFields = new RefusedFields();

  return { speak };

  async function speak(exchange: Exchange): Promise<Spoken> {
    noteTexts(() => askedTexts(exchange));
    const spoken = await speakWithParts(exchange);
    noteTexts(() => saidTexts(spoken));
    return spoken;
  }

  /** Leaves out images and files that the model refuses, so that the talk goes on without them. */
  async function speakWithParts(asked: Exchange): Promise<Spoken> {
    const { endpoint, model } = asked.target.connectionParams;
    const keyOf = (part: string) => JSON.stringify([endpoint, model, part]);
    const known = withoutParts(asked.messages, ({ digest, kind }) =>
      [digest, kind].some((part) => refusedParts.has(keyOf(part))),
    );
    const exchange = { ...asked, messages: known.messages };
    try {
      return await speakEither(exchange);
    } catch (error) {
      const parts = partsOf(exchange.messages);
      if (parts.length === 0 || !refusesParts(error)) throw error;
      const { messages, note } = withoutParts(exchange.messages, () => true);
      exchange.onWithoutParts?.(note);
      const spoken = await speakEither({ ...exchange, messages });
      if (lacksParts(error)) for (const { kind } of parts) refusedParts.set(keyOf(kind), true);
      else if (parts[0] !== undefined && new Set(parts.map(({ digest }) => digest)).size === 1)
        refusedParts.set(keyOf(parts[0].digest), true);
      return spoken;
    }
  }

  function speakEither(exchange: Exchange): Promise<Spoken> {
    return exchange.offered === null || exchange.offered.tools.length === 0
      ? speakWithFormat(exchange)
      : speakWithTools(exchange, exchange.offered);
  }

  async function speakWithFormat(exchange: Exchange): Promise<Spoken> {
    const { endpoint, model } = exchange.target.connectionParams;
    const key = JSON.stringify([endpoint, model, exchange.schema]);
    const hasFormat = exchange.schema !== null && !wordsOnly.has(key);
    try {
      return await speakOnce(exchange, hasFormat);
    } catch (error) {
      if (!hasFormat || !refusesFormat(error)) throw error;
      const spoken = await speakOnce(exchange, false);
      wordsOnly.set(key, true);
      return spoken;
    }
  }

  async function speakWithTools(exchange: Exchange, offered: OfferedTools): Promise<Spoken> {
    const { endpoint, model, toolCalls } = exchange.target.connectionParams;
    const named = JSON.stringify([endpoint, model]);
    const withoutTools = () => {
      exchange.onWithoutTools?.();
      return speakWithFormat({ ...exchange, offered: null });
    };
    if (toolCalls === false || toolless.has(named)) return withoutTools();
    try {
      return await speakWithParameters(exchange, offered);
    } catch (error) {
      if (!lacksTools(error)) throw error;
      toolless.set(named, true);
      return withoutTools();
    }
  }

  async function speakWithParameters(exchange: Exchange, offered: OfferedTools): Promise<Spoken> {
    const { endpoint, model } = exchange.target.connectionParams;
    const key = JSON.stringify([
      endpoint,
      model,
      offered.tools.map(({ parameters }) => parameters),
    ]);
    const bare = { ...exchange, offered: { ...offered, tools: offered.tools.map(toBareTool) } };
    if (bareTools.has(key)) return speakOnce(bare, false);
    try {
      return await speakOnce(exchange, false);
    } catch (error) {
      if (lacksTools(error) || !refusesTools(error)) throw error;
      return await speakBare(bare, key);
    }
  }

  /**
   * With parameters in words; a tool that the server then still refuses by its place is left out.
   */
  async function speakBare(exchange: Exchange & { offered: OfferedTools }, key: string) {
    let { tools } = exchange.offered;
    for (;;) {
      try {
        const spoken = await speakOnce(
          { ...exchange, offered: { ...exchange.offered, tools } },
          false,
        );
        if (tools.length === exchange.offered.tools.length) bareTools.set(key, true);
        return spoken;
      } catch (error) {
        const place = refusedTool(error);
        if (place === null || tools[place] === undefined || tools.length === 1) throw error;
        tools = tools.filter((_tool, index) => index !== place);
      }
    }
  }

  async function speakOnce(asked: Exchange, hasFormat: boolean): Promise<Spoken> {
    const { endpoint, model } = asked.target.connectionParams;
    const key = JSON.stringify([endpoint, model]);
    let left = leftOutFor(asked.target, refusedFields.of(key));
    for (;;) {
      try {
        const spoken = await speakWithout(left, asked, hasFormat);
        refusedFields.learn(key, left);
        return spoken;
      } catch (error) {
        const refused = refusedField(error, fieldsOf(asked, left));
        if (refused === null) throw error;
        left = new Set([...left, refused]);
      }
    }
  }

  async function speakWithout(
    left: ReadonlySet<LeftOut>,
    asked: Exchange,
    hasFormat: boolean,
  ): Promise<Spoken> {
    const exchange = withSchemaInWords(asked, hasFormat);
    const { target, system, messages, schema, signal } = exchange;
    const temperature = numberParam(target, 'temperature');
    let text = '';
    let reasoning = '';
    let thought = '';
    const parted = openThoughtFilter({
      onText(delta) {
        text += delta;
        exchange.onText(delta);
      },
      onReasoning(delta) {
        reasoning += delta;
        exchange.onReasoning(delta);
      },
      onRetract() {
        text = '';
        exchange.onRetract();
      },
    });
    const toolCalls: ModelToolCall[] = [];
    /** Arguments as the model wrote them: the SDK's own reading rounds long numbers. */
    const written = new Map<string, string>();
    // Ends the request where its answer is no longer read; the SDK would read it to the end.
    const unread = new AbortController();
    try {
      const result = streamText({
        model: modelOf(target, egress, left, (piece) => {
          thought += piece;
        }),
        messages: joinNeighbours(messages).map(toModelMessage),
        ...(system === null ? {} : { instructions: system }),
        ...(temperature === null ? {} : { temperature }),
        ...(exchange.maxOutputTokens === null ? {} : { maxOutputTokens: exchange.maxOutputTokens }),
        ...(hasFormat ? formatOf(schema) : {}),
        ...toolsOf(exchange.offered),
        // A forced tool accepts any schema; native formats accept only a subset.
        // Strict mode refuses every schema with an optional property.
        providerOptions: {
          anthropic: { structuredOutputMode: 'jsonTool' },
          llm: { strictJsonSchema: false },
        },
        abortSignal: AbortSignal.any([signal, unread.signal]),
        maxRetries: 0, // attempts are the step's business: Temporal counts them
        onError() {},
      });
      for await (const part of result.stream) {
        if (part.type === 'text-delta') parted.push(part.text);
        else if (part.type === 'tool-input-delta')
          written.set(part.id, (written.get(part.id) ?? '') + part.delta);
        else if (part.type === 'reasoning-delta') {
          reasoning += part.text;
          exchange.onReasoning(part.text);
        } else if (part.type === 'tool-call')
          toolCalls.push(
            toToolCall({ ...part, input: written.get(part.toolCallId) ?? part.input }),
          );
        else if (part.type === 'error') throw part.error;
        else if (part.type === 'abort') throw new Error('The completion was stopped.');
        else if (part.type === 'finish') {
          // A stream that ends without the provider's own reason was cut off.
          if (part.rawFinishReason === undefined) break;
          parted.end();
          const { inputTokens, outputTokens } = part.totalUsage;
          const said = { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null };
          const requested = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls);
          return {
            text,
            hasThought: reasoning !== '',
            finish: part.finishReason,
            isCut: part.finishReason === 'length' || CUT.test(part.rawFinishReason),
            usage: await estimateUsage(said, exchange, text + reasoning + requested),
            toolCalls,
            thought: exchange.redact(thought),
          };
        }
      }
      throw new ToolFault('TOOL_FAILED', 'The model stopped in the middle of its answer.', {
        retryable: true,
      });
    } catch (error) {
      unread.abort();
      const isNameless = exchange.offered !== null && namesNoTool(error);
      if (isNameless || (exchange.offered?.choice === 'none' && violatesChoice(error))) {
        const none = { inputTokens: null, outputTokens: null };
        const usage = await estimateUsage(none, exchange, text + reasoning);
        const calls = isNameless ? [...toolCalls, NAMELESS_CALL] : toolCalls;
        const spoken = { text, hasThought: reasoning !== '', finish: 'tool-calls', usage };
        return { ...spoken, isCut: false, toolCalls: calls, thought: '' };
      }
      throw await faultOf(error, exchange, text + reasoning);
    } finally {
      exchange.onEnd();
    }
  }
}

const WORDS_ONLY_MAX = 1_000;
/**
 * Reasons in the words of servers. The SDK says `content-filter` of a refusal too, which is whole.
 */
const CUT = /^(?:length|max_(?:output_)?tokens|content_filter)$/i;

/**
 * Whether a server refused the request because of its response format: an older server, or a
 * schema with keywords that it does not know.
 */
const refusesFormat = (error: unknown): boolean =>
  isRefusal(
    error,
    /response_format|response format|json_schema|json_object|schema|grammar|structured/i,
  );

/** Whether a server refused the request because of a tool's parameters. */
const refusesTools = (error: unknown): boolean => isRefusal(error, /schema|tool|function|grammar/i);

/** Whether a server refused the request because the model calls no tools at all. */
const lacksTools = (error: unknown): boolean =>
  isRefusal(
    error,
    /(does not|doesn't|do not|cannot|can't|not) (support|call|use)\w* (any )?(tools?|functions?)(?! (choice|name|param|schema|with))\b|tools? (calling |use )?(is|are) not (supported|enabled)|requires? --jinja|--enable-auto-tool-choice/i,
  );

/** Whether a server refused the request because of an image or a file. */
const refusesParts = (error: unknown): boolean =>
  isRefusal(
    error,
    /image|picture|vision|multi-?modal|mmproj|\bfile\b|file_data|pdf|document|\bmedia|attachment|content.{0,12}type|must be a string|valid string|expected (a )?string/i,
    REFUSED_PART,
  );

/** Whether a server refused the request because the model takes no images or files at all. */
const lacksParts = (error: unknown): boolean =>
  isRefusal(
    error,
    /not (a )?(multi-?modal|supported by|support|accept|allow)|does(n't| not) (support|accept|allow)|only supported by|no vision|unsupported content|mmproj|must be a string|valid string|expected (a )?string|unknown variant/i,
    REFUSED_PART,
  );

/** The place in the list of the tool that a server refused, where its words tell one. */
function refusedTool(error: unknown): number | null {
  if (!refusesTools(error) || !(error instanceof ToolFault) || !isJsonObject(error.details))
    return null;
  const [, place] =
    /(?:tools|functions)(?:\[|\.|\/)(\d+)/.exec(String(error.details['body'])) ?? [];
  return place === undefined ? null : Number(place);
}

const REFUSED: readonly number[] = [400, 422, 501];
/** Statuses of refused images: OpenRouter's is 404, llama.cpp's without a projector is 500. */
const REFUSED_PART: readonly number[] = [...REFUSED, 404, 413, 415, 500];

function isRefusal(error: unknown, words: RegExp, statuses = REFUSED): boolean {
  if (!(error instanceof ToolFault) || !isJsonObject(error.details)) return false;
  const { status, body } = error.details;
  return statuses.includes(Number(status)) && words.test(String(body));
}

function toModelMessage(message: ChatMessage | AgentMessage): ModelMessage {
  if (message.role === 'tool') return toolMessage(message);
  if ('calls' in message) return callingMessage(message);
  const { role, content, parts } = message;
  if (parts === undefined || role === 'assistant') return { role, content };
  return { role, content: parts.map((part) => ({ ...part })) };
}

function callingMessage({
  content,
  calls,
  thought = '',
}: Extract<AgentMessage, { role: 'assistant' }>) {
  const text = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }];
  // DeepSeek and Kimi refuse the next round where the thought before its calls is missing.
  const thoughts = thought === '' ? [] : [{ type: 'reasoning' as const, text: thought }];
  const requested = calls.map(({ id, name, arguments: input, signature }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
    ...(signature === undefined
      ? {}
      : { providerOptions: { google: { thoughtSignature: signature } } }),
  }));
  return { role: 'assistant' as const, content: [...thoughts, ...text, ...requested] };
}

const toolMessage = ({ results }: Extract<AgentMessage, { role: 'tool' }>) => ({
  role: 'tool' as const,
  content: results.map(({ id, name, text, isError }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
  })),
});

/** Tools without `execute`: the SDK returns the calls instead of making them. */
function toolsOf(offered: OfferedTools | null) {
  if (offered === null || offered.tools.length === 0) return {};
  const tools = Object.fromEntries(
    offered.tools.map(({ name, description, parameters }) => [
      name,
      { description, inputSchema: jsonSchema(parameters) },
    ]),
  );
  return { tools, toolChoice: offered.choice };
}

/**
 * The SDK's error for a call of a tool where none may be called. The SDK does not export its class.
 */
const violatesChoice = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_ToolChoiceViolationError';

/** The tool with any object as arguments; its description states the schema. */
const toBareTool = ({ name, description, parameters }: ModelTool): ModelTool => ({
  name,
  description: `${description}\nIts arguments: ${JSON.stringify(parameters)}`,
  parameters: { type: 'object', properties: {}, additionalProperties: true },
});

/** A call without the name of a tool. The model reads so, as of any unknown tool. */
export const NAMELESS_CALL: ModelToolCall = { id: '', name: '', arguments: {}, raw: null };

/** Whether the SDK refused a call because it has no name; such a call has no part of its own. */
const namesNoTool = (error: unknown): boolean =>
  InvalidResponseDataError.isInstance(error) && error.message.includes("'function.name'");

function toToolCall(part: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerMetadata?:
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
}): ModelToolCall {
  const { toolCallId: id, toolName, input } = part;
  const signature = part.providerMetadata?.['llm']?.['thoughtSignature'];
  const name = { name: toolName, ...(typeof signature === 'string' ? { signature } : {}) };
  if (isJsonObject(input)) return { id, ...name, arguments: input, raw: null };
  // Servers in front of Claude send `{}` before the arguments.
  const value =
    typeof input === 'string' ? (parsed(input) ?? parsed(input.replace(/^\s*\{\}/, ''))) : null;
  // Some servers write the JSON of the arguments into a JSON text once more.
  const inner = typeof value === 'string' ? parsed(value) : value;
  if (isJsonObject(inner)) return { id, ...name, arguments: inner, raw: null };
  const raw = typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
  // A model without arguments to give may send nothing at all, or null.
  if (['', 'null'].includes(raw.trim())) return { id, ...name, arguments: {}, raw: null };
  return { id, ...name, arguments: null, raw };
}

function withSchemaInWords(exchange: Exchange, hasFormat: boolean): Exchange {
  const { schema, system, target } = exchange;
  if (schema === null) return exchange;
  const isSent = hasFormat && sendsSchemas(target) && schema['type'] === 'object';
  const instruction = schemaInstruction(schema, isSent);
  return { ...exchange, system: system === null ? instruction : `${system}\n\n${instruction}` };
}

const sendsSchemas = ({ connectionParams }: DriverTarget): boolean =>
  connectionParams['structuredOutputs'] !== false;

// Providers accept only object schemas; others are stated in the prompt only.
function formatOf(schema: JsonObject | null) {
  if (schema?.['type'] !== 'object') return {};
  return { output: Output.object({ schema: jsonSchema(schema) }) };
}

export type LlmApi = 'openai' | 'anthropic';

/**
 * connectionParams.api, else by host: Anthropic's for its own hosts, OpenAI's for all others
 * (docs/decisions/0018).
 */
export function apiOf(target: Pick<DriverTarget, 'connectionParams'>): LlmApi {
  const api = textParam(target, 'api');
  if (api === 'openai' || api === 'anthropic') return api;
  const host = URL.parse(endpointOf(target))?.hostname ?? '';
  return host === 'anthropic.com' || host.endsWith('.anthropic.com') ? 'anthropic' : 'openai';
}

/** The endpoint without trailing slash, and with `/v1` when it has no path. */
export function baseUrlOf(target: DriverTarget): string {
  const endpoint = endpointOf(target);
  const bare = endpoint.replace(/\/+$/, '');
  return URL.parse(endpoint)?.pathname === '/' ? `${bare}/v1` : bare;
}

export function llmCredentials(target: DriverTarget) {
  return httpCredentials(target, apiOf(target) === 'anthropic' ? 'header:x-api-key' : 'bearer');
}

function modelOf(
  target: DriverTarget,
  egress: Egress,
  left: ReadonlySet<LeftOut>,
  onThought: (piece: string) => void,
): LanguageModel {
  const model = textParam(target, 'model');
  if (model === null) throw new ToolFault('TOOL_FAILED', 'The Tool has no connectionParams.model.');
  const baseURL = baseUrlOf(target);
  const fetch = fetchAs(target, egress, onThought) as typeof globalThis.fetch;
  // The SDK's own key is never sent: fetchAs replaces or removes it.
  if (apiOf(target) === 'anthropic')
    return createAnthropic({ baseURL, apiKey: 'unused', fetch })(model);
  return createOpenAICompatible({
    name: 'llm',
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: sendsSchemas(target),
    transformRequestBody: (body) => without(body, left),
  })(model);
}

// OpenAI's newer models accept only the newer name of the limit.
function leftOutFor(target: DriverTarget, known: ReadonlySet<LeftOut>): ReadonlySet<LeftOut> {
  const isOpenAi = /^https:\/\/([a-z0-9-]+\.)*openai\.com\//.test(`${baseUrlOf(target)}/`);
  return isOpenAi ? new Set([...known, 'limit']) : known;
}

/** The fields of a request that can be left out. Requests to Anthropic's API have none. */
function fieldsOf(
  { target, messages, maxOutputTokens }: Exchange,
  left: ReadonlySet<LeftOut>,
): readonly LeftOut[] {
  if (apiOf(target) === 'anthropic') return [];
  const hasThought = messages.some((message) => 'thought' in message && message.thought);
  const fields: readonly LeftOut[] = [
    ...(maxOutputTokens === null ? [] : (['limit'] as const)),
    'usage',
    ...(hasThought ? (['thoughts'] as const) : []),
  ];
  return fields.filter((field) => !left.has(field));
}

/**
 * Egress as the SDK's fetch. It adds the Secret outside the SDK, so that the SDK's errors can't
 * contain it.
 */
function fetchAs(
  target: DriverTarget,
  egress: Egress,
  onThought: (piece: string) => void,
): FetchLike {
  const credentials = llmCredentials(target);
  const send = egress.fetchWith({ system: target.system, limits: { idleMs: IDLE_MS } });
  return (input, init = {}) => {
    const url = new URL(input);
    for (const [name, value] of Object.entries(credentials.query))
      url.searchParams.set(name, value);
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    headers.delete('x-api-key');
    for (const [name, value] of Object.entries(credentials.headers)) headers.set(name, value);
    // Templates and cuts may leave half of a character, which strict servers refuse.
    const body = typeof init.body === 'string' ? wellFormedJsonText(init.body) : init.body;
    const answer = send(url, { ...init, headers, ...(body === undefined ? {} : { body }) });
    return apiOf(target) === 'anthropic'
      ? answer.then(evenAnthropicAnswer)
      : answer.then((found) => evenAnswer(found, onThought));
  };
}

const MESSAGE_CHARS_MAX = 500;

async function faultOf(error: unknown, exchange: Exchange, spoken: string): Promise<ToolFault> {
  const nothing = { inputTokens: 0, outputTokens: 0 };
  // Providers bill nothing before the first word; after it, the prompt and the text so far.
  const used =
    spoken === ''
      ? nothing
      : await estimateUsage({ inputTokens: null, outputTokens: null }, exchange, spoken);
  const usage = toUsage(used, exchange.target);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFault) {
      const { retryable, retryAfterMs, details } = cause;
      return new ToolFault(cause.code, cause.message, { retryable, retryAfterMs, details, usage });
    }
    if (
      APICallError.isInstance(cause) &&
      cause.statusCode !== undefined &&
      cause.statusCode >= 300
    ) {
      const answer = {
        status: cause.statusCode,
        body: cause.message,
        retryAfter: retryAfterOf((name) => entryOf(cause.responseHeaders ?? {}, name)),
      };
      return httpFailure(answer, 'The model', exchange.redact, usage);
    }
  }
  // An error inside the stream of an answer.
  if (isJsonObject(error) && typeof error['message'] === 'string') {
    const { message, code } = error;
    const words = withEllipsis(exchange.redact(message), MESSAGE_CHARS_MAX);
    const retryable = !(typeof code === 'number' && code < 500 && !isRetryableStatus(code));
    return new ToolFault('TOOL_FAILED', `The model failed: ${words}`, { retryable, usage });
  }
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  return new ToolFault('TOOL_FAILED', `The model failed: ${message}`, { retryable: true, usage });
}
