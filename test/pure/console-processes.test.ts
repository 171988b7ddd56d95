import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { completionsAt } from '../../console/src/processes/completion.ts';
import {
  addStep,
  connect,
  disconnect,
  moveStep,
  removeStep,
  setField,
  stepIdsOf,
} from '../../console/src/processes/definition-edit.ts';
import { stepsOf } from '../../console/src/processes/definition-steps.ts';
import { faultsOf, readText } from '../../console/src/processes/definition-text.ts';
import { fixOf, nearestOf } from '../../console/src/processes/did-you-mean.ts';
import { callRows } from '../../console/src/runs/call-tree.ts';
import { moveTo, placeByKey, type StepPlace } from '../../console/src/runs/step-place.ts';
import { stagesOf } from '../../console/src/runs/step-view.ts';

const TEXT = `# The way of a letter.
name: letters
initialContext: [letter]
steps:
  # First the gist.
  - stepId: draft
    calls:
      tool: summarise text
    inputs:
      text: "{context.letter}" # as it came
    output:
      variable: gist
  - stepId: send
    calls:
      tool: summarise text
    inputs:
      text: "{step.gist}"
    output:
      variable: sent
    dependsOn: [draft]
outputTemplate: "{{sent}}"
`;
const tool = (name: string) => ({
  __typename: 'Tool' as const,
  id: `id of ${name}`,
  name,
  inputSchema: {},
  outputSchema: {},
  mutating: false,
  status: 'HEALTHY' as const,
  operation: { __typename: 'LlmCallOperation' as const, type: 'LLM_CALL' as const },
  service: { id: 's', name: 's' },
});
const CALLABLES = {
  tools: { nodes: [tool('summarise text'), tool('extract names')] },
  processes: { nodes: [{ id: 'p', name: 'tour', initialContext: ['text'] }] },
};

it('edits a definition by its graph and keeps the comments', () => {
  const added = addStep({ stepId: 'third', calls: { tool: 'x' }, inputs: {} })(TEXT);
  expect(stepIdsOf(added)).toEqual(['draft', 'send', 'third']);
  const connected = connect('draft', 'third')(added);
  expect(connected).toContain('dependsOn: [ draft ]');
  expect(connect('draft', 'third')(connected)).toBe(connected);
  expect(disconnect('draft', 'third')(connected)).toBe(added);
  const removed = removeStep('draft')(connected);
  expect(stepIdsOf(removed)).toEqual(['send', 'third']);
  expect(removed).not.toContain('dependsOn');
  const set = setField('draft', ['inputs', 'sentences'], 2)(TEXT);
  expect(set).toContain('sentences: 2');
  const conditional = setField('draft', ['execution', 'condition'], 'true')(TEXT);
  expect(conditional).toContain('condition: "true"');
  expect(setField('draft', ['execution', 'condition'], undefined)(conditional)).toBe(
    setField('draft', ['execution', 'condition'], undefined)(TEXT),
  );
  for (const text of [added, connected, set]) {
    for (const comment of ['# The way of a letter.', '# First the gist.', '# as it came'])
      expect(text).toContain(comment);
  }
  expect(addStep({ stepId: 'x' })('steps: [')).toBe('steps: [');
});

it('completes outputs of earlier steps, the context and names', () => {
  const known = { tools: ['summarise text'], processes: ['tour'] };
  const at = (marked: string) => {
    const found = completionsAt(marked.replace('|', ''), marked.indexOf('|'), known);
    return found?.options.map(({ label }) => label) ?? null;
  };
  expect(at(TEXT.replace('{step.gist}', '{step.|}'))).toEqual(['gist']);
  expect(at(TEXT.replace('{context.letter}', '{step.|}'))).toEqual([]);
  expect(at(TEXT.replace('{context.letter}', '{context.le|}'))).toEqual(['letter']);
  expect(at(TEXT.replace('{context.letter}', '{|}'))).toContain('step.');
  // After the dot it is asked again, also where the typing pauses before.
  expect(completionsAt('x: "{con', 8, known)?.validFor.test('context.')).toBe(false);
  expect(at('      tool: sum|')).toEqual(['summarise text']);
  expect(at('calls: { process: |')).toEqual(['tour']);
  expect(at('      mode: |')).toEqual(['sequential', 'parallel']);
  expect(at('name: le|')).toBeNull();
  expect(at('initialContext:\n  - a\n  - b\nx: "{context.|')).toEqual(['a', 'b']);
});

