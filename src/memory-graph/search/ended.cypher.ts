import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { userGroupOf } from '../group.ts';
import { TEXT_CHARS_MAX } from './candidate.ts';
import type { StatementOf } from './ended.ts';

const STATED = cypher`
  // listStatedInEpisodes
  UNWIND $episodes AS uuid
  MATCH (:Episodic {uuid: uuid})<-[:STATED_IN]-(t:TemporalFact)
  WHERE t.owner = $owner AND t.withdrawn_at IS NULL
  RETURN uuid, collect({text: t.text, isOver: coalesce(t.invalid_at <= datetime(), false),
    endedBy: head(COLLECT {
      MATCH (t)-[was:ENDED_IN]->(later:Episodic)<-[:HAS_CONTENT]-(:Alternative)
        <-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
      WHERE NOT coalesce(was.withdrawn, false)
      RETURN {uuid: later.uuid, text: left(later.content, $chars), speaker: turn.speaker,
        saidAt: toString(later.valid_at)} ORDER BY later.valid_at DESC LIMIT 1
    })}) AS stated
`;

const StatedRow = z.object({
  uuid: z.string(),
  stated: z.array(
    z.object({
      text: z.string(),
      isOver: z.boolean(),
      endedBy: z
        .object({ uuid: z.string(), text: z.string(), speaker: z.string(), saidAt: z.string() })
        .nullable(),
    }),
  ),
});

/** The statements of the viewer's Episodes, with the turns that ended them. */
export async function listStatedInEpisodes(
  tx: ReadTx,
  viewerId: string,
  episodes: readonly string[],
): Promise<Map<string, readonly StatementOf[]>> {
  if (episodes.length === 0) return new Map();
  const params = { episodes, owner: userGroupOf(viewerId), chars: TEXT_CHARS_MAX };
  const rows = await tx.run(STATED, params);
  return new Map(
    rows.map((row) => {
      const { uuid, stated } = parseRow(StatedRow, row, 'Statements of a memory');
      return [uuid, stated] as const;
    }),
  );
}
