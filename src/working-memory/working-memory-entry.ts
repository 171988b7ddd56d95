import { z } from 'zod';
import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';

const Summary = z.object({ summaryId: z.string() });
const SummaryOfAdmin = z.object({ summaryId: z.string(), by: z.string() });
const Introspection = z.object({ introspectionId: z.string() });

/** Payloads of the entries of working memory in the event log. */
export const WorkingMemoryPayloads = {
  'summary.added': Summary,
  /** An admin bound the Summary to another Episode. */
  'summary.rebound': SummaryOfAdmin,
  'summary.deleted': SummaryOfAdmin,
  'introspection.added': Introspection,
  'introspection.rebound': Introspection,
  'introspection.archived': Introspection,
} as const;
export type WorkingMemoryEntryKind = keyof typeof WorkingMemoryPayloads;
export type WorkingMemoryEntryPayloads = {
  [K in WorkingMemoryEntryKind]: z.infer<(typeof WorkingMemoryPayloads)[K]>;
};

export function workingMemoryEntry<K extends WorkingMemoryEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: WorkingMemoryEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
