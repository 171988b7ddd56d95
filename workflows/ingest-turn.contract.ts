import type { BoundEpisode } from '../src/memory-graph/episodes/episode.ts';

// What the workflows of the memory graph and their activities say to each other; see contract.ts for the rules.

/** Each may be repeated: what it makes is named after the alternative, or the run, it is for. */
export interface KnowledgeActivities {
  /** Null where there is nothing to bind. */
  bindEpisode(call: { readonly alternativeId: string }): Promise<BoundEpisode | null>;
  /** The run that reads the Episode; null where nothing reads it. */
  startExtraction(call: { readonly alternativeId: string }): Promise<string | null>;
  /** How a run ended; null while it is at work. */
  extractionEnd(call: { readonly runId: string }): Promise<string | null>;
  applyExtraction(call: {
    readonly alternativeId: string;
    readonly runId: string | null;
  }): Promise<void>;
  skipExtraction(call: { readonly alternativeId: string }): Promise<void>;
  /** False while what it copies from is still being read. */
  copyExtraction(call: {
    readonly alternativeId: string;
    readonly copiedFromId: string;
  }): Promise<boolean>;
  /** Vectors for what is new; a model that is away is left to the job. */
  embedNew(): Promise<void>;
  applyEnrichment(call: { readonly entityUuid: string; readonly runId: string }): Promise<void>;
}
