import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobUri } from '../../src/common/blob-uri.ts';
import type { Json } from '../../src/common/json.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { blobKey } from '../../src/platform/blobs/blob-store.ts';
import { evenAnswer } from '../../src/platform/drivers/answer-stream.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { readStructured } from '../../src/platform/drivers/structured-output.ts';
import { openThoughtFilter, withoutThoughts } from '../../src/platform/drivers/thoughts.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { closing, listening } from '../testkit/listen.ts';
import { driverParts } from '../testkit/real-calls.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import {
  ANTHROPIC,
  CUTS,
  type ModelInput,
  type ModelRight,
  REFUSALS,
  ROUNDS,
  type ServerAnswer,
  STREAMS,
  STRUCTURED,
  THOUGHTS,
  TOOL_CALLS,
  TURNS,
} from './model.cases.ts';

type LlmOperation = Extract<DriverCall['operation'], { type: 'llm_call' }>;

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('a dot')]);
const blobs = tempBlobs();
const PICTURE = blobUri('uploads', 'dot');
const answers = new Map<string, ServerAnswer[]>();
const requests = new Map<string, string[]>();
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { model } = JSON.parse(body) as { model: string };
  requests.set(model, [...(requests.get(model) ?? []), body]);
  const queue = answers.get(model) ?? [];
  const answer = queue.length > 1 ? queue.shift() : queue[0];
  const { status = 200, type = 'text/event-stream', headers, then } = answer ?? {};
  response.writeHead(status, { 'content-type': type, ...headers });
  response.write(answer?.body ?? '', () => {
    if (then === undefined) response.end();
    else if (then === 'breaks off') response.destroy();
  });
});
// The properties below block this process for seconds; an idle connection stays open meanwhile.
server.keepAliveTimeout = 0;

const { egress, renderer } = driverParts();
let endpoint: string;
let count = 0;
beforeAll(async () => {
  endpoint = `http://${await listening(server)}/v1`;
  const parts = { workspace: 'workspace-1', ownerId: 'owner-1', session: 'uploads', key: 'dot' };
  await blobs.put(blobKey(parts), PNG);
});
afterAll(() => closing(server));

