import { afterAll, afterEach, expect, it } from 'vitest';
import { createWriteTurns } from '../../activities/run-step/write-turns.ts';
import { testGraph } from '../testkit/graph.ts';

// docs/decisions/0044: the claims and ends of steps, in turn between owners.

const graph = testGraph();
const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0)) release();
});
afterAll(() => graph.close());

/** Writes that stay open until they are released, in the order in which they began. */
function openTurns(turnMsMax?: number) {
  const inTurn = createWriteTurns(graph, turnMsMax);
  const began: string[] = [];
  const write = (owner: string) =>
    inTurn(owner, async (tx) => {
      await tx.run('// writeTurns\n RETURN 1 AS one');
      began.push(owner);
      await new Promise<void>((resolve) => releases.push(resolve));
    });
  return { began, write };
}

it('lets another owner write before the many writes of one owner that wait', async () => {
  const { began, write } = openTurns(600_000);
  const many = Array.from({ length: 24 }, () => write('ada'));
  await expect.poll(() => began.length).toBe(8);
  const one = write('bob');
  releases.shift()?.();
  await expect.poll(() => began.length).toBe(9);
  releases.shift()?.();
  await expect.poll(() => began.length).toBe(10);
  expect(began.filter((owner) => owner === 'bob')).toHaveLength(1);
  await expect
    .poll(() => {
      for (const release of releases.splice(0)) release();
      return began.length;
    })
    .toBe(25);
  await Promise.all([...many, one]);
});

it('lets others write beside writes that Neo4j does not answer', async () => {
  const { began, write } = openTurns();
  const writes = Array.from({ length: 12 }, () => write('ada'));
  await expect.poll(() => began.length).toBe(12);
  for (const release of releases.splice(0)) release();
  await Promise.all(writes);
});
