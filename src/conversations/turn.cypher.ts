import { z } from 'zod';
import type { PageArgs } from '../common/page.ts';
import { textOrNull } from '../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_STATUSES, type RunStatus } from '../runs/run/run.ts';
import { isShown, isWhole, PATH_ON_SCREEN, PATH_THROUGH, VALID_PATH } from './path.cypher.ts';
import { SPEAKERS, TURN_TYPES, type Turn } from './turn.ts';

const TURN = /* cypher */ `
  t {.id, .conversationId, .speaker, .turnType, .timestamp,
    sequence: head([(t)<-[has:HAS_TURN]-() | has.sequence]),
    above: head([(t)-[up:CHILD_OF]->(p) | {parentId: p.id, viaAlternativeId: up.viaAlternative}])}
`;

const TurnRow = z.object({
  id: z.string(),
  conversationId: z.string(),
  sequence: z.int(),
  speaker: z.enum(SPEAKERS),
  turnType: z.enum(TURN_TYPES),
  timestamp: z.string(),
  /** Null for the root. */
  above: z.object({ parentId: z.string(), viaAlternativeId: textOrNull }).nullable(),
});

function toTurn(row: unknown): Turn {
  const { above, ...turn } = parseRow(TurnRow, row, 'ConversationTurn');
  return {
    ...turn,
    parentId: above?.parentId ?? null,
    viaAlternativeId: above?.viaAlternativeId ?? null,
  };
}

const FIND = cypher`
  // findTurns
  MATCH (t:ConversationTurn) WHERE t.id IN $ids AND t.ownerId = $viewerId
  RETURN ${TURN} AS turn
`;

/** The viewer's turns with these ids. Other ids are left out. */
export function findTurns(tx: ReadTx, viewerId: string, ids: readonly string[]): Promise<Turn[]> {
  return readAll(tx, FIND, { ids, viewerId }, (row) => toTurn(row['turn']));
}

const TURNS = listing({
  name: 'listTurns',
  match: `MATCH (c:Conversation {id: $conversationId})-[h:HAS_TURN]->(t:ConversationTurn)
    WHERE c.ownerId = $viewerId`,
  order: [
    { cypher: 'h.sequence', type: 'number', order: 'ascending' },
    { cypher: 't.id', type: 'text', order: 'ascending' },
  ],
  item: TURN,
});

/** All turns of a conversation by sequence; siblings by id. */
export const listTurns = (
  tx: ReadTx,
  viewerId: string,
  { conversationId, ...page }: PageArgs & { readonly conversationId: string },
) => listPage(tx, TURNS, page, { viewerId, conversationId }, toTurn);

const CHILDREN = cypher`
  // listChildTurns
  MATCH (t:ConversationTurn)-[:CHILD_OF]->(p:ConversationTurn)
  WHERE p.id IN $ids AND t.ownerId = $viewerId
  RETURN ${TURN} AS turn ORDER BY t.timestamp, t.id
`;

/** The child turns of each of these turns, oldest first. */
export const listChildTurns = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, CHILDREN, { ids, viewerId }, (row) => toTurn(row['turn']));

const activePath = (path: string) => cypher`
  // listActivePath
  MATCH (c:Conversation {id: $conversationId, ownerId: $viewerId})
  ${path}
  UNWIND turns AS t
  RETURN ${TURN} AS turn ORDER BY turn.sequence
`;
const ACTIVE_PATH = activePath(PATH_ON_SCREEN);
const ACTIVE_PATH_THROUGH = activePath(PATH_THROUGH);

/** The path on screen, root first; with `throughTurnId` the path that leads through that turn. */
export async function listActivePath(
  tx: ReadTx,
  viewerId: string,
  { conversationId, throughTurnId }: { conversationId: string; throughTurnId: string | null },
): Promise<Turn[]> {
  const params = { conversationId, viewerId, turnId: throughTurnId };
  const rows = await tx.run(throughTurnId === null ? ACTIVE_PATH : ACTIVE_PATH_THROUGH, params);
  return rows.map((row) => toTurn(row['turn']));
}

const PLACE = /* cypher */ `{turnId: t.id, alternativeId: a.id, sequence: inTree.sequence,
  isWhole: ${isWhole('a')}, isShown: ${isShown('t')}, outcome: a.outcome}`;

const FIND_PLACE = cypher`
  // findPlace
  MATCH (a:Alternative {id: $alternativeId, conversationId: $conversationId})
    <-[:HAS_ALTERNATIVE]-(t:ConversationTurn)<-[inTree:HAS_TURN]-(c:Conversation)
  RETURN ${PLACE} AS place
`;
const FIND_END = cypher`
  // findEndOfPath
  MATCH (c:Conversation {id: $conversationId})
  ${VALID_PATH}
  WITH last(valid) AS a WHERE a IS NOT NULL
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)<-[inTree:HAS_TURN]-(:Conversation)
  RETURN {turnId: t.id, alternativeId: a.id, sequence: inTree.sequence, isWhole: true,
    isShown: true, outcome: a.outcome} AS place
`;