const LOOK = {
  name: 'look',
  description: 'Looks at a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};

const driverFor = () => llmDriver({ egress, renderer, blobs });

/** @param input with a `model` whose answers are set, or with answers of its own */
async function ask(
  {
    schema,
    messages,
    conversationId,
    transcript = [],
    model: named,
    ...given
  }: ModelInput & { readonly model?: string },
  tools: readonly string[] = [],
  driver = driverFor(),
) {
  count += 1;
  const model = named ?? `model-${count}`;
  if (named === undefined) answers.set(model, [...given.answers]);
  const spoken = { text: '', reasoning: '' };
  const call = driverCall(
    {
      type: 'llm_call',
      promptTemplate: 'Hi',
      ...(schema === undefined ? {} : { responseSchema: schema }),
      ...(messages === undefined ? {} : { messages: 'talk' }),
    } as LlmOperation,
    {
      connectionParams: {
        endpoint,
        model,
        ...(given.api === undefined ? {} : { api: given.api }),
      },
    },
    {
      inputs: { talk: withPicture(messages ?? null) },
      conversationId: conversationId ?? null,
      maxOutputTokens: given.maxOutputTokens ?? null,
      onText(delta) {
        expect(delta.isWellFormed()).toBe(true);
        spoken.text += delta;
      },
      onReasoning(delta) {
        expect(delta.isWellFormed()).toBe(true);
        spoken.reasoning += delta;
      },
      onReset() {
        spoken.text = '';
      },
      ...(tools.length === 0
        ? {}
        : {
            agent: {
              tools: tools.map((name) => ({ ...LOOK, name })),
              choice: 'auto' as const,
              transcript,
              last: null,
            },
          }),
    },
  );
  const outcome = await driver.invoke(call).then(
    (result) => ({ result, fault: null }),
    (fault: unknown) => ({ result: null, fault }),
  );
  return { ...outcome, spoken, sent: requests.get(model) ?? [] };
}

function withPicture(messages: Json): Json {
  return JSON.parse(JSON.stringify(messages).replaceAll('"BLOB"', JSON.stringify(PICTURE)));
}

async function check(input: ModelInput, right: ModelRight, tools: readonly string[] = []) {
  const { result, fault, spoken, sent } = await ask(input, tools);
  if (right.fault === undefined) expect(fault).toBeNull();
  else {
    expect(fault).toBeInstanceOf(ToolFault);
    expect((fault as ToolFault).message).toContain(right.fault);
    if (right.retryable !== undefined) expect((fault as ToolFault).retryable).toBe(right.retryable);
    if (right.retryAfterMs !== undefined)
      expect((fault as ToolFault).retryAfterMs).toBe(right.retryAfterMs);
  }
  if (right.output !== undefined) {
    expect(result?.output).toEqual(right.output);
    if (typeof right.output === 'string') expect(spoken.text).toBe(right.output);
  }
  if (right.isCut !== undefined) expect(result?.isCut ?? false).toBe(right.isCut);
  if (right.reasoning !== undefined) expect(spoken.reasoning).toBe(right.reasoning);
  if (right.toolCalls !== undefined) expect(result?.toolCalls).toEqual(right.toolCalls);
  if (right.thought !== undefined) expect(result?.thought).toBe(right.thought);
  if (right.usage !== undefined) expect(result?.usage).toMatchObject(right.usage);
  expect(sent).toHaveLength(right.requests ?? 1);
  for (const text of right.sent ?? []) expect(sent.at(-1)).toContain(text);
  for (const text of right.unsent ?? []) expect(sent.at(-1)).not.toContain(text);
}

describe('thoughts in an answer', () => {
  it.each(THOUGHTS)('$title ($source)', ({ input, right }) => check(input, right));

  /** Text and reasoning of an answer that arrives in pieces of this size. */
  function partedBy(answer: string, size: number) {
    const said = { text: '', reasoning: '' };
    const filter = openThoughtFilter({
      onText(delta) {
        expect(delta.isWellFormed()).toBe(true);
        said.text += delta;
      },
      onReasoning(delta) {
        expect(delta.isWellFormed()).toBe(true);
        said.reasoning += delta;
      },
      onRetract() {
        said.text = '';
      },
    });
    for (let at = 0; at < answer.length; at += size) filter.push(answer.slice(at, at + size));
    filter.end();
    return said;
  }

  it('are parted alike however the answer is cut into pieces', () => {
    const piece = fc.constantFrom(
      ...['<think>', '</think>', '<|channel|>final<|message|>', '[THINK]', '[/THINK]', '```\n'],
      ...['<think/>', '<think a=1>', '</think >', '<|channel|>analysis<|message|>', '<|end|>'],
      ...['<|start|>assistant', '<|START_THINKING|>', '<|END_THINKING|>', '<|constrain|>', 'İ'],
      ...['a', ' ', '\n', '`', '"', '<', '>', '😀', '\ud83d', 'word'],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (pieces, size) => {
          const answer = pieces.join('');
          const said = partedBy(answer, size);
          expect(said).toEqual(partedBy(answer, answer.length + 1));
          expect(said.text).toBe(withoutThoughts(answer));
          if (!/[<[]/.test(answer)) expect(said.text).toBe(answer.toWellFormed());
        },
      ),
      { seed: 39, numRuns: 4_000 },
    );
  });

  it('in front of an answer are all left out of it', () => {
    const tag = fc.constantFrom('think', 'THINK', 'thinking', 'reasoning', 'seed:think');
    const words = fc.constantFrom('', 'x', 'a < b', 'line\nline', '1. [a]', 'İ');
    const tagged = fc
      .tuple(tag, fc.constantFrom('', ' ', ' time=3', ' a="b c"'), words, words, fc.boolean())
      .map(([name, more, inner, outer, isNested]) =>
        isNested
          ? `<${name}${more}><${name}>${inner}</${name}>${outer}</${name} >`
          : `<${name}${more}>${inner}</${name}>`,
      );
    const marked = fc
      .tuple(
        fc.constantFrom(
          ['[THINK]', '[/THINK]'],
          ['◁think▷', '◁/think▷'],
          ['<|START_THINKING|>', '<|END_THINKING|>'],
          ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant'],
          ['<|channel|>commentary to=functions.a <|constrain|>json<|message|>', '<|call|>'],
          ['<think/>', ''],
        ),
        words,
      )
      .map(([[open = '', close = ''], inner]) => (close === '' ? open : `${open}${inner}${close}`));
    const final = fc.constantFrom('', '<|channel|>final <|constrain|>json<|message|>');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(tagged, marked), { minLength: 1, maxLength: 3 }),
        final,
        fc.integer({ min: 1, max: 60 }),
        (thoughts, mark, size) => {
          const { text } = partedBy(`${thoughts.join('\n')}${mark}{"a": 1}, so <b>`, size);
          expect(text).toBe('{"a": 1}, so <b>');
        },
      ),
      { seed: 39, numRuns: 1_000 },
    );
  });
});

