import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';

const Entity = z.object({ entityUuid: z.string() });
const EnrichmentRun = z.object({ entityUuid: z.string(), runId: z.string() });
const texts = z.array(z.string()).readonly();

/** The facts of the memory graph in the event log. */
export const MemoryGraphPayloads = {
  /** An alternative's content is in the memory graph (S4-ALT-09). */
  'episode.bound': z.object({
    episodeUuid: z.string(),
    alternativeId: z.string(),
    turnId: z.string(),
  }),
  /** All that could be read out of an Episode is in the graph. */
  'episode.extracted': z.object({
    episodeUuid: z.string(),
    alternativeId: z.string(),
    runId: textOrNull,
    status: z.string(),
    entityUuids: texts,
    factUuids: texts,
    faults: texts,
  }),
  'entity.created': Entity,
  'entity.activated': Entity,
  'entity.deactivated': Entity,
  /** One was merged into another, whose uuid stays. */
  'entity.merged': z.object({ entityUuid: z.string(), lostUuid: z.string() }),
  'enrichment.started': EnrichmentRun,
  'entity.enriched': EnrichmentRun,
} as const;
export type MemoryGraphEntryKind = keyof typeof MemoryGraphPayloads;
export type MemoryGraphEntryPayloads = {
  [K in MemoryGraphEntryKind]: z.infer<(typeof MemoryGraphPayloads)[K]>;
};
