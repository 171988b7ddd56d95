import { z } from 'zod';

const Summary = z.object({ summaryId: z.string() });
const SummaryOfAdmin = z.object({ summaryId: z.string(), by: z.string() });
const Introspection = z.object({ introspectionId: z.string() });

/** The facts of working memory in the event log. */
export const MemoryPayloads = {
  'summary.added': Summary,
  /** Bound to another Episode by an admin. */
  'summary.rebound': SummaryOfAdmin,
  'summary.deleted': SummaryOfAdmin,
  'introspection.added': Introspection,
  'introspection.rebound': Introspection,
  'introspection.archived': Introspection,
} as const;
export type MemoryEntryKind = keyof typeof MemoryPayloads;
export type MemoryEntryPayloads = { [K in MemoryEntryKind]: z.infer<(typeof MemoryPayloads)[K]> };
