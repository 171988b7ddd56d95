import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import {
  checkDefinition,
  type KnownTargets,
  readDefinition,
} from '../../src/processes/definition/definition.ts';

const search = tool('search', {
  required: ['query'],
  properties: {
    query: { type: 'string' },
    limit: { $ref: '#/$defs/count' },
    mode: { enum: ['a', 'b'], default: 'a' },
  },
  $defs: { count: { type: 'integer', maximum: 10 } },
});
const targets: KnownTargets = {
  tools: new Map([
    ['search', search],
    ['private', { ...tool('private', { properties: { q: {} } }), shared: false }],
    ['write', { ...tool('write', { properties: {} }), mutating: true }],
    ['open', tool('open', { properties: {}, additionalProperties: true })],
    [
      'ask',
      tool('ask', {
        properties: { instruction: { type: 'string' }, content: {} },
        required: ['instruction', 'content'],
        additionalProperties: false,
      }),
    ],
  ]),
  processes: new Map([
    called('sub', 'Sub', ['topic', 'style']),
    called('compress', 'Compress', ['sourceEpisodeIds', 'targetCompressionRatio']),
  ]),
  sharing: 'private',
};

function tool(id: string, inputSchema: JsonObject, outputSchema: JsonObject = {}) {
  return {
    id,
    ownerId: 'o',
    name: id,
    shared: true,
    mutating: false,
    inputSchema,
    outputSchema,
    operationType: 'rest_call',
  };
}

function called(id: string, name: string, initialContext: string[], contextSchema?: JsonObject) {
  const process = { id, ownerId: 'o', name, shared: true, initialContext };
  return [id, contextSchema === undefined ? process : { ...process, contextSchema }] as const;
}

type Draft = Record<string, unknown>;
function step(id: string, more: Draft = {}): Draft {
  return {
    id,
    calls: { toolId: 'search' },
    inputs: { query: 'q' },
    output: { variable: id.replaceAll('-', '_') },
    ...more,
  };
}
function faultsOf(more: Draft, known: KnownTargets = targets): string[] {
  const draft = {
    name: 'P',
    initialContext: ['question'],
    steps: [step('a')],
    outputTemplate: '{{a}}',
    ...more,
  };
  return checkDefinition(readDefinition(draft), known).map(
    ({ code, path }) => `${code} ${path.join('.')}`,
  );
}
const parallel = { execution: { mode: 'parallel' } };

