import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphql } from 'graphql';
import { afterAll, beforeAll } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { type IngestDeps, ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import type { GivenEvent } from '../../src/agent-memory/events/event.ts';
import { AGENT_MEMORY_JOBS } from '../../src/agent-memory/memory-jobs.service.ts';
import type { SummaryJobDeps } from '../../src/agent-memory/rollup/rollup.job.ts';
import { withLock } from '../../src/host/lock.ts';
import type { Job } from '../../src/jobs/job-definition.service.ts';
import { performJobRun } from '../../src/jobs/job-run.service.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings, NO_EMBEDDINGS } from './fixed.ts';
import { runCypher, writeCypher } from './graph.ts';
import { eventually, quiet } from './outbox.ts';
import { extractive } from './recall-summary.ts';
import { newViewer, worldDeps, worldGraph } from './world.ts';

export type RecallDeps = IngestDeps & Pick<SummaryJobDeps, 'settings' | 'summarise'>;

export interface RecallWorld {
  readonly deps: RecallDeps;
  person(): Promise<Viewer>;
  /** Ingests, and waits until the event log has it. */
  ingest(viewer: Viewer, events: readonly GivenEvent[]): Promise<void>;
  /**
   * Turns of the jobs until nothing is left to be done; their names as they ran. By default they
   * are asked for, as by runJob; otherwise roll-ups wait until their parts are quiet.
   */
  settle(more?: Partial<RecallDeps>, isAsked?: boolean): Promise<string[]>;
  turn(name: string, more?: Partial<RecallDeps>, isAsked?: boolean): Promise<string>;
  /** Waits until an audit finds no fault. Rows that other tests made up are one while they last. */
  passesAudit(): Promise<void>;
  ask(viewer: Viewer, source: string, variables?: object): Promise<Answer>;
}
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of tests are read by name
  readonly data: any;
  readonly errors: readonly { message: string; problems: unknown }[];
}

/**
 * The turns of the memory's jobs are this file's alone until it ends, and begin after the rows of
 * other tests have left: a job has one turn at a time in a database, and it takes whatever there
 * is.
 */
export function ownTheJobs(): void {
  const database = createHash('sha256').update(String(process.env['NEO4J_URI'])).digest('hex');
  const file = join(tmpdir(), `aiden-memory-jobs-${database.slice(0, 8)}.lock`);
  const ended = Promise.withResolvers<void>();
  beforeAll(async () => {
    const held = Promise.withResolvers<void>();
    withLock(
      file,
      () => {},
      async () => {
        held.resolve();
        await ended.promise;
      },
    ).catch(held.reject);
    await held.promise;
    await writeCypher(
      worldGraph(),
      `MATCH (counter:Counter {name: 'outbox'})
        UNWIND ['indexer', 'segmenter'] AS job
        MERGE (c:Checkpoint {name: 'checkpoint:' + job})
        SET c.value = toString(counter.value)`,
    );
  }, 600_000);
  afterAll(() => ended.resolve());
}

/**
 * The memory as the product runs it, without Temporal: a relay, and the jobs whose turns the test
 * takes itself. Not within hooks.
 */
export function recallWorld(): RecallWorld {
  ownTheJobs();
  const base = worldDeps();
  const graph = worldGraph();
  const bus = openBus({ graph });
  const { clock, newId } = base;
  const relay = openRelay(
    { graph, clock, newId, bus, log: quiet },
    // It is told when there is something to number; looking for it all the time takes from the
    // tests.
    { settings: { pollBusyMs: 250 } },
  );
  afterAll(async () => {
    await relay.close();
    bus.close();
  });
  const deps: RecallDeps = {
    ...base,
    wake: () => relay.wake(),
    memoryMode: { mode: 'separate', agentId: null },
    random: Math.random,
    settings: fixedSettings({ ...SETTINGS_DEFAULT, summaryTokensMin: 0 }),
    summarise: extractive,
  };
  const jobOf = (name: string): Job => {
    const job = AGENT_MEMORY_JOBS.find((one) => one.name === name);
    if (job === undefined) throw new Error(`No job ${name}.`);
    return job;
  };
  const world: RecallWorld = {
    deps,
    person: () => newViewer(base, 'somebody'),
    async ingest(viewer, events) {
      const { problems } = await ingestEvents(deps, viewer, events);
      if (problems.length > 0) throw new Error(JSON.stringify(problems));
      relay.wake();
      const isNumbered = async () => {
        // Entries of other tests are not waited for.
        const [row] = await runCypher(
          graph,
          'RETURN EXISTS { MATCH (:MemoryIngest:PendingEntry {ownerId: $ownerId}) } AS waits',
          { ownerId: viewer.userId },
        );
        return row?.['waits'] === false;
      };
      await eventually('the event log has what came', isNumbered);
    },
    turn: (name, more = {}, isAsked = true) =>
      performJobRun(
        { ...deps, wake() {}, ...more, log: quiet } as unknown as SummaryJobDeps,
        jobOf(name),
        {
          jobRunId: newId(),
          signal: new AbortController().signal,
          isAsked,
        },
      ),
    async passesAudit() {
      const passes = async () => (await world.turn('memory-audit')) === 'done';
      await eventually('the audit finds no fault', passes);
    },
    async settle(more = {}, isAsked = true) {
      const ran: string[] = [];
      for (const { name } of AGENT_MEMORY_JOBS.filter(({ isQuiet }) => isQuiet)) {
        ran.push(`${name} ${await world.turn(name, more, isAsked)}`);
      }
      return ran;
    },
    async ask(viewer, source, variableValues = {}) {
      const contextValue = {
        ...deps,
        embeddings: NO_EMBEDDINGS,
        viewer,
        requestId: 'test',
      } as unknown as RequestContext;
      const given = { ...variableValues };
      const input = { schema: buildSchema(), source, variableValues: given, contextValue };
      const result = await graphql(input);
      const errors = (result.errors ?? []).map(({ message, originalError }) => ({
        message,
        problems: (originalError as { problems?: unknown } | undefined)?.problems ?? null,
      }));
      return { data: JSON.parse(JSON.stringify(result.data ?? null)), errors };
    },
  };
  return world;
}
