import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { Agent, buildConnector, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  type CursoredEvent,
  createGraph,
  type Graph,
  getChildren,
  getText,
  getToolCalls,
  listGraph,
  plainText,
  projectThread,
  reduceEvent,
  toConversation,
} from '../../packages/client/src/conversation-graph/index.ts';
import { openClient } from '../../packages/client/src/live/client.ts';
import {
  connect,
  type SubscriptionClient,
  sourceOf,
} from '../../packages/client/src/live/subscription.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { loadRunHistories } from '../../src/runs/events/run-history.service.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { countedBy } from '../testkit/counted.ts';
import { testGraph } from '../testkit/graph.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';
import { openTcpProxy, type TcpProxy } from '../testkit/tcp-proxy.ts';

// Document 001 over the API: sentences of it as titles. A client's graph of a real run, over both
// transports and through cut connections, is the server's.
//
// Sentence of the document                   | shown by
// Its code as it stands                      | test/pure/document-001.test.ts (S1-QUERY-01..05)
// Nodes, their ids, the worked example       | test/pure/conversation-graph.test.ts (S1-EDGE-04)
// Edges link nodes in two ways           | test/pure/conversation-graph-rules.test.ts (S1-EDGE-01)
// Streaming updates                    | test/pure/conversation-graph-rules.test.ts (S1-STREAM-01)
// messages is Message[] ready for a harness  | test/graph/drivers-llm-parts.test.ts (S1-PROJ-02)

let rest: RestServer;
let ada: TestClient;
let runs: RunWorld;
let talk: TalkWorld;
let inner: Speaker;
let outer: Speaker;
let treeId: string;
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  [runs, talk] = await Promise.all([runWorld(ada, rest), talkWorld(ada)]);
  [inner, outer] = await Promise.all([talk.speaker(), talk.speaker()]);
  const asked = (content: string) => ({ messages: [{ role: 'user', content }] });
  const leaf = await runs.createsProcess([{ stepId: 'greet' }], {
    outputTemplate: '{{json greet}}',
  });
  const middle = await runs.createsProcess(
    [
      {
        stepId: 'items',
        calls: { processId: leaf },
        inputs: { name: '{item}' },
        execution: { forEach: '["a", "b", "c"]' },
      },
      { stepId: 'told', calls: { toolId: inner.toolId }, inputs: asked('{context.name}') },
    ],
    { outputTemplate: '{{told}}' },
  );
  treeId = await runs.createsProcess(
    [
      { stepId: 'first' },
      { stepId: 'sub', calls: { processId: middle }, inputs: { name: '{context.name}' } },
      { stepId: 'answer', calls: { toolId: outer.toolId }, inputs: asked('{step.sub}') },
    ],
    { outputTemplate: '{{answer}}' },
  );
});
afterAll(async () => {
  await talk.close();
  await rest.close();
});

/** A run of three levels whose two models speak for about two seconds. */
async function startsTree(): Promise<string> {
  const spoken = (word: string) => Array.from({ length: 8 }, (_, n) => `${word}${n} `);
  inner.says({ text: spoken('in'), delayMs: 110 });
  outer.says({ text: spoken('out'), reasoning: 'Hm.', delayMs: 110 });
  return runs.starts(treeId);
}

const plain = (graph: Graph) => JSON.parse(JSON.stringify(listGraph(graph))) as unknown;
async function serverGraph(runId: string): Promise<unknown> {
  const processRun = await ada.find<{ graph: unknown }>(
    'processRun',
    runId,
    'graph { nodes edges { from to } }',
  );
  return processRun.graph;
}

/** A client that writes down the cursor of all it was told. */
function noting(inside: SubscriptionClient, cursors: string[]): SubscriptionClient {
  return {
    async *iterate(request) {
      for await (const result of inside.iterate(request)) {
        const { runEvents } = result.data as { runEvents: { cursor: string } };
        cursors.push(runEvents.cursor);
        yield result;
      }
    },
  };
}

interface Transport {
  readonly client: SubscriptionClient;
  close(): void;
}
const { host } = new URL(process.env['AIDEN_TEST_URL'] ?? 'http://127.0.0.1:1');
/**
 * Both speak to the server by another address, whose connections the test cuts; the server asks for
 * its own name.
 */
const TRANSPORTS = {
  'graphql-sse': (address: string): Transport => {
    const [hostname, port] = address.split(':');
    const closure = buildConnector({});
    const dispatcher = new Agent({
      connect: (options, done) =>
        closure({ ...options, hostname: hostname ?? '', port: port ?? '' }, done),
    });
    const sse = createSseClient({
      url: ada.url,
      headers: { authorization: ada.authorization },
      fetchFn: (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher } as never),
      retryAttempts: 0,
    });
    return {
      client: sse as SubscriptionClient,
      close: () => {
        sse.dispose();
        void dispatcher.destroy();
      },
    };
  },
  'graphql-ws': (address: string): Transport => {
    class ByThatName extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: { host } });
      }
    }
    const ws = createWsClient({
      url: `ws://${address}/graphql`,
      webSocketImpl: ByThatName,
      connectionParams: { authorization: ada.authorization },
      retryAttempts: 0,
    });
    return { client: ws as SubscriptionClient, close: () => void ws.dispose() };
  },
};

