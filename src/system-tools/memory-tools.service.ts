import { z } from 'zod';
import { findEvents, type StoredEvent } from '../agent-memory/events/event.cypher.ts';
import { expandGrip } from '../agent-memory/grips/expand-grip.service.ts';
import { nodeOfHit } from '../agent-memory/search/event-search.cypher.ts';
import { realmOf } from '../agent-memory/store.ts';
import { findTocNodes, type StoredTocNode } from '../agent-memory/toc/toc.cypher.ts';
import { browseToc, getTocNode, getTocRoot } from '../agent-memory/toc/toc-browse.service.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { notFound, Refusal } from '../common/refusal.ts';
import { findEntities, listEntities } from '../memory-graph/entities/entity.cypher.ts';
import type { Entity } from '../memory-graph/entities/entity.ts';
import { findFacts, listFactsOfEntities } from '../memory-graph/entities/fact.cypher.ts';
import type { Fact } from '../memory-graph/entities/fact.ts';
import { nameKey } from '../memory-graph/entities/name-match.ts';
import { findEpisodes } from '../memory-graph/episodes/episode.cypher.ts';
import { type SearchDeps, searchMemory } from '../memory-graph/search/search-memory.service.ts';
import { findStatements } from '../memory-graph/statements/statement.cypher.ts';
import type { Statement } from '../memory-graph/statements/statement.ts';
import { settleSwitches } from '../memory-graph/withdrawal/withdrawal.mutations.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import { provenFacts, saidIn, shown } from './evidence.service.ts';

// The reading Tools over the memory of the user that a run belongs to. Every statement is scoped by
// the viewer, so an id of another user finds nothing.

const KINDS = ['fact', 'statement', 'episode', 'entity', 'note', 'toc', 'event'] as const;

const Search = z.object({
  query: z.string(),
  kinds: z.array(z.enum(KINDS)).default(['fact', 'statement', 'episode', 'entity', 'note', 'toc']),
  asOf: z.iso.datetime({ offset: true }).nullish(),
  knownAt: z.iso.datetime({ offset: true }).nullish(),
  limit: z.int().min(1).max(20).default(8),
});

/** Memories that answer, by relevance, each with its text and evidence; the reason if none does. */
export async function searchTool(deps: SearchDeps, viewer: Viewer, inputs: JsonObject) {
  const { query, limit, asOf: validAt, knownAt, ...asked } = Search.parse(inputs);
  // Nodes and events do not tell since when they are known.
  const kinds = asked.kinds.filter(
    (kind) => knownAt == null || (kind !== 'toc' && kind !== 'event'),
  );
  const { hits, answerable, reason } = await searchMemory(deps, viewer, {
    ...{ query, kinds, limit, validAt, knownAt },
  });
  const idsOf = (kind: string) => hits.filter((hit) => hit.kind === kind).map(({ uuid }) => uuid);
  return deps.graph.read(async (tx) => {
    const { userId } = viewer;
    const provenOf = async (facts: readonly Fact[]) => {
      const proven = await provenFacts(tx, userId, facts);
      return facts.map(({ uuid }, at): [string, JsonObject] => [uuid, proven[at] ?? {}]);
    };
    const [facts, statements, entities, episodes, nodes, events] = await Promise.all([
      findFacts(tx, userId, idsOf('fact')).then(provenOf),
      findStatements(tx, userId, idsOf('statement')),
      findEntities(tx, userId, idsOf('entity')),
      findEpisodes(tx, userId, [...idsOf('episode'), ...idsOf('note')]),
      findTocNodes(tx, idsOf('toc').map(nodeOfHit)),
      findEvents(tx, realmOf(viewer, deps.memoryMode), idsOf('event')),
    ]);
    const texts = new Map<string, JsonObject>([
      ...facts,
      ...statements.map((one): [string, JsonObject] => [one.uuid, toldStatement(one)]),
      ...[...entities].map(([uuid, one]): [string, JsonObject] => [uuid, briefEntity(one)]),
      ...episodes.map((one): [string, JsonObject] => [one.uuid, saidIn(one)]),
      ...nodes.map((one): [string, JsonObject] => [one.nodeId, briefNode(one)]),
      ...events.map((one): [string, JsonObject] => [one.eventId, toldEvent(one)]),
    ]);
    const found = hits.flatMap(({ kind, uuid }): Json[] => {
      const text = texts.get(kind === 'toc' ? nodeOfHit(uuid).nodeId : uuid);
      return text === undefined ? [] : [{ kind, ...text }];
    });
    return { answerable, reason, found };
  });
}

function briefEntity({ uuid, name, entityType, summary }: Entity): JsonObject {
  return { uuid, name, category: entityType, summary: shown(summary) };
}

function toldStatement(statement: Statement): JsonObject {
  const { uuid, text, saidBy, attribute, saidAt, validAt, invalidAt, episodes } = statement;
  return {
    ...{ uuid, text: shown(text), saidBy, attribute, saidAt, validAt, invalidAt },
    episodes: [...episodes],
  };
}

const briefNode = ({ nodeId, title, bullets }: StoredTocNode): JsonObject => ({
  nodeId,
  title,
  lines: bullets.map(({ text, gripIds }) => ({ text: shown(text), gripIds: [...gripIds] })),
});

