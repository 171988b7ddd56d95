import type { Work, WorkProcess } from '../background/work.ts';
import type { MemoryGraphDeps } from '../memory-graph/deps.ts';
import { startWaitingEnrichment } from '../memory-graph/entities/enrichment.mutations.ts';
import { startWaitingExtraction } from '../memory-graph/extraction/extraction-run.mutations.ts';
import { introspectIfDue } from '../working-memory/introspections/introspection.mutations.ts';
import { compressIfDue } from '../working-memory/upkeep/compression.mutations.ts';

/**
 * How the job background-work starts work again, by the kinds of `WORK_KINDS`. Summaries of the
 * table of contents have jobs of their own, one for each level.
 */
export const WORK_STARTS: Readonly<
  Record<
    Exclude<WorkProcess, 'summarise memory'>,
    (deps: MemoryGraphDeps, work: Work) => Promise<boolean>
  >
> = {
  'extract memories': startWaitingExtraction,
  'enrich entity': startWaitingEnrichment,
  'compress conversation': async (deps, { itemId }) => (await compressIfDue(deps, itemId)) !== null,
  introspect: async (deps, { itemId }) => (await introspectIfDue(deps, itemId)) !== null,
};
