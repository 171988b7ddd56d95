import { type Clock, type Instant, instant } from '../common/clock.ts';
import type { Chore } from '../outbox/chores.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import type { LayerEvent } from './layer.ts';
import {
  countStreamWrites,
  dropLayers,
  finishLayers,
  insertLayerEdges,
  insertLayerNodes,
  listLayerEvents,
  listStaleSessions,
  markSessionsStale,
  type SessionKey,
} from './layers.cypher.ts';
import { deriveLayers } from './layers.ts';

export interface LayerDeps {
  readonly graph: Graph;
  readonly clock: Clock;
}

const CHUNK = 1_000;
/** Of one session; what is younger is left out of its layers, and nothing is left out of the raw graph. */
const EVENTS_MAX = 200_000;
const SESSIONS_PER_ROUND = 200;
const AT_ONCE = 4;
const EVERY_MS = 1_000;
/** A session rests this many times as long as its layers took to build. */
const REST_FACTOR = 10;

/** Keeps the semantic layers up with the raw graph; whoever holds the relay's lease does it. */
export function layerChore(deps: LayerDeps): Chore {
  return {
    name: 'semantic-layers',
    everyMs: EVERY_MS,
    run: async () => void (await buildStaleLayers(deps)),
  };
}

/**
 * Builds the layers of sessions that were written to since; how many.
 * @param now sessions that were written to later than this wait
 */
export async function buildStaleLayers(
  deps: LayerDeps,
  restFactor: number = REST_FACTOR,
  now: Instant = instant(deps.clock),
): Promise<number> {
  const stale = await deps.graph.read((tx) =>
    listStaleSessions(tx, { before: now, now, restFactor, limit: SESSIONS_PER_ROUND }),
  );
  for (const some of chunks(stale, AT_ONCE))
    await Promise.all(some.map((session) => buildLayers(deps, session)));
  return stale.length;
}

/**
 * Takes a session's layers away and derives them anew from its raw events. The session stays marked until all is written, so a
 * crash in between is made good by the next round.
 */
export async function buildLayers({ graph, clock }: LayerDeps, session: SessionKey): Promise<void> {
  const startedMs = clock.nowMs();
  const writes = await graph.read((tx) => countStreamWrites(tx, session));
  const events: LayerEvent[] = [];
  for (let isMore = true; isMore && events.length < EVENTS_MAX; ) {
    const after = events.at(-1) ?? null;
    const page = await graph.read((tx) => listLayerEvents(tx, session, { after, limit: CHUNK }));
    events.push(...page);
    isMore = page.length === CHUNK;
  }
  const { nodes, edges } = deriveLayers(session.id, session.ownerId, events);
  const finish = (tx: WriteTx) => {
    const ms = clock.nowMs() - startedMs;
    return finishLayers(tx, session, { writes, ms, now: instant(clock) });
  };
  // Most sessions fit into one transaction; of a larger one a part of the layers may be seen for a moment.
  if (nodes.length + edges.length <= CHUNK) {
    await graph.write(async (tx) => {
      await untilNone(() => dropLayers(tx, session, CHUNK));
      if (nodes.length > 0) await insertLayerNodes(tx, session, nodes);
      await insertLayerEdges(tx, session, edges);
      await finish(tx);
    });
    return;
  }
  await untilNone(() => graph.write((tx) => dropLayers(tx, session, CHUNK)));
  for (const part of chunks(nodes, CHUNK))
    await graph.write((tx) => insertLayerNodes(tx, session, part));
  for (const part of chunks(edges, CHUNK))
    await graph.write((tx) => insertLayerEdges(tx, session, part));
  await graph.write(finish);
}

/** Drops the semantic layers of all sessions and builds them anew; how many sessions. For the operator. */
export async function rebuildAllLayers(deps: LayerDeps): Promise<number> {
  const { graph, clock } = deps;
  await untilNone(() => graph.write((tx) => dropLayers(tx, null, CHUNK)));
  const now = instant(clock);
  await untilNone(() => graph.write((tx) => markSessionsStale(tx, { now, limit: CHUNK })));
  let built = 0;
  await untilNone(async () => {
    // What comes in the meantime is the chore's, or this would not end while somebody writes.
    const count = await buildStaleLayers(deps, 0, now);
    built += count;
    return count;
  });
  return built;
}

/** Repeats until a round finds nothing more to do. */
async function untilNone(round: () => Promise<number>): Promise<void> {
  while ((await round()) > 0);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
