import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { type Instant, instant } from '../../common/clock.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import { once } from '../../idempotency/idempotency.mutations.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import { getRun } from '../run/get-run.service.ts';
import type { RunDeps, RunObserver } from '../run/ports.ts';
import type { ProcessRun } from '../run/run.ts';
import type { RunWork } from '../run/run-origin.ts';
import { checkStart, type StartProcessRun } from '../start/run-checks.ts';
import { startRunIn } from '../start/start.mutations.ts';
import {
  bindRun,
  clearWait,
  endBackgroundRun,
  findDay,
  findWait,
  listFaults,
  listWaiting,
  releaseTokens,
  reserveTokens,
  setFault,
  setWait,
} from './background.cypher.ts';
import {
  type BackgroundItem,
  type BackgroundState,
  dayOf,
  estimatedTokens,
  type HealthWarning,
  nextDay,
  warningsOf,
} from './background.ts';

/** A background run to start, in a transaction of the caller. */
export interface BackgroundStart {
  readonly runId: string;
  readonly input: StartProcessRun;
  readonly item: BackgroundItem;
  readonly workFor: RunWork;
  readonly llmToolId: string | null;
  /** Setting backgroundTokensPerDay. 0: no limit, also where a user asked for the work now. */
  readonly tokensPerDay: number;
}

/**
 * Starts a run of the product for a user, if the user's tokens of the day are not used up
 * (docs/decisions/0024). Else it records that the work waits until the next day in UTC.
 * @returns whether it started
 * @throws Refusal as startProcessRun; nothing of the run is written then
 */
export async function startBackgroundRunIn(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  { item, tokensPerDay: limit, ...start }: BackgroundStart,
): Promise<boolean> {
  const { ownerId } = item;
  const [nowMs, now] = [deps.clock.nowMs(), instant(deps.clock)];
  const day = dayOf(nowMs);
  const tokens = estimatedTokens(start.input.context);
  // The lock of the day would make all starts of a user wait for one another, so it comes last
  // where the limit is far.
  const isNear = limit > 0 && (await isNearLimit(tx, { ownerId, day, limit }));
  if (isNear && !(await reserveTokens(tx, { ownerId, day, limit, tokens, now }))) {
    await setWait(tx, { item, reason: 'budget', notBefore: nextDay(nowMs), now });
    return false;
  }
  try {
    await startRunIn(deps, tx, viewer, { ...start, answersId: null });
  } catch (error) {
    // The caller may go on with its transaction after a refusal.
    if (isNear && error instanceof Refusal) await releaseTokens(tx, { ownerId, day, tokens });
    throw error;
  }
  if (!isNear) await reserveTokens(tx, { ownerId, day, limit: 0, tokens, now });
  await bindRun(tx, { runId: start.runId, item, day, tokens });
  return true;
}

/** Share of the day's limit from which each start reserves its tokens first, under the lock. */
const NEAR_SHARE = 0.75;

async function isNearLimit(
  tx: WriteTx,
  { ownerId, day, limit }: { ownerId: string; day: string; limit: number },
): Promise<boolean> {
  const { tokensUsed, tokensReserved } = await findDay(tx, { ownerId, day });
  return tokensUsed + tokensReserved >= limit * NEAR_SHARE;
}

/** Thrown by startBackgroundRun while the owner's tokens of the day are used up. */
export class WorkWaits extends Error {
  override readonly name = 'WorkWaits';
  readonly until: Instant;
  constructor(until: Instant) {
    super(`The tokens of the day for background work are used up. The work waits until ${until}.`);
    this.until = until;
  }
}

/**
 * startBackgroundRunIn in a transaction of its own, once per idempotency key of the input.
 * @throws WorkWaits; Refusal as startProcessRun
 */
export async function startBackgroundRun(
  deps: RunDeps,
  viewer: Viewer,
  start: Omit<BackgroundStart, 'runId'>,
): Promise<ProcessRun> {
  const { input } = start;
  refuse(checkStart(input));
  const runId = deps.newId();
  const until = nextDay(deps.clock.nowMs());
  const request = { operation: 'startProcessRun', input, resultId: runId };
  const id = await once(deps, viewer, request, async (tx) => {
    // The error rolls the claim back, so that the same key starts the run later.
    if (!(await startBackgroundRunIn(deps, tx, viewer, { ...start, runId })))
      throw new WorkWaits(until);
    return runId;
  }).catch(async (error: unknown) => {
    if (!(error instanceof WorkWaits)) throw error;
    const wait = { item: start.item, reason: 'budget', notBefore: until } as const;
    await deps.graph.write((tx) => setWait(tx, { ...wait, now: instant(deps.clock) }));
    throw error;
  });
  return getRun(deps, viewer, id);
}

