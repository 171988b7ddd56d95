import { expect, it } from 'vitest';
import { type BuildOnQueue, servingBuilds } from '../../src/workers/builds.ts';

// Which build of the Workers takes new runs (docs/decisions/0125).

const on = (build: string | null, sinceMs: number, ...taskQueues: string[]): BuildOnQueue[] =>
  taskQueues.map((taskQueue) => ({ build, taskQueue, sinceMs }));

it('the build that came last takes new runs, as soon as it serves every queue', () => {
  const old = on('1', 100, 'rest', 'llm');
  expect(servingBuilds(old)).toEqual({ current: '1', whole: ['1'] });
  expect(servingBuilds([...old, ...on('2', 200, 'rest')])).toEqual({
    current: '1',
    whole: ['1'],
  });
  const both = [...old, ...on('2', 200, 'rest', 'llm')];
  expect(servingBuilds(both)).toEqual({ current: '2', whole: ['2', '1'] });
});

it('a build that lost a queue hands its runs over', () => {
  const half = [...on('1', 100, 'rest'), ...on('2', 200, 'rest', 'llm')];
  expect(servingBuilds(half)).toEqual({ current: '2', whole: ['2'] });
});

it('a build whose single Workers start again is no younger, one that comes back is', () => {
  const restarted = [...on('1', 100, 'rest'), ...on('1', 300, 'rest', 'llm')];
  expect(servingBuilds([...restarted, ...on('2', 200, 'rest', 'llm')])?.current).toBe('2');
  const back = [...on('2', 200, 'rest', 'llm'), ...on('1', 400, 'rest', 'llm')];
  expect(servingBuilds(back)?.current).toBe('1');
});

it('nothing changes while no build serves every queue, or no Worker lives', () => {
  expect(servingBuilds([...on('1', 100, 'rest'), ...on('2', 200, 'llm')])).toBeNull();
  expect(servingBuilds([])).toBeNull();
});

it('Workers without a build are one of their own', () => {
  expect(servingBuilds(on(null, 100, 'rest'))).toEqual({ current: null, whole: [null] });
  const named = [...on(null, 100, 'rest'), ...on('2', 200, 'rest')];
  expect(servingBuilds(named)?.current).toBe('2');
});
