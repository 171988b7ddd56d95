import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { type Artifacts, compileRelay, RelayApp } from '../testkit/relay.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';
import { event, records } from '../testkit/streams.ts';
import { tells } from '../testkit/talk-world.ts';

// Relay's compiler and runtime. The store has one record per id, so an id that two things share
// shows one of them in the place of the other.

interface Node {
  readonly id: string;
}
interface Nodes {
  readonly nodes: readonly Node[];
}
interface NamedConnection {
  readonly __id: string;
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage?: boolean };
  readonly edges: readonly {
    readonly node: Node & {
      readonly name: string;
      readonly content: string;
      readonly status: string;
      readonly steps: readonly { readonly stepId: string; readonly description: string }[];
    };
  }[];
}
const STEP = 'greet';

let artifacts: Artifacts;
let rest: RestServer;
let ada: TestClient;
let world: RunWorld;
const processes: string[] = [];
let runId: string;
const complained = [
  vi.spyOn(console, 'error').mockImplementation(() => {}),
  vi.spyOn(console, 'warn').mockImplementation(() => {}),
];

const stepsOf = (description: string) => [{ stepId: STEP, description }];
const open = () => new RelayApp(artifacts, ada);

beforeAll(async () => {
  [artifacts, rest] = await Promise.all([compileRelay(), openRestServer()]);
  ada = client(freshName('ada'));
  world = await runWorld(ada, rest);
  for (const number of [1, 2, 3, 4, 5])
    processes.push(await world.createsProcess(stepsOf(`step of ${number}`)));
  runId = await world.starts(processes[0] ?? '');
  await world.finishes(runId);
});
afterAll(() => rest.close());

it('pages through a list, and shows creations and deletions in it', async () => {
  const app = open();
  const query = await app.ask<object>('AidenProcessesQuery', { count: 2 });
  const list = () => app.connection<NamedConnection>('AidenProcesses_query', query);
  const described = () =>
    list().edges.map(({ node }) => [node.id, node.steps.map((step) => step.description)]);
  const wanted = processes.map((id, index) => [id, [`step of ${index + 1}`]]);
  expect(list().edges).toHaveLength(2);
  expect(list().totalCount).toBe(5);
  await app.idsOf('AidenProcesses_query', query, { count: 2 });
  expect(described().sort()).toEqual([...wanted].sort());

  const connections = [list().__id];
  const step = {
    ...{ stepId: STEP, description: 'step of 6', calls: { toolId: world.toolId } },
    ...{ inputs: { name: '{context.name}' }, output: { variable: 'answer' } },
  };
  const input = { name: freshName('sixth'), initialContext: ['name'], steps: [step] };
  const { createProcess } = await app.commit<{
    createProcess: { processEdge: { node: Node }; userErrors: unknown[] };
  }>('AidenCreateProcessMutation', { connections, input: { ...input, outputTemplate: 'done' } });
  expect(createProcess.userErrors).toEqual([]);
  expect(described().at(-1)).toEqual([createProcess.processEdge.node.id, ['step of 6']]);
  expect(list().edges).toHaveLength(6);

  const [id] = processes.slice(-1);
  await app.commit('AidenDeleteProcessMutation', { connections, input: { id } });
  processes.pop();
  expect(list().edges.map(({ node }) => node.id)).not.toContain(id);
  expect(list().edges).toHaveLength(5);
  // As a new app sees it.
  const other = open();
  const again = await other.ask('AidenProcessesQuery', { count: 10 });
  const ids = await other.idsOf('AidenProcesses_query', again, { count: 10 });
  expect([...ids].sort()).toEqual(
    list()
      .edges.map(({ node }) => node.id)
      .sort(),
  );
});

