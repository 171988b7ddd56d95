import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import { jsonText } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { Ingested } from '../events/event.ts';
import { queueNodes } from '../toc/toc.cypher.ts';
import type { SegmentedEvent, SegmentSpan } from './segment.ts';

export interface SessionRef {
  readonly store: string;
  readonly sessionId: string;
}

const LIST_INGESTED = cypher`
  // listIngested
  MATCH (o:MemoryIngest) WHERE o.seq > $afterSeq
  RETURN o.seq AS seq, o.payload AS payload
  ORDER BY o.seq LIMIT $limit
`;

const IngestedRow = z.object({ seq: z.int(), payload: jsonText(Ingested) });

/** Lists the ingest entries after a sequence number, in order of the outbox (S2-OUT-03). */
export function listIngested(
  tx: ReadTx,
  afterSeq: number,
  limit: number,
): Promise<{ readonly seq: number; readonly ingested: Ingested }[]> {
  return readAll(tx, LIST_INGESTED, { afterSeq, limit }, (row) => {
    const { seq, payload } = parseRow(IngestedRow, row, 'OutboxEntry (memory.ingested)');
    return { seq, ingested: payload };
  });
}

const COUNT_INGESTED = cypher`
  // countIngested
  OPTIONAL MATCH (c:Checkpoint {name: $checkpoint})
  WITH coalesce(toInteger(c.value), 0) AS afterSeq
  MATCH (o:MemoryIngest) WHERE o.seq > afterSeq
  RETURN count(o) AS waiting
`;

/** Counts the ingest entries after a checkpoint. */
export async function countIngested(tx: ReadTx, checkpoint: string): Promise<number> {
  return countOf(await tx.run(COUNT_INGESTED, { checkpoint }), 'waiting');
}

const FIND_SEGMENTED = cypher`
  // findSegmentedEvents
  UNWIND $events AS event
  MATCH (m:MemoryEvent {realm: event.realm, eventId: event.eventId})
  RETURN m.store AS store, m.sessionId AS sessionId, m.key AS key, m.timestampMs AS ms,
    m.tokens AS tokens
`;

const SEGMENTED = { key: z.string(), ms: z.int(), tokens: z.int() };
const SegmentedRow = z.object({ store: z.string(), sessionId: z.string(), ...SEGMENTED });

/** Finds the fields of events that segmentation needs, by realm and id. */
export async function findSegmentedEvents(
  tx: ReadTx,
  events: readonly { readonly realm: string; readonly eventId: string }[],
): Promise<(SessionRef & SegmentedEvent)[]> {
  const rows = await tx.run(FIND_SEGMENTED, { events: events.map((event) => ({ ...event })) });
  return rows.map((row) => parseRow(SegmentedRow, row, 'MemoryEvent'));
}

const SPAN = /* cypher */ `{.startKey, .endKey, .startMs, .endMs, .tokenCount, .eventCount}`;

// Order by all properties of the index: if ordered by the key alone, the planner reads the whole
// session and sorts it.
const LOAD_SESSIONS = cypher`
  // loadSegmentation
  UNWIND range(0, size($sessions) - 1) AS place
  WITH place, $sessions[place] AS session
  CALL (session) {
    MATCH (s:Segment)
    WHERE s.store = session.store AND s.sessionId = session.sessionId
      AND s.startKey <= session.firstKey
    WITH s ORDER BY s.store DESC, s.sessionId DESC, s.startKey DESC LIMIT 1
    RETURN collect(s.startKey)[0] AS baseKey
  }
  WITH place, session, coalesce(baseKey, session.firstKey) AS fromKey
  CALL (session, fromKey) {
    MATCH (s:Segment)
    WHERE s.store = session.store AND s.sessionId = session.sessionId
      AND s.startKey >= fromKey AND s.startKey <= session.lastKey
    WITH s ORDER BY s.startKey
    RETURN collect(s ${SPAN}) AS touched
  }
  CALL (session) {
    MATCH (s:Segment)
    WHERE s.store = session.store AND s.sessionId = session.sessionId
      AND s.startKey > session.lastKey
    WITH s ORDER BY s.store, s.sessionId, s.startKey LIMIT $beyond + 1
    RETURN collect(s ${SPAN}) AS further
  }
  WITH place, session, fromKey, touched + further[..$beyond] AS known,
    further[$beyond].startKey AS endKey
  CALL (session, fromKey, endKey) {
    MATCH (m:MemoryEvent)
    WHERE m.store = session.store AND m.sessionId = session.sessionId
      AND m.key >= fromKey AND m.key < coalesce(endKey, 'evt:~')
    WITH m ORDER BY m.key
    RETURN collect({key: m.key, ms: m.timestampMs, tokens: m.tokens}) AS events
  }
  RETURN known, events, endKey IS NOT NULL AS hasMore ORDER BY place
`;

