import { z } from 'zod';
import { parseBlobUri } from '../common/blob-uri.ts';
import { type Clock, instant } from '../common/clock.ts';
import { DELETION_PAUSE_SHARE } from '../common/limits.ts';
import type { JobRun } from '../jobs/job-definition.service.ts';
import { type BlobStore, blobFolder, blobKey } from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { leaveToReaders } from '../platform/neo4j/leave-to-readers.ts';
import { filesSession } from '../runs/run/run.ts';
import type { RunOrigin } from '../runs/run/run-origin.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import {
  type DeletedEvents,
  deleteBackgroundDays,
  deleteEventsOf,
  deleteIdempotencyRecords,
  deleteOldEntries,
  deleteReadIngests,
  deleteSessions,
  findDelivered,
  type LogReaders,
  listQuietSessions,
  recordForgotten,
} from './record-retention.cypher.ts';
import { type Cutoffs, cutoffsOf, latest, type RetentionKind } from './retention.ts';
import {
  clearInputsOfRuns,
  deletePartOfRuns,
  deleteUnusedSnapshots,
  expireCallsOfRuns,
  listBlobsOfRuns,
  listEndedRuns,
  listInputBlobsOfRuns,
  listOwnersOfRuns,
  listSnapshots,
  type RunPlace,
  restoreUsedSnapshots,
  type StoredSnapshot,
} from './run-retention.cypher.ts';

export interface ForgettingDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly settings: SettingsSource;
  readonly blobs: BlobStore;
  /** Default DELETION_PAUSE_SHARE. */
  readonly pauseShare?: number;
}

const RUNS_PER_PAGE = 50;
const SESSIONS_PER_PAGE = 20;
/** Small, so that a batch holds its locks for some ten milliseconds. */
const NODES_PER_BATCH = 200;
const SNAPSHOTS_PER_PAGE = 100;
/** An entry without a number for so long means that the relay stands still. */
const BEHIND_MS = 3_600_000;
/** Longer than a live reader of the log is behind the projections. */
const READ_MS = 3_600_000;
/** One more than any budget of background work is read back. */
const BACKGROUND_DAYS = 31;

/**
 * Deletes records beyond their retention, in small batches with pauses (docs/decisions/0037). Each
 * batch is one transaction, so the work can stop after any and go on later. While the relay stands
 * still nothing of the event log or of runs is deleted.
 */
export async function forgetExpired(
  deps: ForgettingDeps,
  readers: LogReaders,
  jobRun: Pick<JobRun, 'signal' | 'checkpoint' | 'progress'>,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const cutoffs = cutoffsOf(await deps.settings.current(), nowMs);
  const pendingBefore = new Date(nowMs - BEHIND_MS).toISOString();
  const log = await deps.graph.read((tx) => findDelivered(tx, { ...readers, pendingBefore }));
  const work = new Forgetting(deps, jobRun.signal);
  if (!log.isBehind) {
    await work.runs('user', cutoffs, log.seq);
    await work.runs('system', cutoffs, log.seq);
    await work.entries(cutoffs, log.seq, jobRun);
    await work.snapshots(latest(cutoffs.runs, cutoffs.systemRuns));
  }
  await work.sessions('sessions', 'user', cutoffs);
  await work.sessions('systemSessions', 'system', cutoffs);
  await work.keys(cutoffs);
}

class Forgetting {
  readonly #deps: ForgettingDeps;
  readonly #signal: AbortSignal;

