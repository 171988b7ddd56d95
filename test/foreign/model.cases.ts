import type { Json, JsonObject } from '../../src/common/json.ts';
import type { ForeignCase } from './foreign-case.ts';

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
  {
    title: 'parts a thought from the answer',
    source: 'open-webui/open-webui#9030',
    input: { answers: [stream('<think>The user lives in Oslo.</think>Hello there.')] },
    right: { output: 'Hello there.', reasoning: 'The user lives in Oslo.' },
  },
  {
    title: 'parts a thought whose marks are cut by pieces',
    source: 'open-webui/open-webui#9067',
    input: { answers: [stream('<th', 'ink>\nhm', 'm\n</thi', 'nk>\n', '\nHello')] },
    right: { output: 'Hello', reasoning: 'hmm\n' },
  },
  {
    title: 'ends a thought whose opening mark stands in the prompt',
    source: 'Portkey-AI/gateway#1327',
    input: {
      answers: [stream('Okay, the user greeted me.\n</think>\n\n', 'Hello! 👋 How can I help?')],
    },
    right: { output: 'Hello! 👋 How can I help?', reasoning: 'Okay, the user greeted me.\n' },
  },
  {
    title: 'ends such a thought within a line',
    source: 'tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark#16',
    input: { answers: [stream('1. The product is asked for.', ' Answer briefly.</think>391')] },
    right: { output: '391', reasoning: '1. The product is asked for. Answer briefly.' },
  },
  {
    title: 'ends a thought of a model that never opens one',
    source: 'SimonSchubert/Kai#301',
    input: { answers: [stream('thinking\n</think>\n\nfinal answer')] },
    right: { output: 'final answer', reasoning: 'thinking\n' },
  },
  {
    title: 'takes an empty thought for none',
    source: 'open-webui/open-webui#9348',
    input: { answers: [stream('<think>\n\n</think>\n\nHello')] },
    right: { output: 'Hello', reasoning: '' },
  },
  {
    title: 'keeps marks that stand in code',
    source: 'own',
    input: {
      answers: [stream('Write `</think>` at the end:\n```\n<think>\n</think>\n```\nDone.')],
    },
    right: { output: 'Write `</think>` at the end:\n```\n<think>\n</think>\n```\nDone.' },
  },
  {
    title: 'reads the channels of gpt-oss',
    source: 'own',
    input: {
      answers: [
        stream(
          '<|channel|>analysis<|message|>Short.<|end|><|start|>assis',
          'tant<|channel|>final<|message|>Yes.<|return|>',
        ),
      ],
    },
    right: { output: 'Yes.', reasoning: 'Short.' },
  },
  {
    title: 'fails an answer that is a thought alone, with words',
    source: 'lmstudio-ai/lmstudio-bug-tracker#1602',
    input: { answers: [stream('<think>I think on and on')] },
    right: { fault: 'The model thought and gave no answer', retryable: true },
  },
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
        '<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>Done.<|return|>',
        'x',
      ],
      [
        'a call of gpt-oss as a thought',
        'odysseus-dev/odysseus#4522',
        '<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Done.',
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
  {
    title: 'keeps both marks in an answer after a thought about them',
    source: 'own',
    input: {
      answers: [
        stream('<think>They ask for <think>.</think>Use <think> to open and </think> to close.'),
      ],
    },
    right: {
      output: 'Use <think> to open and </think> to close.',
      reasoning: 'They ask for <think>.',
    },
  },
  {
    title: 'parts thoughts at the start of a line, also nested and empty ones',
    source: 'own',
    input: {
      answers: [
        stream('One\n<think><think>a</think>b</think>\nTwo\n<thi', 'nk/>\n', '\nThree<|end|> '),
      ],
    },
    right: { output: 'One\nTwo\nThree', reasoning: '<think>a</think>b' },
  },
  {
    title: 'sends no thought of an earlier answer to the model',
    source: 'open-webui/open-webui#9348',
    input: {
      messages: [
        { role: 'user', content: 'Who?' },
        { role: 'assistant', content: '<think>secret plan</think>Ada.' },
      ],
      answers: [stream('Yes.')],
    },
    right: { output: 'Yes.', unsent: ['secret plan', 'think>'], sent: ['Ada.'] },
  },
  {
    title: 'keeps both halves of an emoji in one piece',
    source: 'elizaOS/eliza#30904',
    input: { answers: [stream('ok \ud83d', '\ude0a fine')] },
    right: { output: 'ok 😊 fine' },
  },
  {
    title: 'replaces half an emoji that stays half',
    source: 'anthropics/claude-code#60394',
    input: { answers: [stream('cut \ud83d')] },
    right: { output: 'cut \ufffd' },
  },
];

