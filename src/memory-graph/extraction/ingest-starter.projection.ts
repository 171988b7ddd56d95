import { FOLLOW_UP_MS } from '../../common/limits.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import { parsePayload } from '../../outbox/entry-payload.ts';
import { Outage, type Projection } from '../../outbox/projector.service.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { isTemporalOutage } from '../../platform/temporal/client.ts';
import { findUnboundAlternatives } from '../episodes/episode.cypher.ts';
import { MemoryGraphPayloads } from '../memory-graph-payloads.ts';

export interface IngestStarterDeps {
  readonly graph: Graph;
  /** Starts the workflow of this alternative. Idempotent. Fails while Temporal is unavailable. */
  start(alternativeId: string): Promise<void>;
}

const KINDS = ['turn.added', 'alternative.added', 'alternative.completed'];
const AT_ONCE_MAX = 10;

/**
 * Starts the workflow `ingestTurn` for each completed alternative without an Episode (S4-ALT-09).
 * The checkpoint advances when Temporal has accepted the whole batch, so none is lost. Repeated
 * entries are harmless: the Episode exists, or Temporal knows the workflow id.
 */
export function ingestStarter({ graph, start }: IngestStarterDeps): Projection {
  const starter = starterOf('ingest-starter', KINDS, async (entries) => {
    const ids = await graph.read((tx) => findUnboundAlternatives(tx, among(entries)));
    for (let from = 0; from < ids.length; from += AT_ONCE_MAX)
      await Promise.all(ids.slice(from, from + AT_ONCE_MAX).map(start));
  });
  return { ...starter, gatherMs: FOLLOW_UP_MS };
}

/**
 * Starts the workflow `ingestTurn` again for each extraction that has waited. The id of the entry
 * makes the workflow id unique, so a repeated entry starts no second one.
 */
export function waitingExtractionStarter({
  start,
}: {
  start(alternativeId: string, entryId: string): Promise<void>;
}): Projection {
  const kind = 'extraction.due';
  return starterOf('waiting-extraction-starter', [kind], async (entries) => {
    for (const entry of entries)
      await start(parsePayload(MemoryGraphPayloads[kind], kind, entry).alternativeId, entry.id);
  });
}

/** Starts the workflow `enrichEntity` for each enrichment run; its id contains the run's id. */
export function enrichmentStarter({
  start,
}: {
  start(of: { readonly entityUuid: string; readonly runId: string }): Promise<void>;
}): Projection {
  const kind = 'enrichment.started';
  return starterOf('enrichment-starter', [kind], async (entries) => {
    for (const entry of entries) await start(parsePayload(MemoryGraphPayloads[kind], kind, entry));
  });
}

/** A projection that starts workflows. While Temporal is away, it waits. */
const starterOf = (
  name: string,
  kinds: readonly string[],
  start: (entries: readonly NumberedEntry[]) => Promise<void>,
): Projection => ({
  name,
  kinds,
  startsAt: 'now',
  handle: (entries) =>
    start(entries).catch((error: unknown) => {
      throw isTemporalOutage(error)
        ? new Outage('Temporal is unavailable.', { cause: error })
        : error;
    }),
});

/** Entries of forks name turns only, so all alternatives of an added turn are checked. */
function among(entries: readonly NumberedEntry[]) {
  const named = (name: string, kinds: readonly string[]) =>
    entries.flatMap(({ kind, payload }) =>
      kinds.includes(kind) && typeof payload[name] === 'string' ? [payload[name]] : [],
    );
  return {
    turnIds: named('turnId', ['turn.added']),
    alternativeIds: named('alternativeId', ['alternative.added', 'alternative.completed']),
  };
}
