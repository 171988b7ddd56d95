import { describe, expect, it } from 'vitest';
import {
  createGraph,
  type Graph,
  getChildren,
  type RunEvent,
  reduceEvent,
} from '../../packages/client/src/conversation-graph/index.ts';
import {
  type ConversationSource,
  followConversationGraph,
} from '../../packages/client/src/live/conversation-graph.ts';

type Told = Parameters<
  NonNullable<NonNullable<Parameters<ConversationSource['followConversation']>[1]>['onEvent']>
>[0];

const alternative = (id: string, speaker: string, runId: string | null, above: object | null) => ({
  id,
  content: `Text of ${id}.`,
  turn: { speaker },
  run: runId === null ? null : { id: runId },
  respondsTo: above,
});
const added = (one: object) =>
  ({ __typename: 'TurnAdded', cursor: 'c', turn: { alternatives: [one] } }) as unknown as Told;

/** A server whose conversation and runs tell events when the test says so. */
function server(runs: Record<string, readonly RunEvent[]>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let tell = (_event: Told): void => {};
  const source: ConversationSource = {
    followConversation(_id, options) {
      tell = (event) => options?.onEvent?.(event);
      const { promise, resolve } = Promise.withResolvers<void>();
      return { cursor: null, done: promise, close: resolve };
    },
    followRun(runId, options) {
      started.push(runId);
      const { promise, resolve } = Promise.withResolvers<Graph>();
      for (const event of runs[runId] ?? []) options?.onEvent?.({ ...event, cursor: 'r' });
      const end = () => resolve(createGraph());
      ends.set(runId, end);
      return { graph: createGraph(), cursor: null, done: promise, close: end };
    },
  };
  return { source, started, ends, tell: (event: Told) => tell(event) };
}

describe("a conversation's graph from its events (S1-EDGE-04)", () => {
  const question = alternative('q', 'USER', null, null);
  const answer = alternative('a', 'AGENT', 'r', question);
  const run: readonly RunEvent[] = [
    { kind: 'user', runId: 'q', content: 'Text of q.' },
    { kind: 'harness_start', runId: 'r', agentId: 'p', parentId: 'q:user' },
    { kind: 'text', id: 't', runId: 'r', content: 'Hello.' },
    { kind: 'harness_end', runId: 'r', agentId: 'p' },
  ];

  it('has one node per message, however often and in whichever order it is told', () => {
    for (const order of [
      [question, answer, question],
      [answer, question, answer],
    ]) {
      const { source, tell, started } = server({ r: run });
      const feed = followConversationGraph(source, 'c');
      for (const one of order) tell(added(one));
      expect(started).toEqual(['r']);
      expect([...feed.graph.nodes.keys()].sort()).toEqual(
        ['q:user', 'r:harness_start', 't', 'r:harness_end'].sort(),
      );
      expect(getChildren(feed.graph, 'q:user').map(({ id }) => id)).toEqual(['r:harness_start']);
      feed.close();
    }
  });

  it('reads six runs at a time, the next when one has ended, none once closed', async () => {
    const { source, tell, started, ends } = server({});
    const feed = followConversationGraph(source, 'c');
    for (let n = 0; n < 8; n++) tell(added(alternative(`a${n}`, 'AGENT', `r${n}`, null)));
    expect(started).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
    ends.get('r3')?.();
    await expect.poll(() => started.at(-1)).toBe('r6');
    feed.close();
    await feed.done;
    expect(started).toHaveLength(7);
  });

  it('a text of an agent that no run wrote is a run of its own', () => {
    const { source, tell } = server({});
    const sizes: number[] = [];
    const feed = followConversationGraph(source, 'c', {
      onGraph: ({ nodes }) => sizes.push(nodes.size),
    });
    const appended = alternative('i', 'AGENT', null, question);
    tell(added(appended));
    tell(added(alternative('q2', 'USER', null, appended)));
    expect(getChildren(feed.graph, 'i:harness_end').map(({ id }) => id)).toEqual(['q2:user']);
    expect(feed.graph.nodes.get('i:text')).toMatchObject({ kind: 'text', content: 'Text of i.' });
    expect(sizes).toEqual([1, 2, 3, 4]);
    expect(reduceEvent(feed.graph, { kind: 'user', runId: 'q', content: 'x' }).nodes.size).toBe(5);
  });
});
