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
  /** Starts the workflow of this alternative; starting twice is the same as once. Fails while Temporal is away. */
  start(alternativeId: string): Promise<void>;
}

const KINDS = ['turn.added', 'alternative.added', 'alternative.completed'];
const AT_ONCE_MAX = 10;

/**
 * What is said becomes an Episode (S4-ALT-09): every alternative that has its content and no Episode is handed to the
 * workflow `ingestTurn`. The checkpoint moves on only when Temporal has all of a batch, so none is lost; what comes again is
 * bound by then, or known to Temporal by its id.
 */
export function ingestStarter({ graph, start }: IngestStarterDeps): Projection {
  return {
    name: 'ingest-starter',
    gatherMs: FOLLOW_UP_MS,
    kinds: KINDS,
    startsAt: 'now',
    async handle(entries) {
      const ids = await graph.read((tx) => findUnboundAlternatives(tx, among(entries)));
      try {
        for (let from = 0; from < ids.length; from += AT_ONCE_MAX)
          await Promise.all(ids.slice(from, from + AT_ONCE_MAX).map(start));
      } catch (error) {
        throw asOutage(error);
      }
    },
  };
}

/** What is to be added to an entity is followed by the workflow `enrichEntity`, whose id is the run's. */
export function enrichmentStarter({
  start,
}: {
  start(of: { readonly entityUuid: string; readonly runId: string }): Promise<void>;
}): Projection {
  return {
    name: 'enrichment-starter',
    kinds: ['enrichment.started'],
    startsAt: 'now',
    async handle(entries) {
      try {
        for (const entry of entries)
          await start(
            parsePayload(MemoryGraphPayloads['enrichment.started'], 'enrichment.started', entry),
          );
      } catch (error) {
        throw asOutage(error);
      }
    },
  };
}

function asOutage(error: unknown): unknown {
  return isTemporalOutage(error) ? new Outage('Temporal is away.', { cause: error }) : error;
}

/** Forks tell of turns only, so every alternative of a turn that was added is looked at. */
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
