import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIMENSIONS } from '../../packages/local-llm/src/sentence-model.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { runCypher, testGraph } from '../testkit/graph.ts';
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
type Found = Readonly<Record<'nodes' | 'edges' | 'episodes', readonly string[]>>;
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
const WAIT_MS_MAX = 150_000;

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
  const { turns } = await user.find<{
    turns: { nodes: { activeAlternative: { episode: Told | null } }[] };
  }>(
    'conversation',
    conversationId,
    `turns { nodes { activeAlternative { episode { uuid name content source validAt mentions {
      uuid } } } } }`,
  );
  return turns.nodes.flatMap(({ activeAlternative: { episode } }) => episode ?? []);
}

/** The conversation of a user who says the sentences, once all of them is read. */
async function says(user: TestClient) {
  const id = await tells(user, ...SENTENCES);
  const entities = () => entitiesOf(user, id);
  const episodes = () => episodesOf(user, id);
  const isRead = async () => {
    const told = await episodes();
    return (
      (await entities()).flatMap(({ facts }) => facts).length > 1 &&
      told.length === SENTENCES.length &&
      told.every(({ mentions }) => mentions.length > 0)
    );
  };
  return { id, entities, episodes, isRead };
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

const idsOf = (things: readonly { uuid: string }[]) => things.map(({ uuid }) => uuid);
const unique = (values: readonly string[]) => [...new Set(values)].sort();

describe.skipIf(missing !== null)(`graphiti-core${missing === null ? '' : `: ${missing}`}`, () => {
  let answers: Record<string, unknown> & { records: Records };
  let entities: readonly Known[];
  let episodes: readonly Told[];
  let marie: Known;
  let theirs: string[];

  beforeAll(async () => {
    const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
    const [hers, others] = [await says(ada), await says(eve)];
    const makes = async (name: string, summary: string, more: object = {}) => {
      const input = { conversationId: hers.id, name, summary, ...more };
      const { entity } = await ada.mutate<{ entity: { uuid: string } }>(
        'createEntity',
        input,
        'entity { uuid }',
      );
      return entity.uuid;
    };
    const category = 'Organization';
    const keepUuid = await makes('Radium Institute', 'Where radium is studied.', { category });
    const mergeUuid = await makes('Institute of Radium', 'The same institute.');
    const areRead = async () => (await hers.isRead()) && (await others.isRead());
    await eventually('all is read', areRead, WAIT_MS_MAX);
    // Entities and facts have their owner's group, Episodes and what a user makes a conversation's.
    const groupsOf = async ({ id, entities: known }: typeof hers) =>
      unique([id, ...(await known()).map(({ groupId }) => groupId)]);
    const [groupIds, otherGroupIds] = [await groupsOf(hers), await groupsOf(others)];
    await ada.mutate('mergeEntities', { keepUuid, mergeUuid });
    const graph = testGraph();
    const groups = [...groupIds, ...otherGroupIds];
    const unembedded = `MATCH (e:Entity) WHERE e.group_id IN $groups
      OPTIONAL MATCH (e)-[r:RELATES_TO]->() WITH e, r
      WHERE e.name_embedding IS NULL OR (r IS NOT NULL AND r.fact_embedding IS NULL)
      RETURN e.uuid AS uuid`;
    const haveVectors = async () => (await runCypher(graph, unembedded, { groups })).length === 0;
    await eventually('all has its vectors', haveVectors, WAIT_MS_MAX);
    await graph.close();
    entities = await hers.entities();
    episodes = await hers.episodes();
    const found = entities.find(({ name }) => name === 'Marie Curie');
    if (found === undefined) throw new Error('Marie Curie is not known.');
    marie = found;
    theirs = [
      ...(await others.entities()).flatMap(({ uuid, facts }) => [uuid, ...idsOf(facts)]),
      ...idsOf(await others.episodes()),
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
  const mentionedIds = () => unique(episodes.flatMap(({ mentions }) => idsOf(mentions)));
  const time = (value: unknown) => (value == null ? null : Date.parse(String(value)));

  it('reads the same entities, facts, episodes and mentions as the API', () => {
    const { records } = answers;
    const byUuid = <One extends { uuid?: unknown }>(things: readonly One[]) =>
      [...things].sort((one, other) => (String(one.uuid) < String(other.uuid) ? -1 : 1));
    expect(
      byUuid(records.nodes).map(({ labels, uuid, name, summary }) => ({
        ...{ uuid, name, summary },
        entityType: labels.find((label) => label !== 'Entity') ?? null,
      })),
    ).toEqual(
      byUuid(entities).map(({ uuid, name, summary, entityType }) => ({
        ...{ uuid, name, summary, entityType },
      })),
    );
    expect(
      byUuid(records.edges).map(({ uuid, name, fact, episodes: of, ...edge }) => ({
        ...{ uuid, name, fact, episodes: of },
        validAt: time(edge['valid_at']),
        source: edge['source_node_uuid'],
        target: edge['target_node_uuid'],
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
        ...{ uuid, name, content },
        source: String(source).toUpperCase(),
        validAt: time(validAt),
      })),
    ).toEqual(
      byUuid(episodes).map(({ mentions: _mentions, validAt, ...episode }) => ({
        ...episode,
        validAt: time(validAt),
      })),
    );
    expect(records.mentions.map((pair) => pair.join(' ')).toSorted()).toEqual(
      episodes
        .flatMap(({ uuid, mentions }) => mentions.map((entity) => `${uuid} ${entity.uuid}`))
        .toSorted(),
    );
  });

  it('finds each by its id, its name, and its neighbours, and walks from episodes', () => {
    const { edge, mentions } = answers.records;
    const of = facts().find(({ uuid }) => uuid === edge)?.episodes ?? [];
    const right: Record<string, readonly string[]> = {
      'EntityNode.get_by_uuids': idsOf(entities),
      'EntityNode.get_by_names': [marie.uuid],
      'EpisodicNode.get_by_uuids': idsOf(episodes),
      'EpisodicNode.get_by_entity_node_uuid': idsOf(marie.episodes.nodes),
      'EntityEdge.get_by_uuids': idsOf(facts()),
      'EntityEdge.get_by_node_uuid': idsOf(marie.facts),
      'utils.get_mentioned_nodes': mentionedIds(),
      'utils.get_episodes_by_mentions': of,
      'retrieve_episodes of long ago': [],
    };
    for (const [name, ids] of Object.entries(right))
      expect(list(name).toSorted(), name).toEqual([...ids].sort());
    expect(answers['EntityNode.get_by_uuid']).toBe(marie.uuid);
    expect(idsOf(episodes)).toContain(answers['EpisodicNode.get_by_uuid']);
    expect(answers['EntityEdge.get_by_uuid']).toBe(edge);
    expect(list('EntityEdge.get_between_nodes')).toContain(edge);
    expect(list('EpisodicEdge.get_by_uuids')).toHaveLength(mentions.length);
    expect(answers['no such node']).toBe('NodeNotFoundError');
    // In their order.
    expect(list('retrieve_episodes')).toEqual(idsOf(episodes));
    expect(list('retrieve_episodes of messages')).toEqual(idsOf(episodes));
    expect(list('retrieve_episodes, the last')).toEqual(idsOf(episodes).slice(-1));
    const { nodes, edges } = found('get_nodes_and_edges_by_episode');
    expect([unique(nodes), unique(edges)]).toEqual([mentionedIds(), unique(idsOf(facts()))]);
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
    const all = (things: readonly { uuid: string }[]) =>
      Object.fromEntries(things.map(({ uuid }) => [uuid, DIMENSIONS]));
    expect(answers['loaded']).toEqual([DIMENSIONS, DIMENSIONS]);
    expect(answers['utils.get_embeddings_for_nodes']).toEqual(all(entities));
    expect(answers['utils.get_embeddings_for_edges']).toEqual(all(facts()));
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
    const own = new Set([entities, facts(), episodes].flatMap(idsOf));
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
