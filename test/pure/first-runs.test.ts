import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FirstRuns } from '../../src/platform/neo4j/first-runs.ts';

// docs/decisions/0132: Neo4j plans a text once.

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = 0;
  const work = () => {
    begun++;
    return promise;
  };
  return { work, resolve, reject, begun: () => begun };
}

describe('the first runs of a statement', () => {
  it('go alone; those that come meanwhile begin together at its end', async () => {
    const runs = new FirstRuns();
    const [first, later] = [held(), held()];
    const all = [runs.run('text', first.work)];
    for (let more = 0; more < 4; more++) all.push(runs.run('text', later.work));
    await turn();
    expect([first.begun(), later.begun()]).toEqual([1, 0]);
    first.resolve('one');
    await turn();
    expect(later.begun()).toBe(4);
    later.resolve('others');
    expect(await Promise.all(all)).toEqual(['one', ...Array(4).fill('others')]);
  });

  it('hold up no other text, and none after them', async () => {
    const runs = new FirstRuns();
    const [first, other, later] = [held(), held(), held()];
    first.resolve('planned');
    await runs.run('text', first.work);
    for (const [text, { work }] of [
      ['other', other],
      ['text', later],
      ['text', later],
    ] as const)
      void runs.run(text, work);
    expect([other.begun(), later.begun()]).toEqual([1, 2]);
  });

  it('let the others begin where the first fails, or waits for one of them', async () => {
    const runs = new FirstRuns();
    const [failing, afterwards] = [held(), held()];
    const failed = runs.run('text', failing.work).catch(() => 'failed');
    const others = [runs.run('text', afterwards.work)];
    failing.reject(new Error('deadlock'));
    afterwards.resolve('fine');
    expect(await Promise.all([failed, ...others])).toEqual(['failed', 'fine']);

    const [waiting, holder] = [held(), held()];
    const first = runs.run('locked', waiting.work);
    const second = runs.run('locked', holder.work).then(() => waiting.resolve('got the lock'));
    holder.resolve('gave the lock back');
    await second;
    expect(await first).toBe('got the lock');
  });

  it('are those of a text again when the plans may be lost', async () => {
    const runs = new FirstRuns();
    const [before, first, second] = [held(), held(), held()];
    before.resolve('planned');
    await runs.run('text', before.work);
    runs.forget();
    void runs.run('text', first.work);
    void runs.run('text', second.work);
    await turn();
    expect([first.begun(), second.begun()]).toEqual([1, 0]);
  });
});