  constructor(deps: ForgettingDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Deletes expired root runs with their trees, and clears inputs of those that are kept. */
  async runs(origin: RunOrigin, cutoffs: Cutoffs, deliveredSeq: number): Promise<void> {
    const { graph } = this.#deps;
    const kind = origin === 'user' ? 'runs' : 'systemRuns';
    const before = latest(cutoffs[kind], cutoffs.runInputs);
    let place: RunPlace = { afterAt: '1970-01-01T00:00:00.000Z', afterId: '' };
    let deleted = 0;
    let cleared = 0;
    for (let isMore = true; isMore && !this.#signal.aborted; ) {
      const page = { ...place, origin, before, deliveredSeq, limit: RUNS_PER_PAGE };
      const ended = await graph.read((tx) => listEndedRuns(tx, page));
      isMore = ended.length === RUNS_PER_PAGE;
      const last = ended.at(-1);
      if (last !== undefined) place = { afterAt: last.at, afterId: last.id };
      const goes = ended.filter(({ at, isKept }) => !isKept && at < cutoffs[kind]);
      const bare = ended.filter(
        (run) => !goes.includes(run) && !run.isBare && run.at < cutoffs.runInputs,
      );
      if (
        await this.#deleteTrees(
          goes.map(({ id }) => id),
          origin,
        )
      )
        deleted += goes.length;
      if (await this.#clearInputs(bare.map(({ id }) => id))) cleared += bare.length;
    }
    await this.#record(kind, deleted);
    if (origin === 'user') await this.#record('runInputs', cleared);
  }

  /** Deletes delivered entries outside of runs. The checkpoint is the last number looked at. */
  async entries(
    { entries: before }: Cutoffs,
    deliveredSeq: number,
    jobRun: Pick<JobRun, 'checkpoint' | 'progress'>,
  ): Promise<void> {
    const { graph } = this.#deps;
    let deleted = 0;
    let afterSeq = Number(jobRun.checkpoint ?? 0);
    for (let isMore = true; isMore && !this.#signal.aborted; ) {
      const page = { afterSeq, deliveredSeq, before, limit: NODES_PER_BATCH };
      const done = await this.#paused(() => graph.write((tx) => deleteOldEntries(tx, page)));
      deleted += done.gone;
      afterSeq = done.lastSeq;
      isMore = done.hasMore;
      await jobRun.progress({ checkpoint: String(afterSeq) });
    }
    deleted += await this.#readIngests(deliveredSeq);
    await this.#record('entries', deleted);
  }

  /** Deletes what indexer, segmenter and all projections have read, whatever its days. */
  async #readIngests(deliveredSeq: number): Promise<number> {
    const { graph, clock } = this.#deps;
    const before = new Date(clock.nowMs() - READ_MS).toISOString();
    const batch = { deliveredSeq, before, limit: NODES_PER_BATCH };
    return this.#repeat(() => graph.write((tx) => deleteReadIngests(tx, batch)));
  }

  /** Deletes sessions without a recent event, with their events, calls, layers and blobs. */
  async sessions(
    kind: 'sessions' | 'systemSessions',
    origin: RunOrigin,
    cutoffs: Cutoffs,
  ): Promise<void> {
    const { graph } = this.#deps;
    let deleted = 0;
    for (let isMore = true; isMore && !this.#signal.aborted; ) {
      const page = { origin, before: cutoffs[kind], limit: SESSIONS_PER_PAGE };
      const sessions = await graph.read((tx) => listQuietSessions(tx, page));
      isMore = sessions.length === SESSIONS_PER_PAGE;
      for (let gone = NODES_PER_BATCH; gone === NODES_PER_BATCH && !this.#signal.aborted; ) {
        const batch = { sessions, limit: NODES_PER_BATCH };
        const events = await this.#paused(() => graph.write((tx) => deleteEventsOf(tx, batch)));
        for (const key of keysOf(events)) await this.#deps.blobs.delete(key);
        gone = events.gone;
      }
      if (this.#signal.aborted) break;
      deleted += await this.#paused(() => graph.write((tx) => deleteSessions(tx, sessions)));
    }
    await this.#record(kind, deleted);
  }

  /** Deletes old idempotency keys, and the daily budgets of past days. */
  async keys({ idempotencyRecords: before }: Cutoffs): Promise<void> {
    const { graph, clock } = this.#deps;
    const batch = { before, limit: NODES_PER_BATCH };
    const deleted = await this.#repeat(() =>
      graph.write((tx) => deleteIdempotencyRecords(tx, batch)),
    );
    await this.#record('idempotencyRecords', deleted);
    const day = new Date(clock.nowMs() - BACKGROUND_DAYS * 86_400_000).toISOString().slice(0, 10);
    const limit = NODES_PER_BATCH;
    await this.#repeat(() => graph.write((tx) => deleteBackgroundDays(tx, { day, limit })));
  }

