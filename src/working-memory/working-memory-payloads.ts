import { z } from 'zod';

const Summary = z.object({ summaryId: z.string() });
const SummaryOfAdmin = z.object({ summaryId: z.string(), by: z.string() });
const Introspection = z.object({ introspectionId: z.string() });

/** The facts of working memory in the event log. */
export const WorkingMemoryPayloads = {
  'summary.added': Summary,
  /** Bound to another Episode by an admin. */
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
