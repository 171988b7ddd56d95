import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readOne, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { SegmentRow, type SessionRef, type StoredSegment } from '../segments/segment.cypher.ts';

// Events that older versions derived from background runs of the product, which a migration has
// labelled BackgroundEvent, and those of versions of turns that have left the screen. They are set
// aside, not deleted: no statement reads them any more.

const FIND_NEXT = cypher`
  // findNextBackgroundSession
  MATCH (m:BackgroundEvent) WHERE m.store > ''
  RETURN m.store AS store, m.sessionId AS sessionId LIMIT 1
`;

const NextRow = z.object({ store: z.string(), sessionId: z.string() });

/** A session that has background events; null where none is left. */
export function findNextBackgroundSession(tx: ReadTx): Promise<SessionRef | null> {
  return readOne(tx, FIND_NEXT, {}, (row) => parseRow(NextRow, row, 'MemoryEvent'));
}

const COUNT = cypher`
  // countBackgroundEvents
  MATCH (m:BackgroundEvent) RETURN count(m) AS waiting
`;

export const countBackgroundEvents = async (tx: ReadTx) => countOf(await tx.run(COUNT), 'waiting');

// The lock on the record of the segmenter keeps it from cutting segments from the same events.
const SET_ASIDE = cypher`
  // setAsideBackgroundEvents
  OPTIONAL MATCH (job:Job {name: 'segmenter'})
  SET job.heldBy = $now
  WITH count(*) AS held
  MATCH (m:BackgroundEvent) WHERE m.store = $store AND m.sessionId = $sessionId
  WITH m ORDER BY m.store, m.sessionId, m.key LIMIT $limit
  REMOVE m:BackgroundEvent:MemoryEvent:IndexedEvent
  SET m:SetAsideEvent, m.setAsideAt = $now
  RETURN m.key AS key
`;

/** Sets the oldest background events of a session aside. @returns their keys */
export const setAside = async (
  tx: WriteTx,
  input: SessionRef & { readonly limit: number; readonly now: Instant },
) => textsOf(await tx.run(SET_ASIDE, { ...input }), 'key', 'MemoryEvent');

const FIND_SEGMENTS = cypher`
  // findSegmentsAround
  MATCH (s:Segment)
  WHERE s.store = $store AND s.sessionId = $sessionId AND s.startKey <= $lastKey
    AND s.endKey >= $firstKey AND any(key IN $keys WHERE s.startKey <= key AND key <= s.endKey)
  RETURN s {.*} AS segment
`;

/** The segments of a session that contain one of these keys. */
export async function findSegmentsAround(
  tx: ReadTx,
  { store, sessionId }: SessionRef,
  keys: readonly string[],
): Promise<StoredSegment[]> {
  const [firstKey, lastKey] = [keys.at(0) ?? '', keys.at(-1) ?? ''];
  const params = { store, sessionId, keys: [...keys], firstKey, lastKey };
  const rows = await tx.run(FIND_SEGMENTS, params);
  return rows.map((row) => parseRow(SegmentRow, row['segment'], 'Segment'));
}

const DISSOLVE = cypher`
  // dissolveSegments
  UNWIND $segments AS segment
  MATCH (s:Segment {store: segment.store, startKey: segment.startKey})
  CALL (s) {
    MATCH (m:MemoryEvent)
    WHERE m.store = s.store AND m.sessionId = s.sessionId
      AND m.key >= s.startKey AND m.key <= s.endKey
    RETURN collect(m.eventId) AS eventIds
  }
  DETACH DELETE s
  RETURN eventIds
`;

const EventIds = z.object({ eventIds: z.array(z.string()) });

/** Deletes segments. @returns ids of their events, which are to be cut anew */
export async function dissolveSegments(
  tx: WriteTx,
  segments: readonly StoredSegment[],
): Promise<string[]> {
  const refs = segments.map(({ store, startKey }) => ({ store, startKey }));
  const rows = await tx.run(DISSOLVE, { segments: refs });
  return rows.flatMap((row) => parseRow(EventIds, row, 'Segment').eventIds);
}

const DELETE_GRIPS = cypher`
  // deleteGripsOfEvents
  MATCH (g:Grip)
  WHERE g.realm = $realm AND g.gripId >= 'grip:' + toString($fromMs)
    AND g.gripId < 'grip:' + toString($toMs) + ':~'
    AND g.store = $store AND g.sessionId = $sessionId
    AND any(key IN $keys WHERE g.startKey <= key AND key <= g.endKey)
  DETACH DELETE g
`;

/** Deletes the grips that point at events with these keys, within a range of times. */
export const deleteGripsOf = (
  tx: WriteTx,
  input: SessionRef & {
    readonly realm: string;
    readonly keys: readonly string[];
    readonly fromMs: number;
    readonly toMs: number;
  },
) => runWrite(tx, DELETE_GRIPS, { ...input, keys: [...input.keys] });
