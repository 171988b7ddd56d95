import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import type { NodeRef } from '../toc/toc.cypher.ts';

const INDEX_EVENTS = /* cypher */ `
  // indexMemoryEvents
  UNWIND $events AS event
  MATCH (m:MemoryEvent {realm: event.realm, eventId: event.eventId})
  SET m:IndexedEvent
`;

/** Lets events be found by their words; those that are found already stay so (S2-OUT-01, IndexEvent). */
export async function indexEvents(
  tx: WriteTx,
  events: readonly { readonly realm: string; readonly eventId: string }[],
): Promise<void> {
  await tx.run(INDEX_EVENTS, { events: events.map((event) => ({ ...event })) });
}

// The index knows whose a thing is by words; that it is just this store is looked at afterwards.
const EVENT_WORDS = /* cypher */ `
  CALL db.index.fulltext.queryNodes('memory_event_words', $eventQuery, {limit: $deep}) YIELD node AS m, score
  WITH m, score WHERE m.store = $store AND ($sessionId IS NULL OR m.sessionId = $sessionId)
  RETURN 'event' AS kind, m.eventId AS id, score ORDER BY score DESC LIMIT $k
`;
const TOC_WORDS = /* cypher */ `
  CALL db.index.fulltext.queryNodes('toc_words', $tocQuery, {limit: $deep}) YIELD node AS l, score
  WITH l, score WHERE l.store = $store AND NOT l.isEmpty AND $sessionId IS NULL
  RETURN 'toc' AS kind, l.nodeId AS id, score ORDER BY score DESC LIMIT $k
`;
const SEARCH = {
  both: `// searchRecall\n${EVENT_WORDS} UNION ALL ${TOC_WORDS}`,
  event: `// searchRecall\n${EVENT_WORDS}`,
  toc: `// searchRecall\n${TOC_WORDS}`,
} as const;

export const AgentMemoryHit = z.object({
  kind: z.enum(['event', 'toc']),
  /** Of an event, or of a node. */
  id: z.string(),
  score: z.number(),
});
export type AgentMemoryHit = Readonly<z.infer<typeof AgentMemoryHit>>;

// Hits of other stores fall away afterwards, so more is looked at than is wanted.
const DEPTH = 5;

/** Events and nodes of one store by their words, `k` of a kind at most. @param words already in Lucene's syntax */
export async function searchAgentMemory(
  tx: ReadTx,
  input: {
    readonly store: string;
    readonly sessionId: string | null;
    readonly kinds: readonly ('event' | 'toc')[];
    readonly words: string;
    readonly k: number;
  },
): Promise<AgentMemoryHit[]> {
  const { store, sessionId, kinds, words, k } = input;
  const [first, second] = kinds;
  if (first === undefined) return [];
  const whose = `+store:"${store.replace(/["\\]/g, '\\$&')}"`;
  const rows = await tx.run(SEARCH[second === undefined ? first : 'both'], {
    store,
    sessionId,
    k,
    deep: k * DEPTH,
    eventQuery: `${whose} +text:(${words})`,
    tocQuery: `${whose} +words:(${words})`,
  });
  return rows.map((row) => parseRow(AgentMemoryHit, row, 'Hit'));
}

/** What a found node is called among hits of all kinds: its name says nothing without its store. */
export function tocHitId({ store, nodeId }: NodeRef): string {
  return `${store} ${nodeId}`;
}

export function nodeOfHit(id: string): NodeRef {
  const at = id.lastIndexOf(' ');
  return { store: id.slice(0, at), nodeId: id.slice(at + 1) };
}
