import { z } from 'zod';

/** Kind of the entry of the event log that stands for the entries of all events of one commit. */
export const MEMORY_INGESTED = 'memory.ingested';

/**
 * Its payload: the new events of one store, in the order in which they came. Each stands for two entries of the specification,
 * IndexEvent and UpdateToc (S2-OUT-01): the log is read by the indexer and by the segmenter, each at its own checkpoint.
 */
export const Ingested = z.object({
  store: z.string(),
  /** Each: its id and source time in milliseconds. */
  events: z.array(z.tuple([z.string(), z.number()])),
});
export type Ingested = z.infer<typeof Ingested>;
