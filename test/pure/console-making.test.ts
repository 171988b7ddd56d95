import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { fieldsOf, schemaOf, typeName } from '../../console/src/catalog/field-list.ts';
import {
  draftOf,
  emptyOperation,
  operationOf,
  shownValue,
  typedValue,
  variablesOf,
} from '../../console/src/catalog/operation-draft.ts';
import { connectionSchemaOf, protocolOf } from '../../console/src/catalog/service-kinds.ts';
import {
  DeleteMetricDocument,
  DeleteScheduleDocument,
} from '../../console/src/generated/documents.ts';
import { readSetting } from '../../console/src/operations/setting-value.ts';
import { addStep, setField, setRoot } from '../../console/src/processes/definition-edit.ts';
import { stepsOf } from '../../console/src/processes/definition-steps.ts';
import { takes, variablesAt } from '../../console/src/processes/variables.ts';
import { inOneMutation } from '../../console/src/ui/one-mutation.ts';
import { PASTED_CHARS_MAX, pasteFault } from '../../console/src/ui/pasting.ts';
import { problemOf } from '../../console/src/ui/problem-words.ts';

it('keeps what a schema says beside its fields', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['city'],
    properties: {
      city: { type: 'string', minLength: 1, description: 'A town.' },
      days: { type: 'integer', default: 3 },
      either: { type: ['string', 'null'] },
    },
  };
  const list = fieldsOf(schema);
  expect(list?.fields.map(({ name, type, isRequired }) => `${name} ${type} ${isRequired}`)).toEqual(
    ['city string true', 'days integer false', 'either any false'],
  );
  expect(list === null ? null : schemaOf(list)).toEqual(schema);
  expect(fieldsOf({ type: 'string' })).toBeNull();
  expect(fieldsOf({ anyOf: [] })).toBeNull();
  expect(fieldsOf({})).toEqual({ fields: [], rest: {} });
});

it('writes a REST call from typed rows and reads it back', () => {
  const draft = {
    ...emptyOperation('REST_API'),
    method: 'POST',
    path: '/towns/{{town}}',
    query: [{ name: 'days', value: '{{days}}' }],
    bodyForm: 'fields',
    bodyFields: [
      { name: 'count', value: '5' },
      { name: 'code', value: '"5"' },
      { name: 'note', value: 'for {{default name "you"}}' },
    ],
  } as const;
  expect(draft.type).toBe('REST_API');
  const operation = operationOf(draft as never);
  expect(operation).toEqual({
    restCall: {
      method: 'POST',
      path: '/towns/{{town}}',
      query: { days: '{{days}}' },
      body: { count: 5, code: '5', note: 'for {{default name "you"}}' },
    },
  });
  const { query, ...call } = operation.restCall ?? ({} as never);
  const stored = { ...call, parameters: query, headers: null, cookies: null, bodyKind: null };
  const again = draftOf({ __typename: 'RestCallOperation', styles: [], ...stored } as never);
  expect(operationOf(again)).toEqual(operation);
  expect(variablesOf(again)).toEqual(['town', 'days', 'name']);
});

it('finds the variables of prompts and of Cypher', () => {
  const prompt = { ...emptyOperation('LLM_PROVIDER'), promptTemplate: '{{#if a}}{{b.c}}{{/if}}' };
  expect(variablesOf(prompt as never)).toEqual(['a', 'b']);
  const cypher = { ...emptyOperation('NEO4J_GRAPH'), cypher: 'RETURN $x + $y + $x' };
  expect(variablesOf(cypher as never)).toEqual(['x', 'y']);
});

it('reads back each value as it was typed', () => {
  for (const value of ['5', 5, true, 'true', null, ['a'], { a: 1 }, 'a "b"', '"', ''])
    expect(typedValue(shownValue(value))).toEqual(value);
});

it('takes protocol and default address of a Service from what is typed', () => {
  expect(protocolOf('http://127.0.0.1:9', 'REST_API')).toBe('HTTP');
  expect(protocolOf('bolt+s://graph', 'NEO4J_GRAPH')).toBe('BOLT_S');
  expect(protocolOf('ftp://x', 'REST_API')).toBeNull();
  expect(connectionSchemaOf('REST_API', 'HTTPS', 'https://a.example')).toMatchObject({
    required: ['endpoint'],
    properties: { endpoint: { default: 'https://a.example' } },
  });
  expect(connectionSchemaOf('MCP_SERVER', 'STDIO', 'clock')).toMatchObject({
    required: ['server'],
    properties: { server: { default: 'clock' } },
  });
});

const WEATHER = {
  id: 'w',
  name: 'weather',
  inputSchema: {},
  outputSchema: {
    type: 'object',
    properties: { celsius: { type: 'number' }, 'first word': { type: 'string' } },
  },
  mutating: false,
  status: 'HEALTHY' as const,
  operation: { __typename: 'RestCallOperation' as const, type: 'REST_CALL' as const },
  service: { id: 's', name: 's' },
};
const CALLABLES = { tools: { nodes: [WEATHER] }, processes: { nodes: [] } };
const TEXT = `name: report
initialContext: [town]
steps:
  - stepId: look
    calls: { tool: weather }
    inputs: { town: "{context.town}" }
    output: { variable: now }
    execution: { mode: parallel }
  - stepId: beside
    calls: { tool: weather }
    inputs: {}
    output: { variable: other }
    execution: { mode: parallel, retry: { maximumAttempts: 5 } }
  - stepId: last
    calls: { tool: weather }
    inputs: {}
    output: { variable: end }
    execution: { forEach: step.now, onFailure: fallback, fallback: none, timeout: 9 }
outputTemplate: ""
`;

