import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ingestEvents } from '../src/agent-memory/events/event.mutations.ts';
import type { GivenEvent } from '../src/agent-memory/events/event.ts';
import { createUlids } from '../src/agent-memory/events/ulid.ts';
import type { SummaryJobDeps } from '../src/agent-memory/rollup/rollup.job.ts';
import { rollupJob } from '../src/agent-memory/rollup/rollup.job.ts';
import type { Summarise } from '../src/agent-memory/rollup/summarise.service.ts';
import { segmenter } from '../src/agent-memory/segments/segmenter.job.ts';
import type { AgentMemoryMode } from '../src/agent-memory/store.ts';
import { TOC_LEVELS } from '../src/agent-memory/toc/toc.ts';
import { performJobRun } from '../src/jobs/job-run.service.ts';
import { openBus } from '../src/outbox/local-bus.service.ts';
import { openRelay } from '../src/outbox/relay.service.ts';
import type { Graph } from '../src/platform/neo4j/graph.ts';
import { openLog } from '../src/platform/telemetry/log.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import type { Viewer } from '../src/users/user.ts';
import { fixedSettings } from '../test/testkit/fixed.ts';

/** Says every fifth line: a model's summary is of that size, and its cost is not the memory's. */
const summarise: Summarise = async ({ text, sentences }) =>
  text
    .split('\n')
    .filter((_line, index) => index % 5 === 0)
    .slice(0, sentences)
    .join('\n');

// 500 events a day in five talks of a hundred, two hours apart: a segment each, and 1,000,000 are
// five years and a half.
const PER_DAY = 500;
const PER_TALK = 100;
const START_MS = Date.parse('2019-11-11T08:00:00Z');
const DAY_MS = 86_400_000;
const TALK_EVERY_MS = 2 * 3_600_000;
const TURN_EVERY_MS = 15_000;
const SUBJECTS = ['the index', 'a deployment', 'the invoice', 'a failing test', 'the report'];

/** Events of one person's years with their agents, from number `from` on, in the order of time. */
export function storyOf(from: number, count: number): GivenEvent[] {
  const ulid = createUlids(Math.random);
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const [day, inDay] = [Math.floor(number / PER_DAY), number % PER_DAY];
    const [talk, turn] = [Math.floor(inDay / PER_TALK), inDay % PER_TALK];
    const ms = START_MS + day * DAY_MS + talk * TALK_EVERY_MS + turn * TURN_EVERY_MS;
    const isAsked = number % 2 === 0;
    return {
      eventId: ulid(ms),
      sessionId: `day ${day}`,
      timestamp: new Date(ms).toISOString(),
      eventType: isAsked ? 'user_message' : 'assistant_message',
      role: isAsked ? 'user' : 'assistant',
      text:
        `Point ${number} about ${SUBJECTS[talk]} was made on day ${day}. It holds until ` +
        'somebody finds what speaks against it.',
      metadata: { model: 'm' },
    };
  });
}

/** The content of a store, and the other half of its index. */
const OURS = {
  ...{ MemoryEvent: 'key', Segment: 'startKey', TocNode: 'key' },
  ...{ TocLatest: 'nodeId', Grip: 'indexKey' },
};

/**
 * The agent memory as the product runs it, with a relay of its own, and the jobs when they are
 * asked for.
 */
export function openMemoryBench(graph: Graph) {
  const clock = { nowMs: () => Date.now() };
  const log = openLog('silent');
  const bus = openBus({ graph });
  const relay = openRelay({ graph, clock, newId: randomUUID, bus, log });
  const workspace = `bench-${randomUUID()}`;
  const stores: string[] = [];
  const memoryMode: AgentMemoryMode = { mode: 'separate', agentId: null };
  const deps = {
    ...{ graph, clock, log, summarise, memoryMode, newId: randomUUID, random: Math.random },
    wake: () => relay.wake(),
    settings: fixedSettings(SETTINGS_DEFAULT),
  };

  async function isNumbered(): Promise<boolean> {
    const [row] = await graph.read((tx) =>
      tx.run('// benchWaiting\nRETURN EXISTS { MATCH (:MemoryIngest:PendingEntry) } AS waits'),
    );
    return row?.['waits'] === false;
  }
  async function deleteAll(what: string, params: object = {}): Promise<void> {
    for (let gone = 1; gone > 0; ) {
      const rows = await graph.write((tx) =>
        tx.run(
          `// benchClean\nMATCH ${what} WITH n LIMIT 10000 DETACH DELETE n RETURN count(*) AS gone`,
          { stores, workspace, ...params },
        ),
      );
      gone = Number(rows[0]?.['gone']);
    }
  }

  return {
    deps,
    person(): Viewer & { readonly store: string } {
      const userId = randomUUID();
      const store = `${userId}/${workspace}`;
      stores.push(store);
      return { userId, name: 'bench', roles: ['user'], workspace, store };
    },
    /** @throws where one of them was not taken, or was there */
    async ingest(viewer: Viewer, given: readonly GivenEvent[]): Promise<void> {
      const { events, problems } = await ingestEvents(deps, viewer, given);
      const made = events.filter((one) => one?.outcome === 'created').length;
      if (made !== given.length)
        throw new Error(`${made} of ${given.length} were new: ${problems[0]?.message}`);
    },
    /** The product's segmenter and roll-ups, until nothing is left to be done; seconds of each. */
    async sumUp(): Promise<string> {
      while (!(await isNumbered())) await setTimeout(50);
      const took: string[] = [];
      for (const job of [segmenter, ...TOC_LEVELS.toReversed().map(rollupJob)]) {
        const startedMs = performance.now();
        for (let end = ''; end !== 'done'; ) {
          const jobRun = { jobRunId: randomUUID(), signal: new AbortController().signal };
          end = await performJobRun(deps as unknown as SummaryJobDeps, job, jobRun);
          if (end !== 'done' && end !== 'over its time') throw new Error(`${job.name}: ${end}`);
        }
        const seconds = (performance.now() - startedMs) / 1_000;
        took.push(`${job.name} ${seconds.toFixed(1)} s`);
      }
      return took.join(', ');
    },
    /** Deletes only the things that were made here. */
    async close(): Promise<void> {
      await relay.close();
      bus.close();
      for (const [label, key] of Object.entries(OURS))
        await deleteAll(`(n:${label}) WHERE n.store IN $stores AND n.${key} > ''`);
      const owners = stores.map((store) => store.split('/')[0]);
      await deleteAll('(n:Work) WHERE n.ownerId IN $owners', { owners });
      await deleteAll('(n:MemoryIngest) WHERE n.workspace = $workspace');
    },
  };
}