it('mends a word where one was meant for certain', () => {
  const mended = (text: string, message: string) => {
    const fix = fixOf(text, { from: 0, to: text.length, message });
    return fix === null ? null : text.slice(0, fix.from) + fix.insert + text.slice(fix.to);
  };
  expect(
    mended(
      'text: "{step.gits} of step"',
      'step.gits is the output of no earlier step. Did you mean "gist"?',
    ),
  ).toBe('text: "{step.gist} of step"');
  expect(mended('x', 'step.gits is the output of no earlier step.')).toBeNull();
  expect(nearestOf('sumarise text', ['summarise text', 'summarise talk'])).toBe('summarise text');
  expect(nearestOf('ab', ['ac', 'ad'])).toBeNull();
  const { faults } = readText(
    TEXT.replace('tool: summarise text', 'tool: sumarise text'),
    CALLABLES,
  );
  expect(faults.map(({ message }) => message)).toEqual([
    'There is no tool named "sumarise text" that you can see. Did you mean "summarise text"?',
  ]);
});

it('reads offered tools, and draws the steps of an edited text', () => {
  const text = TEXT.replace(
    '    dependsOn: [draft]\n',
    '    tools:\n      - tool: extract names\n        permission: ask\n      - process: ' +
      'tour\n    agent: { maxRounds: 3, toolChoice: required }\n',
  );
  const { input, faults, document } = readText(text, CALLABLES);
  expect(faults).toEqual([]);
  expect(input?.steps[1]).toMatchObject({
    tools: [{ toolId: 'id of extract names', permission: 'ASK' }, { processId: 'p' }],
    agent: { maxRounds: 3, toolChoice: 'REQUIRED' },
  });
  const [draft, send] = stepsOf(document, CALLABLES);
  expect(draft).toMatchObject({ id: 'draft', output: { variable: 'gist' } });
  expect(send?.target).toMatchObject({ __typename: 'Tool', name: 'summarise text' });
  expect(stepsOf(parseDocument('steps: 3'), CALLABLES)).toEqual([]);
});

it('puts calls below the calls that triggered them', () => {
  const call = (id: string, startedAt: string, parentRequestId: string | null = null) => ({
    id,
    requestId: `request ${id}`,
    operationName: `name ${id}`,
    status: 'COMPLETED' as const,
    startedAt,
    completedAt: startedAt,
    createdAt: startedAt,
    parentRequestId,
    input: null,
    output: null,
    error: null,
  });
  const nodes = [
    call('b', '2', 'request run'),
    call('run', '1'),
    call('a', '3', 'request run'),
    call('deep', '4', 'request a'),
  ];
  const edges = [{ edgeType: 'depends_on', source: 'a', target: 'b' }];
  expect(
    callRows(nodes, edges, new Set()).map(({ call: { id }, depth, dependsOn }) => [
      id,
      depth,
      ...dependsOn,
    ]),
  ).toEqual([
    ['run', 0],
    ['b', 1],
    ['a', 1, 'name b'],
    ['deep', 2],
  ]);
  expect(callRows(nodes, edges, new Set(['run']))).toHaveLength(1);
});

/** Steps by stage: `a` alone, `b+c` at the same time. */
function ordered(text: string) {
  return text.split(' ').flatMap((stage) => {
    const ids = stage.split('+');
    const mode = ids.length > 1 ? ('PARALLEL' as const) : ('SEQUENTIAL' as const);
    return ids.map((id) => ({ id, execution: { mode } }));
  });
}
function textWith(stages: string): string {
  const steps = ordered(stages).flatMap(({ id, execution }) => [
    `  # about ${id}`,
    `  - stepId: ${id} # at ${id}`,
    `    inputs: { text: "of ${id}" }`,
    ...(execution.mode === 'PARALLEL' ? ['    execution: { mode: parallel }'] : []),
  ]);
  return ['# A Process.', 'steps:', ...steps, '# The end.', 'outputTemplate: ""', ''].join('\n');
}
const stagesIn = (text: string) =>
  stagesOf(stepsOf(parseDocument(text), { tools: { nodes: [] }, processes: { nodes: [] } }))
    .map((ids) => ids.join('+'))
    .join(' ');

