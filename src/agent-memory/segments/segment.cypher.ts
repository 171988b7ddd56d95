import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import { jsonText } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { Ingested } from '../events/memory-outbox.ts';
import type { SegmentedEvent, SegmentSpan } from './segment.ts';

/** A session of a store. */
export interface SessionRef {
  readonly store: string;
  readonly sessionId: string;
}

const LIST_INGESTED = /* cypher */ `
  // listIngested
  MATCH (o:MemoryIngest) WHERE o.seq > $afterSeq
  RETURN o.seq AS seq, o.payload AS payload
  ORDER BY o.seq LIMIT $limit
`;

const IngestedRow = z.object({ seq: z.int(), payload: jsonText(Ingested) });

/** What came after a number of the event log, in the order of the log (S2-OUT-03). */
export async function listIngested(
  tx: ReadTx,
  afterSeq: number,
  limit: number,
): Promise<{ readonly seq: number; readonly ingested: Ingested }[]> {
  const rows = await tx.run(LIST_INGESTED, { afterSeq, limit });
  return rows.map((row) => {
    const { seq, payload } = parseRow(IngestedRow, row, 'OutboxEntry (memory.ingested)');
    return { seq, ingested: payload };
  });
}

const COUNT_INGESTED = /* cypher */ `
  // countIngested
  OPTIONAL MATCH (c:Checkpoint {name: $checkpoint})
  WITH coalesce(toInteger(c.value), 0) AS afterSeq
  MATCH (o:MemoryIngest) WHERE o.seq > afterSeq
  RETURN count(o) AS waiting
`;

/** How many entries a job has not taken yet, by the name of its checkpoint. */
export async function countIngested(tx: ReadTx, checkpoint: string): Promise<number> {
  return countOf(await tx.run(COUNT_INGESTED, { checkpoint }), 'waiting');
}

const FIND_SEGMENTED = /* cypher */ `
  // findSegmentedEvents
  UNWIND $events AS event
  MATCH (m:MemoryEvent {realm: event.realm, eventId: event.eventId})
  RETURN m.store AS store, m.sessionId AS sessionId, m.key AS key, m.timestampMs AS ms, m.tokens AS tokens
`;

const SEGMENTED = { key: z.string(), ms: z.int(), tokens: z.int() };
const SegmentedRow = z.object({ store: z.string(), sessionId: z.string(), ...SEGMENTED });

/** Events by realm and id, as segmentation sees them. */
export async function findSegmentedEvents(
  tx: ReadTx,
  events: readonly { readonly realm: string; readonly eventId: string }[],
): Promise<(SessionRef & SegmentedEvent)[]> {
  const rows = await tx.run(FIND_SEGMENTED, { events: events.map((event) => ({ ...event })) });
  return rows.map((row) => parseRow(SegmentedRow, row, 'MemoryEvent'));
}

const SPAN = /* cypher */ `{.startKey, .endKey, .startMs, .endMs, .tokenCount, .eventCount}`;

// Ordered by all of the index: by the key alone the planner reads a session to its end and sorts it.
const LOAD_SESSIONS = /* cypher */ `
  // loadSegmentation
  UNWIND range(0, size($sessions) - 1) AS place
  WITH place, $sessions[place] AS session
  CALL (session) {
    MATCH (s:Segment)
    WHERE s.store = session.store AND s.sessionId = session.sessionId AND s.startKey <= session.firstKey
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
    WHERE s.store = session.store AND s.sessionId = session.sessionId AND s.startKey > session.lastKey
    WITH s ORDER BY s.store, s.sessionId, s.startKey LIMIT $beyond + 1
    RETURN collect(s ${SPAN}) AS further
  }
  WITH place, session, fromKey, touched + further[..$beyond] AS known, further[$beyond].startKey AS endKey
  CALL (session, fromKey, endKey) {
    MATCH (m:MemoryEvent)
    WHERE m.store = session.store AND m.sessionId = session.sessionId
      AND m.key >= fromKey AND m.key < coalesce(endKey, 'evt:~')
    WITH m ORDER BY m.key
    RETURN collect({key: m.key, ms: m.timestampMs, tokens: m.tokens}) AS events
  }
  RETURN known, events, endKey IS NOT NULL AS hasMore ORDER BY place
`;

/** A stretch of a session in which new events fall. */
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
 * For each: the segments from the one its first key falls into up to `beyond` after its last key, and all events there;
 * `hasMore` when further ones follow.
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

/** A segment as it is stored. */
export interface StoredSegment extends SessionRef, SegmentSpan {
  readonly nodeId: string;
}

const SAVE_SEGMENTS = /* cypher */ `
  // saveSegments
  CALL () {
    UNWIND $dissolved AS gone
    MATCH (s:Segment {store: gone.store, startKey: gone.startKey})
    DELETE s
  }
  CALL () {
    UNWIND $changed AS segment
    MERGE (s:Segment {store: segment.store, startKey: segment.startKey})
    SET s = segment
  }
  CALL () {
    UNWIND $work AS item
    MERGE (w:TocWork {store: item.store, nodeId: item.nodeId})
    ON CREATE SET w.level = 'segment', w.since = $now, w.startMs = item.startMs, w.revision = 0, w.attempts = 0
    SET w.revision = w.revision + 1
  }
  FINISH
`;

/** Segments as they are now; each that changed or is gone becomes work for the table of contents. */
export async function saveSegments(
  tx: WriteTx,
  input: {
    readonly changed: readonly StoredSegment[];
    readonly dissolved: readonly { store: string; startKey: string; nodeId: string; ms: number }[];
    readonly now: Instant;
  },
): Promise<void> {
  const work = [
    ...input.changed.map(({ store, nodeId, startMs }) => ({ store, nodeId, startMs })),
    ...input.dissolved.map(({ store, nodeId, ms }) => ({ store, nodeId, startMs: ms })),
  ];
  await tx.run(SAVE_SEGMENTS, {
    changed: input.changed.map((segment) => ({ ...segment })),
    dissolved: input.dissolved.map(({ store, startKey }) => ({ store, startKey })),
    work,
    now: input.now,
  });
}

const FIND_SEGMENTS = /* cypher */ `
  // findSegmentsOfNodes
  UNWIND $nodes AS node
  MATCH (s:Segment {store: node.store, nodeId: node.nodeId})
  RETURN s {.*} AS segment
`;

const SegmentRow = z.object({
  store: z.string(),
  sessionId: z.string(),
  nodeId: z.string(),
  ...SPAN_SHAPE,
});

/** The segments behind these nodes; a dissolved one has none. */
export async function findSegmentsOfNodes(
  tx: ReadTx,
  nodes: readonly { readonly store: string; readonly nodeId: string }[],
): Promise<StoredSegment[]> {
  const rows = await tx.run(FIND_SEGMENTS, {
    nodes: nodes.map(({ store, nodeId }) => ({ store, nodeId })),
  });
  return rows.map((row) => parseRow(SegmentRow, row['segment'], 'Segment'));
}
