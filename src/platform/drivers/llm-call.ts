import { z } from 'zod';
import type { AgentCall, AgentMessage } from '../../common/agent-call.ts';
import type { JsonObject } from '../../common/json.ts';
import { someOf } from '../../common/some-of.ts';
import { addUsage, NO_USAGE, ToolFault, type Usage } from '../../common/tool-fault.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Egress } from '../egress/egress.ts';
import type { Renderer } from '../renderer/renderer.ts';
import { numberParam, textParam } from './credentials.ts';
import type { DriverCall, DriverResult, Probe, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import {
  apiOf,
  baseUrlOf,
  type Exchange,
  type LanguageModels,
  llmCredentials,
  NAMELESS_CALL,
  openLanguageModels,
  type Spoken,
} from './language-model.ts';
import { promptOf } from './llm-prompt.ts';
import { toUsage } from './llm-usage.ts';
import { type ChatMessage, openBudget, type PartSources, readParts } from './message-parts.ts';
import type { SecretRedactor } from './redact-secret.ts';
import { REFUSED_PARTS } from './refused-parts.ts';
import { readStructured, repairRequest } from './structured-output.ts';

type LlmCall = DriverCall<OperationOf<'llm_call'>>;

const ANTHROPIC_VERSION = '2023-06-01';

/**
 * Runs a completion and returns text, or the value that fits responseSchema. An invalid first
 * answer gets one repair round: empty, no JSON, cut off, or not fitting. Usage counts every round,
 * also of failed calls (S4-TOOL-12).
 */
export function llmDriver({
  egress,
  renderer,
  blobs,
}: {
  egress: Egress;
  renderer: Renderer;
  /** Blobs of users, for images and files in messages. Absent: none can be read. */
  blobs?: BlobStore | undefined;
}): ToolDriver<'llm_call'> {
  const models = openLanguageModels(egress);
  return {
    type: 'llm_call',
    invoke: (call) =>
      guarded(call, async (redactor) => {
        const exchange = await prepare(call, { egress, renderer, blobs }, redactor);
        const noted = withNotes(exchange, call);
        const result = await (call.agent === undefined
          ? speakAlone(models, noted.exchange, call)
          : speakRound(models, noted.exchange, call.agent, call));
        return noted.around(result);
      }),
    probe: (target, signal) =>
      probed(target, signal, async (limit) => {
        const { headers, query } = llmCredentials(target);
        const versioned: Record<string, string> =
          apiOf(target) === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : {};
        const ask = (path: string) => {
          const url = new URL(`${baseUrlOf(target)}${path}`);
          for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
          return egress.fetch(url, {
            headers: { ...versioned, ...headers },
            signal: limit,
            system: target.system,
          });
        };
        return probeModel(ask, textParam(target, 'model'));
      }),
    async close() {},
  };
}

/** The provider answers, and gives no list in which the model could stand. */
const UNTOLD: Probe = { status: 'healthy', errorMessage: null, tells: 'answer' };

/**
 * Whether the provider answers and knows the model. A model that it neither lists nor finds is
 * `degraded` and not `down`: some servers take any name.
 */
async function probeModel(
  ask: (path: string) => Promise<Response>,
  model: string | null,
): Promise<Probe> {
  const response = await ask('/models');
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    if ([401, 403].includes(status))
      return { status: 'down', errorMessage: `The provider refused the Secret (${status}).` };
    if (status < 500) return UNTOLD;
    return { status: 'down', errorMessage: `The provider answered ${status}.` };
  }
  const listed = listedModels(await response.text());
  if (listed.length === 0) return UNTOLD;
  if (model === null || listed.some((id) => isNamed(id, model)))
    return { status: 'healthy', errorMessage: null };
  // A list may be a page, or leave aliases out.
  const found = await ask(`/models/${encodeURIComponent(model)}`);
  await found.body?.cancel();
  if (found.ok) return { status: 'healthy', errorMessage: null };
  if (found.status !== 404) return UNTOLD;
  const known = someOf(listed);
  const errorMessage = `The provider does not know the model ${model}. It lists ${known}.`;
  return { status: 'degraded', errorMessage };
}

