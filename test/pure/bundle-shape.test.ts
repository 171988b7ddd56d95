import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { parseYaml, placesInYaml } from '../../src/platform/yaml/parse-yaml.ts';
import { locateInYaml } from '../../src/platform/yaml/read-yaml.ts';
import { parseBundle, withoutConsequences } from '../../src/processes/bundle/bundle.ts';
import { withLines } from '../../src/processes/bundle/bundle-text.service.ts';

const tool = (more: JsonObject = {}): JsonObject => ({
  name: 'search',
  service: 'api',
  connectionParams: {},
  operation: { type: 'rest_call', method: 'GET', path: '/' },
  inputSchema: {},
  outputSchema: {},
  ...more,
});
const step = (more: JsonObject = {}): JsonObject => ({
  stepId: 'a',
  calls: { tool: 'search' },
  inputs: {},
  output: { variable: 'a' },
  ...more,
});
const process = (more: JsonObject = {}): JsonObject => ({
  name: 'P',
  initialContext: [],
  steps: [step()],
  outputTemplate: '{{a}}',
  ...more,
});
const faultsOf = (document: Json) =>
  parseBundle(document).problems.map(
    ({ code, path, message }) => `${code} ${path.slice(1).join('.')}: ${message}`,
  );
const processFaults = (more: JsonObject) =>
  faultsOf({ aiden: 1, processes: [process(more)] }).map((fault) =>
    fault.replace('processes.0.', ''),
  );

describe('the shape of a bundle', () => {
  it('names every fault at once in plain words, with the word that was probably meant', () => {
    expect(
      processFaults({
        description: 7,
        initialContext: 'question',
        outputTemplate: null,
        budget: 3,
        steps: [
          step({ execution: { mode: 'paralel', interactionMode: 'always', timeOut: 5 } }),
          step({ stepId: 5, dependOn: ['a'], calls: { tol: 'search' } }),
          'third',
        ],
      }),
    ).toEqual([
      'INVALID steps.0.execution.timeOut: There is no "timeOut" here. Did you mean "timeout"?',
      'INVALID steps.1.dependOn: There is no "dependOn" here. Did you mean "dependsOn"?',
      'INVALID budget: There is no "budget" here. There are: name, description, ' +
        'initialContext, contextSchema, outputTemplate, tokenBudget, maxRecursionDepth, steps, ' +
        'enabled, shared, exposeAsTool.',
      'INVALID description: This has to be text, but is a number.',
      'INVALID initialContext: This has to be a list, but is text.',
      'REQUIRED outputTemplate: outputTemplate is missing.',
      'INVALID steps.0.execution.mode: This has to be one of parallel, sequential. Did you ' +
        'mean "parallel"?',
      'INVALID steps.0.execution.interactionMode: This has to be one of auto, manual.',
      'INVALID steps.1.stepId: This has to be text, but is a number.',
      'INVALID steps.1.calls: This has to have "tool" or "process". Did you mean "tool"?',
      'INVALID steps.2: This has to be a mapping, but is text.',
    ]);
  });

  it('goes on with other things, and with the rest of a thing with a replaced fault', () => {
    const { bundle, problems, unreadable } = parseBundle({
      aiden: 2,
      toolz: [],
      services: [{ name: 'api', type: 'rest', protocol: 'http', connectionSchema: {} }],
      tools: [tool({ enabled: 'no' }), tool({ name: 'other', inputSchema: [] })],
      processes: [process({ steps: [step({ execution: { mode: 'paralel' } })] })],
    });
    expect(problems.map(({ path }) => path.slice(1).join('.'))).toEqual([
      ...'aiden toolz services.0.type tools.0.enabled tools.1.inputSchema'.split(' '),
      ...'processes.0.steps.0.execution.mode'.split(' '),
    ]);
    expect(unreadable).toEqual(['Service api', 'Tool other']);
    expect(bundle?.tools.map(({ name, at }) => [name, at])).toEqual([['search', 0]]);
    expect(bundle?.processes[0]?.steps[0]?.execution.mode).toBe('sequential');
  });

  it('takes values of enums in the form of GraphQL too', () => {
    const { bundle, problems } = parseBundle({
      aiden: 1,
      services: [{ name: 'g', type: 'NEO4J_GRAPH', protocol: 'BOLT_S', connectionSchema: {} }],
      tools: [tool({ operation: { type: 'REST_CALL', method: 'get', path: '/' } })],
      processes: [
        process({
          steps: [step({ execution: { mode: 'PARALLEL', interactionMode: 'MANUAL' } })],
        }),
      ],
    });
    expect(problems).toEqual([]);
    expect(bundle).toMatchObject({
      services: [{ type: 'neo4j_graph', protocol: 'bolt+s' }],
      tools: [{ operation: { type: 'rest_call', method: 'GET' } }],
      processes: [{ steps: [{ execution: { mode: 'parallel', interactionMode: 'manual' } }] }],
    });
  });

  it('reads a Tool or a Process that a step offers, each with all of its fields', () => {
    const tools: JsonObject[] = [
      { tool: 'search', name: 'a', description: 'd', permission: 'ask' },
      { process: 'P', description: 'd' },
      { permission: 'ask', name: 'b', process: 'P' },
    ];
    const { bundle, problems } = parseBundle({
      aiden: 1,
      processes: [process({ steps: [step({ tools })] })],
    });
    expect(problems).toEqual([]);
    expect(bundle?.processes[0]?.steps[0]?.tools).toMatchObject(tools);
  });

  const NONE = ': This has to have "tool" or "process".';
  it.each<[JsonObject, string]>([
    [{ tool: 'now', permission: 'bogus' }, '.permission: This has to be one of allow, ask, deny.'],
    [
      { process: 'P', permission: 7, name: 'a' },
      '.permission: This has to be one of allow, ask, deny.',
    ],
    [
      { process: 'P', permision: 'ask' },
      '.permision: There is no "permision" here. Did you mean "permission"?',
    ],
    [{ tool: 5, name: 'a' }, '.tool: This has to be text, but is a number.'],
    [{ description: 'd', permission: 'ask', proces: 'P' }, `${NONE} Did you mean "process"?`],
    [{ name: 'a' }, NONE],
    [
      { tool: 'now', process: 'P' },
      '.process: There is no "process" here. There are: name, description, permission, tool.',
    ],
  ])('names the fault of the offered %j', (offered, fault) => {
    const found = processFaults({ steps: [step({ tools: [offered] })] });
    expect(found).toEqual([`INVALID steps.0.tools.0${fault}`]);
  });

  it('leaves out problems that follow from a replaced value, and no others', () => {
    const { problems, mended } = parseBundle({
      aiden: 1,
      processes: [
        process({ steps: [step({ inputs: 'all', output: { variable: 7 } })] }),
        process({ name: 'Q', steps: [step({ inputs: 'all' })] }),
      ],
    });
    expect(problems).toHaveLength(3);
    const found = (code: 'SCHEMA_VIOLATION' | 'UNKNOWN_VARIABLE' | 'CYCLE', path: string) => ({
      code,
      message: '',
      path: `document.processes.${path}`.split('.'),
    });
    const kept = [
      found('CYCLE', '0.steps.0.calls'),
      found('SCHEMA_VIOLATION', '1.steps.0.calls'),
      found('UNKNOWN_VARIABLE', '1.outputTemplate'),
    ];
    expect(
      withoutConsequences(
        [
          found('SCHEMA_VIOLATION', '0.steps.0.inputs.text'),
          found('UNKNOWN_VARIABLE', '0.outputTemplate'),
          ...kept,
        ],
        mended,
      ),
    ).toEqual(kept);
  });

  it.each<[string, Json]>([
    ['a list', []],
    ['text', 'aiden: 1'],
    ['nothing', null],
  ])('that is %s is refused in one sentence', (_name, document) => {
    expect(faultsOf(document)).toEqual([
      'INVALID : A bundle is a mapping with aiden, secrets, services, tools, processes.',
    ]);
  });
});

