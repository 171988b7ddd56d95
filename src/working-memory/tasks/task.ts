import { z } from 'zod';
import { type Backoff, backoffMs } from '../../common/backoff.ts';
import type { RunStatus } from '../../runs/run/run.ts';
import { CompressionTask } from '../summaries/compression.ts';

/** What an introspection was started for. */
export const IntrospectionTask = z.object({
  /** Compressions of the conversation, counted from 1: those since the last introspection. */
  from: z.number(),
  to: z.number(),
  /** How far the conversation's counter had come when this one took it. */
  counted: z.number(),
});
export type IntrospectionTask = Readonly<z.infer<typeof IntrospectionTask>>;

const OfConversation = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Why the product has a run (S4-PAT-03: the run itself is a Process like any other). What comes of it is written in the
 * transaction that ends the run, so that one is never seen without the other.
 */
export const MemoryTask = z.discriminatedUnion('kind', [
  OfConversation.extend({ kind: z.literal('compression'), ...CompressionTask.shape }),
  OfConversation.extend({ kind: z.literal('introspection'), ...IntrospectionTask.shape }),
]);
export type MemoryTask = Readonly<z.infer<typeof MemoryTask>>;
export type TaskKind = MemoryTask['kind'];

/** How far the newest task of a kind has come in a conversation. */
export interface NewestTask {
  /** How many before it failed in a row. */
  readonly attempt: number;
  /** Of its newest run. */
  readonly status: RunStatus;
  readonly isOpen: boolean;
  /** When its newest run ended; null while it has not. */
  readonly endedAt: string | null;
}

const REST: Backoff = { firstMs: 60_000, maxMs: 24 * 60 * 60_000 };

/** When a failed task may be tried again automatically, in Unix ms: after a minute, then twice as long each time, a day at most. */
export function restsUntilMs({ status, attempt, endedAt }: NewestTask): number {
  if (status === 'completed' || endedAt === null) return 0;
  return Date.parse(endedAt) + backoffMs(REST, attempt + 1);
}

/** The system's Processes that do the work (examples/system.yaml). */
export const TASK_PROCESSES: Readonly<Record<TaskKind, string>> = {
  compression: 'compress conversation',
  introspection: 'introspect',
};
export const TASK_SECONDS: Readonly<Record<TaskKind, number>> = {
  compression: 900,
  // S4-INTR-09: time enough to search and to reorganise.
  introspection: 3_600,
};
