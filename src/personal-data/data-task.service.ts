import { type Clock, instant } from '../common/clock.ts';
import { firstChars } from '../common/well-formed.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import { isOutage } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { scrub } from '../platform/telemetry/scrub.ts';
import { isTemporalOutage } from '../platform/temporal/client.ts';
import {
  dropArchive,
  endDataRequest,
  listExpiredArchives,
  listOpenDataRequests,
  saveDataRequest,
} from './data-request.cypher.ts';
import { ARCHIVE_DAYS, type DataRequest } from './data-request.ts';
import { deleteUserData, subjectOf, type UserDataDeps } from './delete-user.service.ts';
import { archiveKeys, exportUserData } from './export-user.service.ts';

export interface DataTaskDeps extends UserDataDeps {
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 5_000;
/** Archives live for days. */
const LOOK_FOR_EXPIRED_MS = 60_000;
/**
 * Processes keep a signed-in user for a minute, so a deletion begins when none accepts the user.
 * The time is measured by this process, since it first saw the request: clocks differ, and may
 * jump.
 */
const GRACE_MS = 61_000;
const DAY_MS = 86_400_000;

/**
 * Works on data requests, one at a time, in the process that holds the relay's lease. After a crash
 * the next holder begins the request again and finds what is left.
 * @param graceMs shortest time between the request of a deletion and its begin
 */
export function dataTask(
  deps: DataTaskDeps,
  { graceMs = GRACE_MS }: { readonly graceMs?: number } = {},
): PeriodicTask & { close(): void } {
  const closing = new AbortController();
  /** When this process first saw a deletion, by its id. */
  let seenAtMs = new Map<string, number>();
  let droppedAtMs = Number.NEGATIVE_INFINITY;
  const isDue = ({ id, kind, status }: DataRequest) =>
    kind === 'export' ||
    status === 'working' ||
    performance.now() - (seenAtMs.get(id) ?? 0) >= graceMs;
  return {
    name: 'personal-data',
    everyMs: EVERY_MS,
    async run() {
      while (!closing.signal.aborted) {
        const open = await deps.graph.read(listOpenDataRequests);
        const nowMs = performance.now();
        seenAtMs = new Map(open.map(({ id }) => [id, seenAtMs.get(id) ?? nowMs]));
        const request = open.find(isDue);
        if (request === undefined) break;
        await perform(deps, request, closing.signal);
      }
      const isRecent = performance.now() - droppedAtMs < LOOK_FOR_EXPIRED_MS;
      if (closing.signal.aborted || isRecent) return;
      await dropExpired(deps);
      droppedAtMs = performance.now();
    },
    close: () => closing.abort(),
  };
}

async function perform(
  deps: DataTaskDeps,
  request: DataRequest,
  signal: AbortSignal,
): Promise<void> {
  const { graph, clock, log } = deps;
  const { id, kind, userId } = request;
  const onProgress = (phase: string, more: number) =>
    graph.write((tx) => saveDataRequest(tx, { id, phase, more }));
  const end = (status: 'done' | 'failed', error: string | null, archive: string | null) => {
    const expiresMs = clock.nowMs() + ARCHIVE_DAYS * DAY_MS;
    const expiresAt = archive === null ? null : new Date(expiresMs).toISOString();
    const now = instant(clock);
    return graph.write((tx) => endDataRequest(tx, { id, status, error, archive, now, expiresAt }));
  };
  try {
    if (userId === null) return await end('done', null, null);
    if (kind === 'deletion') {
      await deleteUserData(deps, userId, onProgress, signal);
      await end('done', null, null);
    } else {
      await end('done', null, await exportUserData(deps, { id, userId }, onProgress, signal));
    }
    log.info('A data request is done', { operation: kind });
  } catch (error) {
    // Interrupted work, and work while a server is away, goes on later.
    if (signal.aborted) return;
    if (isOutage(error) || isTemporalOutage(error)) throw error;
    log.error('A data request failed', { operation: kind, error });
    // An unfinished deletion stays open: it is tried again, since the user is waiting to be gone.
    if (kind === 'deletion') throw error;
    await end('failed', firstChars(String(scrub(String(error))), 1_000), null);
  }
}

async function dropExpired({ graph, blobs, clock }: DataTaskDeps): Promise<void> {
  const expired = await graph.read((tx) => listExpiredArchives(tx, instant(clock)));
  for (const { id, userId } of expired) {
    if (userId !== null) {
      const { workspaces } = await subjectOf(graph, userId);
      for (const key of archiveKeys(workspaces, userId, id)) await blobs.delete(key);
    }
    await graph.write((tx) => dropArchive(tx, id));
  }
}
