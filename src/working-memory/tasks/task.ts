import { z } from 'zod';
import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { msSince } from '../../common/clock.ts';
import type { RunStatus } from '../../runs/run/run.ts';

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

/** The state of the newest task of a kind in a conversation. */
export interface NewestTask {
  /** Number of tasks that failed in a row before it. */
  readonly attempt: number;
  /** Status of its newest run. */
  readonly status: RunStatus;
  readonly isOpen: boolean;
  /** Time when its newest run ended; null while the run is open. */
  readonly endedAt: string | null;
}

const RETRY: Backoff = { firstMs: 60_000, maxMs: 24 * 60 * 60_000 };

/**
 * Milliseconds until a failed task may be started again automatically; 0 if it has not failed. The
 * backoff begins at a minute, doubles each time and ends at a day.
 */
export function retryInMs({ status, attempt, endedAt }: NewestTask, nowMs: number): number {
  if (status === 'completed' || endedAt === null) return 0;
  return Math.max(0, backoffMs(RETRY, attempt + 1) - msSince(endedAt, nowMs));
}

/** Names of the system's Processes that do the tasks (examples/system.yaml). */
export const TASK_PROCESSES: Readonly<Record<TaskKind, string>> = {
  compression: 'compress conversation',
  introspection: 'introspect',
};
/** Timeout of a task's run. */
export const TASK_SECONDS: Readonly<Record<TaskKind, number>> = {
  compression: 900,
  // S4-INTR-09: the agent needs time to search and to reorganise.
  introspection: 3_600,
};