/** The whole stream, once, with its cursors. */
async function eventsOf(runId: string, after: string | null = null): Promise<CursoredEvent[]> {
  const { client: sse, close } = TRANSPORTS['graphql-sse'](host);
  try {
    const events: CursoredEvent[] = [];
    for await (const event of sourceOf(sse, runId).events(after)) events.push(event);
    return events;
  } finally {
    close();
  }
}

const proxies: TcpProxy[] = [];
afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

describe.each(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])('over %s', (name) => {
  it('"In-flight events cached for reconnection" (S1-PERSIST-01, S1-PERSIST-02)', async () => {
    const proxy = await openTcpProxy(host);
    proxies.push(proxy);
    const transport = TRANSPORTS[name](proxy.address);
    const runId = await startsTree();
    const cursors: string[] = [];
    let drops = 0;
    const feed = connect(noting(transport.client, cursors), runId, {
      pauseMs: () => 60,
      onGraph: () => {
        // Cut in the middle of the stream, mended while the client waits.
        if (cursors.length % 9 !== 5) return;
        proxy.cut();
        setTimeout(() => proxy.mend(), 30);
      },
      onDrop: () => {
        drops += 1;
      },
    });
    const graph = await feed.done;
    transport.close();
    expect(drops).toBeGreaterThanOrEqual(2);

    const whole = await eventsOf(runId);
    expect(cursors).toEqual(whole.map(({ cursor }) => cursor));
    expect(plain(graph)).toEqual(plain(whole.reduce(reduceEvent, createGraph())));
    expect(await serverGraph(runId)).toEqual(plain(graph));
    // The run as it was made: three levels, three items, two models that streamed.
    const kinds = [...graph.nodes.values()].map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'harness_start')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'usage')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'reasoning')).toHaveLength(1);
    expect(getToolCalls(graph, runId)).toHaveLength(2);
    expect(getText(graph, runId)).toBe('out0 out1 out2 out3 out4 out5 out6 out7 ');
    // Two texts, each told in pieces.
    expect(whole.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(3);
  });
});

describe("a conversation's graph", () => {
  it('"Reduce events into a graph": users and branches too (S1-EDGE-04, S1-HYPER-02)', async () => {
    const speaker = await talk.speaker();
    speaker.says([{ text: 'First.' }, { text: 'Second.' }, { text: 'Other.' }]);
    const conversationId = await talk.starts({ defaultProcessId: speaker.processId });
    await ada.mutate('appendTurn', { conversationId, content: 'Said before.' });
    const given = { content: 'Answered before.', speaker: 'AGENT' };
    await ada.mutate('appendTurn', { conversationId, ...given });
    const one = await talk.sends(conversationId, 'One?');
    const first = await talk.answered(one.agentTurn.activeAlternative.id);
    const two = await talk.sends(conversationId, 'Two?');
    const second = await talk.answered(two.agentTurn.activeAlternative.id);
    // An edit of the second question: another branch.
    const adds = async (input: object) => {
      const field = 'alternative { id }';
      type Added = { alternative: { id: string } };
      return (await ada.mutate<Added>('addAlternative', input, field)).alternative.id;
    };
    const edit = await adds({ turnId: two.userTurn.id, content: 'Another two?' });
    const regenerated = await adds({ turnId: two.agentTurn.id, respondsToId: edit });
    const third = await talk.answered(regenerated);

    const app = openClient({
      url: new URL(ada.url).origin,
      token: ada.authorization.replace('Bearer ', ''),
    });
    const feed = app.followConversationGraph(conversationId);
    const hasEnded = (run: { id: string } | null) =>
      feed.graph.nodes.has(`${run?.id ?? ''}:harness_end`);
    await expect
      .poll(() => [first, second, third].every(({ run }) => hasEnded(run)), { timeout: 60_000 })
      .toBe(true);
    // The projections show what the server would send to a model, whoever switches.
    const agrees = async (texts: readonly string[]) => {
      const shown = () =>
        projectThread(toConversation(feed.graph), feed.active).map((node) => node.text);
      await expect.poll(shown, { timeout: 60_000 }).toEqual(texts);
      const { workingMemory } = await ada.query<{
        workingMemory: { messages: { role: string; content: string }[] };
      }>('query ($id: ID!) { workingMemory(conversationId: $id) { messages { role content } } }', {
        id: conversationId,
      });
      const said = workingMemory.messages.filter(({ role }) => role !== 'SYSTEM');
      expect(said.map(({ content }) => content)).toEqual(texts);
    };
    const begin = ['Said before.', 'Answered before.', 'One?', 'First.'];
    await agrees([...begin, 'Another two?', 'Other.']);
    const activates = (id: string) => ada.mutate('activateAlternative', { id });
    await activates(two.userTurn.activeAlternative.id);
    await agrees([...begin, 'Two?', 'Second.']);
    await activates(third.id);
    await agrees([...begin, 'Two?']);
    const { graph } = feed;
    feed.close();
    app.close();
    await feed.done;

    const conversation = toConversation(graph);
    const told = [...conversation.messages.values()].map(({ id, role, parentId }) => {
      const nodes = [...graph.nodes.values()].filter(({ runId }) => runId === id);
      const said = nodes.find(({ kind }) => kind === 'user');
      const text = said?.kind === 'user' ? plainText(said.content) : getText(graph, id);
      return { id, role, parentId, text };
    });
    const textOf = new Map(told.map(({ id, text }) => [id, text]));
    const lines = told.map(
      ({ role, text, parentId }) => `${textOf.get(parentId ?? '') ?? '-'} > ${role}: ${text}`,
    );
    expect(lines.sort()).toEqual(
      [
        '- > user: Said before.',
        'Said before. > assistant: Answered before.',
        'Answered before. > user: One?',
        'One? > assistant: First.',
        'First. > user: Two?',
        'Two? > assistant: Second.',
        'First. > user: Another two?',
        'Another two? > assistant: Other.',
      ].sort(),
    );
    expect(
      getChildren(graph, `${one.userTurn.activeAlternative.id}:user`).map(({ id }) => id),
    ).toEqual([`${one.run.id}:harness_start`]);
    expect(await serverGraph(one.run.id)).toMatchObject({
      nodes: [{ kind: 'user', content: 'One?' }, { kind: 'harness_start' }, {}, {}, {}],
    });
  });
});

