import { type Clock, instant } from '../common/clock.ts';
import type { Graph, ReadTx } from '../platform/neo4j/graph.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import {
  countIdempotencyRecords,
  countOldEntries,
  countQuietSessions,
  findDelivered,
  type LogReaders,
  listForgotten,
} from './record-retention.cypher.ts';
import {
  type Cutoffs,
  cutoffsOf,
  DAYS_OF,
  type Forgotten,
  RETENTION_KINDS,
  type RetentionKind,
} from './retention.ts';
import { countEndedRuns } from './run-retention.cypher.ts';

export interface RetentionDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly settings: SettingsSource;
}

export interface RetentionState {
  readonly kind: RetentionKind;
  /** Name of the setting with the days. */
  readonly setting: string;
  readonly days: number;
  readonly last: Forgotten | null;
}

/** The largest count of `countDue`; more are not counted. */
export const DUE_MAX = 10_000;

/** Days of each kind, and what the last job run with any deleted. */
export async function showRetention({ graph, settings }: RetentionDeps): Promise<RetentionState[]> {
  const current = await settings.current();
  const last = await graph.read(listForgotten);
  return RETENTION_KINDS.map((kind) => ({
    kind,
    setting: DAYS_OF[kind],
    days: current[DAYS_OF[kind]],
    last: last.find((one) => one.kind === kind) ?? null,
  }));
}

/**
 * Number of records of a kind that a job run would delete now, at most DUE_MAX. Deletes nothing.
 */
export async function countDue(
  { graph, clock, settings }: RetentionDeps,
  readers: LogReaders,
  kind: RetentionKind,
): Promise<number> {
  const cutoffs = cutoffsOf(await settings.current(), clock.nowMs());
  const now = instant(clock);
  return graph.read(async (tx) => {
    const { seq } = await findDelivered(tx, { ...readers, pendingBefore: now });
    return COUNTS[kind](tx, cutoffs, seq);
  });
}

const limit = DUE_MAX;
type Count = (tx: ReadTx, cutoffs: Cutoffs, deliveredSeq: number) => Promise<number>;

const COUNTS: Record<RetentionKind, Count> = {
  runs: (tx, { runs: before }, deliveredSeq) =>
    countEndedRuns(tx, { origin: 'user', before, deliveredSeq, isKept: false, limit }),
  systemRuns: (tx, { systemRuns: before }, deliveredSeq) =>
    countEndedRuns(tx, { origin: 'system', before, deliveredSeq, isKept: false, limit }),
  runInputs: (tx, { runInputs: before }, deliveredSeq) =>
    countEndedRuns(tx, { origin: 'user', before, deliveredSeq, isKept: true, limit }),
  entries: (tx, { entries: before }, deliveredSeq) =>
    countOldEntries(tx, { afterSeq: 0, deliveredSeq, before, limit }),
  sessions: (tx, { sessions: before }) => countQuietSessions(tx, { origin: 'user', before, limit }),
  systemSessions: (tx, { systemSessions: before }) =>
    countQuietSessions(tx, { origin: 'system', before, limit }),
  idempotencyRecords: (tx, { idempotencyRecords: before }) =>
    countIdempotencyRecords(tx, { before, limit }),
};
