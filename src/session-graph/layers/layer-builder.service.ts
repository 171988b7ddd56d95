import { type Clock, type Instant, instant } from '../../common/clock.ts';
import type { PeriodicTask } from '../../outbox/periodic-task.service.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import type { LayerEvent } from './layer.ts';
import {
  countSessionWrites,
  dropLayers,
  finishLayers,
  insertLayerEdges,
  insertLayerNodes,
  listLayerEvents,
  listStaleSessions,
  lockLayerSessions,
  markSessionsStale,
  type SessionKey,
  type SessionLayers,
  type StaleSession,
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
/** Sessions of so few events share their statements with so many others. */
const FEW_EVENTS = 200;
const SESSIONS_AT_ONCE = 8;
const EVERY_MS = 1_000;
/**
 * So long after what was written to a session first its layers are built, with what came meanwhile; and the longer they took the
 * last time, the longer it rests. Most runs are over by then, so that they are built once.
 */
const REST = { minMs: 5_000, factor: 10 };
const NO_REST = { minMs: 0, factor: 0 };

/** Keeps the semantic layers up with the raw graph; whoever holds the relay's lease does it. */
export function layerTask(deps: LayerDeps): PeriodicTask {
  return {
    name: 'semantic-layers',
    everyMs: EVERY_MS,
    run: async () => void (await buildStaleLayers(deps)),
  };
}

/**
 * Builds the layers of sessions that were written to since; how many.
 * @param now sessions that were written to later than this wait
 * @throws what kept a session from being built, when all others are done
 */
export async function buildStaleLayers(
  deps: LayerDeps,
  rest: typeof REST = REST,
  now: Instant = instant(deps.clock),
): Promise<number> {
  const stale = await deps.graph.read((tx) =>
    listStaleSessions(tx, { now, rest, limit: SESSIONS_PER_ROUND }),
  );
  const errors: unknown[] = [];
  for (const some of chunks(stale, SESSIONS_AT_ONCE)) {
    const left = await buildTogether(deps, some).catch(() => some);
    for (const session of left)
      await buildLayers(deps, session).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
  return stale.length;
}

/** Builds the small ones among them with as many statements as one takes; those that are left are larger. */
async function buildTogether(
  { graph, clock }: LayerDeps,
  sessions: readonly StaleSession[],
): Promise<StaleSession[]> {
  const startedMs = clock.nowMs();
  const first = { after: null, limit: FEW_EVENTS };
  const lists = await graph.read((tx) => listLayerEvents(tx, sessions, first));
  const read = sessions.map((session, index) => ({ session, events: lists[index] ?? [] }));
  const isSmall = ({ events }: (typeof read)[number]) => events.length < FEW_EVENTS;
  const small = read.filter(isSmall).map(({ session, events }) => ({
    session,
    ...deriveLayers(session.id, session.ownerId, events),
  }));
  if (small.length > 0)
    await graph.write(async (tx) => {
      await replace(tx, small);
      // As long as one took by itself, more or less.
      const ms = Math.ceil((clock.nowMs() - startedMs) / small.length);
      const built = small.map(({ session }) => session);
      await finishLayers(tx, built, { ms, now: instant(clock) });
    });
  return read.filter((one) => !isSmall(one)).map(({ session }) => session);
}

/** Sessions' layers, new for old, in the caller's transaction. */
async function replace(tx: WriteTx, derived: readonly SessionLayers[]): Promise<void> {
  const sessions = derived.map(({ session }) => session);
  await lockLayerSessions(tx, sessions);
  await untilFew(() => dropLayers(tx, sessions, CHUNK));
  await insertLayerNodes(tx, derived);
  await insertLayerEdges(tx, derived);
}

/**
 * Takes a session's layers away and derives them anew from its raw events. The session stays marked until all is written, so a
 * crash in between is made good by the next round.
 */
export async function buildLayers({ graph, clock }: LayerDeps, session: SessionKey): Promise<void> {
  const startedMs = clock.nowMs();
  const writes = await graph.read((tx) => countSessionWrites(tx, session));
  const events: LayerEvent[] = [];
  for (let isMore = true; isMore && events.length < EVENTS_MAX; ) {
    const from = { after: events.at(-1) ?? null, limit: CHUNK };
    const [page = []] = await graph.read((tx) => listLayerEvents(tx, [session], from));
    events.push(...page);
    isMore = page.length === CHUNK;
  }
  const { nodes, edges } = deriveLayers(session.id, session.ownerId, events);
  const finish = (tx: WriteTx) => {
    const ms = clock.nowMs() - startedMs;
    return finishLayers(tx, [{ ...session, writes }], { ms, now: instant(clock) });
  };
  // Of a large session a part of the layers may be seen for a moment.
  if (nodes.length + edges.length <= CHUNK) {
    await graph.write(async (tx) => {
      await replace(tx, [{ session, nodes, edges }]);
      await finish(tx);
    });
    return;
  }
  await untilFew(() => graph.write((tx) => dropLayers(tx, [session], CHUNK)));
  for (const part of chunks(nodes, CHUNK))
    await graph.write((tx) => insertLayerNodes(tx, [{ session, nodes: part }]));
  for (const part of chunks(edges, CHUNK))
    await graph.write((tx) => insertLayerEdges(tx, [{ session, edges: part }]));
  await graph.write(finish);
}

/** Drops the semantic layers of all sessions and builds them anew; how many sessions. For the operator. */
export async function rebuildAllLayers(deps: LayerDeps): Promise<number> {
  const { graph, clock } = deps;
  await untilFew(() => graph.write((tx) => dropLayers(tx, null, CHUNK)));
  const now = instant(clock);
  await untilFew(() => graph.write((tx) => markSessionsStale(tx, { now, limit: CHUNK })));
  let built = 0;
  // What comes in the meantime is the chore's, or this would not end while somebody writes.
  await untilFew(async () => {
    const count = await buildStaleLayers(deps, NO_REST, now);
    built += count;
    return count;
  }, SESSIONS_PER_ROUND);
  return built;
}

/** Repeats until a round does less than it may, so that nothing is left to do. */
async function untilFew(round: () => Promise<number>, most = CHUNK): Promise<void> {
  while ((await round()) >= most);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
