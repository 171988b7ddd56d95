import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openSentenceModel } from '../packages/local-llm/src/sentence-model.ts';
import { createIdSource } from '../src/common/id.ts';
import { createConversation } from '../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../src/conversations/turn.mutations.ts';
import { openEmbeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import { findUnboundAlternatives } from '../src/memory-graph/episodes/episode.cypher.ts';
import { bindEpisode } from '../src/memory-graph/episodes/episode.mutations.ts';
import { userGroupOf } from '../src/memory-graph/group.ts';
import { searchMemory } from '../src/memory-graph/search/search-memory.service.ts';
import { openEgress } from '../src/platform/egress/egress.ts';
import { type Embedder, openEmbedder } from '../src/platform/embeddings/embedder.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openLog } from '../src/platform/telemetry/log.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import { luceneOf } from '../src/text/lucene.ts';
import { mergeUser } from '../src/users/user.cypher.ts';
import type { Viewer } from '../src/users/user.ts';
import { type LocomoTalk, readLocomo } from './locomo.ts';
import { type Figure, holds, printFigure } from './report.ts';

// The share of a question's evidence that is found: the evidence turns of LoCoMo's questions
// (data/locomo10.json of that project; its licence allows no copy of it here) by our hybrid search,
// against plain full text and plain vector search over the same turns, in the same run, without a
// model beyond local-llm's. Tuned on the first half of the conversations; both halves
// are shown.
//
//  npm run bench -- retrieval --data <path of locomo10.json> [--conversations 2] the first ones
// only [--embeddings-url URL --embeddings-model NAME] another model than local-llm's

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string' },
    'embeddings-url': { type: 'string' },
    'embeddings-model': { type: 'string' },
  },
  strict: false,
});
if (typeof values.data !== 'string') {
  console.log('skipped: give the path of locomo10.json with --data.');
  process.exit(0);
}

const talks = (await readLocomo(values.data)).slice(0, Number(values.conversations ?? 100));

const { env } = process;
const graph = openGraph({
  uri: String(env['NEO4J_URI']),
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
});
await migrate(graph);
const model = await openModel(values['embeddings-url'], values['embeddings-model']);

async function openModel(url: unknown, name: unknown): Promise<Embedder> {
  if (typeof url === 'string') {
    const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [url] });
    return openEmbedder(egress, { url, model: String(name) });
  }
  const sentences = await openSentenceModel(
    join(import.meta.dirname, '../packages/local-llm/model'),
  );
  return {
    model: 'local-embedding-512',
    url: 'bench:',
    embed: async (texts) =>
      texts.map((text) => [...sentences.embed(text.replaceAll('\n', ' ')).vector]),
  };
}
const embeddings = openEmbeddings({
  graph,
  log: openLog('error'),
  embedder: model,
  openFormer: () => model,
});
const time = { nowMs: Date.now() };
const clock = { nowMs: () => time.nowMs, random: Math.random };
const deps = {
  graph,
  clock,
  newId: createIdSource(clock),
  settings: { current: async () => SETTINGS_DEFAULT, forget: () => {} },
  embeddings,
  memoryMode: { mode: 'separate', agentId: null } as const,
  wake: () => {},
  queuePrefix: 'bench-',
};

interface Told {
  readonly viewer: Viewer;
  readonly conversationId: string;
  /** The Episodes' uuids by the turns' ids. */
  readonly episodes: ReadonlyMap<string, string>;
}

/**
 * One talk as a conversation of a user's own, told through the product: turns, Episodes, windows,
 * stretches, vectors.
 */
async function tell({ turns }: LocomoTalk): Promise<Told> {
  const roles = ['user' as const];
  const identity = { issuer: 'bench', sub: randomUUID(), name: 'bench', roles, workspace: null };
  const user = await graph.write((tx) =>
    mergeUser(tx, { identity, id: deps.newId(), now: new Date().toISOString() }),
  );
  const viewer: Viewer = { userId: user.id, name: 'bench', roles, workspace: user.workspace };
  const { id: conversationId } = await createConversation(deps, viewer, {});
  const episodes = new Map<string, string>();
  for (const { id, text: content, saidAtMs } of turns) {
    time.nowMs = saidAtMs;
    const turn = await appendTurn(deps, viewer, { conversationId, content });
    const [alternativeId = ''] = await graph.read((tx) =>
      findUnboundAlternatives(tx, { alternativeIds: [], turnIds: [turn.id] }),
    );
    const bound = await bindEpisode(deps, alternativeId);
    episodes.set(id, bound?.episodeUuid ?? '');
  }
  while ((await embeddings.embedPending()) > 0);
  return { viewer, conversationId, episodes };
}

const PLAIN_WORDS = /* cypher */ `
  // benchPlainWords
  CALL db.index.fulltext.queryNodes('episode_content', $query, {limit: 20}) YIELD node, score
  RETURN node.uuid AS uuid ORDER BY score DESC
`;
const WINDOW_WORDS = /* cypher */ `
  // benchWindowWords
  CALL db.index.fulltext.queryNodes('episode_words_english', $query, {limit: 60}) YIELD node, score
  RETURN node.episodeUuid AS uuid, max(score) AS score ORDER BY score DESC LIMIT 20
`;
const PLAIN_VECTORS = /* cypher */ `
  // benchPlainVectors
  MATCH (n:EpisodeText {owner: $owner, group_id: $conversationId})
  RETURN n.episodeUuid AS uuid, max(vector.similarity.cosine(n.vectorA, $vector)) AS score ORDER BY
    score DESC LIMIT 20
`;
const METHODS = ['hybrid', 'full text', 'full text over windows', 'vectors'] as const;
type Method = (typeof METHODS)[number];