/** An alternative as the possible parent of a new turn. */
export const Place = z.object({
  turnId: z.string(),
  alternativeId: z.string(),
  sequence: z.int(),
  /** Whether it and all that it answers are active, so that a turn below it is not stale. */
  isWhole: z.boolean(),
  /** Whether its turn is on screen. */
  isShown: z.boolean(),
  outcome: z.enum(RUN_STATUSES).nullable(),
});
export type Place = z.infer<typeof Place>;

/** An alternative of this conversation; without an id the end of the valid path. Null: none. */
export async function findPlace(
  tx: ReadTx,
  where: { readonly conversationId: string; readonly alternativeId: string | null },
): Promise<Place | null> {
  const [row] = await tx.run(where.alternativeId === null ? FIND_END : FIND_PLACE, where);
  return row === undefined ? null : parseRow(Place, row['place'], 'ConversationTurn');
}

/** Links an alternative `a` with the Process and the run that write it, if there are any. */
export const LINK_MAKERS = /* cypher */ `
  CALL (a) {
    MATCH (process:Process {id: $processId})
    CREATE (a)-[:EXECUTED_BY {createdAt: datetime($now)}]->(process)
  }
  CALL (a) {
    MATCH (run:ProcessRun {id: $alternative.runId})
    CREATE (a)-[:WRITTEN_BY]->(run)
  }
`;

// `respondsToId` repeats the edge RESPONDS_TO, which never changes, so that reading a path reads no
// edges of other branches. `rootTurnId` avoids a scan of all turns; it never changes either.
const INSERT = cypher`
  // insertTurn
  MATCH (c:Conversation {id: $turn.conversationId})
  CREATE (t:ConversationTurn:Resource)
  SET t = $turn, t.timestamp = datetime($now), c.updatedAt = datetime($now),
    c.rootTurnId = coalesce(c.rootTurnId, t.id)
  CREATE (c)-[:HAS_TURN {sequence: $sequence}]->(t)
  CREATE (a:Alternative:Resource)
  SET a = $alternative, a.createdAt = datetime($now), a.saidAt = datetime($alternative.saidAt)
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: true, sequence: 1}]->(a)
  WITH t, a
  CALL (t) {
    MATCH (:Alternative {id: $parentAlternativeId})<-[:HAS_ALTERNATIVE]-(:ConversationTurn)
      -[shown:ON_SCREEN]->()
    SET t:Switched
    DELETE shown
  }
  CALL (t, a) {
    MATCH (answered:Alternative {id: $parentAlternativeId})<-[:HAS_ALTERNATIVE]-(p:ConversationTurn)
    CREATE (t)-[:CHILD_OF {viaAlternative: answered.id}]->(p)
    CREATE (p)-[:ON_SCREEN]->(t)
    CREATE (a)-[:RESPONDS_TO]->(answered)
  }
  ${LINK_MAKERS}
  WITH a
  ${CREATE_ENTRIES}
`;

export interface NewAlternative {
  readonly id: string;
  /** Null until the run that writes it has ended. */
  readonly content: string | null;
  readonly outcome: RunStatus | null;
  readonly runId: string | null;
  /** JSON of its parts; null for a text alone. */
  readonly parts?: string | null;
  /** Time at which it was said, if that is not the time of its creation. */
  readonly saidAt?: string | null;
}

/**
 * Inserts a turn with its first alternative and all their edges, in one statement (S4-TURN-05). The
 * parent alternative has to be active: the new turn, as the newest, comes on screen below it.
 */
export async function insertTurn(
  tx: WriteTx,
  insert: {
    readonly turn: Pick<Turn, 'id' | 'conversationId' | 'speaker' | 'turnType'> & {
      ownerId: string;
    };
    readonly sequence: number;
    readonly alternative: NewAlternative;
    readonly parentAlternativeId: string | null;
    readonly processId: string | null;
    readonly now: string;
    readonly entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const { turn, alternative, entries, ...rest } = insert;
  const { conversationId, ownerId } = turn;
  await tx.run(INSERT, {
    ...rest,
    turn,
    alternative: {
      ...alternative,
      saidAt: alternative.saidAt ?? null,
      turnId: turn.id,
      conversationId,
      ownerId,
      respondsToId: rest.parentAlternativeId,
    },
    entries: entryParams(entries),
  });
}
