import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIMENSIONS } from '../../packages/local-llm/src/sentence-model.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { type PythonPackages, pythonMissing, runPython } from '../testkit/python.ts';
import { tells } from '../testkit/talk-world.ts';

// graphiti-core reads the graph that the API wrote (docs/decisions/0021). Its embedder calls
// local-llm.
const GRAPHITI: PythonPackages = {
  name: 'python-graphiti-0.31.2',
  // graphiti-core imports httpx, which newer versions of openai no longer bring.
  packages: [
    'graphiti-core==0.31.2',
    'httpx==0.28.1',
    'neo4j==6.4.1',
    'numpy==2.4.6',
    'openai==3.57.0',
  ],
};
const CLIENT = fileURLToPath(new URL('../testkit/graphiti-client.py', import.meta.url));

interface Known {
  readonly uuid: string;
  readonly name: string;
  readonly summary: string;
  readonly entityType: string | null;
  readonly groupId: string;
  readonly facts: readonly {
    uuid: string;
    name: string;
    fact: string;
    validAt: string | null;
    source: { uuid: string };
    target: { uuid: string };
    episodes: readonly string[];
  }[];
  readonly episodes: { readonly nodes: readonly { uuid: string }[] };
}
interface Told {
  readonly uuid: string;
  readonly name: string;
  readonly content: string;
  readonly source: string;
  readonly validAt: string;
  readonly mentions: readonly { uuid: string }[];
}
interface Found {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  readonly episodes: readonly string[];
}
interface Records {
  readonly nodes: readonly { uuid: string; name: string; summary: string; labels: string[] }[];
  readonly edges: readonly Record<string, unknown>[];
  readonly episodes: readonly Record<string, unknown>[];
  readonly mentions: readonly (readonly string[])[];
  readonly edge: string;
}

const missing = pythonMissing(GRAPHITI);
const SENTENCES = [
  'Marie Curie was born in Warsaw.',
  'Marie Curie works at Sorbonne. She lives in Paris.',
  'Pierre Curie works at Sorbonne.',
];

async function createEntity(user: TestClient, input: object): Promise<string> {
  const made = await user.mutate<{ entity: { uuid: string } }>(
    'createEntity',
    input,
    'entity { uuid }',
  );
  return made.entity.uuid;
}

async function entitiesOf(user: TestClient, conversationId: string): Promise<readonly Known[]> {
  const entities = await user.one<{ nodes: Known[] }>(
    `query ($id: ID!) { entities(conversationId: $id, first: 200) { nodes {
      uuid name summary entityType groupId episodes { nodes { uuid } }
      facts { uuid name fact validAt source { uuid } target { uuid } episodes } } } }`,
    { id: conversationId },
  );
  return entities.nodes;
}

async function episodesOf(user: TestClient, conversationId: string): Promise<readonly Told[]> {
  const conversation = await user.one<{
    turns: { nodes: { activeAlternative: { episode: Told | null } }[] };
  }>(
    `query ($id: ID!) { conversation(id: $id) { turns { nodes { activeAlternative {
      episode { uuid name content source validAt mentions { uuid } } } } } } }`,
    { id: conversationId },
  );
  return conversation.turns.nodes.flatMap(({ activeAlternative: { episode } }) =>
    episode === null ? [] : [episode],
  );
}

/** All uuids in an answer, in whatever shape it has. */
function uuidsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer];
  if (Array.isArray(answer)) return answer.flatMap(uuidsIn);
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([key, value]) =>
    typeof value === 'number' ? [key] : uuidsIn(value),
  );
}

const sorted = (values: readonly string[]) => [...values].sort();

