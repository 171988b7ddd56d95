import { type OutboxEntry, ownerEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';

/** The facts of the memory graph in the event log. */
export interface KnowledgeEntryPayloads {
  /** An alternative's content is in the memory graph (S4-ALT-09). */
  'episode.bound': { episodeUuid: string; alternativeId: string; turnId: string };
  /** All that could be read out of an Episode is in the graph. */
  'episode.extracted': {
    episodeUuid: string;
    alternativeId: string;
    runId: string | null;
    status: string;
    entityUuids: readonly string[];
    factUuids: readonly string[];
    faults: readonly string[];
  };
  'entity.created': { entityUuid: string };
  'entity.activated': { entityUuid: string };
  'entity.deactivated': { entityUuid: string };
  /** One was merged into another, whose uuid stays. */
  'entity.merged': { entityUuid: string; lostUuid: string };
  'enrichment.started': { entityUuid: string; runId: string };
  'entity.enriched': { entityUuid: string; runId: string };
}
export type KnowledgeEntryKind = keyof KnowledgeEntryPayloads;

export function knowledgeEntry<K extends KnowledgeEntryKind>(
  deps: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: KnowledgeEntryPayloads[K],
): OutboxEntry {
  return ownerEntry(deps, at, kind, payload);
}
