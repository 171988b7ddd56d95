import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';
import { FORGETTABLE } from './forgetting/forgotten.ts';

const Entity = z.object({ entityUuid: z.string() });
const EnrichmentRun = z.object({ entityUuid: z.string(), runId: z.string() });
const texts = z.array(z.string()).readonly();

/** Payloads of the memory graph's outbox entries, by kind. */
export const MemoryGraphPayloads = {
  /** The Episode of an alternative was written (S4-ALT-09). */
  'episode.bound': z.object({
    episodeUuid: z.string(),
    alternativeId: z.string(),
    turnId: z.string(),
  }),
  /** Entities and facts of an Episode were written, or its extraction was given up. */
  'episode.extracted': z.object({
    episodeUuid: z.string(),
    alternativeId: z.string(),
    runId: textOrNull,
    status: z.string(),
    entityUuids: texts,
    factUuids: texts,
    faults: texts,
  }),
  /** An agent wrote a fact that the Episode of the message being answered proves. */
  'fact.remembered': z.object({
    episodeUuid: z.string(),
    alternativeId: z.string(),
    runId: z.string(),
    factUuids: texts,
  }),
  'entity.created': Entity,
  'entity.activated': Entity,
  'entity.deactivated': Entity,
  /** The entity `lostUuid` was merged into `entityUuid`. */
  'entity.merged': z.object({ entityUuid: z.string(), lostUuid: z.string() }),
  /** A user deleted a fact or an entity from memory, with these facts. */
  'memory.forgotten': z.object({
    memory: z.enum(FORGETTABLE),
    uuid: z.string(),
    factUuids: texts,
  }),
  /** The extraction of an alternative has waited and may be tried now. */
  'extraction.due': z.object({ alternativeId: z.string() }),
  'enrichment.started': EnrichmentRun,
  'entity.enriched': EnrichmentRun,
  /** A user made a proposal, or a former text, the summary. */
  'entity.summaryChosen': z.object({ entityUuid: z.string(), summaryId: z.string() }),
} as const;
export type MemoryGraphEntryKind = keyof typeof MemoryGraphPayloads;
export type MemoryGraphEntryPayloads = {
  [K in MemoryGraphEntryKind]: z.infer<(typeof MemoryGraphPayloads)[K]>;
};
