import { resumeWork } from '../../agent-memory/rollup/rollup.cypher.ts';
import { SUMMARISE_PROCESS } from '../../agent-memory/rollup/summarise.service.ts';
import { tocChanged } from '../../agent-memory/toc/toc.ts';
import { aheadOf, instantOf } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import type { Job } from '../../jobs/job-definition.service.ts';
import type { MemoryGraphDeps } from '../../memory-graph/deps.ts';
import {
  ENRICHMENT_PROCESS,
  startWaitingEnrichment,
} from '../../memory-graph/entities/enrichment.mutations.ts';
import { EXTRACTION_PROCESS } from '../../memory-graph/extraction/extraction-run.mutations.ts';
import { memoryGraphEntry } from '../../memory-graph/memory-graph-entry.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import {
  clearWait,
  countWaiting,
  findWait,
  listDueWaits,
  listEnabledProcesses,
  listFaults,
  postponeWait,
} from '../../runs/background/background.cypher.ts';
import { type BackgroundItem, dayOf } from '../../runs/background/background.ts';
import { findUsers } from '../../users/user.cypher.ts';
import { introspectIfDue } from '../introspections/introspection.mutations.ts';
import { TASK_PROCESSES } from '../tasks/task.ts';
import { compressIfDue } from './compression.mutations.ts';

type BackgroundJobDeps = JobDeps & MemoryGraphDeps;

const PER_USER_MAX = 20;
const PER_RUN_MAX = 500;
/** A started piece of work has this long to begin before it is started again. */
const BEGIN_WITHIN_MS = 5 * 60_000;

/** How to start waiting work, by the name of its Process. */
const STARTS: Readonly<
  Record<string, (deps: MemoryGraphDeps, item: BackgroundItem) => Promise<unknown>>
> = {
  [EXTRACTION_PROCESS]: startWaitingExtraction,
  [ENRICHMENT_PROCESS]: startWaitingEnrichment,
  [SUMMARISE_PROCESS]: startWaitingSummary,
  [TASK_PROCESSES.compression]: (deps, item) =>
    startIfStillDue(deps, item, () => compressIfDue(deps, item.itemId)),
  [TASK_PROCESSES.introspection]: (deps, item) =>
    startIfStillDue(deps, item, () => introspectIfDue(deps, item.itemId)),
};

/**
 * Starts background work that waited for the next day's tokens, or whose last try failed
 * (docs/decisions/0024). Each user gets the same share of a job run. While a Process of the
 * product can't do its work, the job run ends with an error that says why.
 */
export const backgroundWork: Job<BackgroundJobDeps> = {
  name: 'background-work',
  cron: '@hourly',
  describe: 'Starts background work that waited, and reports background work that fails.',
  isQuiet: true,
  // Waits end by time, and faults are reported as they come and go.
  watch: { everySeconds: 60, isDue: async () => true },
  backlog: ({ graph }) => graph.read(countWaiting),
  async run(deps, { signal }) {
    await startDueWork(deps, signal);
    const faults = await deps.graph.read((tx) => listFaults(tx, null));
    if (faults.length > 0)
      throw new Error(
        faults
          .map(({ processName, message, since }) => `${processName}, since ${since}: ${message}`)
          .join('\n'),
      );
  },
};

/**
 * Starts waiting work that is due.
 * @param ownerId only the work of this user; null: of all users
 */
export async function startDueWork(
  deps: MemoryGraphDeps,
  signal: AbortSignal,
  ownerId: string | null = null,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const now = instantOf(nowMs);
  const notBefore = instantOf(nowMs + BEGIN_WITHIN_MS);
  const { backgroundTokensPerDay: tokensPerDay } = await deps.settings.current();
  const due = await deps.graph.read(async (tx) => {
    const processNames = await listEnabledProcesses(tx, Object.keys(STARTS));
    return listDueWaits(tx, {
      ownerId,
      processNames,
      now,
      ahead: aheadOf(nowMs),
      day: dayOf(nowMs),
      tokensPerDay,
      perUser: PER_USER_MAX,
      limit: PER_RUN_MAX,
    });
  });
  for (const item of due) {
    if (signal.aborted) return;
    await deps.graph.write((tx) => postponeWait(tx, item, { now, notBefore }));
    await entryOf(STARTS, item.processName)?.(deps, item);
  }
}

/** Writes the entry that begins the ingest of an alternative anew. */
async function startWaitingExtraction(deps: MemoryGraphDeps, item: BackgroundItem): Promise<void> {
  await deps.graph.write(async (tx) => {
    const [owner] = await findUsers(tx, [item.ownerId]);
    if (owner === undefined) return clearWait(tx, item);
    const at = { ownerId: owner.id, workspace: owner.workspace, conversationId: null };
    const payload = { alternativeId: item.itemId };
    await appendEntries(tx, [memoryGraphEntry(deps, at, 'extraction.due', payload)]);
  });
  deps.wake();
}

/** Makes a node of the table of contents due again in the queue of its level. */
async function startWaitingSummary(deps: MemoryGraphDeps, item: BackgroundItem): Promise<void> {
  await deps.graph.write(async (tx) => {
    await clearWait(tx, item);
    const levels = await resumeWork(tx, { ownerId: item.ownerId, nodeId: item.itemId });
    await appendEntries(
      tx,
      levels.map((level) => tocChanged(deps, level)),
    );
  });
  deps.wake();
}

/** Forgets a wait without failed runs whose work is not due any more. */
async function startIfStillDue(
  deps: MemoryGraphDeps,
  item: BackgroundItem,
  start: () => Promise<string | null>,
): Promise<void> {
  const read = () => deps.graph.read((tx) => findWait(tx, item));
  const before = await read();
  if ((await start()) !== null) return;
  const after = await read();
  if (after?.attempt === 0 && after.notBefore === before?.notBefore)
    await deps.graph.write((tx) => clearWait(tx, item));
}