describe.skipIf(missing !== null)(`graphiti-core${missing === null ? '' : `: ${missing}`}`, () => {
  let answers: Record<string, unknown> & { records: Records };
  let entities: readonly Known[];
  let episodes: readonly Told[];
  let marie: Known;
  let theirs: string[];

  beforeAll(async () => {
    const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
    const groupId = await tells(ada, ...SENTENCES);
    const otherGroupId = await tells(eve, ...SENTENCES);
    const kept = await createEntity(ada, {
      conversationId: groupId,
      name: 'Radium Institute',
      summary: 'Where radium is studied.',
      category: 'Organization',
    });
    const lost = await createEntity(ada, {
      conversationId: groupId,
      name: 'Institute of Radium',
      summary: 'The same institute.',
    });
    await eventually(
      'all is read',
      async () => {
        const both = await Promise.all([
          entitiesOf(ada, groupId),
          entitiesOf(eve, otherGroupId),
          episodesOf(ada, groupId),
          episodesOf(eve, otherGroupId),
        ]);
        const factsOf = (known: readonly Known[]) => known.flatMap(({ facts }) => facts);
        return (
          factsOf(both[0]).length > 1 &&
          factsOf(both[1]).length > 1 &&
          both[2].every(({ mentions }) => mentions.length > 0) &&
          both[3].every(({ mentions }) => mentions.length > 0) &&
          both[2].length === SENTENCES.length &&
          both[3].length === SENTENCES.length
        );
      },
      150_000,
    );
    // Entities and facts have their owner's group, Episodes and what a user makes a conversation's.
    const groupsOf = async (user: TestClient, id: string) => [
      ...new Set([id, ...(await entitiesOf(user, id)).map((known) => known.groupId)]),
    ];
    const groupIds = await groupsOf(ada, groupId);
    const otherGroupIds = await groupsOf(eve, otherGroupId);
    await ada.mutate('mergeEntities', { keepUuid: kept, mergeUuid: lost }, 'entity { uuid }');
    const graph = testGraph();
    await eventually(
      'all has its vectors',
      async () => {
        const [row] = await graph.read((tx) =>
          tx.run(
            `// testUnembedded
            MATCH (e:Entity) WHERE e.group_id IN $groups
            OPTIONAL MATCH (e)-[r:RELATES_TO]->()
            RETURN sum(CASE WHEN e.name_embedding IS NULL THEN 1 ELSE 0 END)
              + sum(CASE WHEN r IS NOT NULL AND r.fact_embedding IS NULL THEN 1 ELSE 0 END) AS
                missing`,
            { groups: [...groupIds, ...otherGroupIds] },
          ),
        );
        return Number(row?.['missing']) === 0;
      },
      150_000,
    );
    await graph.close();
    entities = await entitiesOf(ada, groupId);
    episodes = await episodesOf(ada, groupId);
    const found = entities.find(({ name }) => name === 'Marie Curie');
    if (found === undefined) throw new Error('Marie Curie is not known.');
    marie = found;
    const others = await entitiesOf(eve, otherGroupId);
    theirs = [
      ...others.flatMap(({ uuid, facts }) => [uuid, ...facts.map((fact) => fact.uuid)]),
      ...(await episodesOf(eve, otherGroupId)).map(({ uuid }) => uuid),
    ];
    const input = {
      uri: process.env['NEO4J_URI'],
      user: process.env['NEO4J_USER'] ?? 'neo4j',
      password: process.env['NEO4J_PASSWORD'],
      embeddingsUrl: `http://127.0.0.1:${process.env['AIDEN_TEST_LOCAL_LLM_PORT']}/v1`,
      embeddingModel: 'local-embedding-512',
      dimensions: DIMENSIONS,
      groupIds,
      otherGroupIds,
      center: marie.uuid,
      query: 'Where does Marie Curie work?',
    };
    answers = (await runPython(GRAPHITI, [CLIENT], JSON.stringify(input))) as typeof answers;
  });

  const list = (name: string) => answers[name] as string[];
  const found = (name: string) => answers[name] as Found;
  const facts = () => [
    ...new Map(entities.flatMap((known) => known.facts.map((fact) => [fact.uuid, fact]))).values(),
  ];
  const factIds = () => sorted(facts().map(({ uuid }) => uuid));
  const entityIds = () => sorted(entities.map(({ uuid }) => uuid));
  const episodeIds = () => episodes.map(({ uuid }) => uuid);
  const mentionedIds = () =>
    sorted([...new Set(episodes.flatMap(({ mentions }) => mentions.map(({ uuid }) => uuid)))]);
  const time = (value: unknown) => (value == null ? null : Date.parse(String(value)));

  it('reads the same entities, facts, episodes and mentions as the API', () => {
    const { records } = answers;
    const byUuid = <One extends { uuid?: unknown }>(things: readonly One[]) =>
      [...things].sort((one, other) => (String(one.uuid) < String(other.uuid) ? -1 : 1));
    expect(
      byUuid(records.nodes).map(({ uuid, name, summary, labels }) => ({
        uuid,
        name,
        summary,
        entityType: labels.find((label) => label !== 'Entity') ?? null,
      })),
    ).toEqual(
      byUuid(entities).map(({ uuid, name, summary, entityType }) => ({
        uuid,
        name,
        summary,
        entityType,
      })),
    );
    expect(
      byUuid(records.edges).map((edge) => ({
        uuid: edge['uuid'],
        name: edge['name'],
        fact: edge['fact'],
        validAt: time(edge['valid_at']),
        source: edge['source_node_uuid'],
        target: edge['target_node_uuid'],
        episodes: edge['episodes'],
      })),
    ).toEqual(
      byUuid(facts()).map(({ validAt, source, target, ...fact }) => ({
        ...fact,
        validAt: time(validAt),
        source: source.uuid,
        target: target.uuid,
      })),
    );
    expect(
      byUuid(records.episodes).map(({ uuid, name, content, source, valid_at: validAt }) => ({
        uuid,
        name,
        content,
        source: String(source).toUpperCase(),
        validAt: time(validAt),
      })),
    ).toEqual(
      byUuid(episodes).map(({ mentions: _mentions, validAt, ...episode }) => ({
        ...episode,
        validAt: time(validAt),
      })),
    );
    expect(sorted(records.mentions.map((pair) => pair.join(' ')))).toEqual(
      sorted(
        episodes.flatMap(({ uuid, mentions }) =>
          mentions.map((entity) => `${uuid} ${entity.uuid}`),
        ),
      ),
    );
  });

  it('finds each by its id, its name, and its neighbours', () => {
    expect(answers['EntityNode.get_by_uuid']).toBe(marie.uuid);
    expect(sorted(list('EntityNode.get_by_uuids'))).toEqual(entityIds());
    expect(list('EntityNode.get_by_names')).toEqual([marie.uuid]);
    expect(sorted(list('EpisodicNode.get_by_uuids'))).toEqual(sorted(episodeIds()));
    expect(episodeIds()).toContain(answers['EpisodicNode.get_by_uuid']);
    expect(sorted(list('EpisodicNode.get_by_entity_node_uuid'))).toEqual(
      sorted(marie.episodes.nodes.map(({ uuid }) => uuid)),
    );
    expect(answers['EntityEdge.get_by_uuid']).toBe(answers.records.edge);
    expect(sorted(list('EntityEdge.get_by_uuids'))).toEqual(factIds());
    expect(sorted(list('EntityEdge.get_by_node_uuid'))).toEqual(
      sorted(marie.facts.map(({ uuid }) => uuid)),
    );
    expect(list('EntityEdge.get_between_nodes')).toContain(answers.records.edge);
    expect(list('EpisodicEdge.get_by_uuids')).toHaveLength(answers.records.mentions.length);
    expect(answers['no such node']).toBe('NodeNotFoundError');
  });

  it('finds nothing of the kinds that Aiden does not write', () => {
    for (const name of [
      'CommunityNode.get_by_group_ids',
      'CommunityEdge.get_by_group_ids',
      'SagaNode.get_by_group_ids',
      'utils.get_communities_by_nodes',
      'utils.community_fulltext_search',
    ])
      expect(answers[name], name).toEqual([]);
  });

  it('loads the embeddings of all', () => {
    const all = (uuids: readonly string[]) =>
      Object.fromEntries(uuids.map((uuid) => [uuid, DIMENSIONS]));
    expect(answers['loaded']).toEqual([DIMENSIONS, DIMENSIONS]);
    expect(answers['utils.get_embeddings_for_nodes']).toEqual(all(entityIds()));
    expect(answers['utils.get_embeddings_for_edges']).toEqual(all(factIds()));
  });

  it('reads episodes in their order, and walks from them', () => {
    expect(list('retrieve_episodes')).toEqual(episodeIds());
    expect(list('retrieve_episodes of messages')).toEqual(episodeIds());
    expect(list('retrieve_episodes, the last')).toEqual(episodeIds().slice(-1));
    expect(list('retrieve_episodes of long ago')).toEqual([]);
    expect(sorted(list('utils.get_mentioned_nodes'))).toEqual(mentionedIds());
    const walked = found('get_nodes_and_edges_by_episode');
    expect(sorted(walked.nodes)).toEqual(mentionedIds());
    expect(sorted([...new Set(walked.edges)])).toEqual(factIds());
    const [edge] = facts().filter(({ uuid }) => uuid === answers.records.edge);
    expect(sorted(list('utils.get_episodes_by_mentions'))).toEqual(sorted(edge?.episodes ?? []));
  });

  it('finds by words, meaning and graph', () => {
    for (const name of ['node_fulltext_search', 'node_similarity_search', 'hybrid_node_search'])
      expect(list(`utils.${name}`)[0], name).toBe(marie.uuid);
    for (const name of ['edge_fulltext_search', 'edge_similarity_search'])
      expect(list(`utils.${name}`)[0], name).toBe(answers.records.edge);
    expect(list('utils.episode_fulltext_search').length).toBeGreaterThan(0);
    expect(list('utils.node_bfs_search').length).toBeGreaterThan(0);
    expect(list('utils.edge_bfs_search').length).toBeGreaterThan(0);
    const [about = '', work] = [
      facts().find(({ fact }) => fact.includes('Marie Curie') && fact.includes('Sorbonne'))?.uuid,
      list('search'),
    ];
    expect(work).toContain(about);
    expect(list('search around a node')).toContain(about);
    for (const recipe of ['COMBINED_HYBRID_SEARCH_RRF', 'COMBINED_HYBRID_SEARCH_MMR']) {
      const { nodes, edges } = found(recipe);
      expect(nodes, recipe).toContain(marie.uuid);
      expect(edges, recipe).toContain(about);
    }
    // Its full text takes the last of several groups only; Episodes have their conversation's.
    expect(found('Episodes of COMBINED_HYBRID_SEARCH_RRF').episodes.length).toBeGreaterThan(0);
    for (const recipe of ['NODE_HYBRID_SEARCH_RRF', 'NODE_HYBRID_SEARCH_EPISODE_MENTIONS'])
      expect(found(recipe).nodes, recipe).toContain(marie.uuid);
    for (const recipe of ['EDGE_HYBRID_SEARCH_RRF', 'EDGE_HYBRID_SEARCH_EPISODE_MENTIONS'])
      expect(found(recipe).edges, recipe).toContain(about);
  });

  it('filters facts by type, label and time', () => {
    for (const name of ['of its type', 'between entities', 'created before now'])
      expect(list(`facts ${name}`), name).toContain(answers.records.edge);
    for (const name of ['of another type', 'created after now'])
      expect(list(`facts ${name}`), name).toEqual([]);
  });

  it('sees nothing of another group, and nothing twice', () => {
    const own = new Set([...entityIds(), ...factIds(), ...episodeIds()]);
    const others = new Set(theirs);
    // Each mention counts as its own record, and its id stands nowhere in the API.
    const { records, ...asked } = answers;
    for (const [name, answer] of Object.entries(asked)) {
      if (name.startsWith('EpisodicEdge') || name === 'no such node') continue;
      const group = name.endsWith('in another group') ? others : own;
      const uuids = uuidsIn(answer);
      expect(
        uuids.filter((uuid) => !group.has(uuid)),
        name,
      ).toEqual([]);
      const lists = name === 'get_nodes_and_edges_by_episode' ? [] : uuids;
      expect(new Set(lists).size, name).toBe(lists.length);
    }
    expect(uuidsIn(answers['search in another group']).length).toBeGreaterThan(0);
    expect(records.nodes.map(({ name }) => name)).not.toContain('Institute of Radium');
    expect(records.nodes.map(({ name }) => name)).toContain('Radium Institute');
  });
});
