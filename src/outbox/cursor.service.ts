import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { lookAtOutbox } from './entry.cypher.ts';
import { decodeCursor, type LogCursor } from './entry.ts';

// A member of a Neo4j cluster may be behind the one that numbered the cursor's entry.
const LOOKS_MAX = 5;
const BETWEEN_LOOKS_MS = 200;

/**
 * The cursor that a subscription continues from; null where none is given.
 * @throws Refusal INVALID at `after` where the text is no cursor, or where the log ends before it:
 * it is from another installation, or from before a restore. Without the refusal its reader would
 * get no event until the log has grown beyond it (docs/decisions/0072).
 */
export async function getCursor(
  { graph }: { readonly graph: Graph },
  text: string | null | undefined,
): Promise<LogCursor | null> {
  if (text === null || text === undefined) return null;
  const cursor = decodeCursor(text);
  for (let looks = 1; looks <= LOOKS_MAX; looks++) {
    const { lastSeq } = await graph.read(lookAtOutbox);
    if (cursor.seq <= lastSeq) return cursor;
    await setTimeout(BETWEEN_LOOKS_MS);
  }
  throw Refusal.of(
    'INVALID',
    ['after'],
    'The log ends before this cursor: it is of another installation, or from before a ' +
      'restore. Subscribe without it.',
  );
}