/** Ids of a list of models, as OpenAI and Anthropic answer it; empty where it is another thing. */
function listedModels(text: string): string[] {
  try {
    const { success, data } = ModelList.safeParse(JSON.parse(text));
    return success ? data.data.map(({ id }) => id) : [];
  } catch {
    return [];
  }
}
const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** `llama3` names `llama3:latest`, and `gemini-pro` names `models/gemini-pro`. */
const isNamed = (id: string, model: string): boolean =>
  id === model || id === `${model}:latest` || id.endsWith(`/${model}`);

async function prepare(
  call: LlmCall,
  { renderer, ...sources }: PartSources & { readonly renderer: Renderer },
  redactor: SecretRedactor,
): Promise<Exchange> {
  const { operation, target } = call;
  const { system, messages: shown } = await promptOf(
    operation,
    call.inputs,
    renderer.of(call.ownerId),
  );
  const schema = operation.responseSchema ?? null;
  const messages: (ChatMessage | AgentMessage)[] = [];
  const budget = openBudget();
  for (const message of shown) {
    if (message.role === 'tool' || 'calls' in message) {
      messages.push(message);
      continue;
    }
    const { role, content, parts } = message;
    // Only users attach images and files; the text of others is whole.
    const read =
      parts === null || role !== 'user' ? null : await readParts(sources, call, parts, budget);
    messages.push(read === null ? { role, content } : { role, content, parts: read });
  }
  if (messages.length === 0)
    throw new ToolFault(
      'INPUT_INVALID',
      'There is nothing to ask the model: the prompt is empty and there are no messages.',
    );
  const spoken = redactor.stream(call.onText ?? (() => {}));
  const thought = redactor.stream(call.onReasoning ?? (() => {}));
  const limits = [call.maxOutputTokens, numberParam(target, 'maxTokens')].filter(
    (limit) => limit !== null,
  );
  return {
    target,
    messages,
    offered: null,
    schema,
    system,
    maxOutputTokens: limits.length === 0 ? null : Math.min(...limits),
    signal: call.signal,
    redact: redactor.text,
    onText: spoken.push,
    onReasoning: thought.push,
    onRetract() {
      spoken.flush();
      call.onReset?.();
    },
    onEnd() {
      spoken.flush();
      thought.flush();
    },
  };
}

/**
 * One round of a model with tools: the calls that it requests, or its answer. In the last round
 * requested calls are ignored, and text without calls is the answer.
 */
async function speakRound(
  models: LanguageModels,
  before: Exchange,
  { tools, choice, transcript, last }: AgentCall,
  call: LlmCall,
): Promise<DriverResult> {
  const told: ChatMessage[] = last === null ? [] : [{ role: 'user', content: lastRound(last) }];
  const exchange: Exchange = {
    ...before,
    messages: [...before.messages, ...transcript, ...told],
    offered: { tools, choice: last === null ? choice : 'none' },
  };
  const spoken = await models.speak(exchange);
  const usage = toUsage(spoken.usage, exchange.target);
  if (spoken.toolCalls.length > 0 && last === null)
    return {
      output: spoken.text,
      usage,
      toolCalls: spoken.toolCalls,
      ...(spoken.thought === '' ? {} : { thought: spoken.thought }),
    };
  // Calls of the last round may be known by `finish` alone.
  const requests = spoken.toolCalls.length > 0 || spoken.finish === 'tool-calls';
  if (requests && spoken.text.trim() === '') {
    // The stream says that there is a call, and the SDK found none with a name.
    if (last === null) return { output: '', usage, toolCalls: [NAMELESS_CALL] };
    throw new ToolFault(
      'AGENT_STOPPED',
      `${last} The model went on calling tools and gave no answer.`,
      { usage },
    );
  }
  if (exchange.schema === null) return readText(spoken, usage);
  return readOrRepair(models, exchange, exchange.schema, spoken, call);
}

const NO_TOOLS =
  'This model calls no tools, so its answers come from this conversation and from what is ' +
  'recalled.';

const CUT_NOTE =
  '\n\n(The answer ends here: the model reached its limit of tokens, or a filter stopped it.)';

