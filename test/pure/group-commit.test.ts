import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit, type GroupLimits } from '../../src/platform/group-commit.ts';

// docs/decisions/0114: writes that arrive while a transaction is at work go together in the next.

/** Commits that stay open until they are released, in the order in which they began. */
function openGroups(limits: Partial<GroupLimits> = {}) {
  const groups: string[][] = [];
  const releases: ((error?: Error) => void)[] = [];
  const commits = new GroupCommit<string, string>(
    (items) => {
      groups.push([...items]);
      return new Promise((resolve, reject) =>
        releases.push((error) =>
          error === undefined ? resolve(items.map((item) => `${item} done`)) : reject(error),
        ),
      );
    },
    (error) => error instanceof Error && error.message === 'away',
    { slowMs: 60_000, ...limits },
  );
  const add = (ownerId: string, item: string, bytes = 1) =>
    commits.add({ ownerId, key: item, bytes, item });
  /** Ends the oldest open commit. */
  const release = async (error?: Error) => {
    releases.shift()?.(error);
    await setImmediate();
    await setImmediate();
  };
  return { groups, add, release };
}

describe('a group commit', () => {
  it('commits a lone member at once, and then all that arrived meanwhile together', async () => {
    const { groups, add, release } = openGroups();
    const first = add('ada', 'a');
    await setImmediate();
    const later = ['b', 'c', 'd'].map((item) => add('bob', item));
    await setImmediate();
    expect(groups).toEqual([['a']]);
    await release();
    expect(await first).toBe('a done');
    expect(groups).toEqual([['a'], ['b', 'c', 'd']]);
    await release();
    expect(await Promise.all(later)).toEqual(['b done', 'c done', 'd done']);
  });

  it('takes turns between owners, so many members of one leave room for another', async () => {
    const { groups, add, release } = openGroups({ membersMax: 4 });
    for (let number = 0; number < 6; number++) void add('ada', `a${number}`);
    void add('bob', 'b0');
    void add('eve', 'e0');
    await setImmediate();
    expect(groups).toEqual([['a0', 'b0', 'e0', 'a1']]);
    void add('bob', 'b1');
    await release();
    expect(groups[1]).toEqual(['a2', 'b1', 'a3', 'a4']);
  });

  it('bounds a group in bytes, and lets a larger member go alone', async () => {
    const { groups, add, release } = openGroups({ bytesMax: 10 });
    void add('ada', 'small', 4);
    void add('bob', 'huge', 100);
    void add('eve', 'other', 4);
    await setImmediate();
    await release();
    await release();
    expect(groups).toEqual([['small'], ['huge'], ['other']]);
  });

  it('keeps two members of one key apart', async () => {
    const { groups, add, release } = openGroups();
    void add('ada', 'same');
    void add('bob', 'same');
    await setImmediate();
    await release();
    expect(groups).toEqual([['same'], ['same']]);
  });

  it('commits the members one by one where their group fails, and fails the bad one', async () => {
    const { groups, add, release } = openGroups();
    const good = [add('ada', 'a'), add('eve', 'c')];
    const bad = add('bob', 'bad');
    bad.catch(() => {});
    await setImmediate();
    await release(new Error('the group'));
    await release();
    await release();
    await release(new Error('the value of bad'));
    expect(groups).toEqual([['a', 'c', 'bad'], ['a'], ['c'], ['bad']]);
    expect(await Promise.all(good)).toEqual(['a done', 'c done']);
    await expect(bad).rejects.toThrow('the value of bad');
  });

  it('does not repeat a group whose members would all fail', async () => {
    const { groups, add, release } = openGroups();
    const all = [add('ada', 'a'), add('bob', 'b')].map((one) =>
      one.catch((error: Error) => error.message),
    );
    await setImmediate();
    await release(new Error('away'));
    expect(await Promise.all(all)).toEqual(['away', 'away']);
    expect(groups).toHaveLength(1);
  });

  it('lets others go beside a slow group, and its owners apart until they are quick', async () => {
    const { groups, add, release } = openGroups({ slowMs: 20 });
    const slow = add('slow', 's0');
    await setImmediate();
    await setTimeout(40);
    void add('slow', 's1');
    void add('ada', 'a0');
    await setImmediate();
    expect(groups).toEqual([['s0'], ['a0']]);
    await release();
    await slow;
    // s0 has answered. Its owner goes beside the group of the others, which is at work.
    expect(groups).toEqual([['s0'], ['a0'], ['s1']]);
    await release();
    await release();
    void add('slow', 's2');
    void add('ada', 'a1');
    await setImmediate();
    expect(groups[3]).toEqual(['s2', 'a1']);
  });
});
