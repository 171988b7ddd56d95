import { z } from 'zod';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';

/** How many labels events may make: of the whole installation, and of one user. */
export interface EventLabelLimits {
  readonly total: number;
  readonly perOwner: number;
}

export const EVENT_LABEL_LIMITS: EventLabelLimits = { total: 5_000, perOwner: 100 };

const FIND = /* cypher */ `
  // findEventLabels
  MATCH (r:EventLabels {id: 'all'})
  OPTIONAL MATCH (u:User {id: $ownerId})
  WITH [label IN $labels WHERE label IN r.labels] AS labels,
    size(r.labels) < $total AND coalesce(u.eventLabels, 0) < $perOwner AS hasRoom
  RETURN labels, hasRoom
`;

// The lock comes first, so that two writers do not take the last place twice.
const CLAIM = /* cypher */ `
  // claimEventLabels
  MATCH (r:EventLabels {id: 'all'})
  SET r.lock = true
  REMOVE r.lock
  WITH r
  MATCH (u:User {id: $ownerId})
  WITH r, u, [label IN $labels WHERE NOT label IN r.labels] AS wanted,
    [$total - size(r.labels), $perOwner - coalesce(u.eventLabels, 0)] AS room
  WITH r, u, wanted[..CASE WHEN room[0] < 0 OR room[1] < 0 THEN 0
    WHEN room[0] < room[1] THEN room[0] ELSE room[1] END] AS taken
  SET r.labels = r.labels + taken, u.eventLabels = coalesce(u.eventLabels, 0) + size(taken)
  RETURN [label IN $labels WHERE label IN r.labels] AS labels, false AS hasRoom
`;

const LabelsRow = z.object({ labels: z.array(z.string()), hasRoom: z.boolean() });

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
  const params = { ownerId, labels, ...limits };
  const [row] = await tx.run(FIND, params);
  const known = parseRow(LabelsRow, row, 'EventLabels');
  if (known.labels.length === labels.length || !known.hasRoom) return new Set(known.labels);
  const [claimed] = await tx.run(CLAIM, params);
  return new Set(
    claimed === undefined ? known.labels : parseRow(LabelsRow, claimed, 'EventLabels').labels,
  );
}
