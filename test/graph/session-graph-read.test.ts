import { execute, parse } from 'graphql';
import { expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { event, streamDeps } from '../testkit/streams.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const deps = streamDeps();
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
const SESSIONS = `{ sessions(first: 50) { totalCount nodes {
  nodeId parent { nodeId } forks { nodeId parent { nodeId } } runs
  events(first: 2) { totalCount nodes { nodeId } } tools: events(names: ["tool:pre"]) { totalCount }
  toolCalls(first: 3) { nodes { nodeId events { nodeId } } } } } }`;

/** A user's sessions, all but the first forked from it, each with a tool call. */
async function records(count: number) {
  const viewer = await newViewer(worldDeps(), 'ada');
  const ids = Array.from({ length: count }, (_, n) => (n === 0 ? 'root' : `aa-${n}_agent`));
  const events = ids.flatMap((id, n) => [
    n === 0 ? event(id, 'session:start') : event(id, 'session:fork', { parent: 'root' }, n),
    event(id, 'tool:pre', { tool_call_id: 'c' }, n + 1),
    event(id, 'tool:post', { tool_call_id: 'c' }, n + 2),
  ]);
  await recordSessionEvents(deps, viewer, events);
  const wanted = ids.flatMap((id) => [`Session:${id}`, `ToolCall:${id}__tool_call__c`]);
  const asks = async (source: string) => {
    const contextValue = { ...deps, viewer } as unknown as RequestContext;
    const input = { schema: buildSchema(), document: parse(source), contextValue };
    const { value, statements } = await deps.graph.counting(async () =>
      execute({ ...input, variableValues: { ids: wanted } }),
    );
    expect(value.errors).toBeUndefined();
    return { data: value.data as never, names: statements.map(({ name }) => name).sort() };
  };
  return { wanted, asks };
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

it('S0-TC-03: many sessions, with all parts or by id, take the statements of a few', async () => {
  const [few, many] = [await records(3), await records(20)];
  const { data, names } = await many.asks(SESSIONS);
  const { sessions } = data as { sessions: Sessions };
  expect(sessions.totalCount).toBe(20);
  expect(sessions.nodes.find(({ nodeId }) => nodeId === 'root')?.forks).toHaveLength(19);
  for (const session of sessions.nodes) {
    expect(session.parent).toEqual(session.nodeId === 'root' ? null : { nodeId: 'root' });
    expect(session.events).toMatchObject({ totalCount: 3, nodes: [{}, {}] });
    expect(session.tools.totalCount).toBe(1);
    expect(session.toolCalls.nodes.map(({ events }) => events.length)).toEqual([2]);
  }
  expect(names).toEqual((await few.asks(SESSIONS)).names);
  expect(names).toEqual([
    ...['findSessions', 'listCallsOfSessions', 'listEventsOfCalls', 'listEventsOfSessions'],
    ...['listEventsOfSessions', 'listForkedSessions', 'listRunsOfSessions', 'listSessions'],
  ]);
  const byId = await many.asks(NODES);
  expect((byId.data as { nodes: object[] }).nodes).toMatchObject(many.wanted.map((id) => ({ id })));
  expect(byId.names).toEqual((await few.asks(NODES)).names);
  expect(byId.names).toEqual(['findSessions', 'findToolCalls']);
});
