import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { userGroupOf } from '../group.ts';
import { TEXT_CHARS_MAX } from './candidate.ts';
import { StatementOf } from './ended.ts';
import type { Unread } from './unread.ts';

const STATED = cypher`
  // listStatedInEpisodes
  UNWIND $episodes AS uuid
  MATCH (:Episodic {uuid: uuid})<-[:STATED_IN]-(t:TemporalFact)
  WHERE t.owner = $owner AND t.withdrawn_at IS NULL
  RETURN uuid, collect({uuid: t.uuid, text: t.text,
    isOver: coalesce(t.invalid_at <= datetime(), false),
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
  stated: z.array(StatementOf.extend({ uuid: z.string() })),
});

/** The statements of the viewer's Episodes, with the turns that ended them. */
async function listStatedInEpisodes(
  tx: ReadTx,
  viewerId: string,
  episodes: readonly string[],
  unread: Unread,
): Promise<Map<string, readonly StatementOf[]>> {
  if (episodes.length === 0) return new Map();
  const params = { episodes, owner: userGroupOf(viewerId), chars: TEXT_CHARS_MAX };
  const rows = await tx.run(STATED, params);
  const read = rows.map((row) => parseRow(StatedRow, row, 'Statements of a memory'));
  const stated = new Map<string, readonly StatementOf[]>(
    read.map(({ uuid, stated: all }) => [
      uuid,
      all.map(({ uuid: id, ...one }) => {
        const endedBy = unread.ended.get(id);
        return endedBy === undefined || one.isOver ? one : { ...one, isOver: true, endedBy };
      }),
    ]),
  );
  for (const uuid of episodes) {
    const told = stated.has(uuid) ? undefined : unread.told.get(uuid);
    if (told !== undefined)
      stated.set(
        uuid,
        told.map((one) => ({ ...one, isOver: one.endedBy !== null })),
      );
  }
  return stated;
}

/** A statement that ended another may have ended too: so many ends in a row are followed. */
const ENDS_FOLLOWED_MAX = 5;

/**
 * A list of memories in which the turns that ended a statement stand for it. The turns may have
 * statements that have ended, too, so they are read in their turn; each Episode once.
 * @param how.unread counts as if it were read in
 * @param how.episodesOf uuids of the Episodes to read
 * @param how.apply the list, by the statements of all Episodes that were read
 */
export async function followEnds<T>(
  tx: ReadTx,
  viewerId: string,
  all: readonly T[],
  how: {
    readonly unread: Unread;
    readonly episodesOf: (now: readonly T[]) => string[];
    readonly apply: (
      now: readonly T[],
      stated: ReadonlyMap<string, readonly StatementOf[]>,
    ) => readonly T[];
  },
): Promise<readonly T[]> {
  let now = all;
  const stated = new Map<string, readonly StatementOf[]>();
  for (let round = 0; round < ENDS_FOLLOWED_MAX; round++) {
    const episodes = how.episodesOf(now).filter((uuid) => !stated.has(uuid));
    const found = await listStatedInEpisodes(tx, viewerId, episodes, how.unread);
    for (const uuid of episodes) stated.set(uuid, found.get(uuid) ?? []);
    if (![...found.values()].flat().some(({ isOver }) => isOver)) break;
    now = how.apply(now, stated);
  }
  return now;
}
