import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readOne, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import { EntitySummary, SUMMARY_AUTHORS } from './entity-summary.ts';

/** Versions that one entity shows, newest first. */
const VERSIONS_MAX = 100;

const LIST = cypher`
  // listEntitySummaries
  MATCH (e:Entity)-[:HAS_PROFILE]->(p:EntityProfile) WHERE e.uuid IN $uuids AND ${isOwn('e')}
  CALL (p) {
    MATCH (p)-[:HAS_ENTITY_SUMMARY]->(v:EntitySummary)
    RETURN v ORDER BY v.createdAt DESC, v.id DESC LIMIT ${VERSIONS_MAX}
  }
  RETURN e.uuid AS uuid, v {.id, .text, .author, .createdAt, .runId,
    isCurrent: v.text = coalesce(p.written, e.summary),
    isProposed: v.text <> coalesce(p.written, e.summary) AND v.id = p.proposedSummaryId} AS version
`;

const VersionRow = z.object({
  uuid: z.string(),
  version: EntitySummary,
});

/** Stored summaries of each of the viewer's entities, newest first; the newest 100. */
export async function listEntitySummaries(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Map<string, EntitySummary[]>> {
  const rows = await tx.run(LIST, { ...viewerParams(viewerId), uuids });
  const versions = rows.map((row) => parseRow(VersionRow, row, 'EntitySummary'));
  return new Map(
    [...Map.groupBy(versions, ({ uuid }) => uuid)].map(([uuid, found]) => [
      uuid,
      found.map(({ version }) => version),
    ]),
  );
}

/** Needs `p` and $summaries. Stores texts that the entity does not have yet, under its lock. */
export const KEEP_SUMMARIES = /* cypher */ `
  CALL (p) {
    UNWIND $summaries AS given
    MERGE (p)-[:HAS_ENTITY_SUMMARY]->(v:EntitySummary {text: given.text, author: given.author})
    ON CREATE SET v.id = given.id, v.createdAt = datetime(given.createdAt), v.runId = given.runId
    SET p.proposedSummaryId = CASE WHEN given.isProposal THEN v.id ELSE p.proposedSummaryId END
  }
`;

/** A version to store. `isProposal`: the entity shows it as its newest proposal. */
export interface KeptSummary extends Pick<EntitySummary, 'id' | 'text' | 'author' | 'createdAt'> {
  readonly runId: string | null;
  readonly isProposal: boolean;
}

const FIND = cypher`
  // findSummaryState
  MATCH (e:Entity {uuid: $entityUuid})-[:HAS_PROFILE]->(p:EntityProfile) WHERE ${isOwn('e')}
  RETURN coalesce(p.written, e.summary, '') AS summary,
    EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) } AS isUsers,
    head(COLLECT { MATCH (c:Conversation {id: e.group_id}) RETURN c.id }) AS conversationId,
    COLLECT { MATCH (p)-[:HAS_ENTITY_SUMMARY]->(v) RETURN v {.id, .text, .author} } AS versions
`;

const StateRow = z.object({
  summary: z.string(),
  isUsers: z.boolean(),
  conversationId: textOrNull,
  versions: z.array(
    z.object({ id: z.string(), text: z.string(), author: z.enum(SUMMARY_AUTHORS) }),
  ),
});

/** The viewer's entity with its stored summaries; null if it has none or is not the viewer's. */
export const findSummaryState = (tx: ReadTx, viewerId: string, entityUuid: string) =>
  readOne(tx, FIND, { ...viewerParams(viewerId), entityUuid }, (row) =>
    parseRow(StateRow, row, `Entity ${entityUuid}`),
  );

const CHOOSE = cypher`
  // chooseSummary
  MATCH (e:Entity {uuid: $entityUuid})-[:HAS_PROFILE]->(p:EntityProfile)
  ${KEEP_SUMMARIES}
  SET e.summary = $text, p.written = $text, p:Unembedded, p.summaryChosenAt = datetime($now)
`;

/** Makes a text the entity's summary, by a user's choice. The caller holds the owner's lock. */
export const chooseSummary = (
  tx: WriteTx,
  choice: {
    readonly entityUuid: string;
    readonly text: string;
    readonly summaries: readonly KeptSummary[];
    readonly now: string;
  },
) => runWrite(tx, CHOOSE, choice);
