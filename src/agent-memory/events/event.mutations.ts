import { type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../../outbox/entry.ts';
import { brokenConstraint, type Graph } from '../../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import { type AgentMemoryMode, type AgentMemoryStore, storeOf } from '../store.ts';
import { findEvents, insertEvents } from './event.cypher.ts';
import {
  checkEvent,
  type GivenEvent,
  type Ingested,
  MEMORY_INGESTED,
  type MemoryEvent,
  sameEvent,
  timestampMs,
} from './event.ts';
import { createUlids } from './ulid.ts';

/** Maximum number of events in one call. */
export const INGEST_EVENTS_MAX = 1_000;

export interface IngestDeps extends BaseDeps {
  readonly graph: Graph;
  wake(): void;
  readonly memoryMode: AgentMemoryMode;
  /** From 0 to below 1; makes the ids of events that come without one. */
  random(): number;
}

/** The outcome of each event, in input order; null if it was refused. `problems` says why. */
export interface Ingest {
  readonly events: readonly ({
    readonly event: MemoryEvent;
    readonly outcome: 'created' | 'duplicate';
  } | null)[];
  /** Each path begins with the index of the event. */
  readonly problems: readonly Problem[];
}

/**
 * Stores events (S2-EVT-01 … S2-EVT-06). Problems are reported at the index of their event; the
 * other events are stored. A known id with an equal body changes nothing; with another body it is a
 * CONFLICT. The events and the entry that triggers indexing and summaries are one transaction
 * (S2-OUT-02).
 * @throws Refusal TOO_LARGE for more than 1,000 events
 */
export async function ingestEvents(
  deps: IngestDeps,
  viewer: Viewer,
  given: readonly GivenEvent[],
): Promise<Ingest> {
  refuse(
    given.length > INGEST_EVENTS_MAX
      ? [problem('TOO_LARGE', [], `At most ${INGEST_EVENTS_MAX} events at once.`)]
      : [],
  );
  const nowMs = deps.clock.nowMs();
  const newUlid = createUlids(deps.random);
  const checked = given.map((one, index) => checkEvent(one, [index], { nowMs, newUlid }));
  const valid = checked.flatMap(({ event }, index) => {
    if (event === null) return [];
    const store = storeOf(viewer, deps.memoryMode, event.agentId);
    return [{ index, store, event: { ...event, agentId: store.agentId } }];
  });
  const { outcomes, problems } = await insertValid(deps, viewer, valid, nowMs);
  return {
    events: given.map((_one, index) => outcomes.get(index) ?? null),
    problems: [...checked.flatMap((one) => one.problems), ...problems].sort(
      (a, b) => Number(a.path[0]) - Number(b.path[0]),
    ),
  };
}

/**
 * Stores one event (S2-EVT-01).
 * @throws Refusal with all problems of the event; CONFLICT if its id is known with another body
 */
export async function ingestEvent(
  deps: IngestDeps,
  viewer: Viewer,
  given: GivenEvent,
): Promise<{ readonly event: MemoryEvent; readonly created: boolean }> {
  const { events, problems } = await ingestEvents(deps, viewer, [given]);
  const [kept] = events;
  if (kept == null) throw new Refusal(problems.map((one) => ({ ...one, path: one.path.slice(1) })));
  return { event: kept.event, created: kept.outcome === 'created' };
}

interface ValidEvent {
  readonly index: number;
  readonly store: AgentMemoryStore;
  readonly event: MemoryEvent;
}
type Outcomes = Map<number, { event: MemoryEvent; outcome: 'created' | 'duplicate' }>;

async function insertValid(
  deps: IngestDeps,
  viewer: Viewer,
  valid: readonly ValidEvent[],
  nowMs: number,
): Promise<{ outcomes: Outcomes; problems: readonly Problem[] }> {
  const [first] = valid;
  if (first === undefined) return { outcomes: new Map(), problems: [] };
  for (;;) {
    try {
      const kept = await deps.graph.write(async (tx) => {
        const ids = [...new Set(valid.map(({ event }) => event.eventId))];
        const known = await findEvents(tx, first.store.realm, ids);
        const plan = planIngest(valid, known);
        if (plan.fresh.length > 0)
          await insertEvents(tx, {
            events: plan.fresh,
            arrivedMs: nowMs,
            entries: entriesOf(deps, viewer, plan.fresh),
          });
        return plan;
      });
      if (kept.fresh.length > 0) deps.wake();
      return kept;
    } catch (error) {
      // Another transaction inserted one of these ids at the same time: read again.
      if (brokenConstraint(error) === null) throw error;
    }
  }
}

/** Finds the new events: the first of each id that the realm does not have yet. */
function planIngest(valid: readonly ValidEvent[], known: readonly MemoryEvent[]) {
  const byId = new Map(known.map((event) => [event.eventId, event]));
  const outcomes: Outcomes = new Map();
  const fresh: ValidEvent[] = [];
  const problems: Problem[] = [];
  for (const one of valid) {
    const { event, index } = one;
    const before = byId.get(event.eventId);
    if (before === undefined) {
      byId.set(event.eventId, event);
      fresh.push(one);
      outcomes.set(index, { event, outcome: 'created' });
    } else if (sameEvent(before, event)) outcomes.set(index, { event, outcome: 'duplicate' });
    else problems.push(problem('CONFLICT', [index, 'eventId'], CONFLICT));
  }
  return { outcomes, fresh, problems };
}
const CONFLICT = 'An event with this id is known and says something else. Events never change.';

/** Makes one entry per store; it stands for the IndexEvent and UpdateToc of each event. */
function entriesOf(deps: BaseDeps, viewer: Viewer, fresh: readonly ValidEvent[]): OutboxEntry[] {
  const byStore = Map.groupBy(fresh, ({ store }) => store.key);
  return [...byStore].map(([store, events]) => {
    const payload: Ingested = {
      store,
      events: events.map(({ event }) => [event.eventId, timestampMs(event)]),
    };
    return ownerEntry(deps, ownerFor(viewer), MEMORY_INGESTED, payload);
  });
}
