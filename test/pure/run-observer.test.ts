import { describe, expect, it } from 'vitest';
import type { ReadTx, WriteTx } from '../../src/platform/neo4j/graph.ts';
import type { EndedRun, RunObserver } from '../../src/runs/run/ports.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import { observeRuns } from '../../src/runs/run/run-observer.service.ts';
import type { Viewer } from '../../src/users/user.ts';

// The composite hands these on and looks at none of them.
const tx = {} as ReadTx & WriteTx;
const viewer = {} as Viewer;
const old = {} as ProcessRun;
const end = {} as EndedRun;
const at = { conversationId: 'c', alternativeId: null, wanted: [] };

const answering = (answersId: string | null, calls: string[], name: string) =>
  ({
    async beginRetry() {
      calls.push(`begin ${name}`);
      return { answersId, started: async ({ runId }) => void calls.push(`${name} ${runId}`) };
    },
  }) satisfies Partial<RunObserver>;

describe('the observers of runs', () => {
  it('supply their variables together, and none where one knows no such talk', async () => {
    const supplying = (supply: RunObserver['supply']) => ({ supply });
    const one = supplying(async () => ({ message: 'hi' }));
    const other = supplying(async () => ({ topic: 'weather' }));
    const none = supplying(async () => null);
    expect(await observeRuns([one, {}, other]).supply(tx, viewer, at)).toEqual({
      message: 'hi',
      topic: 'weather',
    });
    expect(await observeRuns([one, none]).supply(tx, viewer, at)).toBeNull();
    expect(await observeRuns([]).supply(tx, viewer, at)).toEqual({});
  });

  it('find the message that a run answers', async () => {
    const knows = (nodeId: string | null) => ({
      findMessage: async () => (nodeId === null ? null : { nodeId, said: null }),
    });
    const observer = observeRuns([{}, knows(null), knows('m:user'), knows('other')]);
    expect(await observer.findMessage(tx, viewer, 'm')).toEqual({ nodeId: 'm:user', said: null });
    expect(await observeRuns([{}]).findMessage(tx, viewer, 'm')).toBeNull();
  });

  it('find the first fault', async () => {
    const faulty = (fault: string | null) => ({ findFault: async () => fault });
    const observer = observeRuns([{}, faulty(null), faulty('too long'), faulty('too dull')]);
    expect(await observer.findFault(null, 'x')).toBe('too long');
    expect(await observeRuns([{}, faulty(null)]).findFault(null, 'x')).toBeNull();
  });

  it('are called one after the other, and a refusal keeps the later ones out', async () => {
    const calls: string[] = [];
    const ending = (name: string) => ({ ended: async () => void calls.push(name) });
    await observeRuns([ending('a'), {}, ending('b')]).ended(tx, end);
    expect(calls).toEqual(['a', 'b']);
    const refusing = { ended: () => Promise.reject(new Error('no')) };
    await expect(observeRuns([refusing, ending('c')]).ended(tx, end)).rejects.toThrow('no');
    expect(calls).toEqual(['a', 'b']);
  });

  it('retry for the alternative that one of them names, and all take part', async () => {
    const calls: string[] = [];
    const observer = observeRuns([
      answering(null, calls, 'memory'),
      {},
      answering('question', calls, 'answers'),
    ]);
    const retry = await observer.beginRetry(tx, viewer, old);
    expect(retry.answersId).toBe('question');
    await retry.started({ runId: 'new', processId: 'p' });
    expect(calls).toEqual(['begin memory', 'begin answers', 'memory new', 'answers new']);
    expect((await observeRuns([{}]).beginRetry(tx, viewer, old)).answersId).toBeNull();
  });
});