async function find(told: Told, method: Method, question: string): Promise<string[]> {
  const { viewer, conversationId } = told;
  const owner = userGroupOf(viewer.userId);
  const run = async (cypher: string, params: object) =>
    (await graph.read((tx) => tx.run(cypher, { ...params }))).map(({ uuid }) => String(uuid));
  const asked = luceneOf(question).words;
  if (method === 'full text')
    return run(PLAIN_WORDS, { query: `+group_id:"${conversationId}"^0 +content:(${asked})` });
  if (method === 'full text over windows')
    return run(WINDOW_WORDS, { query: `+group_id:"${conversationId}"^0 +window:(${asked})` });
  if (method === 'vectors') {
    const [vector] = await model.embed([question]);
    return run(PLAIN_VECTORS, { owner, conversationId, vector });
  }
  const query = { query: question, conversationId, kinds: ['episode' as const], limit: 20 };
  const { hits, nearest } = await searchMemory(deps, viewer, query);
  return [...hits, ...nearest].map(({ uuid }) => uuid);
}

const NONE = {
  asked: 0,
  any1: 0,
  any10: 0,
  any20: 0,
  recall5: 0,
  recall10: 0,
  multiHopAsked: 0,
  multiHop10: 0,
};
type Score = typeof NONE;
const scores = METHODS.map(() => [{ ...NONE }, { ...NONE }]);
for (const [at, talk] of talks.entries()) {
  const told = await tell(talk);
  for (const { text: question, kind, evidence: wanted } of talk.questions) {
    const known = [...wanted].map((id) => told.episodes.get(id)).filter((id) => id !== undefined);
    if (kind === 'adversarial' || known.length === 0) continue;
    for (const [index, method] of METHODS.entries()) {
      const found = await find(told, method, question);
      const hits = (k: number) => found.slice(0, k).filter((uuid) => known.includes(uuid)).length;
      const score = scores[index]?.[at < talks.length / 2 ? 0 : 1] ?? { ...NONE };
      score.asked++;
      score.any1 += hits(1);
      score.any10 += Math.sign(hits(10));
      score.any20 += Math.sign(hits(20));
      score.recall5 += hits(5) / wanted.size;
      score.recall10 += hits(10) / wanted.size;
      if (kind === 'multi-hop') {
        score.multiHopAsked++;
        score.multiHop10 += hits(10) / wanted.size;
      }
    }
  }
  console.log(`${at + 1} of ${talks.length} conversations asked`);
}

const mean = (parts: readonly Score[], of: keyof Score) => {
  const asked = of === 'multiHop10' ? 'multiHopAsked' : 'asked';
  const sum = (field: keyof Score) => parts.reduce((total, part) => total + part[field], 0);
  return sum(of) / sum(asked);
};
const COLUMNS = ['any1', 'any10', 'any20', 'recall5', 'recall10', 'multiHop10'] as const;
for (const [index, method] of METHODS.entries()) {
  const [first, second] = scores[index] ?? [];
  if (first === undefined || second === undefined) continue;
  const row = (parts: readonly Score[]) =>
    COLUMNS.map((column) => `${column} ${mean(parts, column).toFixed(3)}`).join('  ');
  console.log(`${method.padEnd(24)} all       ${row([first, second])}`);
  console.log(`${''.padEnd(24)} tuned on  ${row([first])}`);
  console.log(`${''.padEnd(24)} unseen    ${row([second])}`);
}
const of = (method: Method, column: keyof Score) =>
  mean(scores[METHODS.indexOf(method)] ?? [], column);
const figures: Figure[] = [
  ...(['recall5', 'recall10'] as const).flatMap((column) =>
    METHODS.slice(1).map((other) => ({
      name: `${column} of the evidence, hybrid over ${other}`,
      value: of('hybrid', column) / of(other, column),
      unit: 'x' as const,
      bound: 1,
      keep: 'at least' as const,
      detail: `${of('hybrid', column).toFixed(3)} / ${of(other, column).toFixed(3)}`,
    })),
  ),
  ...(
    [
      ['any10', 0.79],
      ['any20', 0.85],
      ['multiHop10', 0.45],
    ] as const
  ).map(([column, aim]) => ({
    name:
      `${column}: ` +
      (column === 'multiHop10'
        ? 'recall of multi-hop questions'
        : 'questions with at least one evidence turn found') +
      ', over the aim',
    value: of('hybrid', column) / aim,
    unit: 'x' as const,
    bound: 1,
    keep: 'at least' as const,
    detail: `${of('hybrid', column).toFixed(3)} / ${aim}`,
  })),
];
for (const figure of figures) printFigure(figure);
await graph.close();
process.exit(figures.every(holds) ? 0 : 1);