describe('a definition', () => {
  it.each<[string, JsonObject, string[]]>([
    ['a path', { query: { 'context.question': null } }, ['query']],
    ['double braces', { query: { '{ context.question }': null } }, ['query']],
    ['a list', { query: [{ '{step.b}': null }] }, ['query.0']],
    ['another key', { query: { other: null, 'context.question': null } }, []],
    ['a value', { query: { 'context.question': 1 } }, []],
    ['a word', { query: { item: null } }, []],
  ])('names a reference without quotes, which YAML reads as a map: %s', (_title, inputs, right) => {
    const found = faultsOf({ steps: [step('a', { inputs })] });
    const wrong = right.map((path) => `INVALID steps.0.inputs.${path}`);
    expect(found.filter((fault) => fault.startsWith('INVALID'))).toEqual(wrong);
  });

  describe('with the forms of the specification (S4-STEP-09, S4-PROC-01)', () => {
    const extract = { instruction: 'Extract just the birthday', content: '{step.searchResults}' };
    const compress = { sourceEpisodeIds: '{step.searchResults}', targetCompressionRatio: '0.3' };
    const faults = (extracting: JsonObject, compressing: JsonObject, before = 'searchResults') =>
      faultsOf({
        steps: [
          step(before, { inputs: { query: '{context.question}', limit: '3' } }),
          step('extract', {
            calls: { toolId: 'ask' },
            inputs: extracting,
            output: { variable: 'birthday', required: true },
          }),
          step('step-compress-context', {
            calls: { processId: 'compress' },
            inputs: compressing,
            output: { variable: 'compressed' },
          }),
        ],
        outputTemplate: '{{birthday}} {{question}} {{json compressed}}',
      });

    it('is accepted', () => {
      expect(faults(extract, compress)).toEqual([]);
    });

    it('is refused where an input is missing, misnamed, or names no step before it', () => {
      const { content: _content, ...bare } = extract;
      const { targetCompressionRatio: _ratio, ...half } = compress;
      expect([
        faults(bare, compress),
        faults({ ...extract, contents: '1' }, compress),
        faults(extract, half),
        faults(extract, compress, 'results'),
      ]).toEqual([
        ['SCHEMA_VIOLATION steps.1.inputs.content'],
        ['SCHEMA_VIOLATION steps.1.inputs.contents'],
        ['SCHEMA_VIOLATION steps.2.inputs.targetCompressionRatio'],
        [
          'UNKNOWN_VARIABLE steps.1.inputs.content',
          'UNKNOWN_VARIABLE steps.2.inputs.sourceEpisodeIds',
        ],
      ]);
    });
  });

  it('is answered with every fault at once, each at its place', () => {
    const steps = [
      step('a', {
        inputs: { query: '{step.b}', limit: 'many', nope: 1 },
        dependsOn: ['b', 'ghost', 'a'],
      }),
      step('b', {
        calls: { toolId: 'absent' },
        inputs: {},
        dependsOn: ['a'],
        execution: { condition: 'step.c > context.x', timeout: -1, retry: { maximumAttempts: 0 } },
      }),
      step('c', {
        calls: { processId: 'sub' },
        inputs: { topic: '{context.gone}' },
        execution: { forEach: 'size(', maxConcurrency: 0 },
      }),
      step('c', { output: { variable: 'question', tokenBudget: 0 } }),
    ];
    expect(
      faultsOf({
        name: ' ',
        steps,
        outputTemplate: '{{unknown}} {{> partial}}',
        maxRecursionDepth: 51,
        tokenBudget: 0.5,
      }),
    ).toEqual([
      'REQUIRED name',
      'INVALID tokenBudget',
      'INVALID maxRecursionDepth',
      'TAKEN steps.3.output.variable',
      'TAKEN steps.3.stepId',
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
      'CYCLE steps.0.dependsOn.0',
      'NOT_FOUND steps.0.dependsOn.1',
      'CYCLE steps.0.dependsOn.2',
      'UNKNOWN_VARIABLE steps.0.inputs.query',
      'SCHEMA_VIOLATION steps.0.inputs.limit',
      'SCHEMA_VIOLATION steps.0.inputs.nope',
      'INVALID steps.1.execution.timeout',
      'INVALID steps.1.execution.retry.maximumAttempts',
      'UNKNOWN_VARIABLE steps.1.execution.condition',
      'UNKNOWN_VARIABLE steps.1.execution.condition',
      'NOT_FOUND steps.1.calls.toolId',
      'INVALID steps.2.execution.maxConcurrency',
      'UNKNOWN_VARIABLE steps.2.inputs.topic',
      'CONDITION_INVALID steps.2.execution.forEach',
      'SCHEMA_VIOLATION steps.2.inputs.style',
      'INVALID steps.3.output.tokenBudget',
      'TEMPLATE_INVALID outputTemplate',
      'UNKNOWN_VARIABLE outputTemplate',
    ]);
  });

  it('needs a step (S4-PROC-03) and not more than 500', () => {
    expect(faultsOf({ steps: [], outputTemplate: '' })).toEqual(['REQUIRED steps']);
    const many = Array.from({ length: 501 }, (_, index) => step(`s${index}`, parallel));
    expect(faultsOf({ steps: many, outputTemplate: '' })).toEqual(['TOO_LARGE steps']);
    expect(faultsOf({ steps: many.slice(1), outputTemplate: '' })).toEqual([]);
    expect(faultsOf({ steps: [step('a', { inputs: { query: 'x'.repeat(256 * 1024) } })] })).toEqual(
      ['TOO_LARGE '],
    );
  });

  it.each([
    ...'1st|with space||this|json|each|lookup|__proto__|constructor|toString|naïve'.split('|'),
    'question',
  ])('a variable can not be named "%s"', (variable) => {
    const code = variable === 'question' ? 'TAKEN' : 'INVALID';
    expect(faultsOf({ steps: [step('a', { output: { variable } })], outputTemplate: '' })).toEqual([
      `${code} steps.0.output.variable`,
    ]);
  });

  it.each(['a/b', 'a b', '', 'x'.repeat(101), 'ä'])('a step id can not be "%s"', (id) => {
    expect(faultsOf({ steps: [step('a', { id })] })).toEqual(['INVALID steps.0.stepId']);
  });

  it('reads names only from steps that have ended (S4-STEP-08)', () => {
    const steps = [
      step('a', parallel),
      step('b', { ...parallel, inputs: { query: '{step.a} {step.c}' }, dependsOn: ['a'] }),
      step('c', { ...parallel, execution: { mode: 'parallel', condition: 'step.a == step.c' } }),
      step('d', {
        inputs: { query: '{step.a}{step.b}{step.c}{step.d}' },
        dependsOn: ['a', 'b', 'c'],
      }),
      step('e', { ...parallel, inputs: { query: '{step.a}' }, dependsOn: ['a', 'a'] }),
    ];
    expect(faultsOf({ steps })).toEqual([
      'PARALLEL_DEPENDENCY steps.1.dependsOn.0',
      'INVALID steps.4.dependsOn.1',
      'PARALLEL_DEPENDENCY steps.1.inputs.query',
      'UNKNOWN_VARIABLE steps.1.inputs.query',
      'PARALLEL_DEPENDENCY steps.2.execution.condition',
      'UNKNOWN_VARIABLE steps.2.execution.condition',
      'UNKNOWN_VARIABLE steps.3.inputs.query',
    ]);
    const apart = [
      step('a', parallel),
      step('b'),
      step('c', { ...parallel, inputs: { query: '{step.a}' }, dependsOn: ['a'] }),
    ];
    expect(faultsOf({ steps: apart })).toEqual([]);
  });

  it('a later step of the same group is both later and parallel', () => {
    expect(
      faultsOf({ steps: [step('a', { ...parallel, dependsOn: ['b'] }), step('b', parallel)] }),
    ).toEqual([
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
      'PARALLEL_DEPENDENCY steps.0.dependsOn.0',
    ]);
  });

  it('calls a step a part of a circle only where it is (S4-STEP-06)', () => {
    // d lies between the circles a-b and e-f, and on none.
    const steps = [
      step('a', { dependsOn: ['b'] }),
      step('b', { dependsOn: ['a', 'd'] }),
      step('d', { dependsOn: ['e'] }),
      step('e', { dependsOn: ['f'] }),
      step('f', { dependsOn: ['e'] }),
    ];
    expect(faultsOf({ steps })).toEqual([
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
      'CYCLE steps.0.dependsOn.0',
      'FORWARD_DEPENDENCY steps.1.dependsOn.1',
      'FORWARD_DEPENDENCY steps.2.dependsOn.0',
      'FORWARD_DEPENDENCY steps.3.dependsOn.0',
      'CYCLE steps.3.dependsOn.0',
    ]);
  });

  it('of a shared Process calls only shared targets', () => {
    const steps = [step('a', { calls: { toolId: 'private' }, inputs: { q: 1 } }), step('b')];
    expect(faultsOf({ steps })).toEqual([]);
    expect(faultsOf({ steps }, { ...targets, sharing: 'shared' })).toEqual([
      'NOT_SHARED steps.0.calls.toolId',
    ]);
  });

  const faultsAt = (place: string, more: Draft) =>
    faultsOf({ steps: [step('a', more)] })
      .map((fault) => fault.replace(` steps.0.${place}.`, ' '))
      .join(', ');

  it.each<[string, JsonObject, string]>([
    ['missing input', {}, 'SCHEMA_VIOLATION query'],
    ['unknown input', { query: 'q', extra: 1 }, 'SCHEMA_VIOLATION extra'],
    ['literal of a wrong type', { query: { a: 1 } }, 'SCHEMA_VIOLATION query'],
    ['text of a number', { query: 'q', limit: '7' }, ''],
    ['number for text', { query: 5, limit: 7 }, 'SCHEMA_VIOLATION query'],
    ['literal against a $ref', { query: 'q', limit: 11 }, 'SCHEMA_VIOLATION limit'],
    ['expression, whatever it will be', { query: 'q', limit: '{context.question}' }, ''],
    ['prototype key in a path', { query: '{context.question.constructor.x}' }, 'INVALID query'],
    [
      '{item} without forEach',
      { query: '{item.x} {index}' },
      'UNKNOWN_VARIABLE query, UNKNOWN_VARIABLE query',
    ],
    ['a reference in other braces', { query: '{{context.question}}' }, 'UNKNOWN_VARIABLE query'],
    ['braces around other words', { query: '{"a": {name}} {x}' }, ''],
    ['a quoted reference', { query: '{"{context.question}"}' }, ''],
  ])('inputs: %s (S4-STEP-05)', (_what, inputs, faults) => {
    expect(faultsAt('inputs', { inputs })).toBe(faults);
  });

  it('takes inputs that a schema leaves open (S4-STEP-05)', () => {
    const open = { calls: { toolId: 'open' }, inputs: { any: { thing: [1] } } };
    expect(faultsAt('inputs', open)).toBe('');
  });

  const PAGES = { list: 'data.rows', next: 'next' };
  const PAGES_FAULTS = 'INVALID pages.list, INVALID pages.next';
  const quoted = '"{context.question}" == "q"';
  it.each<[string, Draft, string, Draft?]>([
    ['required and CONTINUE', { onFailure: 'continue' }, 'INVALID onFailure'],
    [
      'optional and CONTINUE',
      { onFailure: 'continue' },
      '',
      { output: { variable: 'a', required: false } },
    ],
    ['FALLBACK without one', { onFailure: 'fallback' }, 'REQUIRED fallback'],
    ['a fallback without FALLBACK', { fallback: 1 }, 'INVALID fallback'],
    ['a fallback of false', { onFailure: 'fallback', fallback: false }, ''],
    ['maxConcurrency without forEach', { maxConcurrency: 2 }, 'INVALID maxConcurrency'],
    ['pages by odd paths', { pages: { list: 'a..b', next: '' } }, PAGES_FAULTS],
    ['too many pages', { pages: { ...PAGES, maxPages: 1_001 } }, 'INVALID pages.maxPages'],
    ['pages', { pages: PAGES }, '', { inputs: { query: '{item}' } }],
    ['pages and forEach', { pages: PAGES, forEach: '[1]' }, 'INVALID pages'],
    ['pages of a person', { pages: PAGES, interactionMode: 'manual' }, 'INVALID interactionMode'],
    [
      'pages of a Process',
      { pages: PAGES },
      'INVALID pages',
      { calls: { processId: 'sub' }, inputs: { topic: 1, style: 2 } },
    ],
    [
      'a file of no list',
      {},
      'INVALID steps.0.output.asFile',
      { output: { variable: 'a', asFile: true } },
    ],
    [
      'a file that is optional',
      { forEach: '[1]' },
      'INVALID steps.0.output.asFile',
      { output: { variable: 'a', asFile: true, required: false } },
    ],
    ['a condition that is no bool', { condition: '"yes"' }, 'CONDITION_INVALID condition'],
    ['a reference in a text of a condition', { condition: quoted }, 'CONDITION_INVALID condition'],
    ['forEach that is no list', { forEach: '1 > 2' }, 'CONDITION_INVALID forEach'],
    [
      'a cached mutating Tool',
      { cacheSeconds: 1 },
      'INVALID cacheSeconds',
      { calls: { toolId: 'write' }, inputs: {} },
    ],
    [
      'a manual Process',
      { interactionMode: 'manual' },
      'INVALID interactionMode',
      { calls: { processId: 'sub' }, inputs: { topic: 1, style: 2 } },
    ],
    ['a timeout of 0', { timeout: 0 }, 'INVALID timeout'],
    ['a timeout over a day', { timeout: 86_401 }, 'INVALID timeout'],
    ['a timeout of half a second', { timeout: 0.5 }, ''],
    ['half an attempt', { retry: { maximumAttempts: 1.5 } }, 'INVALID retry.maximumAttempts'],
  ])('execution: %s', (_what, execution, faults, more = {}) => {
    expect(faultsAt('execution', { execution, ...more })).toBe(faults);
  });

  it('takes null for a field that is not given, as GraphQL sends it', () => {
    const given = step('a', {
      description: null,
      dependsOn: null,
      execution: {
        mode: null,
        retry: { maximumAttempts: null, nonRetryableErrors: null },
        timeout: null,
      },
    });
    const draft = {
      name: 'P',
      description: null,
      initialContext: [],
      steps: [given, step('b', { execution: null })],
      outputTemplate: '',
      maxRecursionDepth: null,
    };
    const read = readDefinition(draft);
    expect(checkDefinition(read, targets)).toEqual([]);
    expect(read.maxRecursionDepth).toBe(5);
    expect(read.steps[0]?.execution).toMatchObject({
      mode: 'sequential',
      interactionMode: 'auto',
      retry: { maximumAttempts: 3 },
    });
    expect(readDefinition(read)).toEqual(read);
  });

  it('with a wrong shape is refused by path', () => {
    const draft = {
      name: 1,
      steps: [{ id: 's', calls: {}, inputs: [], output: {} }],
      outputTemplate: '',
    };
    try {
      readDefinition(draft);
      expect.unreachable();
    } catch (error) {
      const paths = (error as Refusal).problems.map(
        ({ code, path }) => `${code} ${path.join('.')}`,
      );
      expect(error).toBeInstanceOf(Refusal);
      expect(paths).toEqual([
        'INVALID name',
        'REQUIRED initialContext',
        'INVALID steps.0.calls',
        'INVALID steps.0.inputs',
        'REQUIRED steps.0.output.variable',
      ]);
    }
  });
});