export const STRUCTURED: readonly ForeignCase<ModelInput, ModelRight>[] = [
  {
    title: 'takes the value after a thought that holds a draft',
    source: 'interviewstreet/hiring-agent#345',
    input: {
      schema: PLACES,
      answers: [stream('<think>maybe {"places":[]}? no.</think>{"places":["Turin"]}')],
    },
    right: { output: { places: ['Turin'] } },
  },
  {
    title: 'takes the last fence that fits',
    source: 'langchain-ai/langchain#35530',
    input: {
      schema: PLACES,
      answers: [
        stream(
          'Draft:\n```json\n{"places":["Rome"]}\n```\nBetter:\n```json\n{"places":["Turin"]}\n```\n',
        ),
      ],
    },
    right: { output: { places: ['Turin'] } },
  },
  {
    title: 'passes over brackets of prose',
    source: 'interviewstreet/hiring-agent#345',
    input: {
      schema: PLACES,
      answers: [stream('As in [1], the answer is {"places":["Turin"]}. See [2].')],
    },
    right: { output: { places: ['Turin'] } },
  },
  {
    title: 'passes over a fence of another language',
    source: 'NVIDIA-NeMo/labs-OO-Agents#238',
    input: {
      schema: PLACES,
      answers: [stream('```bash\necho {a,b}\n```\nThen: {"places":["Turin"]}')],
    },
    right: { output: { places: ['Turin'] } },
  },
  {
    title: 'keeps back ticks within a value',
    source: 'langgenius/dify#41959',
    input: {
      schema: FACTS,
      answers: [stream('Use `print`: {"facts":["use ```print``` { here","b"]}')],
    },
    right: { output: { facts: ['use ```print``` { here', 'b'] } },
  },
  {
    title: 'takes a fence that text follows',
    source: 'mem0ai/mem0#4117',
    input: {
      schema: FACTS,
      answers: [
        stream('```json\n{"facts": ["The sky is blue."]}\n```\n\nExplanation: I found one fact.'),
      ],
    },
    right: { output: { facts: ['The sky is blue.'] } },
  },
  {
    title: 'takes a longer fence',
    source: 'guardrails-ai/guardrails#1549',
    input: { schema: FACTS, answers: [stream('````json\n{"facts": ["Use ``` here"]}\n````')] },
    right: { output: { facts: ['Use ``` here'] } },
  },
  {
    title: 'asks once more where nothing fits',
    source: 'vectorize-io/hindsight#645',
    input: { schema: FACTS, answers: [stream('{"fact": "a"}'), stream('{"facts": ["a"]}')] },
    right: { output: { facts: ['a'] }, requests: 2 },
  },
];

/** Answers that a server stopped before their end. */
export const CUTS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  {
    title: 'marks an answer that ended at the limit of tokens',
    source: 'huggingface/chat-ui#2385',
    input: { answers: [stopped('Half an ans', 'length')] },
    right: { output: 'Half an ans', isCut: true },
  },
  {
    title: 'marks an answer that a filter stopped',
    source: 'apache/flink-agents#1040',
    input: { answers: [stopped('Half an ans', 'content_filter')] },
    right: { output: 'Half an ans', isCut: true },
  },
  ...['max_tokens', 'MAX_TOKENS', 'max_output_tokens'].map((reason) => ({
    title: `marks an answer that ended with ${reason}`,
    source: 'own',
    input: { answers: [stopped('Half an ans', reason)] },
    right: { output: 'Half an ans', isCut: true },
  })),
  {
    title: 'takes a refusal of the model for a whole answer',
    source: 'own',
    input: { answers: [{ body: chunk({ refusal: 'I cannot.' }) + chunk({}, 'stop') + DONE }] },
    right: { output: 'I cannot.', isCut: false },
  },
  {
    title: 'says so in a conversation',
    source: 'No-Compromise-AI/glm-mcp#41',
    input: {
      conversationId: 'talk',
      messages: [{ role: 'user', content: 'Tell me.' }],
      answers: [stopped('Half an ans', 'length')],
    },
    right: {
      output:
        'Half an ans\n\n(The answer ends here: the model reached its limit of tokens, or a filter stopped it.)',
      isCut: true,
    },
  },
  {
    title: 'says nothing of a whole answer',
    source: 'own',
    input: {
      conversationId: 'talk',
      messages: [{ role: 'user', content: 'Tell me.' }],
      answers: [stopped('Whole.', 'stop')],
    },
    right: { output: 'Whole.', isCut: false },
  },
  {
    title: 'fails where the limit left nothing',
    source: 'wippyai/framework#115',
    input: { answers: [stopped('', 'length')] },
    right: { fault: 'it ended with "length"', retryable: true },
  },
];

