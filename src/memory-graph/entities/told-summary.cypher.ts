import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { SUMMARY_CHARS_MAX } from './entity.ts';
import { factsText } from './facts-text.ts';

/** The newest facts of an entity of which its summary is made. */
const FACTS_MAX = 50;

const FIND = cypher`
  // listToldEntities
  UNWIND $uuids AS uuid
  MATCH (e:Entity {uuid: uuid})-[:HAS_PROFILE]->(p:EntityProfile)
  RETURN e.uuid AS uuid, coalesce(e.summary, '') AS summary, p.written AS written,
    EXISTS { (e)-[:RELATES_TO]-(:Entity) } AS hasFacts,
    COLLECT {
      MATCH (e)-[r:RELATES_TO]-(:Entity)
      WHERE r.invalid_at IS NULL OR r.invalid_at > datetime($now)
      WITH DISTINCT r ORDER BY r.valid_at DESC, r.uuid LIMIT ${FACTS_MAX}
      RETURN {fact: r.fact, validAt: r.valid_at, invalidAt: r.invalid_at} } AS facts
`;
const ToldRow = z.object({
  uuid: z.string(),
  summary: z.string(),
  written: textOrNull,
  hasFacts: z.boolean(),
  facts: z.array(z.object({ fact: z.string(), validAt: textOrNull, invalidAt: textOrNull })),
});

const SET = cypher`
  // setToldSummaries
  UNWIND $told AS given
  MATCH (e:Entity {uuid: given.uuid})-[:HAS_PROFILE]->(p:EntityProfile)
  SET e.summary = given.summary, p:Unembedded
`;

/**
 * Makes the summaries of entities anew from the facts that hold, after the text that a user or an
 * enrichment wrote. An entity that never had a fact keeps its text. Each change of facts ends with
 * this, in its transaction, so a summary says nothing that is over. Under the owner's lock.
 */
export async function tellSummaries(
  tx: WriteTx,
  uuids: readonly string[],
  now: string,
): Promise<void> {
  if (uuids.length === 0) return;
  const rows = await tx.run(FIND, { uuids: [...new Set(uuids)], now });
  const told = rows.flatMap((row) => {
    const { uuid, summary, written, hasFacts, facts } = parseRow(ToldRow, row, 'Entity');
    const own = written ?? '';
    const room = SUMMARY_CHARS_MAX - own.length;
    const text = [own, factsText(facts, now, room)].filter((part) => part !== '').join('\n');
    const isKept = text === summary || (text === '' && !hasFacts);
    return isKept ? [] : [{ uuid, summary: text }];
  });
  if (told.length > 0) await tx.run(SET, { told });
}

const PASSED = cypher`
  // listPassedEnds
  MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
  WHERE r.invalid_at > datetime($since) AND r.invalid_at <= datetime($now)
  UNWIND [a, b] AS e
  WITH DISTINCT e WHERE e.uuid > $after AND e.group_id STARTS WITH 'user_'
  RETURN e.uuid AS uuid, e.group_id AS groupId ORDER BY uuid LIMIT $max
`;
const PassedRow = z.object({ uuid: z.string(), groupId: z.string() });

/** Entities with a fact that ended between two moments, ordered by uuid. */
export const listPassedEnds = (
  tx: ReadTx,
  between: {
    readonly since: string;
    readonly now: string;
    readonly after: string;
    readonly max: number;
  },
) => readAll(tx, PASSED, between, (row) => parseRow(PassedRow, row, 'Entity'));
