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
/** Events of one session that its layers use; later ones are only in the raw graph. */
const EVENTS_MAX = 200_000;
const SESSIONS_PER_ROUND = 1_000;
/** Sessions with fewer events than this share statements, 8 sessions at a time. */
const FEW_EVENTS = 200;
const SESSIONS_AT_ONCE = 8;
/** Rarely, because each look is a statement, also where no one works. */
const EVERY_MS = 5_000;
/**
 * Delay between the first new write to a session and the build of its layers: at least `minMs`, and
 * `factor` times the duration of the last build. Most runs end within it, so their layers are built
 * once.
 */
const REST = { minMs: 2_000, factor: 10 };
const NO_REST = { minMs: 0, factor: 0 };

/** Periodic task that builds stale layers, in the process that holds the relay's lease. */
export function layerTask(deps: LayerDeps): PeriodicTask {
  return {
    name: 'semantic-layers',
    everyMs: EVERY_MS,
    run: async () => void (await buildStaleLayers(deps)),
  };
}

/**
 * Builds the layers of sessions with new events.
 * @param now sessions that became stale later than this wait
 * @returns how many sessions were stale
 * @throws the first error of a session, after all others are built
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

/** Builds all small sessions with the statements of one. @returns the larger sessions, not built */
async function buildTogether(
  { graph, clock }: LayerDeps,
  sessions: readonly StaleSession[],
): Promise<StaleSession[]> {
  const startedMs = performance.now();
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
      // Estimates the duration of each session.
      const ms = Math.ceil((performance.now() - startedMs) / small.length);
      const built = small.map(({ session }) => session);
      await finishLayers(tx, built, { ms, now: instant(clock) });
    });
  return read.filter((one) => !isSmall(one)).map(({ session }) => session);
}

/** Replaces the layers of sessions, in the caller's transaction. */
async function replace(tx: WriteTx, derived: readonly SessionLayers[]): Promise<void> {
  const sessions = derived.map(({ session }) => session);
  await lockLayerSessions(tx, sessions);
  await untilFew(() => dropLayers(tx, sessions, CHUNK));
  await insertLayerNodes(tx, derived);
  await insertLayerEdges(tx, derived);
}

/**
 * Drops the layers of a session and derives them again from its raw events. The session stays
 * marked as stale until all is written, so the next round repairs a crash.
 */
export async function buildLayers({ graph, clock }: LayerDeps, session: SessionKey): Promise<void> {
  const startedMs = performance.now();
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
    const ms = Math.ceil(performance.now() - startedMs);
    return finishLayers(tx, [{ ...session, writes }], { ms, now: instant(clock) });
  };
  // The layers of a large session take several transactions, so readers may see a part of them.
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

/** Drops and rebuilds the layers of all sessions, for operators. @returns how many sessions */
export async function rebuildAllLayers(deps: LayerDeps): Promise<number> {
  const { graph, clock } = deps;
  await untilFew(() => graph.write((tx) => dropLayers(tx, null, CHUNK)));
  const now = instant(clock);
  await untilFew(() => graph.write((tx) => markSessionsStale(tx, { now, limit: CHUNK })));
  let built = 0;
  // `now` excludes later writes, which the periodic task builds. Otherwise this might never end.
  await untilFew(async () => {
    const count = await buildStaleLayers(deps, NO_REST, now);
    built += count;
    return count;
  }, SESSIONS_PER_ROUND);
  return built;
}

/** Repeats a round until it does less than `most`. */
async function untilFew(round: () => Promise<number>, most = CHUNK): Promise<void> {
  while ((await round()) >= most);
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
