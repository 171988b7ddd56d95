import { z } from 'zod';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

/** How many labels events may make: of the whole installation, and of one user. */
export interface EventLabelLimits {
  readonly total: number;
  readonly perOwner: number;
}

export const EVENT_LABEL_LIMITS: EventLabelLimits = { total: 5_000, perOwner: 100 };

const FIND = cypher`
  // findEventLabels
  MATCH (r:EventLabels {id: 'all'})
  OPTIONAL MATCH (u:User {id: $ownerId})
  RETURN [label IN $labels WHERE label IN r.labels] AS labels, size(r.labels) AS made,
    coalesce(u.eventLabels, 0) AS own
`;

const LOCK = cypher`
  // lockEventLabels
  MATCH (r:EventLabels {id: 'all'})
  SET r.lock = true
  REMOVE r.lock
`;

const ADD = cypher`
  // addEventLabels
  MATCH (r:EventLabels {id: 'all'}), (u:User {id: $ownerId})
  SET r.labels = r.labels + $taken, u.eventLabels = coalesce(u.eventLabels, 0) + size($taken)
  RETURN size($taken) AS added
`;

const LabelsRow = z.object({ labels: z.array(z.string()), made: z.int(), own: z.int() });

/**
 * The labels among these that events of the owner may have. New ones are counted, while there is
 * room for more (docs/decisions/0034).
 */
export async function claimEventLabels(
  tx: WriteTx,
  ownerId: string,
  labels: readonly string[],
  limits: EventLabelLimits = EVENT_LABEL_LIMITS,
): Promise<ReadonlySet<string>> {
  const known = await readLabels(tx, ownerId, labels, limits);
  if (known.labels.length === labels.length || known.room <= 0) return new Set(known.labels);
  // The lock comes before the read, so that two writers do not take the last place twice.
  await tx.run(LOCK);
  const now = await readLabels(tx, ownerId, labels, limits);
  const wanted = labels.filter((label) => !now.labels.includes(label));
  const taken = wanted.slice(0, Math.max(0, now.room));
  const added = await tx.run(ADD, { ownerId, taken });
  return new Set(added.length === 0 ? now.labels : [...now.labels, ...taken]);
}

async function readLabels(
  tx: WriteTx,
  ownerId: string,
  labels: readonly string[],
  { total, perOwner }: EventLabelLimits,
): Promise<{ readonly labels: readonly string[]; readonly room: number }> {
  const [row] = await tx.run(FIND, { ownerId, labels });
  const found = parseRow(LabelsRow, row, 'EventLabels');
  return { labels: found.labels, room: Math.min(total - found.made, perOwner - found.own) };
}
