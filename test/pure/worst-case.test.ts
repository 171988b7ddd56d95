import { describe, expect, it } from 'vitest';
import { type BoundedTool, findWorstCase } from '../../src/processes/definition/worst-case.ts';
import { ProcessDefinition } from '../../src/processes/process.ts';

const MODEL: BoundedTool = {
  mutating: false,
  asksModel: true,
  isRepaired: false,
  maxTokens: 100,
};
const READ: BoundedTool = { ...MODEL, asksModel: false, maxTokens: null };
const TOOLS = new Map<string, BoundedTool>([
  ['model', MODEL],
  ['endless', { ...MODEL, maxTokens: null }],
  ['repaired', { ...MODEL, isRepaired: true }],
  ['read', READ],
  ['write', { ...READ, mutating: true }],
]);

function tool(toolId: string, execution: object = {}, more: object = {}) {
  return { calls: { toolId }, execution, ...more };
}

function process(steps: readonly object[], more: object = {}) {
  return ProcessDefinition.parse({
    name: 'P',
    initialContext: [],
    outputTemplate: '',
    steps: steps.map((step, index) => ({
      id: `s${index}`,
      inputs: {},
      output: { variable: `s${index}` },
      ...step,
    })),
    ...more,
  });
}

const LIMITS = { forEachItemsMax: 1_000, stepsPerRunMax: 10_000 };
function worst(
  steps: readonly object[],
  called: Record<string, ProcessDefinition> = {},
  more: object = {},
) {
  return findWorstCase(process(steps, more), new Map(Object.entries(called)), TOOLS, LIMITS);
}

describe('the worst case of a run', () => {
  it('counts retries as attempts of Tools, and not as steps', () => {
    expect(worst([tool('read'), tool('write')])).toMatchObject({
      stepExecutions: 2,
      toolAttempts: 3 + 1,
      answerTokens: 0,
      unboundedStepIds: [],
    });
    const retry = { retry: { maximumAttempts: 7 } };
    expect(worst([tool('write', retry)])).toMatchObject({ stepExecutions: 1, toolAttempts: 7 });
  });

  it('counts each attempt to call a Process as a run', () => {
    const leaf = process([tool('write'), tool('write')]);
    const call = { calls: { processId: 'leaf' } };
    const retried = { ...call, execution: { retry: { maximumAttempts: 4 } } };
    expect(worst([call, retried], { leaf })).toMatchObject({
      stepExecutions: 1 + 2 + (1 + 4 * 2),
      toolAttempts: 2 + 4 * 2,
    });
    expect(worst([call], { leaf }, { maxRecursionDepth: 0 })).toMatchObject({ stepExecutions: 1 });
  });

  it('takes the bound of a list from the schema of the context', () => {
    const each = tool('write', { forEach: 'context.letters' });
    const properties = { letters: { type: 'array', maxItems: 12 } };
    const bounded = { initialContext: ['letters'], contextSchema: { type: 'object', properties } };
    expect(worst([each], {}, bounded)).toMatchObject({ stepExecutions: 12, unboundedStepIds: [] });
    expect(worst([each, tool('read')])).toMatchObject({
      stepExecutions: 1_000 + 1,
      unboundedStepIds: ['s0'],
    });
    const filtered = tool('write', { forEach: 'context.letters.filter(l, l.size() > 1)' });
    expect(worst([filtered], {}, bounded)).toMatchObject({ unboundedStepIds: ['s0'] });
  });

  it('has no number where only the limit of the tree bounds it', () => {
    const leaf = process([tool('model', { forEach: 'step.letters' })]);
    const call = { calls: { processId: 'leaf' }, execution: { forEach: 'step.letters' } };
    expect(worst([tool('read'), call], { leaf })).toMatchObject({
      stepExecutions: null,
      toolAttempts: null,
      answerTokens: null,
      unboundedStepIds: ['s1'],
    });
    const twice = process([{ calls: { processId: 'twice' } }, { calls: { processId: 'twice' } }], {
      maxRecursionDepth: 50,
    });
    expect(
      findWorstCase(twice, new Map([['twice', twice]]), TOOLS, LIMITS).stepExecutions,
    ).toBeNull();
  });

  it('counts rounds and calls of an agent, each call as the dearest of its tools', () => {
    const sub = process([tool('write'), tool('write')]);
    const agent = (permission: string) =>
      tool(
        'model',
        {},
        {
          agent: { maxRounds: 5, maxToolCalls: 3 },
          tools: [{ toolId: 'read' }, { processId: 'sub', permission }],
        },
      );
    expect(worst([agent('allow')], { sub })).toMatchObject({
      stepExecutions: 1 + 5 + 3 + 3 * 2,
      toolAttempts: 5 * 3 + 3 * 3,
      answerTokens: 5 * 3 * 100,
    });
    expect(worst([agent('deny')], { sub })).toMatchObject({ stepExecutions: 1 + 5 + 3 });
    const once = tool('model', {}, { agent: { maxRounds: 1 }, tools: [{ toolId: 'read' }] });
    expect(worst([once])).toMatchObject({ stepExecutions: 2, toolAttempts: 3 });
  });

  it('bounds the tokens that models write by their Tools and the budgets of steps', () => {
    const budget = (variable: string) => ({ output: { variable, tokenBudget: 40 } });
    expect(worst([tool('model')]).answerTokens).toBe(300);
    expect(worst([tool('endless', {}, budget('a'))]).answerTokens).toBe(120);
    expect(worst([tool('repaired', {}, budget('a'))]).answerTokens).toBe(240);
    expect(worst([tool('endless')]).answerTokens).toBeNull();
    // Of a Tool that is not found nothing is known.
    expect(worst([tool('gone')]).answerTokens).toBeNull();
    const never = tool('endless', { forEach: 'context.none' });
    const properties = { none: { maxItems: 0 } };
    expect(worst([never], {}, { contextSchema: { properties } })).toMatchObject({
      stepExecutions: 1,
      answerTokens: 0,
    });
  });
});
