import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../common/json.ts';
import { jsonText, numberOrNull, textOrNull } from '../common/stored.ts';
import { isComplete } from '../conversations/alternative.cypher.ts';
import { ContentPart } from '../conversations/content-part.ts';
import { toRecall } from '../conversations/conversation.cypher.ts';
import type { ConversationRecall } from '../conversations/conversation.ts';
import {
  LINEAGE_OF_ALTERNATIVE,
  PATH_ON_SCREEN,
  PATH_UP,
  SHOWN,
} from '../conversations/path.cypher.ts';
import { SPEAKERS } from '../conversations/turn.ts';
import {
  ACTIVE_ENTITIES,
  toActiveEntities,
} from '../memory-graph/entities/active-entity.cypher.ts';
import { isTalkedOf } from '../memory-graph/entities/active-entity.ts';
import type { ReadTx, Row } from '../platform/neo4j/graph.ts';
import { isRow, parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_STATUSES } from '../runs/run/run.ts';
import {
  type ContextMessage,
  contextItems,
  includedIn,
  type PathRow,
  validPart,
} from './context.ts';
import { NOTES_OF, toNotes } from './introspections/introspection.cypher.ts';
import { recall } from './recall/recall.cypher.ts';
import type { Recollection } from './recall/recall.ts';
import { SUMMARIES_OF, toSummaryRecords } from './summaries/summary.cypher.ts';
import {
  type WorkingMemory,
  type WorkingMemorySources,
  workingMemoryOf,
} from './working-memory.ts';

const statement = (path: string, length: string) => cypher`
  // readWorkingMemory
  MATCH (c:Conversation {id: $conversationId, ownerId: $viewerId})
  ${path}
  CALL (shown) {
    UNWIND range(0, size(shown) - 1) AS depth
    WITH depth, shown[depth] AS a
    MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
    WITH t, a ORDER BY depth
    RETURN collect({
      turnId: t.id, speaker: t.speaker, alternativeId: a.id, content: a.content, parts: a.parts,
      outcome: a.outcome, respondsToId: a.respondsToId,
      episodeId: head([(a)-[:HAS_CONTENT]->(bound:Episodic) | bound.uuid])
    }) AS path
  }
  ${ACTIVE_ENTITIES}
  ${SUMMARIES_OF}
  ${NOTES_OF}
  RETURN c.updatedAt AS updatedAt, c.recallTokens AS recallTokens, c.recallOthers AS recallOthers,
    ${length} AS length, path, active, summaries, notes
`;
// That of an answer comes first: it is planned first.
const UP_FROM_ALTERNATIVE = statement(LINEAGE_OF_ALTERNATIVE, 'size(shown)');
const ON_SCREEN = statement(`${PATH_ON_SCREEN}${SHOWN}`, 'size(turns)');
const UP_FROM_TURN = statement(`${PATH_UP}${SHOWN}`, 'size(turns)');

export interface WorkingMemoryPlace {
  readonly conversationId: string;
  /** Default: the end of the path on screen. */
  readonly turnId?: string | null | undefined;
  /**
   * The path leads here by the alternatives that each one answers. Default: the path of active
   * alternatives.
   */
  readonly alternativeId?: string | null | undefined;
  /** Store of the agent memory that is recalled from. Default: none. */
  readonly store?: string | null;
}

/** Names the id that the viewer can't see. */
interface Missing {
  readonly missing: 'conversationId' | 'turnId' | 'alternativeId';
}

/** The sources, with the setting of what is recalled. */
type Sources = WorkingMemorySources & { readonly recall: ConversationRecall };

/** The working memory at a turn. @returns `missing` as readWorkingMemorySources */
export async function readWorkingMemory(
  tx: ReadTx,
  viewerId: string,
  where: WorkingMemoryPlace,
): Promise<WorkingMemory | Missing> {
  const sources = await readWorkingMemorySources(tx, viewerId, where);
  if ('missing' in sources) return sources;
  return workingMemoryOf({ ...sources, ...(await recallFor(tx, viewerId, where, sources)) });
}

/** The memories that the last user turn of the path calls for. */
function recallFor(
  tx: ReadTx,
  viewerId: string,
  { store = null }: Pick<WorkingMemoryPlace, 'store'>,
  { conversation, path, summaries = [], active = [], recall: setting }: Sources,
): Promise<Recollection> {
  const valid = validPart(path);
  const answered = valid.findLast(({ speaker }) => speaker === 'user') ?? valid.at(-1);
  const items = contextItems(path, summaries);
  return recall(tx, {
    viewerId,
    conversationId: conversation.id,
    message: answered?.content ?? '',
    path: includedIn(path).flatMap(({ episodeId }) => episodeId ?? []),
    active: active.flatMap(({ includeSummary, entityUuid: uuid }) =>
      includeSummary ? [uuid] : [],
    ),
    shown: items.flatMap(({ kind, upTo }) => (kind === 'turn' ? [upTo] : [])),
    store,
    ...setting,
  });
}