/**
 * Adds notes to the text of an answer. Before it: the model calls no tools, or does not take an
 * attached image or file; a chat has each of these once. After it, in a conversation: the answer is
 * cut. Answers that are data, and calls outside of a chat, have none.
 */
function withNotes(exchange: Exchange, { operation, conversationId = null }: LlmCall) {
  let notes = '';
  const note = (words: string, known: string) => {
    if (exchange.schema !== null || !operation.messages) return;
    const isTold = exchange.messages.some(
      (message) => message.role === 'assistant' && message.content.includes(known),
    );
    if (isTold || notes.includes(known)) return;
    notes += `(${words})\n\n`;
    exchange.onText(`(${words})\n\n`);
  };
  return {
    exchange: {
      ...exchange,
      onRetract() {
        exchange.onRetract();
        if (notes !== '') exchange.onText(notes);
      },
      onWithoutTools: () => note(NO_TOOLS, NO_TOOLS),
      onWithoutParts: (words: string) => note(words, REFUSED_PARTS),
    },
    around(result: DriverResult): DriverResult {
      const { output, isCut = false } = result;
      if (typeof output !== 'string') return result;
      const end = isCut && conversationId !== null && operation.messages ? CUT_NOTE : '';
      if (end !== '') {
        exchange.onText(end);
        exchange.onEnd();
      }
      return { ...result, output: `${notes}${output}${end}` };
    },
  };
}

const lastRound = (reason: string): string =>
  `${reason} No more tools can be called. Answer now with what you know, and say what is ` +
  'missing.';

async function speakAlone(
  models: LanguageModels,
  exchange: Exchange,
  call: LlmCall,
): Promise<DriverResult> {
  const spoken = await models.speak(exchange);
  return exchange.schema === null
    ? readText(spoken, toUsage(spoken.usage, exchange.target))
    : readOrRepair(models, exchange, exchange.schema, spoken, call);
}

function readText({ text, finish, isCut, hasThought }: Spoken, usage: Usage): DriverResult {
  if (text.trim() !== '') return { output: text, usage, ...(isCut ? { isCut } : {}) };
  const said = hasThought ? 'thought and gave no answer' : 'said nothing';
  throw new ToolFault('TOOL_FAILED', `The model ${said} (it ended with "${finish}").`, {
    retryable: true,
    usage,
  });
}

/** The first answer, or that of one repair round. */
async function readOrRepair(
  models: LanguageModels,
  exchange: Exchange,
  schema: JsonObject,
  first: Spoken,
  call: LlmCall,
): Promise<DriverResult> {
  const usage = toUsage(first.usage, exchange.target);
  const answer = readStructured(first.text, schema, first.finish);
  if ('value' in answer) return { output: answer.value, usage };

  call.onReset?.();
  const refused: ChatMessage[] =
    first.text.trim() === '' ? [] : [{ role: 'assistant', content: first.text }];
  const messages: Exchange['messages'] = [
    ...exchange.messages,
    ...refused,
    { role: 'user', content: repairRequest(answer.problem, schema) },
  ];
  const { offered } = exchange;
  const repair: Exchange = {
    ...exchange,
    messages,
    offered: offered === null ? null : { ...offered, choice: 'none' },
  };
  const second = await models.speak(repair).catch((error: unknown) => {
    throw withUsage(error, usage);
  });
  const total = addUsage(usage, toUsage(second.usage, exchange.target));
  const repaired = readStructured(second.text, schema, second.finish);
  if ('value' in repaired) return { output: repaired.value, usage: total };
  throw new ToolFault(
    'OUTPUT_INVALID',
    "The model's answer does not fit the responseSchema, also after one repair: " +
      `${repaired.problem}`,
    { usage: total },
  );
}

function withUsage(error: unknown, before: Usage): unknown {
  if (!(error instanceof ToolFault)) return error;
  const { retryable, retryAfterMs, details } = error;
  const usage = addUsage(before, error.usage ?? NO_USAGE);
  return new ToolFault(error.code, error.message, { retryable, retryAfterMs, details, usage });
}
