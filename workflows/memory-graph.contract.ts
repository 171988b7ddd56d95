import type { BoundEpisode } from '../src/memory-graph/episodes/episode.ts';

// Calls between the workflows of the memory graph and their activities. Rules: see
// interpreter/contract.ts.

/** All idempotent: ids of created nodes derive from the id of the alternative or run. */
export interface MemoryGraphActivities {
  /** Null where the alternative has nothing to bind. */
  bindEpisode(call: { readonly alternativeId: string }): Promise<BoundEpisode | null>;
  /**
   * Id of the run that extracts from the Episode; null where there is none. `waitMs` asks for
   * another call after this time: more turns may come that one run reads together.
   */
  startExtraction(call: {
    readonly alternativeId: string;
  }): Promise<string | null | { readonly waitMs: number }>;
  /** Final status of a run; null while it is open. */
  extractionEnd(call: { readonly runId: string }): Promise<string | null>;
  applyExtraction(call: {
    readonly alternativeId: string;
    readonly runId: string | null;
  }): Promise<void>;
  skipExtraction(call: { readonly alternativeId: string }): Promise<void>;
  /** False while the extraction to copy is still at work. */
  copyExtraction(call: {
    readonly alternativeId: string;
    readonly copiedFromId: string;
  }): Promise<boolean>;
  /** Embeds the new texts. Where the embedding model does not answer, a job does it later. */
  embedNew(): Promise<void>;
  applyEnrichment(call: { readonly entityUuid: string; readonly runId: string }): Promise<void>;
}
