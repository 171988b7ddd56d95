import { type Instant, instant, instantOf } from '../common/clock.ts';
import { notFound, Refusal, refuse } from '../common/refusal.ts';
import { once } from '../idempotency/idempotency.mutations.ts';
import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';
import { getRun } from '../runs/run/get-run.service.ts';
import type { RunDeps, RunObserver } from '../runs/run/ports.ts';
import type { ProcessRun } from '../runs/run/run.ts';
import type { RunWork } from '../runs/run/run-origin.ts';
import { checkStart, type StartProcessRun } from '../runs/start/run-checks.ts';
import { startRunIn } from '../runs/start/start.mutations.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import {
  bindRun,
  type DayTokens,
  findDay,
  finishWork,
  listFaults,
  reserveTokens,
  setFault,
  settleRun,
  type WorkFault,
  type WorkOf,
} from './background.cypher.ts';
import {
  type BackgroundState,
  dayOf,
  estimatedTokens,
  type HealthWarning,
  nextDay,
  warningsOf,
} from './background.ts';
import { beginWork, deleteWork, findWork, listWaiting, lockWork, setWork } from './work.cypher.ts';
import {
  afterFailure,
  afterRefusal,
  kindOf,
  processOf,
  type Work,
  type WorkItem,
  type WorkState,
  workKey,
} from './work.ts';

/** A background run to start, in a transaction of the caller. */
export interface BackgroundStart {
  readonly runId: string;
  readonly input: StartProcessRun;
  /** Without an item, the caller keeps the record of the work itself. */
  readonly item: WorkOf;
  readonly workFor: RunWork;
  readonly llmToolId: string | null;
  /** Setting backgroundTokensPerDay. 0: no limit, also where a user asked for the work now. */
  readonly tokensPerDay: number;
}

/** Share of the day's limit from which each start locks the day first. */
const NEAR_SHARE = 0.75;
const sumOf = ({ tokensUsed, tokensReserved }: DayTokens) => tokensUsed + tokensReserved;

/**
 * Starts a run of the product for a user, if the user's tokens of the day are not used up
 * (docs/decisions/0024). Else it records that the work waits until the next day in UTC. A run may
 * use more than it reserved, so the last run of a day may exceed the limit.
 * @returns whether it started
 * @throws Refusal as startProcessRun; nothing of the run is written then
 */
export async function startBackgroundRunIn(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  { item, tokensPerDay: limit, ...start }: BackgroundStart,
): Promise<boolean> {
  const { ownerId, kind, itemId } = item;
  const [nowMs, now] = [deps.clock.nowMs(), instant(deps.clock)];
  const ownerDay = { ownerId, day: dayOf(nowMs) };
  // The lock of the day would make all starts of a user wait for one another, so it comes last
  // where the limit is far.
  const isNear = limit > 0 && sumOf(await findDay(tx, ownerDay)) >= limit * NEAR_SHARE;
  if (isNear && sumOf(await reserveTokens(tx, ownerDay, 0)) >= limit) {
    if (itemId !== null) await setWork(tx, [{ ...item, itemId, ...withoutTokens(nowMs) }], now);
    return false;
  }
  await startRunIn(deps, tx, viewer, { ...start, answersId: null });
  const tokens = estimatedTokens(start.input.context);
  await reserveTokens(tx, ownerDay, tokens);
  const { runId } = start;
  await bindRun(tx, { runId, ...ownerDay, processName: processOf(kind), itemId, tokens });
  if (itemId !== null) await beginWork(tx, { ...item, itemId }, { now, runAt: null });
  return true;
}

/** The state of work whose owner has no tokens left today. */
function withoutTokens(nowMs: number): WorkState & { readonly runAt: Instant } {
  return { reason: 'budget', runAt: nextDay(nowMs) };
}

/** Thrown by startBackgroundRun while the owner's tokens of the day are used up. */
export class WorkWaits extends Error {
  override readonly name = 'WorkWaits';
  readonly state: WorkState;
  constructor(nowMs: number) {
    const state = withoutTokens(nowMs);
    const until = `The work waits until ${state.runAt}.`;
    super(`The tokens of the day for background work are used up. ${until}`);
    this.state = state;
  }
}

