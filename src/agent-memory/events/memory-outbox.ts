import { z } from 'zod';

/** Kind of the outbox entry for the events of one store that one transaction inserted. */
export const MEMORY_INGESTED = 'memory.ingested';

/**
 * Payload of a `memory.ingested` entry: the new events of one store, in order of arrival. Each event
 * stands for two entries of the specification, IndexEvent and UpdateToc (S2-OUT-01): the indexer and
 * the segmenter both read the entries, each from its own checkpoint.
 */
export const Ingested = z.object({
  store: z.string(),
  /** Id and timestamp (Unix milliseconds) of each event. */
  events: z.array(z.tuple([z.string(), z.number()])),
});
export type Ingested = z.infer<typeof Ingested>;