/**
 * Reads all sources of working memory in one statement.
 * @returns `missing` if one of the three ids names no node that the viewer can see
 */
export async function readWorkingMemorySources(
  tx: ReadTx,
  viewerId: string,
  where: WorkingMemoryPlace,
): Promise<Sources | Missing> {
  const { conversationId } = where;
  const alternativeId = where.alternativeId ?? null;
  const turnId = where.turnId ?? null;
  const text =
    alternativeId !== null ? UP_FROM_ALTERNATIVE : turnId !== null ? UP_FROM_TURN : ON_SCREEN;
  const params = { conversationId, viewerId, turnId, alternativeId };
  const [row] = await tx.run(text, params, areWhole);
  if (row === undefined)
    return { missing: alternativeId === null ? 'conversationId' : 'alternativeId' };
  const name = `Conversation ${conversationId}`;
  const { path: rows, updatedAt, ...stored } = parseRow(SourcesRow, row, name);
  const path = toPath(rows);
  const valid = new Set(validPart(path).map((turn) => turn.alternativeId));
  if (turnId !== null && path.at(-1)?.turnId !== turnId)
    return { missing: alternativeId === null ? 'turnId' : 'alternativeId' };
  return {
    conversation: { id: conversationId, updatedAt },
    recall: toRecall(stored),
    path,
    active: toActiveEntities(row['active']).filter((entity) => isTalkedOf(entity, valid)),
    summaries: toSummaryRecords(row['summaries']),
    notes: toNotes(row['notes']),
  };
}

/**
 * False if the row shows half a commit: a turn without an alternative, or an answer without
 * content.
 */
function areWhole([row]: readonly Row[]): boolean {
  if (row === undefined) return true;
  const { path, length } = row;
  if (!Array.isArray(path)) return true;
  return path.length === length && path.filter(isRow).every(isComplete);
}

const PathTurn = z.object({
  turnId: z.string(),
  alternativeId: z.string(),
  speaker: z.enum(SPEAKERS),
  /** Null until the run that writes it has ended. */
  content: textOrNull,
  parts: jsonText(z.array(ContentPart)).nullable().default(null),
  outcome: z.enum(RUN_STATUSES).nullable(),
  respondsToId: textOrNull,
  episodeId: textOrNull,
});
type PathTurn = z.infer<typeof PathTurn>;
const SourcesRow = z.object({
  updatedAt: z.string(),
  recallTokens: numberOrNull,
  recallOthers: z.boolean().nullable().default(null),
  path: z.array(PathTurn),
});

/** From the first turn on that answers another alternative than the one above it, all are stale. */
function toPath(turns: readonly PathTurn[]): PathRow[] {
  const cut = turns.findIndex(
    ({ respondsToId }, index) =>
      index > 0 && respondsToId !== (turns[index - 1]?.alternativeId ?? null),
  );
  return turns.map(({ respondsToId: _, content, ...turn }, index) => ({
    ...turn,
    content: content ?? '',
    isStale: cut >= 0 && index >= cut,
  }));
}

/** A message as `llm_call` reads it. */
function toVariable({ role, content, parts }: ContextMessage): JsonObject {
  const message = { role, content };
  return parts == null ? message : { ...message, parts: parts.map((part) => ({ ...part })) };
}

/**
 * The `wanted` ones of the variables message, messages, recalled, workingMemory and conversationId.
 * They are read at the alternative that a run answers, or at the end of the valid path.
 * @returns null if the viewer has no such conversation
 */
export async function conversationVariables(
  tx: ReadTx,
  viewerId: string,
  at: {
    readonly conversationId: string;
    readonly alternativeId: string | null;
    readonly wanted: readonly string[];
    readonly store?: string | null;
  },
): Promise<JsonObject | null> {
  const sources = await readWorkingMemorySources(tx, viewerId, at);
  if ('missing' in sources) return null;
  const isRecalling = at.wanted.some((name) => RECALLING.has(name));
  const found = isRecalling ? await recallFor(tx, viewerId, at, sources) : {};
  const memory = workingMemoryOf({ ...sources, ...found });
  const { messages, immediatePath, recalled } = memory;
  const variables: JsonObject = {
    message: immediatePath.length === 0 ? '' : (messages.at(-1)?.content ?? ''),
    messages: messages.map(toVariable),
    recalled: recalled.flatMap((one: unknown) => (isJsonObject(one) ? [one] : [])),
    workingMemory: isJsonObject(memory) ? memory : null,
    conversationId: at.conversationId,
  };
  return Object.fromEntries(Object.entries(variables).filter(([name]) => at.wanted.includes(name)));
}

/** Variables that hold recalled memories. A Process that wants none of them costs no recall. */
const RECALLING: ReadonlySet<string> = new Set(['messages', 'recalled', 'workingMemory']);