export const STREAMS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  {
    title: 'takes [DONE] for the end of a whole answer',
    source: 'openai/openai-node#1292',
    input: { answers: [{ body: chunk({ content: 'Whole answer.' }) + DONE }] },
    right: { output: 'Whole answer.' },
  },
  {
    title: 'takes a stream without [DONE] and without a reason for cut off',
    source: 'jakobdylanc/llmcord#84',
    input: { answers: [{ body: chunk({ content: 'Half an' }) }] },
    right: { fault: 'finish reason', retryable: true },
  },
  {
    title: 'passes over an empty chunk',
    source: 'ggml-org/llama.cpp#10694',
    input: {
      answers: [{ body: `${chunk({ content: 'Hi' })}data: {}\n\n${chunk({}, 'stop')}${DONE}` }],
    },
    right: { output: 'Hi' },
  },
  {
    title: 'takes one JSON value where a stream was asked for',
    source: 'OvidijusParsiunas/deep-chat#361',
    input: {
      answers: [
        json({
          choices: [
            { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 1 },
        }),
      ],
    },
    right: { output: 'Hi' },
  },
  {
    title: 'takes one JSON value that ends like a stream',
    source: 'decolua/9router#3492',
    input: {
      answers: [
        {
          body: `${JSON.stringify({
            choices: [{ index: 0, message: { content: 'OK' }, finish_reason: 'stop' }],
          })}\n${DONE}`,
        },
      ],
    },
    right: { output: 'OK' },
  },
  {
    title: 'keeps the words of an error inside a 200',
    source: 'xyOz-dev/Saturn#43',
    input: { answers: [json({ error: { code: 429, message: 'Provider is at its limit' } })] },
    right: { fault: 'Provider is at its limit', retryable: true },
  },
  {
    title: 'keeps the words of an error inside a stream',
    source: 'diegosouzapw/OmniRoute#8210',
    input: {
      answers: [
        {
          body: `data: ${JSON.stringify({
            choices: [],
            error: { code: 502, message: 'Worker local total request limit reached' },
          })}\n\n${DONE}`,
        },
      ],
    },
    right: { fault: 'The model failed: Worker local total request limit reached', retryable: true },
  },
  {
    title: 'does not repeat what is wrong with the request itself',
    source: 'ggml-org/llama.cpp#14566',
    input: {
      answers: [
        {
          body: `data: ${JSON.stringify({
            error: { code: 400, message: 'the request exceeds the available context size' },
          })}\n\n`,
        },
      ],
    },
    right: { fault: 'the request exceeds the available context size', retryable: false },
  },
  {
    title: 'keeps the words of an error that is a text',
    source: 'CherryHQ/cherry-studio#19824',
    input: { answers: [{ body: 'data: {"error":"CUDA out of memory"}\n\n' }] },
    right: { fault: 'The model failed: CUDA out of memory', retryable: true },
  },
  {
    title: 'fails where the provider behind a router failed without words',
    source: 'OleksandrChekhovskyi/hax#15',
    input: { answers: [{ body: chunk({ content: 'Par' }) + chunk({}, 'error') + DONE }] },
    right: { fault: 'ended its answer with an error', retryable: true },
  },
  {
    title: 'shows the beginning of a page that is no answer',
    source: 'own',
    input: {
      answers: [
        { type: 'text/html', body: '<html><body><h1>Sign in to the proxy</h1></body></html>' },
      ],
    },
    right: { fault: 'Sign in to the proxy', retryable: true },
  },
];

