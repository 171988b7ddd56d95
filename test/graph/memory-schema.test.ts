import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { finishIngest } from '../../src/memory-graph/extraction/ingest.cypher.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { runCypher, writeWith } from '../testkit/graph.ts';
import { insertFact, talker } from '../testkit/memory.ts';
import { someEntry } from '../testkit/outbox.ts';
import { world } from '../testkit/world.ts';

// The names that Graphiti's own library (graphiti-core 0.31.2) writes and reads.

const UUID_INDEXES = ['entity_uuid', 'episode_uuid', 'community_uuid', 'saga_uuid'];
const RANGE: Readonly<Record<string, readonly [string, string]>> = {
  entity_uuid: ['Entity', 'uuid'],
  episode_uuid: ['Episodic', 'uuid'],
  community_uuid: ['Community', 'uuid'],
  saga_uuid: ['Saga', 'uuid'],
  entity_group_id: ['Entity', 'group_id'],
  episode_group_id: ['Episodic', 'group_id'],
  community_group_id: ['Community', 'group_id'],
  saga_group_id: ['Saga', 'group_id'],
  name_entity_index: ['Entity', 'name'],
  saga_name: ['Saga', 'name'],
  created_at_entity_index: ['Entity', 'created_at'],
  created_at_episodic_index: ['Episodic', 'created_at'],
  valid_at_episodic_index: ['Episodic', 'valid_at'],
  relation_uuid: ['RELATES_TO', 'uuid'],
  mention_uuid: ['MENTIONS', 'uuid'],
  has_member_uuid: ['HAS_MEMBER', 'uuid'],
  has_episode_uuid: ['HAS_EPISODE', 'uuid'],
  next_episode_uuid: ['NEXT_EPISODE', 'uuid'],
  relation_group_id: ['RELATES_TO', 'group_id'],
  mention_group_id: ['MENTIONS', 'group_id'],
  has_episode_group_id: ['HAS_EPISODE', 'group_id'],
  next_episode_group_id: ['NEXT_EPISODE', 'group_id'],
  name_edge_index: ['RELATES_TO', 'name'],
  created_at_edge_index: ['RELATES_TO', 'created_at'],
  expired_at_edge_index: ['RELATES_TO', 'expired_at'],
  valid_at_edge_index: ['RELATES_TO', 'valid_at'],
  invalid_at_edge_index: ['RELATES_TO', 'invalid_at'],
};
const FULLTEXT: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  episode_content: ['Episodic', ['content', 'source', 'source_description', 'group_id']],
  node_name_and_summary: ['Entity', ['name', 'summary', 'group_id']],
  community_name: ['Community', ['name', 'group_id']],
  edge_name_and_fact: ['RELATES_TO', ['name', 'fact', 'group_id']],
};

const here = await world();
const deps = runDeps(here);
const asked = (cypher: string, params: object = {}) => runCypher(deps.graph, `${cypher}`, params);

it('has every index of Graphiti under its name, with properties and analyzer', async () => {
  const rows = await asked(
    'SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options, owningConstraint RETURN *',
  );
  const byName = new Map(rows.map((row) => [String(row['name']), row]));
  for (const [name, [label, property]] of Object.entries(RANGE)) {
    const index = { name, type: 'RANGE', labelsOrTypes: [label], properties: [property] };
    expect(byName.get(name)).toMatchObject(index);
  }
  const indexConfig = {
    'fulltext.analyzer': 'standard-no-stop-words',
    'fulltext.eventually_consistent': false,
  };
  for (const [name, [label, properties]] of Object.entries(FULLTEXT)) {
    const index = { name, type: 'FULLTEXT', labelsOrTypes: [label], properties };
    expect(byName.get(name)).toMatchObject({ ...index, options: { indexConfig } });
  }
  // Ours hold uniqueness under the same names, so that Graphiti finds its indexes made.
  expect(UUID_INDEXES.map((name) => byName.get(name)?.['owningConstraint'])).toEqual(UUID_INDEXES);
});

it('its own statement for an index that we hold as a constraint is nothing to it', async () => {
  await deps.graph.write((tx) =>
    tx
      .run('// build\nCREATE INDEX entity_uuid IF NOT EXISTS FOR (n:Entity) ON (n.uuid)')
      .then(() => {}),
  );
});

// S4-EPI-01, S4-ENT-01
it('nodes and edges have the properties and types that its library reads', async () => {
  const ada = here.ada.viewer;
  const talk = talker(deps, ada);
  const conversationId = await talk.starts();
  const { episodeId: episodeUuid } = await talk.says(conversationId, 'Ada knows Bob.');
  const knows = (name: string, category: string | null = null) =>
    createEntity(deps, ada, { conversationId, name, summary: `${name}.`, category });
  const [one, two] = [await knows('Ada', 'Person'), await knows('Bob')];
  const now = new Date().toISOString();
  const uuid = await insertFact(deps, ada.userId, {
    ...{ name: 'KNOWS', fact: 'Ada knows Bob.', groupId: conversationId, episodes: [episodeUuid] },
    ...{ sourceUuid: one.uuid, targetUuid: two.uuid, validAt: now, invalidAt: now },
  });
  await writeWith(deps.graph, finishIngest, {
    ...{ episodeUuid, status: 'read', faults: [], now, factUuids: [uuid], entry: someEntry() },
    mentions: [{ uuid: randomUUID(), entityUuid: one.uuid }],
  });
  const typesOf = async (pattern: string, params: object) => {
    const [row] = await asked(
      `${pattern} RETURN [key IN keys(x) | key + ' ' + valueType(x[key])] AS types`,
      params,
    );
    // Its vector comes later, by any test that embeds (test/indexes/embeddings.test.ts).
    return ((row?.['types'] ?? []) as string[])
      .filter((type) => type !== 'name_embedding LIST<FLOAT NOT NULL> NOT NULL')
      .toSorted();
  };
  const text = (...names: string[]) => names.map((name) => `${name} STRING NOT NULL`);
  const moment = (...names: string[]) => names.map((name) => `${name} ZONED DATETIME NOT NULL`);
  const texts = (name: string) => `${name} LIST<STRING NOT NULL> NOT NULL`;
  expect(await typesOf('MATCH (x:Episodic {uuid: $episodeUuid})', { episodeUuid })).toEqual(
    [
      ...text('uuid', 'name', 'group_id', 'source', 'source_description', 'content'),
      ...moment('valid_at', 'created_at'),
      texts('entity_edges'),
    ].toSorted(),
  );
  expect(await typesOf('MATCH (x:Entity {uuid: $uuid})', one)).toEqual(
    [
      ...text('uuid', 'name', 'group_id', 'summary'),
      ...moment('created_at'),
      texts('labels'),
    ].toSorted(),
  );
  expect(await typesOf('MATCH ()-[x:RELATES_TO {uuid: $uuid}]->()', { uuid })).toEqual(
    [
      ...text('uuid', 'name', 'fact', 'group_id', 'source_node_uuid', 'target_node_uuid'),
      ...moment('created_at', 'valid_at', 'invalid_at', 'reference_time'),
      texts('episodes'),
    ].toSorted(),
  );
  expect(
    await typesOf('MATCH (:Episodic {uuid: $episodeUuid})-[x:MENTIONS]->()', { episodeUuid }),
  ).toEqual([...text('uuid', 'group_id'), ...moment('created_at')].toSorted());
  const [labels] = await asked('MATCH (x:Entity {uuid: $uuid}) RETURN labels(x) AS labels', {
    uuid: one.uuid,
  });
  expect(labels?.['labels']).toEqual(['Entity', 'Person']);
});
