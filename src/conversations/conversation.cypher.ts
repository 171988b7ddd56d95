import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { newestFirst, type Page, type PageArgs } from '../common/page.ts';
import { numberOrNull, textOrNull } from '../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow, textOf } from '../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { Viewer } from '../users/user.ts';
import {
  CONVERSATION_STATUSES,
  type Conversation,
  type ConversationRecall,
  type ConversationStatus,
  RECALL_DEFAULT,
} from './conversation.ts';

const CONVERSATION = /* cypher */ `
  c {.id, .ownerId, .title, .status, .createdAt, .updatedAt, .recallTokens, .recallOthers,
    defaultProcessId: head([(c)-[:DEFAULT_PROCESS]->(p:Process) | p.id]),
    fork: head([(c)-[f:FORKED_FROM]->(origin:Conversation) | {conversationId: origin.id,
      originTurnId: f.originTurn, originAlternativeId: f.originAlternative}])}
`;

const ConversationRow = z.object({
  id: z.string(),
  ownerId: z.string(),
  title: textOrNull,
  status: z.enum(CONVERSATION_STATUSES),
  createdAt: z.string(),
  updatedAt: z.string(),
  defaultProcessId: textOrNull,
  recallTokens: numberOrNull,
  // Null in conversations of older versions.
  recallOthers: z.boolean().nullable().default(null),
  fork: z
    .object({
      conversationId: z.string(),
      originTurnId: z.string(),
      originAlternativeId: z.string(),
    })
    .nullable(),
});

function toConversation(row: unknown): Conversation {
  const { fork, recallTokens, recallOthers, ...conversation } = parseRow(
    ConversationRow,
    row,
    'Conversation',
  );
  const recall = toRecall({ recallTokens, recallOthers });
  return { ...conversation, forkedFrom: fork, recall };
}

/** The recall of a conversation, by its stored properties. */
export function toRecall(stored: {
  readonly recallTokens: number | null;
  readonly recallOthers: boolean | null;
}): ConversationRecall {
  return {
    tokens: stored.recallTokens ?? RECALL_DEFAULT.tokens,
    otherConversations: stored.recallOthers ?? RECALL_DEFAULT.otherConversations,
  };
}

const FIND = cypher`
  // findConversations
  MATCH (c:Conversation) WHERE c.id IN $ids AND c.ownerId = $viewerId
  RETURN ${CONVERSATION} AS conversation
`;

/** The viewer's conversations with these ids. Other ids are left out. */
export const findConversations = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND, { ids, viewerId }, (row) => toConversation(row['conversation']));

const LISTED = {
  name: 'listConversations',
  match: `MATCH (c:Conversation) USING INDEX SEEK c:Conversation(ownerId, createdAt, id)
    WHERE c.ownerId = $viewerId AND ($status IS NULL OR c.status = $status)`,
  within: ['c.ownerId'],
  order: newestFirst('c'),
  item: CONVERSATION,
} as const;
const LIST = listing(LISTED);

/** A search reads the messages of so many conversations, the newest. */
const SEARCHED_MAX = 1_000;

// A statement of its own: the list without a search has a plan that reads no message.
const LIST_FOUND = listing({
  ...LISTED,
  name: 'listFoundConversations',
  match: `CALL () {
      ${LISTED.match} AND c.createdAt IS NOT NULL AND c.id IS NOT NULL
      RETURN c ORDER BY c.ownerId DESC, c.createdAt DESC, c.id DESC LIMIT ${SEARCHED_MAX}
    }
    WITH c
    WHERE (toLower(coalesce(c.title, '')) CONTAINS toLower($query) OR EXISTS {
      MATCH (c)-[:HAS_TURN]->(:ConversationTurn)-[:HAS_ALTERNATIVE]->(a:Alternative)
      WHERE toLower(a.content) CONTAINS toLower($query)
    })`,
});

export interface ConversationFilter extends PageArgs {
  readonly status?: ConversationStatus | null | undefined;
  /**
   * Text in the title or in a message, on screen or not, of the newest 1,000. Absent or blank: all.
   */
  readonly query?: string | null | undefined;
}

/** The viewer's conversations, newest first. */
export function listConversations(
  tx: ReadTx,
  viewerId: string,
  { status = null, query, ...page }: ConversationFilter,
): Promise<Page<Conversation>> {
  const wanted = query?.trim() ?? '';
  if (wanted === '') return listPage(tx, LIST, page, { viewerId, status }, toConversation);
  const params = { viewerId, status, query: wanted };
  return listPage(tx, LIST_FOUND, page, params, toConversation);
}

