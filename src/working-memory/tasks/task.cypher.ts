import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';
import type { MemoryTask, TaskKind } from './task.ts';

const FIND_OWNER = cypher`
  // findConversationOwner
  MATCH (c:Conversation {id: $conversationId})
  MATCH (u:User {id: c.ownerId})
  RETURN {userId: u.id, name: u.name, workspace: u.workspace} AS owner, c.title AS title,
    head([(u)-[:REMEMBERS_WITH]->(tool:Tool) | tool.id]) AS llmToolId,
    coalesce(c.compressions, 0) AS compressions,
    coalesce(c.compressionsSinceIntrospection, 0) AS sinceIntrospection
`;

/** The owner and the counters of a conversation, for its background tasks. */
export interface ConversationOwner {
  /** The owner. The system's Processes run as this viewer, with the role `user` only. */
  readonly viewer: Viewer;
  /** Title of the conversation; null: none. */
  readonly title: string | null;
  /** The LLM Tool of the owner's memory settings; null: the system's own. */
  readonly llmToolId: string | null;
  /** Number of all compressions of the conversation. */
  readonly compressions: number;
  /** Number of compressions since the last introspection. */
  readonly sinceIntrospection: number;
}

const OwnerRow = z.object({
  owner: z.object({ userId: z.string(), name: z.string(), workspace: z.string() }),
  title: z.string().nullable(),
  llmToolId: z.string().nullable(),
  compressions: z.int(),
  sinceIntrospection: z.int(),
});

/** Not scoped by a viewer: background tasks act for the conversation's owner. */
export async function findConversationOwner(
  tx: ReadTx,
  conversationId: string,
): Promise<ConversationOwner | null> {
  const [row] = await tx.run(FIND_OWNER, { conversationId });
  if (row === undefined) return null;
  const { owner, ...rest } = parseRow(OwnerRow, row, `Conversation ${conversationId}`);
  return { ...rest, viewer: { ...owner, roles: ['user'] } };
}

const HAS_OPEN = cypher`
  // hasOpenTask
  RETURN EXISTS {
    MATCH (:Conversation {id: $conversationId})<-[:TASK_OF]-(:MemoryTask {kind: $kind})
      -[:DONE_BY]->(run:ProcessRun)
    WHERE run.status IN $open
  } AS isOpen
`;

/**
 * Whether a run is at work on a task of this kind. Hold the conversation's lock to decide by it.
 */
export async function hasOpenTask(
  tx: ReadTx,
  at: { readonly conversationId: string; readonly kind: TaskKind },
): Promise<boolean> {
  const [row] = await tx.run(HAS_OPEN, { ...at, open: [...OPEN_RUN_STATUSES] });
  return row?.['isOpen'] === true;
}

const INSERT = cypher`
  // insertMemoryTask
  MATCH (c:Conversation {id: $conversationId}), (run:ProcessRun {id: $runId})
  CREATE (task:MemoryTask)
  SET task = $task, task.createdAt = datetime($now)
  CREATE (task)-[:TASK_OF]->(c), (task)-[:DONE_BY]->(run)
  SET c.compressionsSinceIntrospection = CASE $task.kind WHEN 'introspection' THEN 0
    ELSE c.compressionsSinceIntrospection END
`;

/** Inserts the task of a run. An introspection resets the conversation's counter (S4-INTR-07). */
export const insertTask = (
  tx: WriteTx,
  {
    task: { conversationId, ...task },
    ...insert
  }: { readonly task: MemoryTask; readonly runId: string; readonly now: string },
) => runWrite(tx, INSERT, { ...insert, conversationId, task });

const HAND_OVER = cypher`
  // handOverTask
  MATCH (task:MemoryTask)-[:DONE_BY]->(:ProcessRun {id: $from})
  MATCH (run:ProcessRun {id: $to})
  CREATE (task)-[:DONE_BY]->(run)
`;

/** Binds the task of a run to the run's retry. Does nothing if the run has no task. */
export const handOverTask = (tx: WriteTx, hand: { readonly from: string; readonly to: string }) =>
  runWrite(tx, HAND_OVER, hand);

const RESTORE_COUNT = cypher`
  // restoreTaskCount
  MATCH (task:MemoryTask {id: $id})-[:TASK_OF]->(c:Conversation)
  SET c.compressionsSinceIntrospection =
    coalesce(c.compressionsSinceIntrospection, 0) + coalesce(task.counted, 0)
`;

/** Gives the conversation back the counter that a failed introspection has reset. */
export const restoreCount = (tx: WriteTx, id: string) => runWrite(tx, RESTORE_COUNT, { id });

const LIST_CHANGED = cypher`
  // listConversationsToSweep
  MATCH (c:Conversation)
  WHERE c.updatedAt >= datetime($since) AND (c.updatedAt > datetime($since) OR c.id > $afterId)
  RETURN c.id AS id, c.updatedAt AS updatedAt ORDER BY c.updatedAt, c.id LIMIT $limit
`;

const ChangedRow = z.object({ id: z.string(), updatedAt: z.string() });

/** Conversations changed since a time, in the order of their last change. */
export const listChanged = (
  tx: ReadTx,
  from: { readonly since: string; readonly afterId: string; readonly limit: number },
) => readAll(tx, LIST_CHANGED, from, (row) => parseRow(ChangedRow, row, 'Conversation'));
