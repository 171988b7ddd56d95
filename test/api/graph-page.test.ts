import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Row } from '../../src/platform/neo4j/graph.ts';
import { client, freshName } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { ingests, said } from '../testkit/recall-events.ts';
import { shipped } from '../testkit/shipped.ts';

// docs/graph.md: each of its queries finds data that the running product wrote.

const page = readFileSync(new URL('../../docs/graph.md', import.meta.url), 'utf8');
const fences = [...page.matchAll(/^(.+):\n\n```cypher\n([\s\S]*?)```/gm)].map(
  ([, title = '', query = '']) => ({ title, query }),
);
const graph = testGraph();
afterAll(() => graph.close());

const rows = (query: string, parameters: object = {}) =>
  graph.read((tx) => tx.run(`// graphPage\n${query}`, { ...parameters }));
/** The memory reads a message once its conversation is quiet, also on a busy machine. */
const WAIT_MS_MAX = 300_000;
async function first(query: string, parameters: object): Promise<Row> {
  let row: Row | undefined;
  await eventually(
    query,
    async () => {
      [row] = await rows(query, parameters);
      return row !== undefined;
    },
    WAIT_MS_MAX,
  );
  if (row === undefined) throw new Error('No row.');
  return row;
}

const parameters: Record<string, unknown> = {};

beforeAll(async () => {
  const ada = client(freshName('ada'));
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const userId = viewer.id;

  const document = readFileSync(new URL('../../examples/tour.yaml', import.meta.url), 'utf8');
  const imported = await ada.mutate('importBundle', { document });
  expect(imported.userErrors).toEqual([]);
  const defaultProcessId = (await shipped(ada)).processId('chat');
  const conversationId = await ada.creates('conversation', { defaultProcessId });
  const content = 'Ada Lovelace lives in London. Where does she live?';
  const { userErrors } = await ada.mutate('sendMessage', { conversationId, content });
  expect(userErrors).toEqual([]);
  await ingests(ada, [
    said('2024-01-15T09:00', 'Marie Curie was born in Warsaw in 1867.'),
    said('2024-01-15T09:01', 'She moved to Paris.'),
  ]);

  const answer = await first(
    `MATCH (a:Alternative {conversationId: $conversationId})-[:WRITTEN_BY]->(run:ProcessRun)
     WHERE run.status = 'completed' AND EXISTS { (run)-[:RECORDED_AS]->() }
     RETURN a.id AS alternativeId, run.id AS runId`,
    { conversationId },
  );
  const owner = { userId };
  const tour = await first(
    `MATCH (:User {id: $userId})<-[:OWNED_BY]-(p:Process {name: 'tour'}) RETURN p.id AS processId`,
    owner,
  );
  const entity = await first(
    `MATCH (:Alternative {conversationId: $conversationId})-[:HAS_CONTENT]->(ep:Episodic)
     MATCH (ep)-[:MENTIONS]->(e:Entity) RETURN e.group_id AS groupId`,
    { conversationId },
  );
  const event = await first(
    `MATCH (m:MemoryEvent) WHERE m.store STARTS WITH $userId AND m.text STARTS WITH 'Marie Curie'
     MATCH (m)-[:IN_SEGMENT]->(:Segment)-[:SUMMED_UP_IN]->(:TocLatest)(()-[:PART_OF]->()){4}(year)
     RETURN m.eventId AS eventId, m.store AS store`,
    owner,
  );
  const day = await first(
    `MATCH (l:TocLatest {store: $store, nodeId: 'toc:day:2024-01-15'})-[:HAS_VERSION]->(n)
      -[:PROVEN_BY]->()
     WHERE n.version = l.version RETURN l.nodeId AS dayId`,
    { store: event['store'] },
  );
  Object.assign(parameters, { conversationId, ...answer, ...tour, ...entity, ...event, ...day });
});

it('has ten queries', () => {
  expect(fences.map(({ title }) => title)).toHaveLength(10);
});

// A run fails only where a test makes it fail, so this query may find nothing.
const MAY_FIND_NOTHING = 'The runs that failed last, with the code of the failure';

it.each(fences)('answers: $title', async ({ title, query }) => {
  const found = await rows(query, parameters);
  if (title !== MAY_FIND_NOTHING) expect(found.length).toBeGreaterThan(0);
});

it('draws the labels and relationships that the graph has', async () => {
  const drawn = page.split('## Ten queries')[0] ?? '';
  const types = new Set([...drawn.matchAll(/\[:([A-Z_]+)/g)].map(([, type = '']) => type));
  const [row] = await rows(
    'CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS known',
  );
  const known = new Set(row?.['known'] as string[]);
  expect(types.size).toBeGreaterThan(25);
  expect([...types].filter((type) => !known.has(type) && !NOT_IN_EVERY_TEST.has(type))).toEqual([]);
});
/** Written by tests of other files, which may run later. */
const NOT_IN_EVERY_TEST = new Set(
  `ENDED_IN HAS_APPROVAL HAS_RATING MERGED_INTO USES_SECRET DEPENDS_ON HAS_SUMMARY SUMMARIZES
  CHILD_OF HAS_CHUNK CALLS_PROCESS`.split(/\s+/),
);
