import { bindEpisode, type EpisodeDeps } from '../src/knowledge/episode.mutations.ts';
import type { KnowledgeActivities } from './knowledge-contract.ts';

/** Registered beside the activities of runs, on the same queue. */
export function createKnowledgeActivities(deps: EpisodeDeps): KnowledgeActivities {
  return {
    bindEpisode: ({ alternativeId }) => bindEpisode(deps, alternativeId),
  };
}