describe('ProcessRun.graph', () => {
  it('"Graph rebuilt from events on reconnection", of a sub-run too (S1-PERSIST-02)', async () => {
    const runId = await startsTree();
    // It is there while the run goes on, too.
    const growing = (await serverGraph(runId)) as { nodes: unknown[] };
    await runs.finishes(runId);
    const whole = await eventsOf(runId);
    expect(growing.nodes.length).toBeLessThan(whole.length);
    const graph = await serverGraph(runId);
    // test/graph/run-stream.test.ts goes on after every cursor.
    for (const at of [0, 1, Math.floor(whole.length / 2), whole.length - 1]) {
      const before = whole.slice(0, at + 1).reduce(reduceEvent, createGraph());
      const after = await eventsOf(runId, whole[at]?.cursor);
      expect(plain(after.reduce(reduceEvent, before))).toEqual(graph);
    }
    const children = whole.filter(
      ({ kind, runId: of }) => kind === 'harness_start' && of !== runId,
    );
    expect(children).toHaveLength(4);
    for (const { runId: childId } of children) {
      const own = await eventsOf(childId);
      expect(await serverGraph(childId)).toEqual(plain(own.reduce(reduceEvent, createGraph())));
    }
  });

  it('is two statements for any number of runs, bounded and private', async () => {
    const single = await runs.createsProcess([{ stepId: 'a' }]);
    const ids = [await runs.starts(single), await runs.starts(single), await startsTree()];
    for (const id of ids) await runs.finishes(id);
    const { names } = await countedBy(
      ada,
      `{ nodes(ids: ${JSON.stringify(ids)}) { ... on ProcessRun { graph { nodes edges { from to
        } } } } }`,
    );
    expect(names.filter((name) => name.includes('RunHistories'))).toEqual([
      'measureRunHistories',
      'listRunHistories',
    ]);

    const graph = testGraph();
    const asked = ids.map((id) => ({ id, rootRunId: id }));
    const limits = { entriesMax: 10, charactersMax: 100_000 };
    const [one, two, tree] = await loadRunHistories({ graph }, asked, limits);
    expect(one).toHaveLength(4);
    expect(two).toHaveLength(4);
    expect(tree).toBeInstanceOf(Refusal);
    expect((tree as Refusal).problems).toMatchObject([
      {
        code: 'TOO_LARGE',
        path: ['graph'],
        message: expect.stringMatching(/10 events.*runEvents/),
      },
    ]);
    const bytes = await loadRunHistories({ graph }, asked.slice(2), {
      entriesMax: 1_000,
      charactersMax: 500,
    });
    expect(bytes[0]).toBeInstanceOf(Refusal);
    await graph.close();

    const eve = client(freshName('eve'));
    const processRun = await eve.find<null>('processRun', ids[0], 'graph { nodes }');
    expect(processRun).toBeNull();
  });
});
