import { expect, it } from 'vitest';
import { isSame, pairSteps } from '../../console/src/runs/compare-runs.ts';
import { type RunPages, withNewest, withOlder } from '../../console/src/runs/run-pages.ts';
import { readViews, withView } from '../../console/src/runs/view-store.ts';
import { folded, lineDiff } from '../../console/src/ui/line-diff.ts';

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
