import { execute, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { graphDriver } from '../../src/platform/drivers/graph-query.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { event, moment, streamDeps } from '../testkit/streams.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const deps = streamDeps();
const document = parse(`{ sessions(first: 50) { totalCount nodes {
  nodeId parent { nodeId } forks { nodeId parent { nodeId } } runs
  events(first: 2) { totalCount nodes { nodeId } } tools: events(names: ["tool:pre"]) { totalCount }
  toolCalls(first: 3) { nodes { nodeId events { nodeId } } } } } }`);

/**
 * So many sessions, each but the first forked from it, each with a tool call; the answer, and by
 * which statements.
 */
async function asks(count: number) {
  const viewer = await newViewer(worldDeps(), 'ada');
  const events = Array.from({ length: count }, (_, index) => {
    const id = index === 0 ? 'root' : `aa-${index.toString(16)}_agent`;
    return [
      event(
        id,
        index === 0 ? 'session:start' : 'session:fork',
        index === 0 ? {} : { parent: 'root' },
        index,
      ),
      event(id, 'tool:pre', { tool_call_id: 'c' }, index + 1),
      event(id, 'tool:post', { tool_call_id: 'c' }, index + 2),
    ];
  });
  await recordSessionEvents(deps, viewer, events.flat());
  const contextValue = { ...deps, viewer } as unknown as RequestContext;
  const { value, statements } = await deps.graph.counting(async () =>
    execute({ schema: buildSchema(), document, contextValue }),
  );
  expect(value.errors).toBeUndefined();
  return {
    data: value.data as unknown as { sessions: Sessions },
    statements: statements.map(({ name }) => name).sort(),
  };
}
interface Sessions {
  totalCount: number;
  nodes: {
    nodeId: string;
    parent: { nodeId: string } | null;
    forks: { nodeId: string }[];
    events: { totalCount: number; nodes: object[] };
    tools: { totalCount: number };
    toolCalls: { nodes: { events: object[] }[] };
  }[];
}

describe('sessions and all that hangs on them', () => {
  it('S0-TC-03: are read in as many statements for many as for few', async () => {
    const few = await asks(3);
    const many = await asks(40);
    expect(many.data.sessions.totalCount).toBe(40);
    const root = many.data.sessions.nodes.find(({ nodeId }) => nodeId === 'root');
    expect(root?.forks).toHaveLength(39);
    for (const session of many.data.sessions.nodes) {
      expect(session.parent).toEqual(session.nodeId === 'root' ? null : { nodeId: 'root' });
      expect(session.events).toMatchObject({ totalCount: 3, nodes: [{}, {}] });
      expect(session.tools.totalCount).toBe(1);
      expect(session.toolCalls.nodes.map(({ events }) => events.length)).toEqual([2]);
    }
    expect(many.statements).toEqual(few.statements);
    expect(many.statements).toEqual([
      'findSessions',
      'listCallsOfSessions',
      'listEventsOfCalls',
      'listEventsOfSessions',
      'listEventsOfSessions',
      'listForkedSessions',
      'listRunsOfSessions',
      'listSessions',
    ]);
  });
});

it('sessions, events and tool calls are found by node id in few statements', async () => {
  const asksNodes = async (count: number) => {
    const viewer = await newViewer(worldDeps(), 'ada');
    const ids = Array.from({ length: count }, (_, index) => `s${index}`);
    await recordSessionEvents(
      deps,
      viewer,
      ids.flatMap((id) => [
        event(id, 'session:start'),
        event(id, 'tool:pre', { tool_call_id: 'c' }, 1),
      ]),
    );
    const wanted = ids.flatMap((id) => [`Session:${id}`, `ToolCall:${id}__tool_call__c`]);
    const source = parse('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }');
    const contextValue = { ...deps, viewer } as unknown as RequestContext;
    const { value, statements } = await deps.graph.counting(async () =>
      execute({
        schema: buildSchema(),
        document: source,
        variableValues: { ids: wanted },
        contextValue,
      }),
    );
    expect(value.data?.['nodes']).toMatchObject(wanted.map((id) => ({ id })));
    return statements.map(({ name }) => name).sort();
  };
  const few = await asksNodes(2);
  expect(few).toEqual(['findSessions', 'findToolCalls']);
  expect(await asksNodes(60)).toEqual(few);
});

it('events of a session are read backwards from the end, in their order', async () => {
  const viewer = await newViewer(worldDeps(), 'ada');
  const names = ['a', 'b', 'c', 'd', 'e'];
  await recordSessionEvents(
    deps,
    viewer,
    names.map((name, index) => event('s', `note:${name}`, {}, index)),
  );
  const contextValue = { ...deps, viewer } as unknown as RequestContext;
  const page = async (args: string) => {
    const { data, errors } = await execute({
      schema: buildSchema(),
      document: parse(
        `{ session(nodeId: "s") { events(${args}) { totalCount nodes { name } pageInfo {
          startCursor hasPreviousPage } } } }`,
      ),
      contextValue,
    });
    expect(errors).toBeUndefined();
    return (data as unknown as { session: { events: Events } }).session.events;
  };
  const last = await page('last: 2');
  expect(last.nodes.map(({ name }) => name)).toEqual(['note:d', 'note:e']);
  expect(last).toMatchObject({ totalCount: 5, pageInfo: { hasPreviousPage: true } });
  const before = await page(`last: 3, before: "${last.pageInfo.startCursor}"`);
  expect(before.nodes.map(({ name }) => name)).toEqual(['note:a', 'note:b', 'note:c']);
  expect(before.pageInfo.hasPreviousPage).toBe(false);
});
interface Events {
  totalCount: number;
  nodes: { name: string }[];
  pageInfo: { startCursor: string; hasPreviousPage: boolean };
}

describe("the document's own statement", () => {
  // S0-WS-02
  it('runs in a graph_query Tool of the system and sees its workspace alone', async () => {
    const [ada, bob] = await Promise.all([
      newViewer(worldDeps(), 'ada'),
      newViewer(worldDeps(), 'bob'),
    ]);
    for (const viewer of [ada, bob])
      await recordSessionEvents(deps, viewer, [event(`of-${viewer.name}`, 'session:start')]);
    const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
    const driver = graphDriver({ egress, platformGraph: deps.graph });
    const query =
      'MATCH (s:Session {workspace: $workspace}) RETURN s.node_id, s.started_at LIMIT 10';
    const call = driverCall(
      { type: 'graph_query', query, access: 'read' },
      { connectionParams: {}, system: true },
      { inputs: {}, ownerId: ada.userId, workspace: ada.workspace },
    );
    expect((await driver.invoke(call)).output).toEqual([
      { 's.node_id': 'of-ada', 's.started_at': moment() },
    ]);
    await driver.close();
    await egress.close();
  });
});