it('offers a step the context, earlier stages with their properties, and its item', () => {
  const steps = stepsOf(parseDocument(TEXT), CALLABLES);
  const defined = {
    initialContext: ['town'],
    contextSchema: { type: 'object', properties: { town: { type: 'string' } } },
    steps,
  };
  const shown = (stepId: string | null) =>
    variablesAt(defined, stepId).map(({ path, type }) => `${path}: ${type}`);
  // Parallel neighbours have no output yet.
  expect(shown('beside')).toEqual(['context.town: text']);
  expect(shown('last')).toEqual([
    'context.town: text',
    'step.now: object',
    'step.now.celsius: number',
    'step.now["first word"]: text',
    'step.other: object',
    'step.other.celsius: number',
    'step.other["first word"]: text',
    'item: anything',
    'index: whole number',
  ]);
  expect(shown(null).at(-1)).toBe('step.end: list');
  expect(steps[1]?.execution.retry?.maximumAttempts).toBe(5);
  expect(steps[2]?.execution).toMatchObject({
    onFailure: 'FALLBACK',
    fallback: 'none',
    timeout: 9,
  });
});

it('removes the maps that an edit leaves empty, and sets fields of the Process', () => {
  const without = setField('beside', ['execution', 'retry', 'maximumAttempts'], undefined)(TEXT);
  expect(without).not.toContain('retry');
  expect(without).toContain('execution: { mode: parallel }');
  const set = setField('last', ['execution', 'retry', 'maximumAttempts'], 2)(TEXT);
  expect(parseDocument(set).toJS().steps[2].execution.retry).toEqual({ maximumAttempts: 2 });
  const renamed = setRoot('name', 'other')(setRoot('initialContext', ['town', 'day'])(TEXT));
  expect(parseDocument(renamed).toJS()).toMatchObject({
    name: 'other',
    initialContext: ['town', 'day'],
  });
  expect(setRoot('outputTemplate', undefined)(TEXT)).not.toContain('outputTemplate');
});

it('says in words what an input takes', () => {
  expect(takes({ type: 'integer', minimum: 1, maximum: 20, default: 2 })).toBe(
    'Whole number, at least 1, at most 20, 2 if left out.',
  );
  expect(takes({ enum: ['a', 'b'], description: 'Which one.' })).toBe(
    'Which one. One of "a", "b".',
  );
  expect(takes(null)).toBe('');
  expect(typeName({ type: ['string', 'null'] })).toBe('anything');
});

it('deletes several objects in one request, in their order', () => {
  const all = [
    { document: DeleteScheduleDocument, of: { id: 's' } },
    { document: DeleteMetricDocument, of: { id: 'm', cascade: true } },
  ];
  const { query, variables } = inOneMutation(all);
  expect(query).toBe(
    'mutation DeleteAll($input0: DeleteProcessScheduleInput!, ' +
      '$input1: DeleteMetricDefinitionInput!) ' +
      '{ d0: deleteProcessSchedule(input: $input0) { userErrors { message } } ' +
      'd1: deleteMetricDefinition(input: $input1) { userErrors { message } } }',
  );
  expect(variables).toEqual({ input0: { id: 's' }, input1: { id: 'm', cascade: true } });
});

it('reads a setting as it is typed, and names a refused one by its label', () => {
  const number = { isList: false, isWhole: true };
  expect(readSetting(' 30 ', number)).toEqual({ value: 30 });
  expect(readSetting('', number)).toEqual({ value: null });
  expect(readSetting('many', number)).toEqual({ fault: 'has to be a number.' });
  expect(readSetting('0.5', number)).toEqual({ fault: 'has to be a whole number.' });
  expect(readSetting('1e12', number)).toEqual({ fault: 'is too large.' });
  expect(readSetting('0.5', { ...number, isWhole: false })).toEqual({ value: 0.5 });
  expect(readSetting('a\n\nb', { ...number, isList: true })).toEqual({ value: ['a', 'b'] });
  const label = 'Items of one list';
  expect(problemOf('forEachItemsMax has to be from 1 to 5.', label, ['forEachItemsMax'])).toBe(
    '“Items of one list” has to be from 1 to 5.',
  );
  expect(problemOf('The pattern is empty.', 'Patterns', ['redactedPatterns', '1'])).toBe(
    '“Patterns”, line 2: The pattern is empty.',
  );
});

it('refuses to paste what would stop the page', () => {
  expect(pasteFault(PASTED_CHARS_MAX)).toBeNull();
  expect(pasteFault(50_000_000)).toBe(
    'The copied text has 50 million characters, and a field takes 2 million in one paste. ' +
      'Nothing was pasted.',
  );
});

it('writes the steps of a new Process on lines of their own', () => {
  const step = { stepId: 'look', calls: { tool: 'weather' }, inputs: {} };
  expect(addStep(step)('name: report\nsteps: []\n')).toBe(
    'name: report\nsteps:\n  - stepId: look\n    calls:\n      tool: weather\n    inputs: {}\n',
  );
});
