import { z } from 'zod';
import { type Instant, instantOf } from '../../common/clock.ts';
import { textOrNull } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { EVENT, type StoredEvent, toEvents } from '../events/event.cypher.ts';
import { queueNodes } from '../toc/toc.cypher.ts';
import { BulletsText, type LevelRef, TOC_STATES } from '../toc/toc.ts';
import type { Grip } from './grip.ts';

/** A grip with its store, its session and the keys of its events. */
export type StoredGrip = Grip & {
  readonly store: string;
  readonly sessionId: string;
  readonly startKey: string;
  readonly endKey: string;
};

const GRIP = /* cypher */ `g {.gripId, .excerpt, .eventIdStart, .eventIdEnd, .timestampMs, .source,
    .tocNodeId, .store, .sessionId, .startKey, .endKey}`;

const GripRow = z.object({
  gripId: z.string(),
  excerpt: z.string(),
  eventIdStart: z.string(),
  eventIdEnd: z.string(),
  timestampMs: z.int(),
  source: z.string(),
  tocNodeId: textOrNull,
  store: z.string(),
  sessionId: z.string(),
  startKey: z.string(),
  endKey: z.string(),
});

function toGrip(row: unknown): StoredGrip {
  const { timestampMs, ...grip } = parseRow(GripRow, row, 'Grip');
  return { ...grip, timestamp: instantOf(timestampMs) };
}

const FIND_GRIPS = cypher`
  // findGrips
  UNWIND $gripIds AS gripId
  MATCH (g:Grip {realm: $realm, gripId: gripId})
  RETURN ${GRIP} AS grip
`;

/** Finds grips of one realm by their ids; unknown ids are left out. */
export const findGrips = (tx: ReadTx, realm: string, gripIds: readonly string[]) =>
  readAll(tx, FIND_GRIPS, { realm, gripIds: [...gripIds] }, (row) => toGrip(row['grip']));

// Here and below: order by all properties of the index. If ordered by the key alone, the planner
// reads the whole range and sorts it.
const EXPAND = cypher`
  // expandGrip
  MATCH (g:Grip {realm: $realm, gripId: $gripId})
  CALL (g) {
    MATCH (m:MemoryEvent)
    WHERE m.store = g.store AND m.sessionId = g.sessionId AND m.key < g.startKey
    WITH m ORDER BY m.store DESC, m.sessionId DESC, m.key DESC LIMIT $before
    RETURN collect(${EVENT}) AS before
  }
  CALL (g) {
    MATCH (m:MemoryEvent)
    WHERE m.store = g.store AND m.sessionId = g.sessionId
      AND m.key >= g.startKey AND m.key <= g.endKey
    WITH m ORDER BY m.store, m.sessionId, m.key LIMIT $most
    RETURN collect(${EVENT}) AS within
  }
  CALL (g) {
    MATCH (m:MemoryEvent)
    WHERE m.store = g.store AND m.sessionId = g.sessionId AND m.key > g.endKey
    WITH m ORDER BY m.store, m.sessionId, m.key LIMIT $after
    RETURN collect(${EVENT}) AS after
  }
  RETURN ${GRIP} AS grip, before, within, after
`;

export interface ExpandedGrip {
  readonly grip: StoredGrip;
  readonly eventsBefore: readonly StoredEvent[];
  readonly excerptEvents: readonly StoredEvent[];
  readonly eventsAfter: readonly StoredEvent[];
}

/**
 * Finds a grip with the events of its session around it, oldest first; null if there is no such
 * grip (S2-GRIP-05).
 */
export async function findExpandedGrip(
  tx: ReadTx,
  input: {
    readonly realm: string;
    readonly gripId: string;
    readonly before: number;
    readonly after: number;
    readonly most: number;
  },
): Promise<ExpandedGrip | null> {
  const [row] = await tx.run(EXPAND, input);
  if (row === undefined) return null;
  return {
    grip: toGrip(row['grip']),
    eventsBefore: toEvents(row['before']).reverse(),
    excerptEvents: toEvents(row['within']),
    eventsAfter: toEvents(row['after']),
  };
}

const RANGE_EVENTS = cypher`
  // readGripEvents
  UNWIND range(0, size($grips) - 1) AS place
  WITH place, $grips[place] AS grip
  OPTIONAL MATCH (first:MemoryEvent {realm: grip.realm, eventId: grip.eventIdStart})
  OPTIONAL MATCH (last:MemoryEvent {realm: grip.realm, eventId: grip.eventIdEnd})
  CALL (first, last) {
    MATCH (m:MemoryEvent)
    WHERE m.store = first.store AND m.sessionId = first.sessionId
      AND m.key >= first.key AND m.key <= last.key
    WITH m ORDER BY m.store, m.sessionId, m.key LIMIT $most
    RETURN collect(${EVENT}) AS events
  }
  RETURN events ORDER BY place
`;

