import type { MemoryGraphDeps } from '../src/memory-graph/deps.ts';
import { applyEnrichment } from '../src/memory-graph/entities/enrichment.mutations.ts';
import { bindEpisode } from '../src/memory-graph/episodes/episode.mutations.ts';
import {
  applyExtraction,
  copyExtraction,
  skipExtraction,
} from '../src/memory-graph/extraction/extraction.mutations.ts';
import {
  extractionEnd,
  startExtraction,
} from '../src/memory-graph/extraction/extraction-run.mutations.ts';
import type { Log } from '../src/platform/telemetry/log.ts';
import type { MemoryGraphActivities } from '../workflows/memory-graph.contract.ts';
import { finite } from './failure.ts';

/** Registered beside the activities of runs, on the same queue. */
export function createMemoryGraphActivities(
  deps: MemoryGraphDeps & { readonly log?: Log },
): MemoryGraphActivities {
  const onDefect = (error: unknown, where: string) =>
    deps.log?.error('The memory graph met a defect', { error, operation: where });
  return finite({ onDefect }, {
    bindEpisode: ({ alternativeId }) => bindEpisode(deps, alternativeId),
    startExtraction: ({ alternativeId }) => startExtraction(deps, alternativeId),
    extractionEnd: ({ runId }) => extractionEnd(deps, runId),
    applyExtraction: (call) => applyExtraction(deps, call),
    skipExtraction: ({ alternativeId }) => skipExtraction(deps, alternativeId),
    copyExtraction: (call) => copyExtraction(deps, call),
    applyEnrichment: (call) => applyEnrichment(deps, call),
    // A job embeds the rest later, so the workflow does not wait for a model that does not answer.
    embedNew: async () => void (await deps.embeddings.embedPending().catch(() => 0)),
  } satisfies MemoryGraphActivities);
}