const FORKS = cypher`
  // listForks
  MATCH (c:Conversation)-[:FORKED_FROM]->(origin:Conversation)
  WHERE origin.id IN $ids AND c.ownerId = $viewerId
  RETURN origin.id AS originId, ${CONVERSATION} AS conversation ORDER BY c.createdAt, c.id
`;

/** The forks of each of these conversations, oldest first. */
export async function listForks(
  tx: ReadTx,
  viewerId: string,
  ids: readonly string[],
): Promise<Map<string, Conversation[]>> {
  const rows = await tx.run(FORKS, { ids, viewerId });
  const forks = new Map<string, Conversation[]>(ids.map((id) => [id, []]));
  for (const row of rows)
    forks.get(textOf(row, 'originId', 'Conversation'))?.push(toConversation(row['conversation']));
  return forks;
}

const INSERT = cypher`
  // insertConversation
  MATCH (owner:User {id: $ownerId})
  CREATE (c:Conversation:Resource {id: $id, ownerId: $ownerId, title: $title, status: $status,
    recallTokens: $recall.tokens, recallOthers: $recall.otherConversations,
    createdAt: datetime($createdAt), updatedAt: datetime($updatedAt)})
  CREATE (c)-[:OWNED_BY {createdAt: datetime($createdAt)}]->(owner)
  WITH c
  CALL (c) {
    MATCH (p:Process {id: $defaultProcessId})
    CREATE (c)-[:DEFAULT_PROCESS {since: datetime($createdAt)}]->(p)
  }
  CALL (c) {
    MATCH (origin:Conversation {id: $fork.conversationId})
    CREATE (c)-[:FORKED_FROM {originTurn: $fork.originTurnId,
      originAlternative: $fork.originAlternativeId}]->(origin)
  }
  ${CREATE_ENTRIES}
`;

/** Inserts a conversation with its edges and its entry, in one statement (S4-CONV-02). */
export async function insertConversation(
  tx: WriteTx,
  conversation: Conversation,
  entry: OutboxEntry,
): Promise<void> {
  const { forkedFrom, recall, ...fields } = conversation;
  const fork = forkedFrom ?? {
    conversationId: null,
    originTurnId: null,
    originAlternativeId: null,
  };
  await tx.run(INSERT, { ...fields, recall: { ...recall }, fork, entries: entryParams([entry]) });
}

const UPDATE = cypher`
  // updateConversation
  MATCH (c:Conversation {id: $id})
  SET c.title = $title, c.status = $status, c.updatedAt = datetime($updatedAt),
    c.recallTokens = $recall.tokens, c.recallOthers = $recall.otherConversations
  WITH c
  ${CREATE_ENTRIES}
`;

export async function updateConversationNode(
  tx: WriteTx,
  { id, title, status, recall, updatedAt }: Conversation,
  entry: OutboxEntry,
): Promise<void> {
  await tx.run(UPDATE, {
    id,
    title,
    status,
    recall: { ...recall },
    updatedAt,
    entries: entryParams([entry]),
  });
}

// Choosing the same Process again keeps the edge, so `since` is the first choice (S4-CONV-06).
const SET_DEFAULT = cypher`
  // setDefaultProcess
  MATCH (c:Conversation {id: $id})
  CALL (c) {
    MATCH (c)-[old:DEFAULT_PROCESS]->(was:Process)
    WHERE $processId IS NULL OR was.id <> $processId
    DELETE old
  }
  MATCH (p:Process {id: $processId})
  MERGE (c)-[edge:DEFAULT_PROCESS]->(p)
  ON CREATE SET edge.since = datetime($now)
`;

/** Sets the default Process of a conversation; null removes it. */
export const setDefaultProcess = (
  tx: WriteTx,
  choice: { readonly id: string; readonly processId: string | null; readonly now: string },
) => runWrite(tx, SET_DEFAULT, choice);

const FIND_CHOICE = cypher`
  // findProcessChoice
  MATCH (p:Process {id: $processId})-[:OWNED_BY]->(o:User)
  WHERE o.id IN $ownerIds OR p.shared
  RETURN p.name AS name, p.enabled AS enabled
`;

const ChoiceRow = z.object({ name: z.string(), enabled: z.boolean() });

/** Name and state of a Process the viewer may run; null if the viewer can't see it. */
export const findProcessChoice = (tx: ReadTx, viewer: Viewer, processId: string) =>
  readOne(tx, FIND_CHOICE, { ownerIds: ownerIdsOf(viewer), processId }, (row) =>
    parseRow(ChoiceRow, row, `Process ${processId}`),
  );