describe('definitions at random', () => {
  const modes = fc.array(
    fc.record({
      mode: fc.constantFrom('parallel', 'sequential'),
      wants: fc.array(fc.nat(30), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 30 },
  );

  it('only steps that read and wait for earlier stages are accepted', () => {
    fc.assert(
      fc.property(modes, (list) => {
        const stageOf: number[] = [];
        for (const [at, { mode }] of list.entries()) {
          const joins = at > 0 && mode === 'parallel' && list[at - 1]?.mode === 'parallel';
          stageOf.push((stageOf[at - 1] ?? -1) + (joins ? 0 : 1));
        }
        let allowed = true;
        const steps = list.map(({ mode, wants }, at) => {
          const names = [...new Set(wants.filter((want) => want < list.length && want !== at))];
          if (names.some((want) => (stageOf[want] ?? 0) >= (stageOf[at] ?? 0))) allowed = false;
          return step(`s${at}`, {
            execution: { mode },
            dependsOn: names.map((want) => `s${want}`),
            inputs: { query: names.map((want) => `{step.s${want}}`).join() },
          });
        });
        expect(faultsOf({ steps, outputTemplate: '' }).length === 0).toBe(allowed);
      }),
      { numRuns: 500 },
    );
  });
});

describe('types between steps (docs/decisions/0056)', () => {
  const found = tool(
    'find',
    { properties: { query: { type: 'string' } } },
    {
      type: 'object',
      properties: {
        pages: {
          type: 'array',
          items: {
            type: 'object',
            properties: { title: { type: 'string' }, tags: { type: 'array' } },
            required: ['title', 'tags'],
          },
        },
        best: { type: 'string' },
      },
      required: ['pages'],
    },
  );
  const sum = tool(
    'sum up',
    {
      properties: {
        text: { type: 'string' },
        lines: { type: 'array' },
        options: {
          type: 'object',
          properties: { hints: { type: 'array', items: found.inputSchema } },
        },
      },
    },
    { type: 'string' },
  );
  const typed: KnownTargets = {
    tools: new Map([
      ['find', found],
      ['sum', sum],
    ]),
    processes: new Map([
      called('child', 'Child', ['topics', 'style'], {
        properties: { topics: { type: 'array' }, style: { enum: ['long'], default: 'long' } },
      }),
    ]),
    sharing: 'private',
  };
  const find = step('find', { calls: { toolId: 'find' }, inputs: { query: '{context.question}' } });
  const PAGES = 'step.find.pages';
  const FOR_EACH = 'execution.forEach';
  const uses = (inputs: JsonObject, execution: Draft = {}) =>
    step('use', { calls: { toolId: 'sum' }, inputs, execution });
  const typeFaults = (steps: Draft[], more: Draft = {}) =>
    checkDefinition(
      readDefinition({
        name: 'P',
        initialContext: ['question'],
        outputTemplate: '{{find}}',
        ...more,
        steps,
      }),
      typed,
    ).map(({ code, path, message }) => `${code} ${path.slice(2).join('.')}: ${message}`);

  it('a list given for text is a fault, with the places of both schemas', () => {
    expect(typeFaults([find, uses({ text: '{step.find.pages}' })])).toEqual([
      'TYPE_MISMATCH inputs.text: {step.find.pages} is a list (the outputSchema of find, ' +
        'properties.pages), but text is wanted (the inputSchema of sum up, properties.text).',
    ]);
  });

  it.each<[string, Draft]>([
    ['a list for a list', uses({ lines: '{step.find.pages}' })],
    ['a list inside text', uses({ text: 'Pages: {step.find.pages}' })],
    ['an optional text', uses({ text: '{step.find.best}' })],
    ['a path that may lead nowhere', uses({ text: '{step.find.pages.0.title}' })],
    ['the items of a list', uses({ text: '{item.title}' }, { forEach: 'step.find.pages' })],
    ['a computed list', uses({ text: '{item}' }, { forEach: 'step.find.pages.map(p, p.tags)' })],
  ])('%s may fit', (_name, use) => {
    expect(typeFaults([find, use])).toEqual([]);
  });

  it.each<[string, Draft, string]>([
    ['text with expressions for a list', uses({ lines: 'all {step.find.pages}' }), 'inputs.lines'],
    ['an index for a list', uses({ lines: '{index}' }, { forEach: PAGES }), 'inputs.lines'],
    ['a field of an item', uses({ text: '{item.tags}' }, { forEach: PAGES }), 'inputs.text'],
    [
      'a list deep in an object',
      uses({ options: { hints: [{ query: '{step.find.pages}' }] } }),
      'inputs.options.hints.0.query',
    ],
    ['a forEach over an object', uses({ text: '{item}' }, { forEach: 'step.find' }), FOR_EACH],
  ])('%s is a fault', (_name, use, place) => {
    expect(typeFaults([find, use])).toEqual([expect.stringMatching(`^TYPE_MISMATCH ${place}:`)]);
  });

  it('a forEach step gives a list, and a called Process gives text', () => {
    const each = uses({ text: '{item.title}' }, { forEach: 'step.find.pages' });
    const child = (inputs: JsonObject) => step('child', { calls: { processId: 'child' }, inputs });
    expect(typeFaults([find, each, child({ topics: '{step.use}' })])).toEqual([]);
    expect(typeFaults([find, each, child({ topics: '{step.use.0}' })])).toEqual([
      expect.stringContaining('{step.use.0} is text or null (the outputSchema of sum up), but'),
    ]);
    expect(
      typeFaults([find, child({ topics: '{step.find.pages}' }), uses({ lines: '{step.child}' })]),
    ).toEqual([
      'TYPE_MISMATCH inputs.lines: {step.child} is text (the result of Child), but a list is ' +
        'wanted (the inputSchema of sum up, properties.lines).',
    ]);
  });

  it('the contextSchema types the reads of steps and the values of callers', () => {
    const contextSchema = { properties: { question: { type: 'array' } } };
    expect(typeFaults([find], { contextSchema })).toEqual([
      'TYPE_MISMATCH inputs.query: {context.question} is a list (contextSchema, ' +
        'properties.question), but text is wanted (the inputSchema of find, properties.query).',
    ]);
    const call = (inputs: JsonObject) => [
      find,
      step('child', { calls: { processId: 'child' }, inputs }),
    ];
    expect(typeFaults(call({ topics: '{step.find.pages}', style: 'short' }))).toEqual([
      'SCHEMA_VIOLATION inputs.style: This has to be one of ["long"].',
    ]);
    expect(typeFaults(call({ topics: 'all of {step.find.best}' }))).toEqual([
      expect.stringMatching(/^TYPE_MISMATCH inputs\.topics: /),
    ]);
    expect(typeFaults(call({}))).toEqual([
      'SCHEMA_VIOLATION inputs.topics: Child requires "topics" in its initialContext.',
    ]);
  });

  it('a contextSchema is a schema of an object with the names of initialContext', () => {
    const faults = (contextSchema: JsonObject) => typeFaults([find], { contextSchema });
    expect(faults({ type: 'array' })[0]).toMatch(/^SCHEMA_INVALID/);
    expect(faults({ type: 'thing' })[0]).toMatch(/^SCHEMA_INVALID/);
    expect(faults({ properties: { qestion: {} }, required: ['other'] })).toEqual([
      expect.stringContaining('qestion is not in initialContext. Did you mean "question"?'),
      expect.stringContaining('other is not in initialContext.'),
    ]);
  });
});

describe('a text that is nearly a reference', () => {
  const messagesOf = (more: Draft, outputTemplate = '{{b}}') =>
    checkDefinition(
      readDefinition({
        name: 'P',
        initialContext: ['question', 'list'],
        steps: [step('find', { output: { variable: 'found' } }), step('b', more)],
        outputTemplate,
      }),
      targets,
    ).map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`);

  it.each<[string, Draft, RegExp]>([
    ['a step id in inputs', { inputs: { query: '{steps.find}' } }, /mean \{step\.found\}\?/],
    [
      'a step id as variable',
      { inputs: { query: '{step.find}' } },
      /"found", which the step "find"/,
    ],
    ['an alias in inputs', { inputs: { query: '{ctx.question}' } }, /mean \{context\.question\}\?/],
    ['braces', { execution: { condition: '{context.question} == 1' } }, /mean context\.question\?/],
    ['n8n', { execution: { forEach: '$json.list' } }, /mean context\.list\?/],
    ['Kestra', { execution: { forEach: 'outputs.find.x' } }, /mean step\.found\.x\?/],
    ['a bare name', { execution: { forEach: 'found' } }, /mean step\.found\?/],
  ])('%s is refused with the reference', (_title, more, meant) => {
    expect(messagesOf(more).join('\n')).toMatch(meant);
  });

  it('is refused in an output template too', () => {
    const messages = messagesOf({}, '{{steps.find.x}} ${context.list} {{find}} {{ctx.question}}');
    expect(messages.map((message) => / Did you mean (.*)\?$/.exec(message)?.[1])).toEqual([
      '{{list}}',
      '{{found.x}}',
      '{{found}}',
      '{{question}}',
    ]);
  });
});