describe('a place in a YAML text', () => {
  const text = ['aiden: 1', 'tools:', '  - name: a', '    mode: paralel', '  - { name: b }'].join(
    '\n',
  );
  const LONG = '# a comment that makes the text long enough for a process of its own\n'.repeat(40);

  it('is the line and column of a key or list item, or the parent of a missing one', async () => {
    const paths = [
      ['tools', '0', 'mode'],
      ['tools', '1'],
      ['tools', '1', 'service', 'x'],
      ['processes'],
      [],
    ];
    const places = [
      { line: 4, column: 5 },
      { line: 5, column: 5 },
      { line: 5, column: 5 },
      null,
      null,
    ];
    expect(placesInYaml(text, paths)).toEqual(places);
    const moved = places.map((place) => place && { ...place, line: place.line + 40 });
    expect(await locateInYaml(LONG + text, paths)).toEqual(moved);
  });

  it('stands before the message of a problem in the document', async () => {
    const problems = [
      { code: 'INVALID' as const, message: 'Wrong.', path: ['document', 'tools', '0', 'mode'] },
      { code: 'INVALID' as const, message: 'Else.', path: ['dryRun'] },
    ];
    expect((await withLines(text, problems)).map(({ message }) => message)).toEqual([
      'Line 4, column 5: Wrong.',
      'Else.',
    ]);
  });

  it.each([
    [
      'several documents',
      'a: 1\n---\nb: 2',
      /^There has to be one document, .* at line 2, column 1\. Remove/,
    ],
    ['too many open braces', `a: ${'{'.repeat(20_000)}`, /^At most \d+ levels are read\.$/],
  ])('is named in plain words for %s', (_title, given, right) => {
    expect(parseYaml(given)).toEqual({ faults: [expect.stringMatching(right)] });
  });

  it('is named for a key that stands there twice', () => {
    expect(parseYaml('a: 1\nb:\n  c: 1\n  c: 2')).toEqual({
      faults: ['The key "c" stands there twice, at line 4, column 3.'],
    });
  });
});
