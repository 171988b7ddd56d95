import { z } from 'zod';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

/** The versions of turns of one conversation that have left the screen, or come back. */
export interface Versions {
  readonly ownerId: string;
  readonly conversationId: string;
  readonly alternativeIds: readonly string[];
}

const IS_OF_VERSION = /* cypher */ `any(id IN $alternativeIds
    WHERE m.metadata CONTAINS '"alternativeId":"' + id + '"')`;

const WITHDRAW = cypher`
  // withdrawEvents
  MATCH (m:MemoryEvent)
  WHERE m.store STARTS WITH $ownerId AND m.sessionId = $conversationId AND ${IS_OF_VERSION}
  SET m:BackgroundEvent
`;

/** Marks the events of these versions, so that the job memory-mending sets them aside. */
export async function markWithdrawn(tx: WriteTx, versions: Versions): Promise<void> {
  await tx.run(WITHDRAW, { ...versions });
}

// The lock on the record of the segmenter keeps it from cutting segments at the same time.
const RETURN = cypher`
  // takeBackEvents
  OPTIONAL MATCH (job:Job {name: 'segmenter'})
  SET job.heldBy = $conversationId
  WITH count(*) AS held
  CALL () {
    MATCH (m:MemoryEvent:BackgroundEvent)
    WHERE m.store STARTS WITH $ownerId AND m.sessionId = $conversationId AND ${IS_OF_VERSION}
    REMOVE m:BackgroundEvent
  }
  MATCH (m:SetAsideEvent {sessionId: $conversationId})
  WHERE m.store STARTS WITH $ownerId AND ${IS_OF_VERSION}
  REMOVE m:SetAsideEvent
  SET m:MemoryEvent:IndexedEvent, m.setAsideAt = null
  RETURN m.realm AS realm, m.eventId AS eventId
`;
const EventRow = z.object({ realm: z.string(), eventId: z.string() });

/** Makes the events of these versions part of the talk again. @returns those to cut anew */
export function takeBack(tx: WriteTx, versions: Versions): Promise<z.infer<typeof EventRow>[]> {
  return readAll(tx, RETURN, { ...versions }, (row) => parseRow(EventRow, row, 'MemoryEvent'));
}
