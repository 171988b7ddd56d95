import { z } from 'zod';
import { JsonValue, jsonText, textOrEmpty, textOrNull } from '../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { isRow, parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_STATUSES, type RunStatus } from '../runs/run/run.ts';
import { type Alternative, cacheStatusOf, SPOKEN_KINDS, spokenText } from './alternative.ts';
import { ContentPart } from './content-part.ts';
import { findSurroundings, listStaleBelow, STALE_OF, showAlternatives } from './path.cypher.ts';
import { continuationOf } from './path.ts';
import { LINK_MAKERS, type NewAlternative } from './turn.cypher.ts';

const ALTERNATIVE = /* cypher */ `
  a {.id, .turnId, .conversationId, .content, .parts, .outcome, .createdAt, .runId,
    .respondsToId, saidAt: coalesce(a.saidAt, a.createdAt), sequence: h.sequence,
    isActive: h.isActive, isStale: a.id IN staleIds,
    hasChildren: EXISTS { (a)<-[:RESPONDS_TO]-(:Alternative) },
    executedById: head([(a)-[:EXECUTED_BY]->(process) | process.id])}
`;

const AlternativeRow = z.object({
  id: z.string(),
  turnId: z.string(),
  conversationId: z.string(),
  sequence: z.int(),
  isActive: z.boolean(),
  /** Null until the run that writes it has ended. */
  content: textOrEmpty,
  parts: jsonText(z.array(ContentPart)).nullable().default(null),
  outcome: z.enum(RUN_STATUSES).nullable(),
  createdAt: z.string(),
  saidAt: z.string(),
  hasChildren: z.boolean(),
  isStale: z.boolean(),
  respondsToId: textOrNull,
  executedById: textOrNull,
  runId: textOrNull,
});

function toAlternative(row: unknown): Alternative {
  const { isStale, ...rest } = parseRow(AlternativeRow, row, 'Alternative');
  const cacheStatus = cacheStatusOf({ outcome: rest.outcome, isStale });
  return { ...rest, cacheStatus };
}

/** False if the rows show half a commit: an alternative with an outcome but without content. */
const areComplete = (rows: readonly Row[]): boolean =>
  rows.every(({ alternative }) => !isRow(alternative) || isComplete(alternative));

/** Whether content and outcome agree: an awaited alternative has neither, others have both. */
export function isComplete({ outcome, content }: Row): boolean {
  return outcome == null || content != null;
}

/** As areComplete. Also false unless each turn has exactly one active alternative. */
function areWholeTurns(rows: readonly Row[]): boolean {
  const alternatives = rows.map(({ alternative }) => alternative).filter(isRow);
  const turns = new Set(alternatives.map(({ turnId }) => turnId));
  const active = alternatives.filter(({ isActive }) => isActive === true);
  const activeTurns = new Set(active.map(({ turnId }) => turnId));
  return areComplete(rows) && active.length === turns.size && activeTurns.size === turns.size;
}

const find = (name: string, where: string) => cypher`
  // ${name}
  MATCH (a:Alternative) WHERE ${where} AND a.ownerId = $viewerId
  WITH collect(a) AS found, collect(DISTINCT a.conversationId) AS talks
  ${STALE_OF}
  UNWIND found AS a
  MATCH (a)<-[h:HAS_ALTERNATIVE]-(:ConversationTurn)
  RETURN ${ALTERNATIVE} AS alternative
`;
const FIND = find('findAlternatives', 'a.id IN $ids');
const FIND_OF_RUNS = find('findAlternativesOfRuns', 'a.runId IN $ids');
const LIST_OF_TURNS = cypher`
  // listAlternatives
  MATCH (t:ConversationTurn) WHERE t.id IN $ids AND t.ownerId = $viewerId
  WITH collect(t) AS turns, collect(DISTINCT t.conversationId) AS talks
  ${STALE_OF}
  UNWIND turns AS t
  MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative)
  RETURN ${ALTERNATIVE} AS alternative ORDER BY h.sequence
`;

const read =
  (statement: string, areWhole: typeof areComplete) =>
  async (tx: ReadTx, viewerId: string, ids: readonly string[]): Promise<Alternative[]> => {
    const rows = await tx.run(statement, { ids, viewerId }, areWhole);
    return rows.map((row) => toAlternative(row['alternative']));
  };

/** The viewer's alternatives with these ids. Other ids are left out. */
export const findAlternatives = read(FIND, areComplete);
/** The viewer's alternatives that these runs write. */
export const findAlternativesOfRuns = read(FIND_OF_RUNS, areComplete);
/** All alternatives of these turns of the viewer, by sequence. */
export const listAlternatives = read(LIST_OF_TURNS, areWholeTurns);

const INSERT = cypher`
  // insertAlternative
  MATCH (t:ConversationTurn {id: $alternative.turnId})-[known:HAS_ALTERNATIVE]->()
  WITH t, max(known.sequence) + 1 AS sequence
  CREATE (a:Alternative:Resource)
  SET a = $alternative, a.createdAt = datetime($now)
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: false, sequence: sequence}]->(a)
  WITH a
  CALL (a) {
    MATCH (answered:Alternative {id: $respondsToId})
    CREATE (a)-[:RESPONDS_TO]->(answered)
  }
  ${LINK_MAKERS}
`;

