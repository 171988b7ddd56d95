import type { JsonObject } from '../../src/common/json.ts';
import { findSchedules, listSchedules, recentRunIds } from '../../src/schedules/schedule.cypher.ts';
import {
  createProcessSchedule,
  deleteProcessSchedule,
  pauseProcessSchedule,
  resumeProcessSchedule,
  triggerProcessSchedule,
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
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import { ProcessRun } from '../runs/runs.ts';
import { Process } from './processes.ts';

export const ProcessSchedule = nodeType<ScheduleModel>('ProcessSchedule', {
  label: 'ProcessSchedule',
  load: (context, ids) =>
    context.graph.read((tx) => findSchedules(tx, viewerOf(context).userId, ids)),
});

const recentRuns = loader<string, string[]>(async (context, ids) => {
  const found = await context.graph.read((tx) => recentRunIds(tx, viewerOf(context).userId, ids));
  return ids.map((id) => found.get(id) ?? []);
});

ProcessSchedule.implement({
  description: 'Starts runs of a Process again and again, as its owner.',
  interfaces: [Node],
  fields: (t) => ({
    process: t.field({
      type: Process,
      description: 'What it runs.',
      resolve: ({ processId }) => processId,
    }),
    cron: t.exposeString('cron', { description: 'When, as minute, hour, day, month, weekday.' }),
    timezone: t.exposeString('timezone', { description: 'The time zone that `cron` is read in.' }),
    context: t.field({
      type: 'JSONObject',
      description: 'What each run is given.',
      resolve: ({ context }) => JSON.parse(context) as JsonObject,
    }),
    paused: t.exposeBoolean('paused', { description: 'Whether it rests until it is resumed.' }),
    note: t.exposeString('note', { nullable: true, description: 'What its owner wrote on it.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last time that was due started no run; null when it did.',
    }),
    nextRuns: t.field({
      type: ['DateTime'],
      description: `The next ${NEXT_RUNS_SHOWN} times, soonest first; none while it is paused or Temporal is away.`,
      resolve: async ({ id, paused }, _args, { schedules, queuePrefix }) => {
        if (paused) return [];
        const look = await schedules.look(temporalScheduleId(queuePrefix, id)).catch(() => null);
        return look?.nextRuns.slice(0, NEXT_RUNS_SHOWN) ?? [];
      },
    }),
    recentRuns: t.field({
      type: [ProcessRun],
      description: `The last ${RECENT_RUNS_SHOWN} runs it started, newest first.`,
      resolve: ({ id }, _args, context) => recentRuns(context, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  }),
});

const schedulesOf = loader<string, ScheduleModel[]>(async (context, processIds) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listSchedules(tx, userId, processIds));
  return processIds.map((id) => found.filter(({ processId }) => processId === id));
});

builder.objectField(Process, 'schedules', (t) =>
  t.field({
    type: [ProcessSchedule],
    description: `Your schedules of it, oldest first; you have at most ${SCHEDULES_PER_USER_MAX}.`,
    resolve: ({ id }, _args, context) => schedulesOf(context, id),
  }),
);

const ProcessSchedulePayload = payloadType('ProcessSchedulePayload', 'schedule', ProcessSchedule);

const CreateProcessScheduleInput = builder.inputType('CreateProcessScheduleInput', {
  description: 'A schedule to make.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'What to run: yours, or shared with you.' }),
    cron: t.string({
      required: true,
      description:
        'When: minute, hour, day of month, month, day of week, such as `30 6 * * 1-5`; or @hourly, @daily, @weekly, @monthly.',
    }),
    timezone: t.string({
      defaultValue: 'UTC',
      description: 'The time zone that `cron` is read in, such as Europe/Berlin.',
    }),
    context: t.field({
      type: 'JSONObject',
      required: true,
      description: 'A value for each variable of its initialContext; at most 64 KiB.',
    }),
    note: t.string({ description: 'Free-text description.' }),
  }),
});

builder.mutationField('createProcessSchedule', (t) =>
  t.field({
    type: ProcessSchedulePayload,
    description: `Runs a Process again and again, as you. A time that falls due while its last run is at work is skipped. At most ${SCHEDULES_PER_USER_MAX} per user.`,
    args: {
      input: t.arg({
        type: CreateProcessScheduleInput,
        required: true,
        description: 'The schedule.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('schedule', () => createProcessSchedule(context, viewerOf(context), input)),
  }),
);

const steer = (
  name: 'pauseProcessSchedule' | 'resumeProcessSchedule' | 'triggerProcessSchedule',
  description: string,
  work: typeof pauseProcessSchedule,
) =>
  builder.mutationField(name, (t) =>
    t.field({
      type: ProcessSchedulePayload,
      description,
      args: { id: t.arg.id({ required: true, description: 'The schedule.' }) },
      resolve: (_root, { id }, context) =>
        payload('schedule', () => work(context, viewerOf(context), id), 'arguments'),
    }),
  );
steer('pauseProcessSchedule', 'It starts no more runs; one at work goes on.', pauseProcessSchedule);
steer(
  'resumeProcessSchedule',
  'It starts runs again; what fell due meanwhile is not made up for.',
  resumeProcessSchedule,
);
steer(
  'triggerProcessSchedule',
  'Starts a run of it now, paused or not; STATE while its last one is at work.',
  triggerProcessSchedule,
);

builder.mutationField('deleteProcessSchedule', (t) =>
  t.field({
    type: DeletePayload,
    description: 'Ends a schedule. Runs that it started stay.',
    args: { id: t.arg.id({ required: true, description: 'The schedule.' }) },
    resolve: (_root, { id }, context) =>
      payload(
        'deletedId',
        () => deleteProcessSchedule(context, viewerOf(context), id),
        'arguments',
      ),
  }),
);
