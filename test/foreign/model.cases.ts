import type { AgentMessage } from '../../src/common/agent-call.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

/** The answer of a model server, byte for byte. */
export interface ServerAnswer {
  readonly status?: number;
  /** Default: text/event-stream. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the server does behind the body. Default: it ends its answer. */
  readonly then?: 'stays open' | 'breaks off';
}

export interface ModelInput {
  /** The answers in order; the last one is repeated. */
  readonly answers: readonly ServerAnswer[];
  readonly schema?: JsonObject;
  /** Messages before the prompt "Hi", or instead of it where they end with one of a user. */
  readonly messages?: Json;
  /** Default: OpenAI's. */
  readonly api?: 'anthropic';
  /** Rounds of an agent before this one. */
  readonly transcript?: readonly AgentMessage[];
  readonly maxOutputTokens?: number;
  /** The conversation in which the model is asked. */
  readonly conversationId?: string;
}

export interface ModelRight {
  readonly output?: Json;
  /** Whether the output is known to lack its end. */
  readonly isCut?: boolean;
  readonly reasoning?: string;
  /** Part of the message of the failure. */
  readonly fault?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** Requests that the server gets. Default: 1. */
  readonly requests?: number;
  /** Texts that the last request must not hold. */
  readonly unsent?: readonly string[];
  /** Texts that the last request holds. */
  readonly sent?: readonly string[];
  readonly toolCalls?: Json;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** The thought that goes back with the calls. */
  readonly thought?: string;
}

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';
/** An event of a stream, with any value. */
const event = (value: Json): string => `data: ${JSON.stringify(value)}\n\n`;
/** The answer "Hi" after something odd. */
const hi = (...odd: string[]): ModelInput => ({
  answers: [{ body: odd.join('') + chunk({ content: 'Hi' }) + chunk({}, 'stop') + DONE }],
});
/** Deltas of one call of a tool. */
const calling = (...deltas: JsonObject[]): ModelInput => ({
  answers: [
    {
      body:
        deltas.map((delta) => chunk({ tool_calls: [delta] })).join('') +
        chunk({}, 'tool_calls') +
        DONE,
    },
  ],
});
/** A stream of an answer in pieces, in good order. */
const stream = (...pieces: string[]): ServerAnswer => ({
  body: pieces.map((content) => chunk({ content })).join('') + chunk({}, 'stop') + DONE,
});
const json = (value: Json, status = 200): ServerAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const stopped = (content: string, reason: string): ServerAnswer => ({
  body: chunk({ content }) + chunk({}, reason) + DONE,
});
const PLACES: JsonObject = {
  type: 'object',
  required: ['places'],
  properties: { places: { type: 'array', items: { type: 'string' } } },
};
const FACTS: JsonObject = {
  type: 'object',
  required: ['facts'],
  properties: { facts: { type: 'array', items: { type: 'string' } } },
};
const IMAGE_TURN: Json = [
  {
    role: 'user',
    content: 'See this.',
    parts: [
      { type: 'text', text: 'See this.' },
      { type: 'image', uri: 'BLOB', mediaType: 'image/png' },
    ],
  },
  { role: 'assistant', content: 'A dot.' },
];

/** The same answer in pieces of three characters. */
const pieces = (answer: string) => ({ answers: [stream(...(answer.match(/.{1,3}/gs) ?? []))] });

export const THOUGHTS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  ...rows<ForeignCase<ModelInput, ModelRight>>('model', 'THOUGHTS', { stream }),
  ...rows<[string, string, string]>('model', 'KEPT').map(([title, source, answer]) => ({
    title: `keeps ${title}`,
    source,
    input: pieces(answer),
    right: { output: answer, reasoning: '' },
  })),
  ...rows<[string, string, string, string]>('model', 'READ').map(
    ([title, source, answer, reasoning]) => ({
      title: `reads ${title}`,
      source,
      input: pieces(answer),
      right: { output: 'Done.', reasoning },
    }),
  ),
];

export const STRUCTURED: readonly ForeignCase<ModelInput, ModelRight>[] = rows(
  'model',
  'STRUCTURED',
  { PLACES, stream, FACTS },
);

/** Answers that a server stopped before their end. */
export const CUTS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  ...rows<ForeignCase<ModelInput, ModelRight>>('model', 'CUTS', { stopped, chunk, DONE }),
  ...['max_tokens', 'MAX_TOKENS', 'max_output_tokens'].map((reason) => ({
    title: `marks an answer that ended with ${reason}`,
    source: 'own',
    input: { answers: [stopped('Half an ans', reason)] },
    right: { output: 'Half an ans', isCut: true },
  })),
];

const called = (given: Json): ServerAnswer => ({
  body:
    chunk({
      tool_calls: [
        { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: given } },
      ],
    }) +
    chunk({}, 'tool_calls') +
    DONE,
});
const CALLED = [{ id: 'c1', name: 'look', arguments: { path: '/tmp' }, raw: null }];

/** A round of an agent that called `look`, with its result. */
const lookedWith = (parts: { readonly thought?: string; readonly signature?: string }) => {
  const { signature, ...ofRound } = parts;
  const call = { id: 'c1', name: 'look', arguments: { path: '/tmp' } };
  const calls = [{ ...call, ...(signature === undefined ? {} : { signature }) }];
  return [
    { role: 'assistant', content: '', calls, ...ofRound },
    { role: 'tool', results: [{ id: 'c1', name: 'look', text: 'empty', isError: false }] },
  ] as const;
};

/** Rounds whose server wants something of the earlier rounds back, or refuses a field. */
export const ROUNDS: readonly ForeignCase<ModelInput, ModelRight>[] = rows('model', 'ROUNDS', {
  chunk,
  DONE,
  json,
  stream,
  calling,
  CALLED,
  lookedWith,
});

const START = { type: 'message_start', message: { id: 'm', model: 'm', role: 'assistant' } };
/** Events of an answer "Hi" over Anthropic's API, with other events before it. */
const anthropic = (...odd: JsonObject[]): string => {
  const events: JsonObject[] = [
    START,
    ...odd,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: null },
  ];
  return events.map(event).join('');
};

/** Answers of servers that have Anthropic's API. */
export const ANTHROPIC: readonly ForeignCase<ModelInput, ModelRight>[] = rows(
  'model',
  'ANTHROPIC',
  { json, event, anthropic },
);

/** Answers with an error status, in the forms of servers. */
export const REFUSALS: readonly ForeignCase<ModelInput, ModelRight>[] = rows('model', 'REFUSALS', {
  json,
});

export const STREAMS: readonly ForeignCase<ModelInput, ModelRight>[] = rows('model', 'STREAMS', {
  called,
  chunk,
  DONE,
  json,
  event,
  hi,
});

/** Turns of a conversation, as a strict model takes them. */
export const TURNS: readonly ForeignCase<ModelInput, ModelRight>[] = rows('model', 'TURNS', {
  stream,
  IMAGE_TURN,
  json,
});

/** Calls of the tool `look`. */
export const TOOL_CALLS: readonly ForeignCase<ModelInput, ModelRight>[] = rows(
  'model',
  'TOOL_CALLS',
  { called, CALLED, json, chunk, DONE, calling },
);
