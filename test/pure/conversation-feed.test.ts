import { describe, expect, it } from 'vitest';
import {
  activate,
  activeOfPath,
  activePath,
  createGraph,
  type Graph,
  getChildren,
  type RunEvent,
  reduceEvent,
  type ToldAlternative,
  toConversation,
} from '../../packages/client/src/conversation-graph/index.ts';
import {
  type ConversationSource,
  followConversationGraph,
} from '../../packages/client/src/live/conversation-graph.ts';

type Told = Parameters<
  NonNullable<NonNullable<Parameters<ConversationSource['followConversation']>[1]>['onEvent']>
>[0];

const alternative = (
  id: string,
  speaker: string,
  runId: string | null,
  above: ToldAlternative['respondsTo'],
) => ({
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

  it('follows the versions that the server shows (S1-PROJ-01)', () => {
    const { source, tell } = server({});
    const heard: string[][] = [];
    const feed = followConversationGraph(source, 'c', {
      onGraph: (graph, active) => heard.push(activePath(toConversation(graph), active)),
    });
    const shown = () => activePath(toConversation(feed.graph), feed.active);
    const version = (id: string, turn: string, above: ToldAlternative['respondsTo']) => ({
      ...alternative(id, 'USER', null, above),
      turn: { id: turn, speaker: 'USER' },
    });
    const activated = (one: object) =>
      tell({ __typename: 'AlternativeActivated', alternative: one } as unknown as Told);
    const edited = (one: object) => {
      tell({ __typename: 'AlternativeAdded', alternative: one } as unknown as Told);
      activated(one);
    };
    const a = version('a', '1', null);
    const b = version('b', '2', a);
    const c = version('c', '3', b);
    for (const one of [a, b, c]) tell(added(one));
    expect(shown()).toEqual(['a', 'b', 'c']);
    // All that follows the dropped version is stale.
    const a2 = version('a2', '1', null);
    edited(a2);
    expect(shown()).toEqual(['a2']);
    expect(heard.at(-1)).toEqual(['a2']);
    const b2 = version('b2', '2', a2);
    edited(b2);
    expect(shown()).toEqual(['a2', 'b2']);
    activated(b);
    expect(shown()).toEqual(['a2']);
    for (const one of [a, b, c]) activated(one);
    expect(shown()).toEqual(['a', 'b', 'c']);
    expect(heard.at(-1)).toEqual(['a', 'b', 'c']);
    // A turn beside another one is on screen while it is the last that was shown.
    tell(added(version('d', '4', b)));
    expect(shown()).toEqual(['a', 'b', 'd']);
    activated(c);
    expect(shown()).toEqual(['a', 'b', 'c']);
    feed.close();
  });

  it('takes the selection of one read of the path, and a choice after it', () => {
    const { source, tell } = server({});
    const feed = followConversationGraph(source, 'c');
    const first = { ...alternative('a', 'USER', null, null), isActive: false };
    const second = { ...alternative('a2', 'USER', null, null), isActive: true };
    for (const one of [first, second]) Object.assign(one.turn, { id: '1' });
    const stale = { ...alternative('b', 'USER', null, first), isActive: true };
    for (const one of [first, second, stale]) tell(added(one));
    const talk = toConversation(feed.graph);
    const active = activeOfPath([{ alternatives: [first, second] }, { alternatives: [stale] }]);
    expect(activePath(talk, active)).toEqual(['a2']);
    expect(activePath(talk, activate(talk, active, 'b'))).toEqual(['a', 'b']);
    const none = { replyTo: new Map<string | null, string>(), ends: new Set([null]) };
    expect(activePath(talk, none)).toEqual([]);
    expect(activePath(talk, activate(talk, none, 'b'))).toEqual(['a', 'b']);
    feed.close();
  });
});
