import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import { client, type TestClient } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import { openInstallation, openInstantRest } from './installation.ts';
import { cpuSeconds, untilQuiet } from './processes.ts';
import { type Figure, holds, percentile, printFigure } from './report.ts';

// Reads over the API of a whole installation at a fixed rate, whether or not the answers keep up:
// how long they take from the moment they were due, and that none of them is an error. They read
// the fields of the console's pages. `npm run bench -- api-reads --seconds 60 --rate 200 --users
// 20`; `--seconds 0` tells only the processor time of each kind of read.

const P99_MS_MAX = 250;
const TURNS = 20;
const RUNS = 5;
const WARM_UP_USERS = 4;
/** A browser opens so many to one host. Requests beyond them wait in it, and their time counts. */
const CONNECTIONS_PER_USER = 6;
/** Reads of one kind, one by one, for their processor time. */
const READS_OF_A_KIND = 60;
const QUIET_MINUTES_MAX = 10;
const WARM_UP_SECONDS = Number(process.env['BENCH_WARM_UP'] ?? 60);

const READS = {
  conversations: '{ conversations(first: 50) { totalCount nodes { id title status updatedAt } } }',
  conversation: `query ($conversationId: ID!) { conversation(id: $conversationId) { id title
    owner { name }
    activePath { id speaker activeAlternative { id content run { id status } } }
    turns(first: 50) { totalCount nodes { id alternatives { id isActive } } } } }`,
  runs: `{ processRuns(first: 50) { totalCount nodes { id status processName createdAt
    completedAt } pageInfo { endCursor } } }`,
  run: `query ($runId: ID!) { processRun(id: $runId) { status output usage { inputTokens
    outputTokens costUsd }
    steps { stepId status inputs output startedAt completedAt } } }`,
  tools: '{ tools(first: 50) { totalCount nodes { id name status service { name } } } }',
  search: `{ search(input: { query: "lighthouse harbour" }) { kind score episode { content } fact {
      fact } } }`,
} as const;

const NAMES = Object.keys(READS) as (keyof typeof READS)[];

/** A user with a conversation and some runs, and the reads of that user's pages. */
async function reader(user: TestClient, rest: RestServer) {
  const { createConversation } = await user.query<{
    createConversation: { conversation: { id: string } };
  }>(
    `mutation { createConversation(input: { title: "Harbours" }) { conversation { id }
      userErrors { code } } }`,
  );
  const conversationId = createConversation.conversation.id;
  for (let turn = 0; turn < TURNS; turn++)
    await user.query(
      'mutation ($input: AppendTurnInput!) { appendTurn(input: $input) { userErrors { code } } }',
      { input: { conversationId, content: `The lighthouse of harbour ${turn} stands on a rock.` } },
    );
  const world = await runWorld(user, rest, '/work');
  const processId = await world.createsProcess([{ stepId: 'a' }, { stepId: 'b' }]);
  let runId = '';
  for (let run = 0; run < RUNS; run++) {
    runId = await world.starts(processId);
    await world.finishes(runId);
  }
  return (number: number) => {
    const name = NAMES[number % NAMES.length] ?? 'runs';
    return { name, answer: user.query(READS[name], { conversationId, runId }) };
  };
}

type Cpu = Readonly<Record<'product' | 'Neo4j', number>>;

function cpuOfARead(before: Cpu, after: Cpu, reads: number): string {
  const ms = (of: keyof Cpu) => (((after[of] - before[of]) * 1_000) / reads).toFixed(1);
  return `product ${ms('product')}, Neo4j ${ms('Neo4j')} ms`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      rate: { type: 'string', default: '200' },
      users: { type: 'string', default: '20' },
    },
  });
  const [rate, seconds] = [Number(values.rate), Number(values.seconds)];
  setGlobalDispatcher(new Agent({ connections: Number(values.users) * CONNECTIONS_PER_USER }));
  const rest = await openInstantRest();
  const installation = await openInstallation();
  try {
    const { url } = installation;
    const readers: Awaited<ReturnType<typeof reader>>[] = [];
    for (let user = 0; user < Number(values.users); user++)
      readers.push(
        await reader(client(`reads-${randomUUID().slice(0, 8)}`, { url }), rest as RestServer),
      );
    const errors: string[] = [];
    /** Sends so many requests, each when it is due, and answers their milliseconds by page. */
    const send = async (count: number): Promise<Record<string, number[]>> => {
      const took: Record<string, number[]> = {};
      const beganMs = performance.now();
      const answers: Promise<unknown>[] = [];
      for (let number = 0; number < count; number++) {
        const dueMs = beganMs + (number * 1_000) / rate;
        const waitMs = dueMs - performance.now();
        if (waitMs > 1) await setTimeout(waitMs);
        const read = readers[number % readers.length];
        if (read === undefined) throw new Error('There is no user.');
        const { name, answer } = read(Math.floor(number / readers.length));
        took[name] ??= [];
        const own = took[name];
        answers.push(
          answer.then(
            () => own.push(performance.now() - dueMs),
            (error: unknown) =>
              errors.push(`${String(error)} ${String((error as Error).cause ?? '')}`),
          ),
        );
      }
      await Promise.all(answers);
      return took;
    };
    /**
     * Each user asks again as soon as the last answer is there, so that nothing waits when the
     * measuring begins.
     */
    const warmUp = async () => {
      const untilMs = performance.now() + WARM_UP_SECONDS * 1_000;
      await Promise.all(
        readers.slice(0, WARM_UP_USERS).map(async (read) => {
          for (let number = 0; performance.now() < untilMs; number++) await read(number).answer;
        }),
      );
    };
    await warmUp();
    const pids = await installation.pids();
    // The turns become memories, which takes more of Neo4j than the reads do.
    await untilQuiet(pids, QUIET_MINUTES_MAX);
    for (const [index, name] of NAMES.entries()) {
      const before = await cpuSeconds(pids);
      for (let number = 0; number < READS_OF_A_KIND; number++)
        await readers[number % readers.length]?.(index).answer;
      const cpu = cpuOfARead(before, await cpuSeconds(pids), READS_OF_A_KIND);
      console.log(`     ${name}: processor time ${cpu}`);
    }
    if (seconds === 0) return;
    const before = await cpuSeconds(pids);
    const took = await send(rate * seconds);
    const after = await cpuSeconds(pids);
    const all = Object.values(took).flat();
    const figures: Figure[] = [
      {
        name: `the 99th percentile of ${rate} reads a second for ${seconds} s`,
        value: percentile(all, 99),
        unit: 'ms',
        bound: P99_MS_MAX,
        keep: 'at most',
        detail:
          `p50 ${percentile(all, 50).toFixed(0)}, p95 ${percentile(all, 95).toFixed(0)} ms; ` +
          `processor time of a read: ${cpuOfARead(before, after, all.length)}`,
      },
      {
        name: 'errors among them',
        value: errors.length,
        unit: 'events',
        bound: 0,
        keep: 'at most',
        detail: [...new Set(errors)].slice(0, 3).join('; ') || `${all.length} answers`,
      },
    ];
    for (const figure of figures) printFigure(figure);
    for (const [name, ms] of Object.entries(took))
      console.log(
        `     ${name}: p50 ${percentile(ms, 50).toFixed(0)}, p99 ` +
          `${percentile(ms, 99).toFixed(0)} ms`,
      );
    process.exitCode = figures.every(holds) ? 0 : 1;
  } finally {
    await installation.close();
    rest.close();
  }
}

await main();
