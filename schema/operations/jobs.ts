import { pauseJob, resumeJob, runJob, showJobs } from '../../src/jobs/job.mutations.ts';
import type { JobState } from '../../src/jobs/job.ts';
import { watchJobs } from '../../src/jobs/job-stream.service.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { inputFields, outputFields } from '../fields.ts';
import { live } from '../live.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { capitalised, mutation, payloadType } from '../payload.ts';

const loadJob = loader(async (context, names: readonly string[]) => {
  const found = await showJobs(context, names);
  const byName = new Map(found.map((job) => [job.name, job]));
  return names.map((name) => byName.get(name) ?? null);
});

const Job = keyedNode<JobState>('Job', {
  key: ({ name }) => name,
  find: async (context, name) => (isAdmin(viewerOf(context)) ? loadJob(context, name) : null),
});
Job.implement({
  description: 'A recurring background job of the product, run by a Temporal Schedule.',
  interfaces: [Node],
  fields: outputFields({
    name: ['String', 'Unique name.'],
    cron: [
      'String',
      'Schedule in UTC: a cron expression with five fields, `@hourly`, or `@every 30s`.',
    ],
    paused: ['Boolean', 'Whether it is paused.'],
    lastRunAt: ['DateTime?', 'Start of the last job run; null before the first.', 'lastRun'],
    nextRunAt: [
      'DateTime?',
      'Time of the next job run; null if paused or if Temporal is not available.',
      'nextRun',
    ],
    lastError: ['String?', 'Error of the last job run; null if it succeeded.'],
    checkpoint: [
      'String?',
      'Checkpoint for the next job run, in a format of the job; null if the job has none.',
    ],
    backlog: ['Int', 'Number of items waiting for the job.'],
  }),
});
const JobPayload = payloadType('JobPayload', 'job', Job);
const admin = { admin: true } as const;

builder.queryField('jobs', (t) =>
  t.field({
    type: [Job],
    nullable: true,
    description: 'All background jobs of the product. Only for admins.',
    authScopes: admin,
    resolve: (_root, _args, context) => showJobs(context),
  }),
);

type Steer = typeof pauseJob;
const steer = (name: 'pauseJob' | 'resumeJob' | 'runJob', description: string, work: Steer) => {
  const type = builder.inputType(`${capitalised(name)}Input`, {
    description: `Input of ${name}.`,
    fields: inputFields({
      name: ['String!', 'Name of the job, as in `jobs`.'],
    }),
  });
  mutation(name, {
    description,
    admin: true,
    input: [type, 'The job.'],
    payload: JobPayload,
    run: (context, viewer, input) => work(context, viewer, input.name),
  });
};
steer(
  'pauseJob',
  'Pauses a job. A job run in progress ends at its next checkpoint. Only for admins.',
  pauseJob,
);
steer('resumeJob', 'Resumes a job from its checkpoint. Only for admins.', resumeJob);
steer(
  'runJob',
  'Starts one job run now, in addition to the schedule. During a job run, one more is queued. ' +
    'Only for admins.',
  runJob,
);

builder.subscriptionField('jobEvents', (t) =>
  t.field({
    type: Job,
    nullable: true,
    description:
      'Sends a job at each change, from now on. Jobs that run every few seconds are sent only ' +
      'on errors. Only for admins.',
    authScopes: admin,
    subscribe: (_root, _args, context) => live(context, (signal) => watchJobs(context, signal)),
    resolve: (job) => job,
  }),
);