/**
 * startBackgroundRunIn in a transaction of its own, once per idempotency key of the input. The
 * caller keeps the record of the work.
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
  const request = { operation: 'startProcessRun', input, resultId: runId };
  const id = await once(deps, viewer, request, async (tx) => {
    // The error rolls the claim back, so that the same key starts the run later.
    if (!(await startBackgroundRunIn(deps, tx, viewer, { ...start, runId })))
      throw new WorkWaits(deps.clock.nowMs());
    return runId;
  });
  return getRun(deps, viewer, id);
}

/** Records that work failed. It waits for its next try, or is given up (`afterFailure`). */
export async function recordFailureIn(
  deps: BaseDeps,
  tx: WriteTx,
  item: WorkItem,
  fault: WorkFault | null,
): Promise<void> {
  const [nowMs, now] = [deps.clock.nowMs(), instant(deps.clock)];
  if (fault !== null) await setFault(tx, item, fault, now);
  const attempts = (await findWork(tx, item))?.attempts ?? 0;
  const state = afterFailure({ ...item, attempts }, nowMs);
  if (state === null) await deleteWork(tx, [item]);
  else await setWork(tx, [{ ...item, ...state }], now);
}

/** Records that the start of work was refused, and that it is tried again in a minute. */
export async function recordRefusalIn(
  deps: BaseDeps,
  tx: WriteTx,
  { itemId, ...of }: WorkOf,
  { problems }: Refusal,
): Promise<void> {
  const now = instant(deps.clock);
  const code = problems[0]?.code ?? 'INVALID';
  const message = problems.map((one) => one.message).join(' ');
  await setFault(tx, { ...of, itemId }, { code, message }, now);
  if (itemId === null) return;
  await setWork(tx, [{ ...of, itemId, ...afterRefusal(deps.clock.nowMs()) }], now);
}

/** recordRefusalIn in a transaction of its own. A refusal for the state of the work is no fault. */
export async function recordRefusal(
  deps: BaseDeps & { readonly graph: Graph },
  of: WorkOf,
  refusal: Refusal,
): Promise<void> {
  if (refusal.problems.some(({ code }) => code === 'STATE')) return;
  await deps.graph.write((tx) => recordRefusalIn(deps, tx, of, refusal));
}

/** The Refusal for a Process of the system that was deleted. */
export function systemProcessGone(name: string): Refusal {
  const { code, path } = notFound('Process', ['processId']);
  return new Refusal([{ code, path, message: `The system's Process ${name} is not there.` }]);
}

/**
 * Takes due work. @returns null where another process took it, or it changed, since it was read
 */
export async function claimWork(
  tx: WriteTx,
  work: Work,
  at: { readonly now: Instant; readonly runAt: Instant },
): Promise<Work | null> {
  const present = await lockWork(tx, [work], at.now);
  if (present.get(workKey(work)) !== work.revision) return null;
  await beginWork(tx, work, at);
  return { ...work, revision: work.revision + 1 };
}

/**
 * Ends work that was done, and puts other work into its next state. Work that changed meanwhile
 * does not end, and does not rest until it is quiet.
 */
export async function settleWork(
  tx: WriteTx,
  { done, later }: { readonly done: readonly Work[]; readonly later: readonly Work[] },
  now: Instant,
): Promise<void> {
  const present = await lockWork(tx, [...done, ...later], now);
  const isSame = (work: Work) => present.get(workKey(work)) === work.revision;
  await deleteWork(tx, done.filter(isSame));
  const states = later.filter((work) => work.reason !== 'quiet' || isSame(work));
  await setWork(tx, states, now);
}

/** When the output of a completed run should have been used; then its work is due again. */
const USED_WITHIN_MS = 60 * 60_000;

/** Counts the tokens of ended background runs, and records the end or the failure of their work. */
export function backgroundOfRuns(deps: BaseDeps): Partial<RunObserver> {
  return {
    async ended(tx, { run, now, origin }) {
      if (run.depth > 0 || origin === 'user') return;
      const settled = await settleRun(tx, run.runId);
      if (settled === null) return;
      const { status, error, ownerId, kind, itemId } = settled;
      const item = itemId === null ? null : { ownerId, kind, itemId };
      const { endsWithUse = false, retriesCancelled = false } = kindOf(kind) ?? {};
      if (status === 'completed' && endsWithUse && item !== null) {
        const runAt = instantOf(deps.clock.nowMs() + USED_WITHIN_MS);
        return beginWork(tx, item, { now, runAt });
      }
      if (status === 'completed') return finishWork(tx, settled);
      if (status === 'cancelled') {
        if (item === null) return;
        return retriesCancelled ? recordFailureIn(deps, tx, item, null) : deleteWork(tx, [item]);
      }
      const fault = error ?? { code: 'RUN_TIMEOUT', message: `The run ${status}.` };
      if (item === null) return setFault(tx, settled, fault, now);
      return recordFailureIn(deps, tx, item, fault);
    },
  };
}

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
