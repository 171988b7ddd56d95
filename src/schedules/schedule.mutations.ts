import { instant } from '../common/clock.ts';
import { canonicalJson, type JsonObject, jsonBytes } from '../common/json.ts';
import { DESCRIPTION_CHARS_MAX } from '../common/limits.ts';
import type { Maybe } from '../common/maybe.ts';
import {
  found,
  notFound,
  type Problem,
  problem,
  Refusal,
  refuse,
  refuseState,
} from '../common/refusal.ts';
import { JsonMap, jsonText, parseStored } from '../common/stored.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { Schedules } from '../platform/temporal/schedules.ts';
import { findProcesses } from '../processes/process.cypher.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import { fitContext } from '../runs/start/run-checks.ts';
import { startRunIn } from '../runs/start/start.mutations.ts';
import type { Viewer } from '../users/user.ts';
import { checkCron, checkTimezone } from './cron.ts';
import {
  countSchedules,
  deleteScheduleNode,
  findOpenRunOf,
  findSchedules,
  insertSchedule,
  markFired,
  saveSchedule,
} from './schedule.cypher.ts';
import { syncSchedule } from './schedule.projection.ts';
import {
  type ProcessSchedule,
  SCHEDULE_CHANGED,
  SCHEDULE_CONTEXT_BYTES_MAX,
  SCHEDULES_PER_USER_MAX,
} from './schedule.ts';

export interface ScheduleDeps extends RunDeps {
  readonly schedules: Schedules;
}

export interface CreateProcessSchedule {
  readonly processId: string;
  readonly cron: string;
  /** IANA name; absent: UTC. */
  readonly timezone?: string | null | undefined;
  readonly context: JsonObject;
  readonly note?: string | null | undefined;
}

/**
 * Creates a schedule that runs a Process as the viewer (S4-PROC, SX-07). The context is checked as
 * at the start of a run.
 * @throws Refusal NOT_FOUND, INVALID, REQUIRED and UNKNOWN_VARIABLE in `context`, TOO_LARGE, STATE
 * beyond SCHEDULES_PER_USER_MAX
 */
export async function createProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  input: CreateProcessSchedule,
): Promise<ProcessSchedule> {
  const schedule: ProcessSchedule = {
    id: deps.newId(),
    ownerId: viewer.userId,
    processId: input.processId,
    cron: plainCron(input.cron),
    timezone: input.timezone ?? 'UTC',
    context: JSON.stringify(input.context),
    paused: false,
    note: input.note ?? null,
    lastError: null,
    revision: 0,
    createdAt: instant(deps.clock),
  };
  await deps.graph.write(async (tx) => {
    // The user's lock protects the limit; the Process's lock prevents its deletion meanwhile.
    await lockResources(tx, [viewer.userId, input.processId]);
    const [process] = await findProcesses(tx, viewer, [input.processId]);
    refuse([
      ...checkCron(schedule.cron),
      ...checkTimezone(schedule.timezone),
      ...checkTexts(input),
      ...(process === undefined
        ? [notFound('Process', ['processId'])]
        : fitContext(process, input.context).problems),
      ...checkCount(await countSchedules(tx, viewer.userId)),
    ]);
    await insertSchedule(tx, schedule);
    await appendEntries(tx, [scheduleEntry(deps, viewer, schedule.id, 'created')]);
  });
  return syncNow(deps, schedule.id, schedule);
}

export interface UpdateProcessSchedule {
  readonly id: string;
  /** Refused with CONFLICT if the schedule is at another revision. Absent: no check. */
  readonly expectedRevision?: Maybe<number>;
  readonly cron?: Maybe<string>;
  readonly timezone?: Maybe<string>;
  readonly context?: Maybe<JsonObject>;
  /** null removes it. */
  readonly note?: Maybe<string>;
}

/**
 * Changes a schedule. It keeps its id, its runs and whether it is paused; an open run continues.
 * Absent fields stay as they are, so two writers of different fields both succeed. Times that only
 * the new cron has and that are past are not made up for.
 * @throws Refusal NOT_FOUND, CONFLICT, and for the given fields as createProcessSchedule
 */
export async function updateProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  input: UpdateProcessSchedule,
): Promise<ProcessSchedule> {
  const { id } = input;
  const schedule = await deps.graph.write(async (tx) => {
    const current = await lockSchedule(tx, viewer, id);
    const { revision } = current;
    if (input.expectedRevision != null && input.expectedRevision !== revision) {
      const message = `The schedule was changed meanwhile; it is at revision ${revision} now.`;
      throw Refusal.of('CONFLICT', ['expectedRevision'], message);
    }
    const [process] =
      input.context == null ? [] : await findProcesses(tx, viewer, [current.processId]);
    const fields = {
      cron: input.cron == null ? current.cron : plainCron(input.cron),
      timezone: input.timezone ?? current.timezone,
      context: input.context == null ? current.context : JSON.stringify(input.context),
      note: input.note === undefined ? current.note : input.note,
    };
    refuse([
      ...checkCron(fields.cron),
      ...checkTimezone(fields.timezone),
      ...checkTexts({ context: input.context ?? {}, note: input.note }),
      ...(input.context == null
        ? []
        : process === undefined
          ? [notFound('Process')]
          : fitContext(process, input.context).problems),
    ]);
    const changed = { ...current, ...fields };
    if (canonicalJson(changed) === canonicalJson(current)) return current;
    const saved = { ...changed, revision: revision + 1 };
    await saveSchedule(tx, viewer.userId, id, { ...fields, revision: saved.revision });
    await appendEntries(tx, [scheduleEntry(deps, viewer, id, 'updated')]);
    return saved;
  });
  return syncNow(deps, id, schedule);
}

