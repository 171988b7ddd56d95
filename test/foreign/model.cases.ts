import type { Json, JsonObject } from '../../src/common/json.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

/** The answer of a model server, byte for byte. */
export interface ServerAnswer {
  readonly status?: number;
  /** Default: text/event-stream. */
  readonly type?: string;
  readonly body: string;
}

export interface ModelInput {
  /** The answers in order; the last one is repeated. */
  readonly answers: readonly ServerAnswer[];
  readonly schema?: JsonObject;
  /** Messages before the prompt "Hi", or instead of it where they end with one of a user. */
  readonly messages?: Json;
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
  /** Requests that the server gets. Default: 1. */
  readonly requests?: number;
  /** Texts that the last request must not hold. */
  readonly unsent?: readonly string[];
  /** Texts that the last request holds. */
  readonly sent?: readonly string[];
  readonly toolCalls?: Json;
}

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';
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

export const THOUGHTS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  ...rows<ForeignCase<ModelInput, ModelRight>>('model', 'THOUGHTS', { stream }),
  ...(
    [
      ['an answer about the marks', 'own', 'Use <think> to open and </think> to close.'],
      ['marks within a line', 'vllm-project/vllm#48971', 'Sure. <think>x</think> Done.'],
      ['an opening mark that ends a line', 'own', 'Write <thinking>\nthen </thinking>.'],
      ['a closing mark after one in code', 'own', 'First `<think>`, then </think>.'],
      ['an empty mark within a line', 'own', 'Sure. <think/> Done.'],
      ['a tag of another kind', 'own', '<thinker>x</thinker> and <think about it'],
      ['an opening mark that is no tag', 'own', '<reasoning is hard> as they say'],
      ['letters that grow in lower case', 'own', 'İİİİİİ <b>x</b> İ'],
      ['a mark of gpt-oss at a line', 'own', 'It is\n<|message|> there.'],
    ] as const
  ).map(([title, source, answer]) => ({
    title: `keeps ${title}`,
    source,
    input: { answers: [stream(...(answer.match(/.{1,3}/gs) ?? []))] },
    right: { output: answer, reasoning: '' },
  })),
  ...(
    [
      ['an empty mark', 'own', '<think/>Done.', ''],
      ['an empty mark with a blank', 'own', '<think />\n\nDone.', ''],
      ['a mark with a blank', 'QwenLM/qwen-code#11188', '<think >x</think >Done.', 'x'],
      ['a mark with an attribute', 'own', '<think time=3>x</think>Done.', 'x'],
      ['a mark with attributes', 'own', '<thinking a="b c" d=\'e\'>x</thinking>Done.', 'x'],
      [
        'a thought within a thought',
        'QwenLM/qwen-code#8818',
        '<think><think>in</think>outer</think>Done.',
        'inouter',
      ],
      [
        'a thought in the middle of another',
        'own',
        '<think>a <think>b</think> c</think>\nDone.',
        'a <think>b c',
      ],
      [
        'an opening mark that is a word of the thought',
        'own',
        '<think>They ask for <think> tags.</think>Done.',
        'They ask for <think> tags.',
      ],
      ['a mark twice', 'own', '<think>\n<think>\nx</think>Done.', 'x'],
      [
        'a thought of MiniMax',
        'NousResearch/hermes-agent#62680',
        '<mm:think>x</mm:think>Done.',
        'x',
      ],
      [
        'a thought of Cohere',
        'own',
        '<|START_THINKING|>x<|END_THINKING|><|START_RESPONSE|>Done.<|END_RESPONSE|>',
        'x',
      ],
      [
        'a thought that begins in the prompt of Cohere',
        'own',
        'x<|END_THINKING|><|START_RESPONSE|>Done.<|END_RESPONSE|>',
        'x',
      ],
      [
        'a format in the channel of gpt-oss',
        'own',
        '<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final ' +
          '<|constrain|>json<|message|>Done.<|return|>',
        'x',
      ],
      [
        'a call of gpt-oss as a thought',
        'odysseus-dev/odysseus#4522',
        '<|channel|>commentary to=functions.look ' +
          '<|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Done.',
        '{}',
      ],
      [
        'a thought of gpt-oss without its end',
        'own',
        '<|channel|>analysis<|message|>x<|start|>assistant<|channel|>final<|message|>Done.<|return|>\n',
        'x',
      ],
      [
        'another channel of gpt-oss as the answer',
        'tetherto/qvac#2803',
        '<|channel|>assistant<|message|>Done.<|end|>',
        '',
      ],
      ['letters that grow in lower case', 'own', '<think>İİİİİİİİ</think>Done.', 'İİİİİİİİ'],
    ] as const
  ).map(([title, source, answer, reasoning]) => ({
    title: `reads ${title}`,
    source,
    input: { answers: [stream(...(answer.match(/.{1,3}/gs) ?? []))] },
    right: { output: 'Done.', reasoning },
  })),
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

export const STREAMS: readonly ForeignCase<ModelInput, ModelRight>[] = rows('model', 'STREAMS', {
  called,
  chunk,
  DONE,
  json,
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
  { called, CALLED, json, chunk, DONE },
);
