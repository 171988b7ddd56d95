import { z } from 'zod';
import { newestFirst, type Page, type PageArgs } from '../common/page.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { Rating, type RatingValue } from './rating.ts';

const FIND = cypher`
  // findRatings
  MATCH (r:Rating) WHERE r.id IN $ids AND r.ownerId = $viewerId
  RETURN r {.id, .value, .comment, .createdAt, .updatedAt} AS rating
`;

/** The viewer's ratings of these alternatives. */
export const findRatings = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND, { ids, viewerId }, (row) => parseRow(Rating, row['rating'], 'Rating'));

const LIST = listing({
  name: 'listRated',
  match: `MATCH (r:Rating) USING INDEX SEEK r:Rating(ownerId, createdAt, id)
    WHERE r.ownerId = $viewerId AND ($value IS NULL OR r.value = $value)`,
  within: ['r.ownerId'],
  order: newestFirst('r'),
  item: 'r {.id}',
});
const RatedRow = z.object({ id: z.string() });

/** Ids of the alternatives that the viewer rated, those rated last first. */
export function listRated(
  tx: ReadTx,
  viewerId: string,
  { value, ...page }: PageArgs & { readonly value?: RatingValue | null | undefined },
): Promise<Page<string>> {
  const toId = (row: unknown) => parseRow(RatedRow, row, 'Rating').id;
  return listPage(tx, LIST, page, { viewerId, value: value ?? null }, toId);
}

const SAVE = cypher`
  // saveRating
  MATCH (a:Alternative {id: $id}) WHERE a.ownerId = $viewerId
  MERGE (r:Rating {id: $id})
  ON CREATE SET r.ownerId = $viewerId, r.createdAt = datetime($now)
  SET r.value = $value, r.comment = $comment, r.updatedAt = datetime($now)
  MERGE (a)-[:HAS_RATING]->(r)
`;

/** Writes the rating of an alternative of the viewer, over an earlier one. */
export const saveRating = (
  tx: WriteTx,
  viewerId: string,
  rating: Pick<Rating, 'id' | 'value' | 'comment'> & { readonly now: string },
) => runWrite(tx, SAVE, { ...rating, viewerId });

const DELETE = cypher`
  // deleteRating
  MATCH (r:Rating {id: $id}) WHERE r.ownerId = $viewerId
  DETACH DELETE r
`;

export async function deleteRating(tx: WriteTx, viewerId: string, id: string): Promise<void> {
  await tx.run(DELETE, { id, viewerId });
}