const plainCron = (cron: string) => cron.trim().replace(/\s+/g, ' ');

/** Pauses a schedule: no run starts any more. An open run continues. @throws Refusal NOT_FOUND */
export function pauseProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  id: string,
): Promise<ProcessSchedule> {
  return setPaused(deps, viewer, id, true);
}

/** Resumes a schedule. Missed times are not made up for. @throws Refusal NOT_FOUND */
export function resumeProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  id: string,
): Promise<ProcessSchedule> {
  return setPaused(deps, viewer, id, false);
}

async function setPaused(
  deps: ScheduleDeps,
  viewer: Viewer,
  id: string,
  paused: boolean,
): Promise<ProcessSchedule> {
  const schedule = await deps.graph.write(async (tx) => {
    const current = await lockSchedule(tx, viewer, id);
    if (current.paused === paused) return current;
    await saveSchedule(tx, viewer.userId, id, { paused });
    const what = paused ? 'paused' : 'resumed';
    await appendEntries(tx, [scheduleEntry(deps, viewer, id, what)]);
    return { ...current, paused };
  });
  return syncNow(deps, id, schedule);
}

/**
 * Starts one run now, also if the schedule is paused.
 * @throws Refusal NOT_FOUND; STATE while its last run is open; and as startProcessRun
 */
export async function triggerProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  id: string,
): Promise<ProcessSchedule> {
  return writeAndWake(deps, async (tx) => {
    const current = await lockSchedule(tx, viewer, id);
    if ((await findOpenRunOf(tx, id)) !== null)
      refuseState(['id'], 'Its last run is still at work.');
    await startScheduledIn(deps, tx, viewer, current, deps.newId());
    return { ...current, lastError: null };
  });
}

const Context = jsonText(JsonMap);

/**
 * Starts the run `runId` of a schedule in a transaction of the caller, which holds its lock.
 * @throws Refusal as startProcessRun
 */
export async function startScheduledIn(
  deps: RunDeps,
  tx: WriteTx,
  owner: Viewer,
  schedule: ProcessSchedule,
  runId: string,
): Promise<void> {
  const context = parseStored(
    Context,
    schedule.context,
    () => `ProcessSchedule ${schedule.id}, context`,
  );
  const input = { processId: schedule.processId, context };
  await startRunIn(deps, tx, owner, { runId, input, answersId: null });
  await markFired(tx, { id: schedule.id, runId, now: instant(deps.clock) });
}

/** Deletes a schedule. Its runs stay, open ones too. @returns the id. @throws Refusal NOT_FOUND */
export async function deleteProcessSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  id: string,
): Promise<string> {
  await deps.graph.write(async (tx) => {
    await lockSchedule(tx, viewer, id);
    await deleteScheduleNode(tx, { id, ownerId: viewer.userId });
    await appendEntries(tx, [scheduleEntry(deps, viewer, id, 'deleted')]);
  });
  return syncNow(deps, id, id);
}

/** Updates Temporal at once. If that fails, the projection of the entry repeats it. */
async function syncNow<Answer>(deps: ScheduleDeps, id: string, answer: Answer): Promise<Answer> {
  deps.wake();
  await syncSchedule(deps, id).catch(() => {});
  return answer;
}

async function lockSchedule(tx: WriteTx, viewer: Viewer, id: string): Promise<ProcessSchedule> {
  await lockResources(tx, [id]);
  return found(await findSchedules(tx, viewer.userId, [id]), 'schedule');
}

function checkTexts({ context, note }: Pick<CreateProcessSchedule, 'context' | 'note'>): Problem[] {
  const problems: Problem[] = [];
  if (jsonBytes(context) > SCHEDULE_CONTEXT_BYTES_MAX)
    problems.push(problem('TOO_LARGE', ['context'], 'The context is larger than 64 KiB.'));
  if ((note?.length ?? 0) > DESCRIPTION_CHARS_MAX) {
    const message = `A note has at most ${DESCRIPTION_CHARS_MAX} characters.`;
    problems.push(problem('TOO_LARGE', ['note'], message));
  }
  return problems;
}

function checkCount(count: number): Problem[] {
  if (count < SCHEDULES_PER_USER_MAX) return [];
  const limit = `${SCHEDULES_PER_USER_MAX} is the most`;
  const message = `You have ${count} schedules; ${limit}. Delete one first.`;
  return [problem('STATE', [], message)];
}

const scheduleEntry = (deps: RunDeps, viewer: Viewer, id: string, what: string): OutboxEntry =>
  ownerEntry(deps, ownerFor(viewer), SCHEDULE_CHANGED, { id, what });