/**
 * Inserts an alternative of a turn with the next sequence, not active yet (S4-ALT-03). The caller
 * holds the conversation's lock.
 */
export async function insertAlternative(
  tx: WriteTx,
  insert: {
    readonly alternative: NewAlternative & {
      readonly turnId: string;
      readonly conversationId: string;
      readonly ownerId: string;
    };
    readonly respondsToId: string | null;
    readonly processId: string | null;
    readonly now: string;
  },
): Promise<void> {
  const { respondsToId } = insert;
  await tx.run(INSERT, { ...insert, alternative: { ...insert.alternative, respondsToId } });
}

const TOUCH = cypher`
  // touchConversation
  MATCH (t:ConversationTurn {id: $turnId})<-[:HAS_TURN]-(c:Conversation)
  SET c.updatedAt = datetime($now), t:Switched
`;

/** An alternative that came on screen. */
export interface Activated {
  readonly turnId: string;
  readonly alternativeId: string;
  /** The alternatives that it made stale, the nearest first. */
  readonly staleIds: readonly string[];
}

/**
 * Makes an alternative the only active one of its turn (S4-TURN-04), with its turn on screen below
 * its parent, and with it the continuation that it had. With `path` `whole`, all that it answers
 * comes too, up to the root. The first turn that changed gets the mark Switched: the next reader of
 * memory withdraws facts that only hidden turns tell. The caller holds the conversation's lock.
 * @returns all that changed, root first; empty if nothing did
 */
export async function activate(
  tx: WriteTx,
  change: {
    readonly alternativeId: string;
    readonly path: 'below' | 'whole';
    readonly now: string;
  },
): Promise<Activated[]> {
  const { alternativeId, path } = change;
  const { lineage, replies } = await findSurroundings(tx, alternativeId);
  const above = path === 'whole' ? lineage : lineage.slice(-1);
  const changed = await showAlternatives(tx, [...above, ...continuationOf(alternativeId, replies)]);
  const [first] = changed;
  if (first === undefined) return [];
  await tx.run(TOUCH, { turnId: first.turnId, now: change.now });
  const isSwitched = first.wasId !== first.alternativeId;
  const staleIds = isSwitched ? await listStaleBelow(tx, first.wasId) : [];
  return changed.map(({ wasId: _, ...one }, at) => ({
    ...one,
    staleIds: at === 0 ? staleIds : [],
  }));
}

const LIST_SPOKEN = cypher`
  // listSpoken
  MATCH (o:OutboxEntry) WHERE o.runId IN $runIds AND o.kind IN $kinds
  RETURN o.runId AS runId, o.kind AS kind, o.payload AS payload ORDER BY o.id
`;

// Entries of older versions lack some fields.
const SpokenRow = z.object({
  runId: z.string(),
  kind: z.string(),
  payload: jsonText(
    z.object({
      stepId: z.string(),
      index: z.number().nullish(),
      attempt: z.number().optional(),
      text: z.string().optional(),
      channel: z.string().optional(),
      status: z.string().optional(),
      speaks: z.boolean().optional(),
      cached: z.boolean().optional(),
      output: z.object({ value: JsonValue.optional() }).optional(),
    }),
  ),
});

/** The text that each of these runs has streamed until now, by run id. */
export async function findSpokenTexts(
  tx: ReadTx,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.run(LIST_SPOKEN, { runIds, kinds: SPOKEN_KINDS });
  const entries = rows.map((row) => parseRow(SpokenRow, row, 'OutboxEntry'));
  const byRun = Map.groupBy(entries, ({ runId }) => runId);
  return new Map(runIds.map((id) => [id, spokenText(byRun.get(id) ?? [])]));
}

const FIND_AWAITED = cypher`
  // findAwaitedAlternative
  MATCH (a:Alternative {runId: $runId}) WHERE a.outcome IS NULL
  RETURN a.id AS id, a.turnId AS turnId
`;
const COMPLETE = cypher`
  // completeAlternative
  MATCH (a:Alternative {id: $id}) WHERE a.outcome IS NULL
  SET a.content = $content, a.outcome = $status
  WITH a
  MATCH (c:Conversation {id: a.conversationId})
  SET c.updatedAt = datetime($now)
  WITH c
  ${CREATE_ENTRIES}
`;

const Awaited = z.object({ id: z.string(), turnId: z.string() });

/**
 * Writes the output of a run as the content of its alternative, once, in the transaction that ends
 * the run. A run that did not complete leaves the text it had streamed. Does nothing if no
 * alternative awaits the run.
 */
export async function completeAlternative(
  tx: WriteTx,
  end: {
    readonly runId: string;
    readonly status: RunStatus;
    readonly output: string | null;
    readonly now: string;
    readonly entry: (alternative: {
      readonly turnId: string;
      readonly alternativeId: string;
    }) => OutboxEntry;
  },
): Promise<void> {
  const { runId, status, output, now } = end;
  const [row] = await tx.run(FIND_AWAITED, { runId });
  if (row === undefined) return;
  const { id, turnId } = parseRow(Awaited, row, 'Alternative');
  const content =
    status === 'completed'
      ? (output ?? '')
      : ((await findSpokenTexts(tx, [runId])).get(runId) ?? '');
  const entry = end.entry({ turnId, alternativeId: id });
  await tx.run(COMPLETE, { id, content, status, now, entries: entryParams([entry]) });
}