/** The range of a session that contains the new events. */
export interface SessionWindow extends SessionRef {
  readonly firstKey: string;
  readonly lastKey: string;
}

const SPAN_SHAPE = {
  startKey: z.string(),
  endKey: z.string(),
  startMs: z.int(),
  endMs: z.int(),
  tokenCount: z.int(),
  eventCount: z.int(),
};
const SegmentationRow = z.object({
  known: z.array(z.object(SPAN_SHAPE)),
  events: z.array(z.object(SEGMENTED)),
  hasMore: z.boolean(),
});

/**
 * Loads, for each window, the segments from the one that contains `firstKey` up to `beyond`
 * segments after `lastKey`, with all of their events. `hasMore`: the session has further segments.
 */
export async function loadSegmentation(
  tx: ReadTx,
  sessions: readonly SessionWindow[],
  beyond: number,
): Promise<{ known: SegmentSpan[]; events: SegmentedEvent[]; hasMore: boolean }[]> {
  const rows = await tx.run(LOAD_SESSIONS, {
    sessions: sessions.map((one) => ({ ...one })),
    beyond,
  });
  return rows.map((row) => parseRow(SegmentationRow, row, 'Segments'));
}

export interface StoredSegment extends SessionRef, SegmentSpan {
  readonly nodeId: string;
}

const SAVE_SEGMENTS = cypher`
  // saveSegments
  CALL () {
    UNWIND $dissolved AS gone
    MATCH (s:Segment {store: gone.store, startKey: gone.startKey})
    DETACH DELETE s
  }
  CALL () {
    UNWIND $changed AS segment
    MERGE (s:Segment {store: segment.store, startKey: segment.startKey})
    SET s = segment
    WITH s
    CALL (s) {
      MATCH (s)<-[old:IN_SEGMENT]-(m) WHERE m.key < s.startKey OR m.key > s.endKey
      DELETE old
    }
    CALL (s) {
      MATCH (m:MemoryEvent)
      WHERE m.store = s.store AND m.sessionId = s.sessionId
        AND m.key >= s.startKey AND m.key <= s.endKey
        AND NOT EXISTS { (m)-[:IN_SEGMENT]->(s) }
      CREATE (m)-[:IN_SEGMENT]->(s)
      WITH m, s
      MATCH (m)-[other:IN_SEGMENT]->(left) WHERE left <> s
      DELETE other
    }
    CALL (s) {
      MATCH (l:TocLatest {store: s.store, nodeId: s.nodeId})
      MERGE (s)-[:SUMMED_UP_IN]->(l)
    }
  }
  FINISH
`;

/**
 * Writes changed segments and deletes dissolved ones. Each of them is queued for the table of
 * contents.
 */
export async function saveSegments(
  tx: WriteTx,
  input: {
    readonly changed: readonly StoredSegment[];
    readonly dissolved: readonly { store: string; startKey: string; nodeId: string; ms: number }[];
    readonly now: Instant;
  },
): Promise<void> {
  const level = 'segment' as const;
  const work = [
    ...input.changed.map(({ store, nodeId, startMs }) => ({ store, nodeId, startMs, level })),
    ...input.dissolved.map(({ store, nodeId, ms }) => ({ store, nodeId, startMs: ms, level })),
  ];
  await tx.run(SAVE_SEGMENTS, {
    changed: input.changed.map((segment) => ({ ...segment })),
    dissolved: input.dissolved.map(({ store, startKey }) => ({ store, startKey })),
  });
  await queueNodes(tx, work, input.now);
}

export const SegmentRow = z.object({
  store: z.string(),
  sessionId: z.string(),
  nodeId: z.string(),
  ...SPAN_SHAPE,
});