it.each<[string, string, StepPlace, string]>([
  ['a b c', 'c', { stage: 0, slot: null }, 'c a b'],
  ['a b c', 'a', { stage: 3, slot: null }, 'b c a'],
  ['a b c', 'a', { stage: 2, slot: null }, 'b a c'],
  ['a b c', 'c', { stage: 1, slot: 0 }, 'a c+b'],
  ['a b c', 'c', { stage: 1, slot: 1 }, 'a b+c'],
  ['a b+c d', 'c', { stage: 1, slot: 0 }, 'a c+b d'],
  ['a b+c+e d', 'c', { stage: 1, slot: null }, 'a c b+e d'],
  ['a b+c+e d', 'b', { stage: 2, slot: null }, 'a c+e b d'],
  ['a b+c d', 'd', { stage: 1, slot: 1 }, 'a b+d+c'],
])(
  'moves a step of "%s": %s to %o gives "%s", with its comments',
  (before, stepId, place, after) => {
    const move = moveTo(ordered(before), stepId, place);
    if (move === null) throw new Error('There is no such move.');
    const text = moveStep(move)(textWith(before));
    expect(stagesIn(text)).toBe(after);
    const order = after.split(/[ +]/);
    expect(text.match(/(?<=# about )\w/g)).toEqual(order);
    expect(text.match(/(?<=stepId: \w # at )\w/g)).toEqual(order);
    expect(text).toMatch(/^# A Process\.\nsteps:\n {2}# about .*# The end\.\n/s);
  },
);

it.each<[string, string, StepPlace]>([
  ['a b c', 'b', { stage: 1, slot: null }],
  ['a b c', 'b', { stage: 2, slot: null }],
  ['a b c', 'b', { stage: 1, slot: 0 }],
  ['a b+c d', 'c', { stage: 1, slot: 1 }],
])('has no move that changes nothing: "%s", %s to %o', (before, stepId, place) => {
  expect(moveTo(ordered(before), stepId, place)).toBeNull();
});

it('has no move that makes one group of two', () => {
  // The step between them leaves, or a step beside a group becomes parallel.
  expect(moveTo(ordered('a+b c d+e f'), 'c', { stage: 4, slot: null })).toBeNull();
  expect(moveTo(ordered('a+b c d'), 'd', { stage: 1, slot: 0 })).toBeNull();
  expect(moveTo(ordered('a+b c d+e f'), 'c', { stage: 0, slot: 0 })).toBeNull();
});

it('moves a step by its keys out of a group, past a stage, and into the one beside it', () => {
  const steps = ordered('a b+c d');
  expect(placeByKey(steps, 'a', 'ArrowRight')).toEqual({ stage: 2, slot: null });
  expect(placeByKey(steps, 'd', 'ArrowLeft')).toEqual({ stage: 1, slot: null });
  expect(placeByKey(steps, 'b', 'ArrowLeft')).toEqual({ stage: 1, slot: null });
  expect(placeByKey(steps, 'b', 'ArrowRight')).toEqual({ stage: 2, slot: null });
  expect(placeByKey(steps, 'b', 'ArrowDown')).toEqual({ stage: 1, slot: 1 });
  expect(placeByKey(steps, 'a', 'ArrowDown')).toEqual({ stage: 1, slot: 0 });
  expect(placeByKey(steps, 'd', 'ArrowUp')).toEqual({ stage: 1, slot: 2 });
  for (const [id, key] of [
    ['a', 'ArrowLeft'],
    ['a', 'ArrowUp'],
    ['b', 'ArrowUp'],
    ['d', 'ArrowRight'],
    ['d', 'ArrowDown'],
    ['a', 'Home'],
  ] as const)
    expect(placeByKey(steps, id, key)).toBeNull();
});

it('keeps the empty lines between steps, and puts none before the first', () => {
  const text = 'steps:\n  - stepId: a\n\n  # about b\n  - stepId: b\n\n  - stepId: c\n';
  expect(moveStep({ stepId: 'b', index: 0, beside: [] })(text)).toBe(
    'steps:\n  # about b\n  - stepId: b\n\n  - stepId: a\n\n  - stepId: c\n',
  );
});

it('names each mistyped key at its place, and a Tab before all else', () => {
  const slips = readText(
    'name: x\nsteps:\n  - stepId: a\n    call: { tool: summarise text }\noutputTemplat: y\n',
    CALLABLES,
  );
  expect(slips.input).toBeNull();
  expect(slips.faults.map(({ from, message }) => `${from} ${message}`)).toEqual([
    '64 "outputTemplat" is no field of a Process. Did you mean "outputTemplate"?',
    '33 "call" is no field of a step. Did you mean "calls"?',
  ]);
  const tab = readText('name: x\nsteps:\n\t- stepId: a\n\t  calls: { tool: b }\n', CALLABLES);
  expect(new Set(tab.faults.map(({ message }) => message))).toEqual(
    new Set(['The line begins with a Tab. YAML takes spaces only.']),
  );
});

it('says which input a problem means', () => {
  const { document } = readText(TEXT, CALLABLES);
  const path = ['input', 'steps', '0', 'inputs', 'text'];
  const [fault] = faultsOf(document, [{ code: 'INVALID', message: 'This is empty.', path }]);
  expect(fault?.message).toBe('text: This is empty.');
});