/** Turns of a conversation, as a strict model takes them. */
export const TURNS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  {
    title: 'joins neighbours of one role',
    source: 'vllm-project/vllm#6862',
    input: {
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Two' },
      ],
      answers: [stream('Both.')],
    },
    right: { output: 'Both.', sent: ['"content":"One\\n\\nTwo\\n\\nHi"'] },
  },
  {
    title: 'leaves out a picture that the model does not take, and goes on',
    source: 'cloudflare/cloudflare-os#97',
    input: {
      messages: IMAGE_TURN,
      answers: [
        json({ error: { message: 'this model does not support image input' } }, 400),
        stream('Gladly.'),
      ],
    },
    right: {
      output:
        '(This model does not take everything that was attached. Left out: image.)\n\nGladly.',
      requests: 2,
      unsent: ['image_url'],
      sent: ['The image was left out'],
    },
  },
  {
    title: 'does so where the server knows no pictures at all',
    source: '1jehuang/jcode#848',
    input: {
      messages: IMAGE_TURN,
      answers: [
        json(
          {
            error: {
              message:
                'Failed to deserialize the JSON body: messages[0]: unknown variant `image_url`, expected `text`',
            },
          },
          400,
        ),
        stream('Gladly.'),
      ],
    },
    right: {
      output:
        '(This model does not take everything that was attached. Left out: image.)\n\nGladly.',
      requests: 2,
      unsent: ['image_url'],
    },
  },
  {
    title: 'does so where a router has no provider for pictures',
    source: 'sipeed/picoclaw#2525',
    input: {
      messages: IMAGE_TURN,
      answers: [
        json({ error: { message: 'No endpoints found that support image input', code: 404 } }, 404),
        stream('Gladly.'),
      ],
    },
    right: {
      output:
        '(This model does not take everything that was attached. Left out: image.)\n\nGladly.',
      requests: 2,
      unsent: ['image_url'],
    },
  },
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

/** Calls of the tool `look`. */
export const TOOL_CALLS: readonly ForeignCase<ModelInput, ModelRight>[] = [
  {
    title: 'takes arguments as a text',
    source: 'ollama/ollama#6155',
    input: { answers: [called('{"path":"/tmp"}')] },
    right: { toolCalls: CALLED },
  },
  {
    title: 'takes arguments as an object',
    source: 'ggml-org/llama.cpp#20198',
    input: { answers: [called({ path: '/tmp' })] },
    right: { toolCalls: CALLED },
  },
  {
    title: 'takes arguments as JSON within JSON',
    source: 'sipeed/picoclaw#1379',
    input: { answers: [called(JSON.stringify('{"path":"/tmp"}'))] },
    right: { toolCalls: CALLED },
  },
  {
    title: 'takes calls of one JSON value where a stream was asked for',
    source: 'huggingface/text-generation-inference#2136',
    input: {
      answers: [
        json({
          choices: [
            {
              index: 0,
              finish_reason: 'tool_calls',
              message: {
                content: null,
                tool_calls: [{ id: 'c1', function: { name: 'look', arguments: { path: '/tmp' } } }],
              },
            },
          ],
        }),
      ],
    },
    right: { toolCalls: CALLED },
  },
  {
    title: 'takes null for no arguments',
    source: 'own',
    input: { answers: [called('null')] },
    right: { toolCalls: [{ id: 'c1', name: 'look', arguments: {}, raw: null }] },
  },
  {
    title: 'takes one call without its list',
    source: 'own',
    input: {
      answers: [
        {
          body:
            chunk({
              tool_calls: {
                index: 0,
                id: 'c1',
                function: { name: 'look', arguments: '{"path":"/tmp"}' },
              },
            }) +
            chunk({}, 'tool_calls') +
            DONE,
        },
      ],
    },
    right: { toolCalls: CALLED },
  },
  {
    title: 'takes an empty object for no calls',
    source: 'own',
    input: { answers: [{ body: chunk({ content: 'Hi', tool_calls: {} }, 'stop') + DONE }] },
    right: { output: 'Hi' },
  },
  {
    title: 'keeps each digit of a long number',
    source: 'n8n-io/n8n#26925',
    input: { answers: [called('{"id":7615917337495251231,"path":"/tmp"}')] },
    right: {
      toolCalls: [
        {
          id: 'c1',
          name: 'look',
          arguments: { id: '7615917337495251231', path: '/tmp' },
          raw: null,
        },
      ],
    },
  },
  {
    title: 'ends calls by [DONE] alone',
    source: 'own',
    input: {
      answers: [
        {
          body:
            chunk({
              tool_calls: [
                { index: 0, id: 'c1', function: { name: 'look', arguments: '{"path":"/tmp"}' } },
              ],
            }) + DONE,
        },
      ],
    },
    right: { toolCalls: CALLED },
  },
  {
    title: 'leaves out a tool that the server refuses by its place',
    source: 'own',
    input: {
      answers: [
        json({ error: { message: "Invalid schema for function 'odd': tools[1]" } }, 400),
        json({ error: { message: "Invalid 'tools[1].function.name'" } }, 400),
        called('{"path":"/tmp"}'),
      ],
    },
    right: { toolCalls: CALLED, requests: 3, unsent: ['"odd"'] },
  },
];