it('pages backwards through a conversation, and appends a turn', async () => {
  const app = open();
  const id = await tells(ada, 'one', 'two', 'three', 'four', 'five');
  const { conversation } = await app.ask<{ conversation: object }>('AidenConversationQuery', {
    id,
  });
  const list = () => app.connection<NamedConnection>('AidenTurns_conversation', conversation);
  const contents = () => list().edges.map(({ node }) => node.content);
  expect(contents()).toEqual(['four', 'five']);
  await app.loadMore('AidenTurns_conversation', conversation, { count: 2, direction: 'backward' });
  expect(contents()).toEqual(['two', 'three', 'four', 'five']);
  await app.idsOf('AidenTurns_conversation', conversation, { count: 2, direction: 'backward' });
  const { appendTurn } = await app.commit<{ appendTurn: { userErrors: unknown[] } }>(
    'AidenAppendTurnMutation',
    { input: { conversationId: id, content: 'six' }, connections: [list().__id] },
  );
  expect(appendTurn.userErrors).toEqual([]);
  expect(contents()).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

it('starts a run at the head of a list, and follows it there', async () => {
  const app = open();
  type Runs = { processRuns: NamedConnection };
  const { processRuns } = await app.ask<Runs>('AidenRunsQuery');
  const before = processRuns.edges.map(({ node }) => node.id);
  const { startProcessRun } = await app.commit<{
    startProcessRun: { runEdge: { node: Node } };
  }>('AidenStartRunMutation', {
    input: { processId: processes[1], context: { name: 'Grace' } },
    connections: [processRuns.__id],
  });
  const { id } = startProcessRun.runEdge.node;
  const first = () => app.read<Runs>('AidenRunsQuery').processRuns.edges;
  expect(first().map(({ node }) => node.id)).toEqual([id, ...before]);
  await app.watch('AidenRunSubscription', { id });
  // The subscription asked for the status only by the run's id; the list shows it.
  expect(first()[0]?.node.status).toBe('COMPLETED');
});

it('keeps every event of a run apart', async () => {
  const app = open();
  const seen = await app.watch<{ runEvents: { __typename: string; id: string } }>(
    'AidenRunEventsSubscription',
    { runId },
  );
  expect(seen).toEqual(app.answers);
  const types = seen.map(({ runEvents }) => runEvents.__typename);
  expect(types).toEqual(expect.arrayContaining(['ToolCallEvent', 'ToolResultEvent']));
  expect(new Set(seen.map(({ runEvents }) => runEvents.id)).size).toBe(seen.length);
});

it('keeps records of all types apart, and finds each again by node(id)', async () => {
  const app = open();
  const variables = { runId, requestId: runId };
  type Recorded = {
    session: Node & { events: Nodes; toolCalls: Nodes };
    callNode: Node & { triggered: readonly Node[] };
    processRun: Node & { steps: readonly Node[] };
  };
  await eventually('the run is recorded', async () => {
    const { session, callNode } = await open().ask<Recorded>('AidenRecordQuery', variables);
    return callNode?.triggered.length > 0 && session?.toolCalls.nodes.length > 0;
  });
  const recorded = await app.ask<Recorded>('AidenRecordQuery', variables);
  const recordedAnswer = app.answers.at(-1);
  const { session, callNode, processRun } = recorded;
  const ids = [
    ...[session, ...session.events.nodes, ...session.toolCalls.nodes],
    ...[callNode, ...callNode.triggered],
    ...[processRun, ...processRun.steps],
    ...processes.map((id) => ({ id })),
  ].map(({ id }) => id);
  await findsAgain(app, ids);
  // Both operations still show their own data after both went into one store.
  expect(app.read('AidenRecordQuery', variables)).toEqual(recordedAnswer);
});

it('pages inside a session', async () => {
  const app = open();
  const sessionId = randomUUID();
  const input = [
    event(sessionId, 'session:start', {}, -1_000),
    ...['a', 'b', 'c'].flatMap((call, index) => [
      event(sessionId, 'tool:pre', { tool_name: 'bash', tool_call_id: call }, index * 10),
      event(sessionId, 'tool:post', { tool_name: 'bash', tool_call_id: call }, index * 10 + 5),
    ]),
  ];
  await records(ada, input);
  const whole = await ada.one<{ events: Nodes; toolCalls: Nodes }>(
    `query ($id: ID!) { session(nodeId: $id) { events { nodes { id } } toolCalls { nodes { id }
      } } }`,
    { id: sessionId },
  );
  expect([whole.events.nodes.length, whole.toolCalls.nodes.length]).toEqual([7, 3]);
  const { session } = await app.ask<{ session: object }>('AidenSessionQuery', {
    nodeId: sessionId,
  });
  const idsOf = (name: string) => app.idsOf(name, session, { count: 2 });
  expect(await idsOf('AidenEvents_session')).toEqual(whole.events.nodes.map(({ id }) => id));
  expect(await idsOf('AidenCalls_session')).toEqual(whole.toolCalls.nodes.map(({ id }) => id));
  expect(app.sent).toContain('AidenEventsPageQuery');
});

it('warns of nothing', () => {
  expect(complained.flatMap((spy) => spy.mock.calls)).toEqual([]);
});

/** Fetches a record by node(id) and compares the store with the answer of the server. */
async function findsAgain(app: RelayApp, ids: readonly string[]): Promise<void> {
  const { nodes } = await app.ask<Nodes>('AidenNodesQuery', { ids });
  expect(nodes.map((node) => node?.id)).toEqual(ids);
  expect({ nodes }).toEqual(app.answers.at(-1));
}
