import type { BoundEpisode } from '../src/knowledge/episode.ts';

// What the workflows of the memory graph and their activities say to each other; see contract.ts for the rules.

/** Each may be repeated: what it makes is named after the alternative it is for. */
export interface KnowledgeActivities {
  /** Null where there is nothing to bind. */
  bindEpisode(call: { readonly alternativeId: string }): Promise<BoundEpisode | null>;
}
