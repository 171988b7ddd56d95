import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import { AGENT_MEMORY_JOBS } from '../../src/agent-memory/memory-jobs.service.ts';
import type { SummaryJobDeps } from '../../src/agent-memory/rollup/rollup.job.ts';
import type { Summarise } from '../../src/agent-memory/rollup/summarise.service.ts';
import { performJobRun } from '../../src/jobs/job-run.service.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from './fixed.ts';
import { testGraph } from './graph.ts';
import { clock, newId, quiet } from './outbox.ts';
import { storyOf } from './recall-events.ts';
import { extractive } from './recall-summary.ts';

/**
 * Message of the parent: events of the story from … until; those before are known, those after are
 * for the next one.
 */
export interface Task {
  readonly viewer: Viewer;
  readonly seed: string;
  readonly count: number;
  readonly from: number;
  readonly until: number;
  readonly batch: number;
}

/** Its messages: how much of the story is kept, or that a turn of a job ended. */
export type Told =
  | { readonly reached: number; readonly ended?: undefined }
  | { readonly ended: string; readonly reached?: undefined };
const tell = (told: Told) => void process.send?.(told);

// An app of the agent memory, in a process of its own, for tests that kill it: it takes in events,
// and takes turns of the jobs all the while. Says that it is ready, begins when it has its task,
// and tells after each batch and each turn.
const graph = testGraph();
await graph.verify();
process.send?.('ready');
const [{ viewer, seed, count, from, until, batch }] = (await once(process, 'message')) as [Task];
const summarise: Summarise = extractive;
const deps = {
  ...{ graph, clock, newId, log: quiet, summarise, wake() {}, random: Math.random },
  memoryMode: { mode: 'separate', agentId: null } as const,
  settings: fixedSettings({ ...SETTINGS_DEFAULT, summaryTokensMin: 0 }),
} as unknown as SummaryJobDeps & Parameters<typeof ingestEvents>[0];

async function work(): Promise<never> {
  const signal = new AbortController().signal;
  for (;;) {
    for (const job of AGENT_MEMORY_JOBS.filter(({ isQuiet }) => isQuiet)) {
      const jobRun = { jobRunId: newId(), signal, isAsked: true };
      tell({ ended: `${job.name} ${await performJobRun(deps, job, jobRun)}` });
    }
    await setTimeout(10);
  }
}
async function ingest(): Promise<void> {
  const runState = storyOf(seed, count);
  for (let at = from; at < until; at += batch) {
    const { problems } = await ingestEvents(deps, viewer, runState.slice(at, at + batch));
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    tell({ reached: at + batch });
  }
}
await Promise.all([ingest(), work()]);
