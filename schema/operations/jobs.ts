import { pauseJob, resumeJob, runJob, showJobs } from '../../src/jobs/job.mutations.ts';
import type { JobState } from '../../src/jobs/job.ts';
import { watchJobs } from '../../src/jobs/job-stream.service.ts';
import { builder } from '../builder.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { live } from '../live.ts';
import { payload, payloadType } from '../payload.ts';

const Job = builder.objectRef<JobState>('Job').implement({
  description: 'Background work of the product, done again and again as a Temporal Schedule.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is called; unique.' }),
    cron: t.exposeString('cron', {
      description: 'When it runs, in UTC: five fields, `@hourly`, `@every 30s`.',
    }),
    paused: t.exposeBoolean('paused', { description: 'Whether it rests until it is resumed.' }),
    lastRun: t.expose('lastRun', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of its last turn; null before its first.',
    }),
    nextRun: t.expose('nextRun', {
      type: 'DateTime',
      nullable: true,
      description: 'When its next turn is due; null while it is paused or Temporal is away.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'What went wrong in its last turn; null when it went well.',
    }),
    checkpoint: t.exposeString('checkpoint', {
      nullable: true,
      description:
        'Where its next turn goes on, in the words of the job; null where it keeps none.',
    }),
    backlog: t.exposeInt('backlog', { description: 'How much waits for it.' }),
  }),
});
const JobPayload = payloadType('JobPayload', 'job', Job);
const admin = { admin: true } as const;

builder.queryField('jobs', (t) =>
  t.field({
    type: [Job],
    description: 'All background work of the product. For admins.',
    authScopes: admin,
    resolve: (_root, _args, context) => showJobs(context),
  }),
);

type Steer = typeof pauseJob;
const steer = (name: 'pauseJob' | 'resumeJob' | 'runJob', description: string, work: Steer) =>
  builder.mutationField(name, (t) =>
    t.field({
      type: JobPayload,
      description,
      authScopes: admin,
      args: { name: t.arg.string({ required: true, description: 'Its name, as in `jobs`.' }) },
      resolve: (_root, args, context: RequestContext) =>
        payload('job', () => work(context, viewerOf(context), args.name), 'arguments'),
    }),
  );
steer(
  'pauseJob',
  'No turn begins any more; one in work ends at its next checkpoint. For admins.',
  pauseJob,
);
steer('resumeJob', 'Its turns come again, from its checkpoint on. For admins.', resumeJob);
steer(
  'runJob',
  'One turn now, beside its times; while one is in work, one more follows it. For admins.',
  runJob,
);

builder.subscriptionField('jobEvents', (t) =>
  t.field({
    type: Job,
    description:
      'A job whenever it changes, from now on. Jobs that run every few seconds tell of faults only. For admins.',
    authScopes: admin,
    subscribe: (_root, _args, context) => live(context, (signal) => watchJobs(context, signal)),
    resolve: (job) => job,
  }),
);
