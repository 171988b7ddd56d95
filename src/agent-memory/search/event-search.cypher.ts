import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { BulletsText, type NodeRef } from '../toc/toc.ts';

const INDEX_EVENTS = cypher`
  // indexMemoryEvents
  UNWIND $events AS event
  MATCH (m:MemoryEvent {realm: event.realm, eventId: event.eventId})
  SET m:IndexedEvent
`;

/** Adds events to the full-text index (S2-OUT-01, IndexEvent). Idempotent. */
export const indexEvents = (
  tx: WriteTx,
  events: readonly { readonly realm: string; readonly eventId: string }[],
) => runWrite(tx, INDEX_EVENTS, { events: events.map((event) => ({ ...event })) });

// The full-text index matches the store by words only, so the exact store is compared afterwards.
// Without a store the words of the realm match the stores of all its agents.
const EVENT_WORDS = /* cypher */ `
  CALL db.index.fulltext.queryNodes('memory_event_words', $eventQuery, {limit: $deep})
  YIELD node AS m, score
  WITH m, score WHERE m.realm = $realm AND ($store IS NULL OR m.store = $store)
    AND ($sessionId IS NULL OR m.sessionId = $sessionId)
    AND ($turnsAsEvents OR NOT EXISTS { MATCH (:Conversation {id: m.sessionId}) })
  RETURN 'event' AS kind, m.eventId AS id, m.store AS store, score, left(m.text, $chars) AS text,
    m.role AS role,
    null AS bullets
    ORDER BY score DESC LIMIT $k
`;
// A node with lines of a version that left the screen is not found until memory-mending has struck
// these out.
const TOC_WORDS = /* cypher */ `
  CALL db.index.fulltext.queryNodes('toc_words', $tocQuery, {limit: $deep}) YIELD node AS l, score
  WITH l, score WHERE (l.store = $store OR $store IS NULL
      AND (l.store = $realm OR l.store STARTS WITH $realm + '#'))
    AND NOT l.isEmpty AND $sessionId IS NULL
  WITH l, score ORDER BY score DESC LIMIT $k
  WHERE COUNT { (:BackgroundEvent) } = 0 OR NOT EXISTS {
    MATCH (:TocNode {store: l.store, key: l.versionKey})-[:PROVEN_BY]->(:Grip)
      -[:QUOTES]->(:BackgroundEvent) }
  RETURN 'toc' AS kind, l.nodeId AS id, l.store AS store, score, left(l.words, $chars) AS text,
    null AS role,
    head(COLLECT {
      MATCH (n:TocNode {store: l.store, key: l.versionKey}) WHERE $withLines RETURN n.bullets
    }) AS bullets
    ORDER BY score DESC LIMIT $k
`;
// Recall comes first, then a search: they are planned in this order.
const SEARCH = {
  toc: cypher`// searchRecall\n${TOC_WORDS}`,
  both: cypher`// searchRecall\n${EVENT_WORDS} UNION ALL ${TOC_WORDS}`,
  event: cypher`// searchRecall\n${EVENT_WORDS}`,
} as const;

export const AgentMemoryHit = z.object({
  kind: z.enum(['event', 'toc']),
  /** Id of the event or node. */
  id: z.string(),
  store: z.string(),
  score: z.number(),
  text: z.string(),
  /** Role of the sender of an event. */
  role: z.string().nullable(),
  /** The lines of a node; null for all others, and where they are not asked for. */
  bullets: BulletsText.nullable(),
});
export type AgentMemoryHit = Readonly<z.infer<typeof AgentMemoryHit>>;

// Hits of other stores are dropped afterwards, so the index returns 5 times as many as wanted;
// where turns of conversations are dropped as well, 20 times as many.
const DEPTH = 5;
const DEPTH_WITHOUT_TURNS = 20;

/**
 * Searches events and nodes of one realm, or of one store of it, by words, at most `k` of each
 * kind.
 * @param words a query in Lucene's syntax
 */
export async function searchAgentMemory(
  tx: ReadTx,
  input: {
    readonly realm: string;
    /** Null: the stores of all agents. */
    readonly store: string | null;
    readonly sessionId: string | null;
    /** Whether events that are turns of conversations count. */
    readonly turnsAsEvents: boolean;
    readonly kinds: readonly ('event' | 'toc')[];
    readonly words: string;
    readonly k: number;
    /** Texts are cut to this length. */
    readonly chars: number;
    /** Whether to read the lines of nodes. Default: false. */
    readonly withLines?: boolean;
  },
): Promise<AgentMemoryHit[]> {
  const { realm, store, sessionId, turnsAsEvents, kinds, words, k, chars } = input;
  const { withLines = false } = input;
  const [first, second] = kinds;
  if (first === undefined) return [];
  const ofStore = `+store:"${(store ?? realm).replace(/["\\]/g, '\\$&')}"`;
  const rows = await tx.run(SEARCH[second === undefined ? first : 'both'], {
    realm,
    store,
    sessionId,
    turnsAsEvents,
    k,
    chars,
    withLines,
    deep: k * (turnsAsEvents ? DEPTH : DEPTH_WITHOUT_TURNS),
    eventQuery: `${ofStore} +text:(${words})`,
    tocQuery: `${ofStore} +words:(${words})`,
  });
  return rows.map((row) => parseRow(AgentMemoryHit, row, 'Hit'));
}

/** Id of a node among hits of all kinds: node ids are unique only within a store. */
export function tocHitId({ store, nodeId }: NodeRef): string {
  return `${store} ${nodeId}`;
}

export function nodeOfHit(id: string): NodeRef {
  const at = id.lastIndexOf(' ');
  return { store: id.slice(0, at), nodeId: id.slice(at + 1) };
}
