import { z } from 'zod';
import { instantOf } from '../../common/clock.ts';
import { type Page, type PageArgs, pageWindow, toPage } from '../../common/page.ts';
import { JsonMap, jsonText, textOrNull } from '../../common/stored.ts';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { intOf, parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { AgentMemoryStore } from '../store.ts';
import {
  EVENT_ROLES,
  EVENT_TYPES,
  estimateTokens,
  type MemoryEvent,
  timestampMs,
} from './event.ts';
import { eventKey } from './key.ts';

/** Map projection of an event `m`, as `toEvent` reads it. */
export const EVENT = /* cypher */ `m {.eventId, .sessionId, .timestampMs, .eventType, .role, .text,
  .metadata,
    .agentId, .store, .key}`;

export type StoredEvent = MemoryEvent & { readonly store: string; readonly key: string };

const EventRow = z.object({
  eventId: z.string(),
  sessionId: z.string(),
  timestampMs: z.int(),
  eventType: z.enum(EVENT_TYPES),
  role: z.enum(EVENT_ROLES),
  text: z.string(),
  /** JSON text; absent when the event has no metadata. */
  metadata: jsonText(z.record(z.string(), z.string())).nullable(),
  agentId: textOrNull,
  store: z.string(),
  key: z.string(),
});

/** @throws DamagedRow */
export function toEvent(row: unknown): StoredEvent {
  const { timestampMs: ms, metadata, ...event } = parseRow(EventRow, row, 'MemoryEvent');
  return { ...event, timestamp: instantOf(ms), metadata: metadata ?? {} };
}

const Maps = z.array(JsonMap);
/** Parses a list of events from a row. @throws DamagedRow */
export const toEvents = (events: unknown) => parseRow(Maps, events, 'MemoryEvents').map(toEvent);

/** The key of a stored event: it sorts by the timestamp, then by the id. */
export function keyOfEvent(event: MemoryEvent): string {
  return eventKey.text(eventKey.fromParts(timestampMs(event), event.eventId));
}

const FIND_EVENTS = cypher`
  // findMemoryEvents
  UNWIND $eventIds AS eventId
  MATCH (m:MemoryEvent {realm: $realm, eventId: eventId})
  RETURN ${EVENT} AS event
`;

/** Finds events of one realm by their ids; unknown ids are left out. */
export async function findEvents(
  tx: ReadTx,
  realm: string,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  if (eventIds.length === 0) return [];
  const rows = await tx.run(FIND_EVENTS, { realm, eventIds: [...eventIds] });
  return rows.map((row) => toEvent(row['event']));
}

// If two writers insert one id, the unique key lets one of them commit. The other reads again.
// The entries carry the label MemoryIngest: it is the queue of the segmenter and the indexer.
const INSERT_EVENTS = cypher`
  // insertMemoryEvents
  CALL () {
    UNWIND $events AS event
    CREATE (m:MemoryEvent)
    SET m = event
  }
  UNWIND $entries AS entry
  CREATE (o:OutboxEntry:PendingEntry:MemoryIngest)
  SET o = entry, o.at = datetime(entry.at)
`;

/** Inserts new events and their outbox entries in one transaction (S2-OUT-02). */
export async function insertEvents(
  tx: WriteTx,
  input: {
    readonly events: readonly { readonly event: MemoryEvent; readonly store: AgentMemoryStore }[];
    readonly arrivedMs: number;
    readonly entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const events = input.events.map(({ event, store }) => ({
    realm: store.realm,
    store: store.key,
    key: keyOfEvent(event),
    eventId: event.eventId,
    sessionId: event.sessionId,
    timestampMs: timestampMs(event),
    arrivedMs: input.arrivedMs,
    eventType: event.eventType,
    role: event.role,
    text: event.text,
    metadata: Object.keys(event.metadata).length === 0 ? null : JSON.stringify(event.metadata),
    agentId: event.agentId,
    tokens: estimateTokens(event.text),
  }));
  await tx.run(INSERT_EVENTS, { events, entries: entryParams(input.entries) });
}

/** A range of keys in one store or realm, or in one session of it. */
export interface EventRange {
  /** Default `store`: the events of one agent. `realm`: those of all agents. */
  readonly scope?: EventScope;
  /** The key of the store, or the realm. */
  readonly store: string;
  readonly sessionId: string | null;
  /** Exclusive. */
  readonly afterKey: string;
  /** Exclusive. */
  readonly beforeKey: string;
}

export type EventScope = 'store' | 'realm';

const ORDER = [{ cypher: 'm.key', type: 'text', order: 'ascending' }] as const;

// The hint forces one index seek per range. Without it the planner scans while the data is small.
// The texts differ in the index and the direction only.
const within = (scope: EventScope, session: boolean, from: string, to: string) => /* cypher */ `
    MATCH (m:MemoryEvent)
    USING INDEX SEEK m:MemoryEvent(${scope}, ${session ? 'sessionId, key' : 'key'})
    WHERE m.${scope} = range.store ${session ? 'AND m.sessionId = range.sessionId' : ''}
      AND m.key > range.${from} AND m.key < range.${to}`;
// Order by all properties of the index: otherwise the planner reads the whole range and sorts it.
const walk = (scope: EventScope, session: boolean, direction: 'ASC' | 'DESC') =>
  [`m.${scope}`, ...(session ? ['m.sessionId'] : []), 'm.key']
    .map((property) => `${property} ${direction}`)
    .join(', ');
const pages = (scope: EventScope, session: boolean, direction: 'ASC' | 'DESC') => cypher`
  // listMemoryEvents
  UNWIND range(0, size($ranges) - 1) AS place
  WITH place, $ranges[place] AS range
  CALL (range) {
    ${within(scope, session, 'afterKey', 'beforeKey')}
    RETURN count(m) AS totalCount
  }
  CALL (range) {
    ${within(scope, session, 'pageAfterKey', 'pageBeforeKey')}
    WITH m ORDER BY ${walk(scope, session, direction)} LIMIT $limit
    RETURN collect(${EVENT}) AS rows
  }
  RETURN place, totalCount, rows ORDER BY place
`;
const both = (scope: EventScope, session: boolean) => ({
  forward: pages(scope, session, 'ASC'),
  backward: pages(scope, session, 'DESC'),
});
/** By the index, then by direction. Exported for the test that checks their plans. */
export const LIST_EVENTS = {
  store: both('store', false),
  sessionOfStore: both('store', true),
  realm: both('realm', false),
  sessionOfRealm: both('realm', true),
} as const;

function indexOf({ scope = 'store', sessionId }: EventRange): keyof typeof LIST_EVENTS {
  if (sessionId === null) return scope;
  return scope === 'store' ? 'sessionOfStore' : 'sessionOfRealm';
}

/**
 * Lists the same page of each range, in the order of `ranges`, by one statement. All ranges
 * have the same scope, and either all name a session or none does.
 * @throws Refusal INVALID if an argument is no count, or no cursor of this list
 */
export async function listEvents(
  tx: ReadTx,
  ranges: readonly EventRange[],
  args: PageArgs,
): Promise<Page<StoredEvent>[]> {
  const window = pageWindow(args, ORDER);
  const cursor = window.cursor === null ? null : String(window.cursor[0]);
  const [first] = ranges;
  if (first === undefined) return [];
  const max = (a: string, b: string) => (a > b ? a : b);
  const min = (a: string, b: string) => (a < b ? a : b);
  const rows = await tx.run(LIST_EVENTS[indexOf(first)][window.direction], {
    limit: window.limit + 1,
    ranges: ranges.map(({ store, sessionId, afterKey, beforeKey }) => ({
      store,
      sessionId,
      afterKey,
      beforeKey,
      pageAfterKey:
        cursor === null || window.direction === 'backward' ? afterKey : max(cursor, afterKey),
      pageBeforeKey:
        cursor === null || window.direction === 'forward' ? beforeKey : min(cursor, beforeKey),
    })),
  });
  return rows.map((row) =>
    toPage(
      window,
      toEvents(row['rows']).map((item) => ({ key: [item.key], item })),
      intOf(row, 'totalCount', 'MemoryEvents'),
    ),
  );
}

/**
 * The range of a store, or of one of its sessions, from `fromMs` (inclusive) to `toMs`
 * (exclusive).
 */
export function rangeOfTime(
  store: string,
  sessionId: string | null,
  fromMs: number,
  toMs: number,
): EventRange {
  return {
    store,
    sessionId,
    afterKey: eventKey.prefixStart(Math.max(0, fromMs)),
    beforeKey: eventKey.prefixStart(Math.max(0, toMs)),
  };
}
