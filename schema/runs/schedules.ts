import type { JsonObject } from '../../src/common/json.ts';
import { findSchedules, listSchedules, recentRunIds } from '../../src/schedules/schedule.cypher.ts';
import {
  createProcessSchedule,
  deleteProcessSchedule,
  pauseProcessSchedule,
  resumeProcessSchedule,
  triggerProcessSchedule,
  updateProcessSchedule,
} from '../../src/schedules/schedule.mutations.ts';
import {
  NEXT_RUNS_SHOWN,
  RECENT_RUNS_SHOWN,
  SCHEDULES_PER_USER_MAX,
  type ProcessSchedule as ScheduleModel,
  temporalScheduleId,
} from '../../src/schedules/schedule.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { outputFields } from '../fields.ts';
import { loader, mapLoader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { capitalised, DeletePayload, idInput, inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { ProcessRun } from './runs.ts';

export const ProcessSchedule = nodeType<ScheduleModel>('ProcessSchedule', {
  label: 'ProcessSchedule',
  load: (context, ids) =>
    context.graph.read((tx) => findSchedules(tx, viewerOf(context).userId, ids)),
});

const recentRuns = mapLoader((tx, { userId }, ids) => recentRunIds(tx, userId, ids), []);

ProcessSchedule.implement({
  description: 'Starts runs of a Process at regular times, as its owner.',
  interfaces: [Node],
  fields: outputFields({
    process: [Process, 'The Process to run.', 'processId'],
    cron: ['String', 'Cron expression: minute, hour, day of month, month, day of week.'],
    timezone: ['String', 'Time zone of `cron`.'],
    paused: ['Boolean', 'Whether it is paused.'],
    note: ['String?', 'Free-text note of the owner.'],
    lastError: ['String?', 'Reason why the last due time started no run; null if it did.'],
    revision: [
      'Int',
      'Number of changes of cron, time zone, context or note, for `expectedRevision`.',
    ],
    createdAt: ['DateTime', 'Creation time.'],
    context: [
      'JSONObject',
      'Context of each run.',
      ({ context }) => JSON.parse(context) as JsonObject,
    ],
    nextRunsAt: [
      ['DateTime'],
      `The next ${NEXT_RUNS_SHOWN} due times, soonest first; empty if paused or if Temporal ` +
        'is not available.',
      async ({ id, paused }, _args, { schedules, queuePrefix }) => {
        if (paused) return [];
        const look = await schedules.look(temporalScheduleId(queuePrefix, id)).catch(() => null);
        return look?.nextRuns.slice(0, NEXT_RUNS_SHOWN) ?? [];
      },
    ],
    recentRuns: [
      [ProcessRun],
      `The last ${RECENT_RUNS_SHOWN} runs of this schedule, newest first.`,
      ({ id }, _args, context) => recentRuns(context, id),
    ],
  }),
});

const schedulesOf = loader<string, ScheduleModel[]>(async (context, processIds) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listSchedules(tx, userId, processIds));
  return processIds.map((id) => found.filter(({ processId }) => processId === id));
});

builder.objectFields(
  Process,
  outputFields({
    schedules: [
      [ProcessSchedule],
      'Your schedules of this Process, oldest first. You can have at most ' +
        `${SCHEDULES_PER_USER_MAX}.`,
      ({ id }, _args, context) => schedulesOf(context, id),
    ],
  }),
);

const ProcessSchedulePayload = payloadType('ProcessSchedulePayload', 'schedule', ProcessSchedule);

const CreateProcessScheduleInput = inputOf(
  'CreateProcessScheduleInput',
  'Input for a new schedule.',
  {
    processId: ['ID!', 'Id of a Process that is yours or shared with you.'],
    cron: [
      'String!',
      'Cron expression: minute, hour, day of month, month, day of week, such as `30 6 * * ' +
        '1-5`; or @hourly, @daily, @weekly, @monthly. A time that the clock skips at the change ' +
        'to daylight saving time is not run on that day.',
    ],
    timezone: ['String', 'Time zone of `cron`, such as Europe/Berlin.', 'UTC'],
    context: [
      'JSONObject!',
      "Value for each variable of the Process's initialContext, at most 64 KiB.",
    ],
    note: ['String', 'Free-text description.'],
  },
);

mutation('createProcessSchedule', {
  description:
    'Creates a schedule that runs a Process as you. A due time is skipped while the previous ' +
    `run is in progress. At most ${SCHEDULES_PER_USER_MAX} per user.`,
  input: [CreateProcessScheduleInput, 'The new schedule.'],
  payload: ProcessSchedulePayload,
  run: createProcessSchedule,
});

const UpdateProcessScheduleInput = inputOf(
  'UpdateProcessScheduleInput',
  'Changes to a schedule. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the schedule.'],
    expectedRevision: [
      'Int',
      'Revision of the schedule that you edited. If it is not the current one, the update gives ' +
        'CONFLICT.',
    ],
    cron: ['String', 'Cron expression, as in createProcessSchedule.'],
    timezone: ['String', 'Time zone of `cron`.'],
    context: ['JSONObject', 'Context of each run from now on. It replaces the whole context.'],
    note: ['String', 'Free-text description; null removes it.'],
  },
);

mutation('updateProcessSchedule', {
  description:
    'Changes a schedule, which keeps its id and its runs. A run in progress continues, and times ' +
    'in the past are not made up for.',
  input: [UpdateProcessScheduleInput, 'The changes.'],
  payload: ProcessSchedulePayload,
  run: updateProcessSchedule,
});

const steer = (
  name: 'pauseProcessSchedule' | 'resumeProcessSchedule' | 'triggerProcessSchedule',
  description: string,
  work: typeof pauseProcessSchedule,
) =>
  mutation(name, {
    description,
    input: [idInput(`${capitalised(name)}Input`, 'Id of the schedule.'), 'The schedule.'],
    payload: ProcessSchedulePayload,
    run: (context, viewer, { id }) => work(context, viewer, id),
  });
steer(
  'pauseProcessSchedule',
  'Pauses a schedule. A run in progress continues.',
  pauseProcessSchedule,
);
steer(
  'resumeProcessSchedule',
  'Resumes a schedule. Times that were due meanwhile are not run.',
  resumeProcessSchedule,
);
steer(
  'triggerProcessSchedule',
  'Starts one run of a schedule now, even if it is paused. Gives STATE while its last run is ' +
    'in progress.',
  triggerProcessSchedule,
);

mutation('deleteProcessSchedule', {
  description: 'Deletes a schedule. Its runs are kept.',
  input: [idInput('DeleteProcessScheduleInput', 'Id of the schedule.'), 'The schedule.'],
  payload: DeletePayload,
  run: (context, viewer, { id }) => deleteProcessSchedule(context, viewer, id),
});