const RETRY: Backoff = { firstMs: 60_000, maxMs: 24 * 60 * 60_000 };
/** A start that was refused costs nothing, so it is tried again soon. */
const REFUSED_RETRY_MS = 60_000;
/** After so many failed runs the work is given up; the fault stays. */
const TRIES_MAX = 10;

/**
 * Records that a run of a piece of work failed, and that the work waits for the next try: after a
 * minute, then twice as long each time, at most a day.
 */
export async function recordFailureIn(
  deps: BaseDeps,
  tx: WriteTx,
  item: BackgroundItem,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<void> {
  const { ownerId, processName } = item;
  const now = instant(deps.clock);
  await setFault(tx, { ownerId, processName, code, message, now });
  await waitAfterFailureIn(deps, tx, item);
}

/** Lets a piece of work wait for its next try after a failed run. */
export async function waitAfterFailureIn(
  deps: BaseDeps,
  tx: WriteTx,
  item: BackgroundItem,
): Promise<void> {
  const now = instant(deps.clock);
  const tries = ((await findWait(tx, item))?.attempt ?? 0) + 1;
  if (tries >= TRIES_MAX) return clearWait(tx, item);
  const notBefore = new Date(deps.clock.nowMs() + backoffMs(RETRY, tries)).toISOString();
  await setWait(tx, { item, reason: 'fault', attempt: tries, notBefore, now });
}

/** Records that the start of a piece of work was refused, and that it is tried again in a minute. */
export async function recordRefusalIn(
  deps: BaseDeps,
  tx: WriteTx,
  item: BackgroundItem,
  { problems }: Refusal,
): Promise<void> {
  const { ownerId, processName } = item;
  const now = instant(deps.clock);
  const code = problems[0]?.code ?? 'INVALID';
  const message = problems.map((one) => one.message).join(' ');
  await setFault(tx, { ownerId, processName, code, message, now });
  const notBefore = new Date(deps.clock.nowMs() + REFUSED_RETRY_MS).toISOString();
  await setWait(tx, { item, reason: 'fault', notBefore, now });
}

/** recordRefusalIn in a transaction of its own. A refusal for the state of the work is no fault. */
export async function recordRefusal(
  deps: BaseDeps & { readonly graph: Graph },
  item: BackgroundItem,
  refusal: Refusal,
): Promise<void> {
  if (refusal.problems.some(({ code }) => code === 'STATE')) return;
  await deps.graph.write((tx) => recordRefusalIn(deps, tx, item, refusal));
}

/** The Refusal for a Process of the system that was deleted. */
export function systemProcessGone(name: string): Refusal {
  const { code, path } = notFound('Process', ['processId']);
  return new Refusal([{ code, path, message: `The system's Process ${name} is not there.` }]);
}

/** Counts the tokens of ended background runs, and records or clears the fault of their Process. */
export function backgroundOfRuns(deps: BaseDeps): Partial<RunObserver> {
  return {
    async ended(tx, { run, now, origin }) {
      if (run.depth > 0 || origin === 'user') return;
      const ended = await endBackgroundRun(tx, run.runId);
      if (ended === null || (ended.status !== 'failed' && ended.status !== 'timed_out')) return;
      const { ownerId, processName, itemId, status } = ended;
      const { code, message } = ended.error ?? {
        code: 'RUN_TIMEOUT',
        message: `The run ${status}.`,
      };
      // A node of the table of contents has a queue of its own.
      if (itemId === null || isNodeId(itemId))
        return setFault(tx, { ownerId, processName, code, message, now });
      await recordFailureIn(deps, tx, { ownerId, processName, itemId }, { code, message });
    },
  };
}

const isNodeId = (itemId: string) => itemId.startsWith('toc:');

/** A user's background work: tokens of the day, and the work that waits. */
export async function backgroundState(
  { graph, clock }: BaseDeps & { readonly graph: Graph },
  { userId: ownerId }: Viewer,
  tokensPerDay: number,
): Promise<BackgroundState> {
  const nowMs = clock.nowMs();
  const resetsAt = nextDay(nowMs);
  return graph.read(async (tx) => {
    const day = await findDay(tx, { ownerId, day: dayOf(nowMs) });
    return { tokensPerDay, ...day, resetsAt, waiting: await listWaiting(tx, ownerId) };
  });
}

/**
 * Warnings about background work: faults that last, and work that waits.
 * @param ownerId only those of this user; null: of all users
 */
export async function backgroundWarnings(
  { graph, clock }: BaseDeps & { readonly graph: Graph },
  ownerId: string | null,
): Promise<HealthWarning[]> {
  const resetsAt = nextDay(clock.nowMs());
  return graph.read(async (tx) => {
    const faults = await listFaults(tx, ownerId);
    return warningsOf(faults, await listWaiting(tx, ownerId), resetsAt);
  });
}
