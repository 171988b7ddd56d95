import { z } from 'zod';
import type { WorkItem, WorkProcess } from '../../background/work.ts';

/** The stored part of a plan. */
export const CompressionTask = z.object({
  sources: z.array(z.string()).readonly(),
  coversUpToId: z.string(),
  sourceTokens: z.number(),
  maxTokens: z.number(),
});
export type CompressionTask = Readonly<z.infer<typeof CompressionTask>>;

/** The compressions that led to an introspection. */
export const IntrospectionTask = z.object({
  /** First and last compression since the last introspection; they count from 1. */
  from: z.number(),
  to: z.number(),
  /** Value of the conversation's counter before this introspection reset it. */
  counted: z.number(),
});
export type IntrospectionTask = Readonly<z.infer<typeof IntrospectionTask>>;

const OfConversation = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Background work of working memory, done by a run of a Process (S4-PAT-03). Its result is written
 * in the transaction that ends the run, so no reader sees one without the other.
 */
export const MemoryTask = z.discriminatedUnion('kind', [
  OfConversation.extend({ kind: z.literal('compression'), ...CompressionTask.shape }),
  OfConversation.extend({ kind: z.literal('introspection'), ...IntrospectionTask.shape }),
]);
export type MemoryTask = Readonly<z.infer<typeof MemoryTask>>;
export type TaskKind = MemoryTask['kind'];

/** Names of the system's Processes that do the tasks (examples/system.yaml). */
export const TASK_PROCESSES = {
  compression: 'compress conversation',
  introspection: 'introspect',
} as const satisfies Record<TaskKind, WorkProcess>;

/** A task as a piece of background work. */
export function taskItem(ownerId: string, conversationId: string, kind: TaskKind): WorkItem {
  return { ownerId, kind: TASK_PROCESSES[kind], itemId: conversationId };
}