/**
 * Reads the events of each grip, in the order of `grips`, at most `most` of each. The list is empty
 * if an end of the range is no event of the realm (S2-GRIP-03).
 */
export async function readGripEvents(
  tx: ReadTx,
  grips: readonly {
    readonly realm: string;
    readonly eventIdStart: string;
    readonly eventIdEnd: string;
  }[],
  most: number,
): Promise<StoredEvent[][]> {
  if (grips.length === 0) return [];
  const rows = await tx.run(RANGE_EVENTS, {
    grips: grips.map(({ realm, eventIdStart, eventIdEnd }) => ({
      realm,
      eventIdStart,
      eventIdEnd,
    })),
    most,
  });
  return rows.map((row) => toEvents(row['events']));
}

/**
 * Matches the nodes after `$place, $id`: the rest of that place, then the later places. The two
 * branches walk along the index; one condition with OR would not use it.
 */
const matchAfter = (
  n: string,
  label: string,
  [place, id]: readonly [string, string],
) => /* cypher */ `
  CALL () {
    MATCH (${n}:${label}) WHERE ${n}.${place} = $${place} AND ${n}.${id} > $${id}
    RETURN ${n} ORDER BY ${n}.${place}, ${n}.${id} LIMIT $limit
    UNION ALL
    MATCH (${n}:${label}) WHERE ${n}.${place} > $${place} AND ${n}.${id} > ''
    RETURN ${n} ORDER BY ${n}.${place}, ${n}.${id} LIMIT $limit
  }
`;

const LIST_FOR_AUDIT = cypher`
  // listGripsForAudit
  ${matchAfter('g', 'Grip', ['realm', 'gripId'])}
  RETURN g.realm AS realm, ${GRIP} AS grip
  ORDER BY realm, g.gripId LIMIT $limit
`;

/** Lists the grips of the whole installation page by page. */
export async function listGripsForAudit(
  tx: ReadTx,
  after: { readonly realm: string; readonly gripId: string },
  limit: number,
): Promise<{ readonly realm: string; readonly grip: StoredGrip }[]> {
  const rows = await tx.run(LIST_FOR_AUDIT, { ...after, limit });
  return rows.map((row) => ({ realm: textOf(row, 'realm', 'Grip'), grip: toGrip(row['grip']) }));
}

const LIST_UNPROVEN = cypher`
  // listUnprovenBullets
  ${matchAfter('l', 'TocLatest', ['store', 'nodeId'])}
  WITH l ORDER BY l.store, l.nodeId LIMIT $limit
  MATCH (n:TocNode {store: l.store, key: l.versionKey})
  RETURN l.store AS store, l.nodeId AS nodeId, n.startMs AS startMs,
    coalesce(n.state, 'summarised') AS state, split(l.store, '#')[0] AS realm,
    n.bullets AS bullets, [gripId IN n.gripIds WHERE NOT EXISTS {
      MATCH (:Grip {realm: split(l.store, '#')[0], gripId: gripId})
    }] AS missing
`;

const AuditRow = z.object({
  store: z.string(),
  nodeId: z.string(),
  startMs: z.int(),
  state: z.enum(TOC_STATES),
  bullets: BulletsText,
  missing: z.array(z.string()),
});

/** Lists the latest version of all nodes page by page, with the ids of their missing grips. */
export const listNodesForAudit = (
  tx: ReadTx,
  after: { readonly store: string; readonly nodeId: string },
  limit: number,
) => readAll(tx, LIST_UNPROVEN, { ...after, limit }, (row) => parseRow(AuditRow, row, 'TocNode'));

const REMAKE = cypher`
  // remakeTocNodes
  UNWIND $nodes AS node
  MATCH (l:TocLatest {store: node.store, nodeId: node.nodeId})
  SET l.madeOf = ''
`;

/** Queues nodes for a new version although their sources did not change. */
export async function remakeNodes(
  tx: WriteTx,
  nodes: readonly LevelRef[],
  now: Instant,
): Promise<void> {
  await tx.run(REMAKE, { nodes: nodes.map(({ store, nodeId }) => ({ store, nodeId })) });
  await queueNodes(tx, nodes, now);
}
