import { expect, it } from 'vitest';
import { writeCypher } from '../testkit/graph.ts';
import { migrator } from '../testkit/migrations.ts';
import { newId } from '../testkit/outbox.ts';
import { worldGraph } from '../testkit/world.ts';

// docs/decisions/0058: data of older versions gets the relationships of docs/graph.md.

const graph = worldGraph();
const again = migrator();
const rows = (cypher: string, params: object) => writeCypher(graph, `${cypher}`, params);

it('an old Process defines its steps and an old run has its step runs, each once', async () => {
  const id = newId();
  await rows(
    `CREATE (p:Process {id: $id})
     CREATE (p)-[:HAS_STEP {order: 0}]->(:ProcessStep {key: $id + '/a', id: 'a'})
     CREATE (p)-[:HAS_STEP {order: 1}]->(:ProcessStep {key: $id + '/b', id: 'b'})
     CREATE (r:ProcessRun {id: $id})
     CREATE (r)-[:HAS_STEP]->(:StepRun {key: $id + '/a'})
     CREATE (x:RecipeRun {id: $id})-[:HAS_STEP]->(:RecipeStep {key: $id})`,
    { id },
  );
  const look = () =>
    rows(
      `MATCH (n {id: $id})-[r]->(s)
       RETURN labels(n)[0] + ' ' + type(r) + ' ' + coalesce(r.order, '') + ' ' + s.key AS edge
         ORDER BY edge`,
      { id },
    );
  const edges = [
    `Process DEFINES_STEP 0 ${id}/a`,
    `Process DEFINES_STEP 1 ${id}/b`,
    `ProcessRun HAS_STEP_RUN  ${id}/a`,
    `RecipeRun HAS_STEP  ${id}`,
  ];
  for (let times = 0; times < 2; times++) {
    await again('175');
    expect((await look()).map(({ edge }) => edge)).toEqual(edges);
  }
  await rows('MATCH (n {id: $id}) OPTIONAL MATCH (n)-->(s) DETACH DELETE n, s', { id });
});

it('an old agent memory is walked from an event to its year, from a line to words', async () => {
  // The audit of other tests reads these nodes too, so they are whole.
  const [store, id] = [newId(), newId()];
  const segment = 'toc:segment:2024-01-15:x';
  const [day, week] = ['toc:day:2024-01-15', 'toc:week:2024-W03'];
  await rows(
    `UNWIND ['1', '2', '3'] AS n
     CREATE (:MemoryEvent {realm: $store, store: $store, sessionId: 's', key: 'evt:' + n,
       eventId: $id + n, text: n,
       timestampMs: 1, arrivedMs: 1, tokens: 1, eventType: 'user_message', role: 'user'})
     WITH count(*) AS _
     CREATE (:Segment {store: $store, sessionId: 's', startKey: 'evt:1', endKey: 'evt:2',
       nodeId: $segment,
       startMs: 1, endMs: 1, tokenCount: 2, eventCount: 2})
     WITH 1 AS _
     UNWIND [[$segment, $day], [$day, $week], [$week, null]] AS pair
     CREATE (:TocLatest {store: $store, nodeId: pair[0], parentId: pair[1], place: 'p',
       versionKey: pair[0] + ':v000002',
       version: 2, isEmpty: false, madeOf: '', words: ''})
     CREATE (:TocNode {store: $store, key: pair[0] + ':v000001', nodeId: pair[0], version: 1,
       gripIds: [],
       startMs: 1, endMs: 1, bullets: '[]'})
     CREATE (:TocNode {store: $store, key: pair[0] + ':v000002', nodeId: pair[0], version: 2,
       gripIds: ['grip:1'],
       startMs: 1, endMs: 1, bullets: '[]'})
     WITH count(*) AS _
     CREATE (:Grip {realm: $store, store: $store, gripId: 'grip:1', sessionId: 's',
       startKey: 'evt:2', endKey: 'evt:3',
       excerpt: '2', eventIdStart: $id + '2', eventIdEnd: $id + '3', timestampMs: 1,
       source: 'test'})
     CREATE (a:Alternative {id: $id, runId: $id}), (:ProcessRun {id: $id}), (:CallGraphNode
       {id: $id, requestId: $id})`,
    { store, id, segment, day, week },
  );
  for (let times = 0; times < 2; times++) {
    await again('176');
    const [walked] = await rows(
      `MATCH (m:MemoryEvent
        {store: $store})-[:IN_SEGMENT]->(:Segment)-[:SUMMED_UP_IN]->(l)(()-[:PART_OF]->()){2}(top)
       MATCH (l)-[:HAS_VERSION]->(n)
       OPTIONAL MATCH (n)-[:PROVEN_BY]->(g)-[:QUOTES]->(q)
       RETURN collect(DISTINCT m.text) AS events, collect(DISTINCT top.nodeId) AS top,
         collect(DISTINCT n.version) AS versions, collect(DISTINCT q.text) AS quoted, count(*)
         AS paths`,
      { store },
    );
    expect(walked).toEqual({
      events: expect.arrayContaining(['1', '2']),
      top: [week],
      versions: expect.arrayContaining([1, 2]),
      quoted: expect.arrayContaining(['2', '3']),
      paths: 6,
    });
    const [answered] = await rows(
      `MATCH (:Alternative {id: $id})-[:WRITTEN_BY]->(r)-[:RECORDED_AS]->(c) RETURN count(*)
        AS paths`,
      { id },
    );
    expect(answered).toEqual({ paths: 1 });
  }
  await rows('MATCH (n {store: $store}) DETACH DELETE n', { store });
  await rows('MATCH (n) WHERE n.id = $id DETACH DELETE n', { id });
});
