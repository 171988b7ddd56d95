import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOG_READERS } from '../../src/main/projections.ts';
import type { OutboxEntry } from '../../src/outbox/entry.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { client, freshName } from '../testkit/client.ts';
import { runCypher, testGraph } from '../testkit/graph.ts';
import { eventually, newId, write } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

// An event log of a newer version, read by this one: a roll back, or older beside newer
// (docs/decisions/0125).

let rest: RestServer;
let graph: Graph;
beforeAll(async () => {
  rest = await openRestServer();
  graph = testGraph();
});
afterAll(async () => {
  rest.close();
  await graph.close();
});

it('entries with kinds and fields of a newer version stop no reader', async () => {
  const ada = client(freshName('ada'));
  const world = await runWorld(ada, rest);
  const runId = await world.starts(await world.createsProcess([{ stepId: 'greet' }]));
  await world.finishes(runId);
  const cursors = async () => {
    const seen: string[] = [];
    const document = 'subscription ($id: ID!) { runEvents(runId: $id) { cursor } }';
    for await (const { runEvents } of ada.subscribeSse<{ runEvents: { cursor: string } }>(
      document,
      { id: runId },
    ))
      seen.push(runEvents.cursor);
    return seen;
  };
  const before = await cursors();
  expect(before.length).toBeGreaterThan(2);

  const [stored] = await runCypher(
    graph,
    `MATCH (o:OutboxEntry {runId: $runId, kind: 'step.ended'}) RETURN o {.ownerId, .workspace,
      .rootRunId, .runId, .runPath, .conversationId, .payload} AS entry`,
    { runId },
  );
  if (stored === undefined) throw new Error('The step has no entry.');
  const { payload, ...place } = stored['entry'] as OutboxEntry & { payload: string };
  const entry = (kind: string, given: object): OutboxEntry => ({
    ...place,
    id: newId(),
    kind,
    at: new Date().toISOString(),
    payload: given as OutboxEntry['payload'],
  });
  const known = { ...(JSON.parse(payload) as object), dreamt: { of: [1, 2] } };
  const entries = [
    entry('step.dreamt', { stepId: 'greet', dream: 'of a later version' }),
    entry('conversation.painted', { colour: 'green' }),
    // Its readers know the id of the step by its key, and take the fact once.
    entry('step.ended', known),
  ];
  await write(graph, ...entries);
  const ids = entries.map(({ id }) => id);
  await eventually('every reader of the log has passed them', async () => {
    const [row] = await runCypher(
      graph,
      `MATCH (o:OutboxEntry) WHERE o.id IN $ids AND o.seq IS NOT NULL
       WITH count(o) AS numbered, max(o.seq) AS last
       MATCH (c:Checkpoint) WHERE c.name IN $names
       RETURN numbered, count(CASE WHEN c.seq >= last THEN 1 END) AS passed`,
      { ids, names: LOG_READERS.names },
    );
    return row?.['numbered'] === ids.length && row['passed'] === LOG_READERS.names.length;
  });
  const letters = await runCypher(
    graph,
    'MATCH (l:DeadLetter)-[:OF_ENTRY]->(o:OutboxEntry) WHERE o.id IN $ids RETURN l.id AS id',
    { ids },
  );
  expect(letters).toEqual([]);
  // The run is as it was, and its subscription ends as before.
  const after = await cursors();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(await world.finishes(runId)).toMatchObject({ status: 'COMPLETED' });
});