  /** Deletes snapshots without a run. */
  async snapshots(before: string): Promise<void> {
    const { graph, clock } = this.#deps;
    const unused: StoredSnapshot[] = [];
    for (let after = '', isMore = true; isMore && !this.#signal.aborted; ) {
      const page = { after, before, limit: SNAPSHOTS_PER_PAGE };
      const found = await graph.read((tx) => listSnapshots(tx, page));
      after = found.at(-1)?.hash ?? after;
      isMore = found.length === SNAPSHOTS_PER_PAGE;
      const gone = found.filter(({ isUnused }) => isUnused);
      const hashes = gone.map(({ hash }) => hash);
      if (hashes.length > 0) await graph.write((tx) => deleteUnusedSnapshots(tx, hashes));
      unused.push(...gone);
    }
    // A run that was committed while its snapshot was deleted gets it back.
    for (let from = 0; from < unused.length; from += SNAPSHOTS_PER_PAGE) {
      const page = unused.slice(from, from + SNAPSHOTS_PER_PAGE);
      const snapshots = page.map(({ hash, body }) => ({ hash, body }));
      await graph.write((tx) => restoreUsedSnapshots(tx, snapshots, instant(clock)));
    }
  }

  async #deleteTrees(ids: readonly string[], origin: RunOrigin): Promise<boolean> {
    if (ids.length === 0) return false;
    const { graph, blobs, clock } = this.#deps;
    for (const key of await graph.read((tx) => listBlobsOfRuns(tx, ids))) await blobs.delete(key);
    for (const { rootRunId, ...owner } of await graph.read((tx) => listOwnersOfRuns(tx, ids)))
      await blobs.deleteFolder(blobFolder({ ...owner, session: filesSession(rootRunId) }));
    if (origin === 'system')
      await graph.write((tx) => expireCallsOfRuns(tx, { ids, now: instant(clock) }));
    const batch = { ids, limit: NODES_PER_BATCH };
    for (const part of ['entries', 'steps', 'runs'] as const)
      await this.#repeat(() => graph.write((tx) => deletePartOfRuns(tx, part, batch)));
    return !this.#signal.aborted;
  }

  async #clearInputs(ids: readonly string[]): Promise<boolean> {
    if (ids.length === 0) return false;
    const { graph, blobs } = this.#deps;
    const keys = await graph.read((tx) => listInputBlobsOfRuns(tx, ids));
    const batch = { ids, limit: NODES_PER_BATCH };
    await this.#repeat(() => graph.write((tx) => deletePartOfRuns(tx, 'entries', batch)));
    if (this.#signal.aborted) return false;
    await this.#paused(() => graph.write((tx) => clearInputsOfRuns(tx, ids)));
    for (const key of keys) await blobs.delete(key);
    return true;
  }

  /** Repeats a batch until it deletes less than a full one. @returns the sum */
  async #repeat(batch: () => Promise<number>): Promise<number> {
    let sum = 0;
    for (let gone = NODES_PER_BATCH; gone === NODES_PER_BATCH && !this.#signal.aborted; sum += gone)
      gone = await this.#paused(batch);
    return sum;
  }

  async #paused<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await work();
    const { pauseShare: share = DELETION_PAUSE_SHARE } = this.#deps;
    await leaveToReaders({ startedMs, share }, this.#signal);
    return result;
  }

  async #record(kind: RetentionKind, deleted: number): Promise<void> {
    if (deleted === 0) return;
    const { graph, clock } = this.#deps;
    await graph.write((tx) => recordForgotten(tx, { kind, deleted, at: instant(clock) }));
  }
}

const BlobReference = z.object({ $blob_ref: z.string() });

/** Keys of the blobs that deleted events refer to. */
const keysOf = ({ blobs }: DeletedEvents): string[] =>
  blobs.flatMap(({ ownerId, workspace, data }) => {
    const parts = parseBlobUri(BlobReference.parse(JSON.parse(data)).$blob_ref);
    return parts === null ? [] : [blobKey({ ownerId, workspace, ...parts })];
  });
