import { expect, it } from 'vitest';
import type { StepStatus } from '../../console/src/generated/documents.ts';
import { isSame, pairSteps } from '../../console/src/runs/compare-runs.ts';
import { isMarkdown } from '../../console/src/runs/is-markdown.ts';
import { type RunPages, withNewest, withOlder } from '../../console/src/runs/run-pages.ts';
import { lostItems, stepViews } from '../../console/src/runs/step-view.ts';
import { readViews, withView } from '../../console/src/runs/view-store.ts';
import { attemptsOf, readyTimes, waitsOf } from '../../console/src/runs/waits.ts';
import { folded, lineDiff } from '../../console/src/ui/line-diff.ts';
import { inOrder } from '../../src/runs/steps/step-run.ts';

it('shows the lines that only one text has, and folds equal ones', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
  const after = before.replace('h', 'H\nh2');
  const lines = lineDiff(before, after);
  expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'h' },
    { kind: 'added', text: 'H' },
    { kind: 'added', text: 'h2' },
  ]);
  const join = (kinds: readonly string[]) =>
    lines
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => text)
      .join('\n');
  expect(join(['same', 'removed'])).toBe(before);
  expect(join(['same', 'added'])).toBe(after);
  expect(folded(lines).map(({ left }) => left)).toEqual([4, 0]);
  expect(lineDiff('x', 'x')).toEqual([{ kind: 'same', text: 'x' }]);
});

const step = (stepId: string, more: object = {}) => ({
  id: stepId,
  stepId,
  index: null,
  status: 'COMPLETED' as const,
  attempt: 1,
  cached: false,
  inputs: { a: 1, b: 2 },
  output: 'x',
  outputTruncated: false,
  startedAt: null,
  completedAt: null,
  error: null,
  usage: null,
  worker: null,
  childRun: null,
  ...more,
});

it('pairs the steps of two runs and names their differences', () => {
  const left = [step('one'), step('two'), step('gone')];
  const right = [
    step('one', { inputs: { b: 2, a: 1 } }),
    step('two', { output: 'y', attempt: 2 }),
    step('new'),
  ];
  expect(pairSteps(left, right).map(({ stepId, differences }) => [stepId, ...differences])).toEqual(
    [['one'], ['two', 'output', 'attempts'], ['gone', 'status'], ['new', 'status']],
  );
  expect(isSame({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] })).toBe(true);
});

it('keeps saved views by name and leaves out damaged ones', () => {
  const views = readViews('[{"name":"b","search":"status=failed"},{"name":1},null]');
  expect(views).toEqual([{ name: 'b', search: 'status=failed' }]);
  expect(withView(views, { name: 'a', search: '' }).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(withView(views, { name: 'b', search: 'x' })).toEqual([{ name: 'b', search: 'x' }]);
  expect([readViews('{'), readViews(null), readViews('{}')]).toEqual([[], [], []]);
});

const pageOf = (ids: string, hasMore = true): RunPages<{ readonly id: string }> => ({
  rows: [...ids].map((id) => ({ id })),
  total: 100,
  cursor: ids.at(-1) ?? null,
  hasMore,
});
const idsOf = (pages: RunPages<{ readonly id: string }> | null) =>
  pages?.rows.map(({ id }) => id).join('');

it('keeps older pages of runs under the newest one, without a gap and without a double', () => {
  const two = withOlder(pageOf('fed'), 'd', pageOf('cba'));
  expect(idsOf(two)).toBe('fedcba');
  const joined = withNewest(two, pageOf('gfe'));
  expect(idsOf(joined)).toBe('gfedcba');
  expect(joined.cursor).toBe('a');
  // e left the list, so that the page reaches one row further down.
  expect(idsOf(withNewest(two, pageOf('fdc')))).toBe('fdcba');
  // More new runs than a page holds: those between them and the loaded ones are not known.
  expect(idsOf(withNewest(two, pageOf('zyx')))).toBe('zyx');
  expect(idsOf(withNewest(two, pageOf('f', false)))).toBe('f');
  // A page that was asked for before the list began again.
  expect(idsOf(withOlder(pageOf('zyx'), 'd', pageOf('cba')))).toBe('zyx');
});

it('draws the waits of a step: for a decision, for its turn, between attempts', () => {
  const at = (second: number) => new Date(second * 1_000).toISOString();
  const defined = (id: string, more: object = {}) =>
    ({ id, execution: { mode: 'SEQUENTIAL', interactionMode: 'AUTO', ...more } }) as never;
  const views = stepViews(
    [defined('one'), defined('two'), defined('three')],
    [
      step('one', { startedAt: at(10), completedAt: at(20) }),
      step('two', { startedAt: at(80), completedAt: at(90), attempt: 2 }),
    ],
  );
  const ready = readyTimes(views, 8_000);
  expect([...ready]).toEqual([
    ['one', 8_000],
    ['two', 20_000],
    ['three', 90_000],
  ]);
  const attempts = [
    { requestId: 'r/two/1', startedAt: at(30), completedAt: at(40) },
    { requestId: 'r/two/2', startedAt: at(80), completedAt: at(90) },
  ];
  const ofItem = { requestId: 'r/two/0/1', startedAt: at(30), completedAt: at(40) };
  expect(attemptsOf([...attempts, ofItem], 'r', step('two'))).toEqual(attempts);
  const two = views[1]?.runs[0] ?? step('two');
  expect(waitsOf(two, false, ready.get('two'), attempts)).toEqual([
    { fromMs: 20_000, toMs: 30_000, label: expect.stringMatching(/its turn/) },
    { fromMs: 40_000, toMs: 80_000, label: 'Pause before attempt 2' },
  ]);
  const waiting = step('three', { status: 'WAITING' });
  expect(waitsOf(waiting, true, ready.get('three'), [])).toEqual([
    { fromMs: 90_000, toMs: null, label: expect.stringMatching(/decision/) },
  ]);
  expect(waitsOf(step('three', { status: 'SKIPPED' }), false, 1, [])).toEqual([]);
});

it('takes text with signs of Markdown for Markdown, and nothing else', () => {
  for (const text of ['# Title', 'a\n- b', '| a | b |\n|---|---|', 'so **bold**', '[x](/y)', '```'])
    expect(isMarkdown(text), text).toBe(true);
  for (const value of ['It is 21 - nice.', '2 * 3 * 4', 'a #tag', '', 7, { text: '# no' }, null])
    expect(isMarkdown(value), String(value)).toBe(false);
});

it('names steps that never started as people count', () => {
  const steps = ['b', 's10', 's11', 's2'].map((stepId) => ({
    stepId,
    startedAt: stepId === 'b' ? 'now' : null,
  }));
  expect(inOrder(steps).map(({ stepId }) => stepId)).toEqual(['b', 's2', 's10', 's11']);
});

it('counts the lost items of a list only where others can be kept', () => {
  const lost = (forEach: string | null, ...statuses: StepStatus[]) =>
    lostItems({
      defined: { execution: { forEach } } as never,
      runs: statuses.map((status) => ({ ...step('every'), status })),
    });
  expect(lost('context.list', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'COMPLETED')).toBe(2);
  expect(lost('context.list', 'FAILED', 'FAILED')).toBe(0);
  expect(lost('context.list', 'COMPLETED', 'SKIPPED')).toBe(0);
  expect(lost(null, 'COMPLETED', 'FAILED')).toBe(0);
});