describe('structured answers', () => {
  it.each([
    ['yes', { enum: ['yes', 'no'] }, 'yes'],
    ['It is fine, see [1].\n', { type: 'string' }, 'It is fine, see [1].'],
    ['"yes"', { enum: ['yes', 'no'] }, 'yes'],
    ['"{\\"a\\":\\"x\\"}"', { type: 'object', required: ['a'] }, { a: 'x' }],
    ['"{\\"a\\":1}"', { type: 'string' }, '{"a":1}'],
  ])('%s is taken where it fits %j', (answer, schema, value) => {
    expect(readStructured(answer, schema, 'stop')).toEqual({ value });
  });

  it.each([
    ['maybe', { enum: ['yes', 'no'] }, 'stop'],
    ['some words', {}, 'stop'],
    ['some words', { type: 'object' }, 'stop'],
    ['words that are cut', { type: 'string' }, 'length'],
  ])('%s is not taken for %j', (answer, schema, finish) => {
    expect(readStructured(answer, schema, finish)).toHaveProperty('problem');
  });

  it.each(STRUCTURED)('$title ($source)', ({ input, right }) => check(input, right));

  it('are found behind any prose', () => {
    const schema = {
      type: 'object',
      required: ['n'],
      additionalProperties: false,
      properties: { n: { type: 'string' } },
    };
    const prose = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', '"', ' ', 'a', '`', '\n'),
    });
    fc.assert(
      fc.property(prose, fc.string(), (before, n) => {
        // An open quote within brackets of the prose takes the value for its text.
        fc.pre(!/[{[]\s*["{[]/.test(before));
        const found = readStructured(`${before}\n${JSON.stringify({ n })}`, schema, 'stop');
        expect(found).toEqual({ value: { n } });
      }),
      { seed: 39, numRuns: 500 },
    );
  });

  it('takes no time without bound for brackets that never close', () => {
    const answer = '{"a":['.repeat(100_000);
    expect(readStructured(answer, { type: 'object' }, 'length')).toEqual({
      problem: 'It was cut off before the JSON was complete.',
    });
  });
});

describe('answers without their end', () => {
  it.each(CUTS)('$title ($source)', ({ input, right }) => check(input, right));
});

describe('rounds of an agent', () => {
  it.each(ROUNDS)('$title ($source)', ({ input, right }) => check(input, right, ['look']));
});

describe('servers with the API of Anthropic', () => {
  it.each(ANTHROPIC)('$title ($source)', ({ input, right }) => check(input, right));
});

describe('refusals of servers', () => {
  it.each(REFUSALS)('$title ($source)', ({ input, right }) => check(input, right));

  it.each([
    ['<'.repeat(80_000), 500],
    ['<html><title'.repeat(20_000), 500],
    [`${' '.repeat(80_000)}x`, 200],
  ])('take no time without bound (%#)', async (body, status) => {
    const begun = performance.now();
    const { fault } = await ask({ answers: [{ status, type: 'text/html', body }] });
    expect(fault).toBeInstanceOf(ToolFault);
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  it('of a field are learned by all that asked at once, and then known', async () => {
    const [limit] = ROUNDS.filter(({ title }) => title.startsWith('names the limit of tokens'));
    const [refusal, answer] = limit?.input.answers ?? [];
    if (refusal === undefined || answer === undefined) throw new Error('The case has two answers.');
    const model = 'asked at once';
    answers.set(model, [refusal, refusal, refusal, answer]);
    const asking = driverFor();
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => ask({ model, maxOutputTokens: 9, answers: [] }, [], asking)),
    );
    expect(outcomes.map(({ fault }) => fault)).toEqual([null, null, null]);
    const { sent } = await ask({ model, maxOutputTokens: 9, answers: [] }, [], asking);
    expect(sent).toHaveLength(7);
  });

  it('of a field that still fail without it are not kept', async () => {
    const model = 'fails anyway';
    const refused = (message: string) => ({ status: 400, body: JSON.stringify({ message }) });
    answers.set(model, [refused('stream_options is unknown'), refused('no')]);
    const asking = driverFor();
    await ask({ model, answers: [] }, [], asking);
    const { sent } = await ask({ model, answers: [] }, [], asking);
    expect(sent).toHaveLength(3);
    expect(sent.at(-1)).toContain('stream_options');
  });
});

describe('streams of servers', () => {
  it.each(STREAMS)('$title ($source)', ({ input, right }) => check(input, right));

  const delta = { index: 0, id: 'c1', function: { name: 'look', arguments: 'x'.repeat(40) } };
  const piece = `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [delta] } }] })}\n\n`;
  it.each([
    [
      'a call that names itself in each piece',
      Array.from({ length: 10 }, () => piece.repeat(1_000)),
    ],
    ['a line in many pieces', ['data: "', ...Array.from({ length: 8_000 }, () => 'x'.repeat(500))]],
  ])('take no time without bound for %s', async (_title, pieces) => {
    const begun = performance.now();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const one of pieces) controller.enqueue(Buffer.from(one));
        controller.close();
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const answer = await evenAnswer(new Response(body, { headers }), () => {});
    await answer.text();
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('end as an answer or with words, whatever a server sends', async () => {
    const line = fc.oneof(
      fc.json().map((text) => `data: ${text}\n\n`),
      fc.json().map((text) => `data: {"choices":[{"delta":${text}}]}\n\n`),
      fc.json().map((text) => `data: {"choices":${text}}\n\n`),
      fc.json().map((text) => `data: {"error":${text}}\n\n`),
      fc.constantFrom(
        'data: [DONE]\n\n',
        ': ping\n\n',
        'data: {"choices":null}\n\n',
        '\ufffd',
        '\n',
      ),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
        const { result, fault } = await ask({ answers: [{ body: lines.join('') }] }, ['look']);
        if (fault === null) expect(typeof result?.output).toBe('string');
        else {
          expect(fault).toBeInstanceOf(ToolFault);
          expect((fault as ToolFault).message.isWellFormed()).toBe(true);
        }
      }),
      { seed: 39, numRuns: 150 },
    );
  });
});

describe('turns of a conversation', () => {
  it.each(TURNS)('$title ($source)', ({ input, right }) => check(input, right));
});

describe('calls of tools', () => {
  it.each(TOOL_CALLS)('$title ($source)', ({ input, right }) =>
    check(input, right, ['look', 'odd']),
  );
});