function toldEvent({ eventId, timestamp, role, text, sessionId }: StoredEvent): JsonObject {
  return { eventId, saidAt: timestamp, role, text: shown(text), sessionId };
}

const EntityInput = z.object({ name: z.string().nullish(), uuid: z.string().nullish() });
const NAMED_MAX = 20;
const FACTS_SHOWN_MAX = 30;

/**
 * An entity by uuid or name, with its facts and their evidence. One name in several conversations
 * is shown as one.
 * @throws Refusal REQUIRED, NOT_FOUND
 */
export async function entityTool(deps: SearchDeps, viewer: Viewer, inputs: JsonObject) {
  const { name = null, uuid = null } = EntityInput.parse(inputs);
  if (name === null && uuid === null)
    throw Refusal.of('REQUIRED', ['name'], 'Give the name or the uuid of the entity.');
  await settleSwitches(deps, viewer.userId);
  return deps.graph.read(async (tx) => {
    const { same, alike } = await namedEntities(tx, viewer, { name, uuid });
    const [first] = same;
    if (first === undefined) {
      if (alike.length === 0) throw new Refusal([notFound('entity', [uuid ? 'uuid' : 'name'])]);
      return { entity: null, alike: alike.map(briefEntity) };
    }
    const listed = await listFactsOfEntities(
      tx,
      viewer.userId,
      same.map((one) => one.uuid),
    );
    const facts = new Map<string, Fact>();
    for (const fact of [...listed.values()].flat()) facts.set(fact.uuid, fact);
    const holding = [...facts.values()].sort(byHolding).slice(0, FACTS_SHOWN_MAX);
    return {
      entity: {
        ...briefEntity(first),
        summary: same.map(({ summary }) => shown(summary)).find((text) => text !== '') ?? '',
        facts: await provenFacts(tx, viewer.userId, holding),
      },
      alike: alike.map(briefEntity),
    };
  });
}

/** Facts that hold come first, then newer ones. */
function byHolding(a: Fact, b: Fact): number {
  const over = Number(a.invalidAt !== null) - Number(b.invalidAt !== null);
  return over || (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0);
}

async function namedEntities(
  tx: ReadTx,
  { userId }: Viewer,
  { name, uuid }: { readonly name: string | null; readonly uuid: string | null },
): Promise<{ readonly same: readonly Entity[]; readonly alike: readonly Entity[] }> {
  if (uuid !== null)
    return { same: [...(await findEntities(tx, userId, [uuid])).values()], alike: [] };
  const query = name ?? '';
  const { items } = await listEntities(tx, userId, { query, first: NAMED_MAX });
  const found = items.map(({ item }) => item);
  const key = nameKey(query);
  const same = found.filter((one) => nameKey(one.name) === key);
  const alike = found.filter((one) => nameKey(one.name) !== key && nameKey(one.name).includes(key));
  return { same, alike };
}

const Browse = z.object({
  nodeId: z.string().nullish(),
  limit: z.int().min(1).max(50).default(20),
  token: z.string().nullish(),
});

/**
 * A node of the table of contents with its children; the years without a node.
 * @throws Refusal INVALID, NOT_FOUND
 */
export async function browseTool(
  deps: Pick<SearchDeps, 'graph' | 'memoryMode'>,
  viewer: Viewer,
  inputs: JsonObject,
) {
  const { nodeId = null, limit, token } = Browse.parse(inputs);
  const agentMemory = { graph: deps.graph, memoryMode: deps.memoryMode };
  if (nodeId === null) {
    const years = await getTocRoot(agentMemory, viewer, null);
    return { node: null, children: years.map(briefNode), nextToken: null };
  }
  const node = await getTocNode(agentMemory, viewer, { nodeId });
  if (node === null) throw new Refusal([notFound('node', ['nodeId'])]);
  const page = await browseToc(agentMemory, viewer, { parentId: nodeId, limit, token });
  return {
    node: briefNode(node),
    children: page.nodes.map(briefNode),
    nextToken: page.nextToken,
  };
}

const Grip = z.object({
  gripId: z.string(),
  before: z.int().min(0).max(10).default(2),
  after: z.int().min(0).max(10).default(2),
});

/**
 * The events that a line of the table of contents was taken from, with events around them.
 * @throws Refusal NOT_FOUND
 */
export async function gripTool(
  deps: Pick<SearchDeps, 'graph' | 'memoryMode'>,
  viewer: Viewer,
  inputs: JsonObject,
) {
  const { gripId, before: eventsBefore, after: eventsAfter } = Grip.parse(inputs);
  const agentMemory = { graph: deps.graph, memoryMode: deps.memoryMode };
  const found = await expandGrip(agentMemory, viewer, { gripId, eventsBefore, eventsAfter });
  if (found === null) throw new Refusal([notFound('grip', ['gripId'])]);
  return {
    excerpt: shown(found.grip.excerpt),
    before: found.eventsBefore.map(toldEvent),
    events: found.excerptEvents.map(toldEvent),
    after: found.eventsAfter.map(toldEvent),
  };
}
