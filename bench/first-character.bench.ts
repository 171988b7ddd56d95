import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createClient } from 'graphql-sse';
import { cacheFolder } from '../src/host/folders.ts';
import { freePort } from '../src/host/ports.ts';
import { startApi } from '../src/main/api.ts';
import { readConfig } from '../src/main/config/config.ts';
import { temporalSettings } from '../src/main/config/configured.ts';
import { openRuntime } from '../src/main/runtime.ts';
import { startWorkers } from '../src/main/worker.ts';
import { appendEntries } from '../src/outbox/entry.cypher.ts';
import { startFleet } from '../src/platform/temporal/fleet.ts';
import { loadWorkflowBundle } from '../src/platform/temporal/workflow-bundle.ts';
import { runEntry } from '../src/runs/events/run-entry.ts';
import { client } from '../test/testkit/client.ts';
import { talkWorld } from '../test/testkit/talk-world.ts';
import type { Activities, Speaking } from './first-character-workflows.ts';
import { holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// From a message to the first character of its answer at the client, against a Temporal workflow
// written by hand: one activity that asks the same model by plain fetch and publishes its words
// through the same log, relay and subscription. All of it in one process, so that both sides pay
// for the same event loop. The hand-written side is measured twice: with its message kept first, as
// any author of a chat has to (one mutation over HTTP): that is the bound's floor; and from the
// workflow's start alone.

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 25);
/**
 * Answers of each side before the measurement, some at once. Neo4j's compiler still takes 7 ms of
 * the product's next answers after 160, and none after 480, which take over ten minutes here.
 */
const WARM_UP = Number(process.env['BENCH_WARM_UP'] ?? 160);
const WARM_UP_AT_ONCE = 4;
/** Wait in ms until derived Episodes and records are written. */
const SETTLED_AFTER_MS = 15_000;
/** Unmeasured rounds, one at a time like the measured ones. */
const FIRST_ROUNDS = 5;
const SETTLE_MS = 7_500;
const QUEUE = `by-hand-${randomUUID()}`;
const ROOT = new URL('../', import.meta.url);

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
  const settings = {
    AIDEN_PORT: String(await freePort(0, new Set())),
    AIDEN_AUTH: 'dev',
    AIDEN_LOG_LEVEL: 'error',
    AIDEN_DATA_DIR: dataDir,
    AIDEN_QUEUE_PREFIX: `b${randomUUID().slice(0, 8)}-`,
  };
  const runtime = await openRuntime(
    readConfig({ flags: [], env: { ...process.env, ...settings }, file: null }),
  );
  const workers = await startWorkers(runtime);
  const api = await startApi(runtime);
  const ada = client(`bench-${randomUUID().slice(0, 8)}`, { url: api.url });
  const talk = await talkWorld(ada);
  const { processId, model } = await talk.speaker();
  const sse = createClient({ url: ada.url, headers: { authorization: ada.authorization } });
  const { viewer } = await ada.query<{ viewer: { id: string } }>('{ viewer { id } }');

  /** Reads a run's stream until its first text. */
  async function firstText(runId: string): Promise<void> {
    const query = `subscription ($id: ID!) { runEvents(runId: $id) {
        __typename ... on TextEvent { content }
        } }`;
    for await (const { data } of sse.iterate({ query, variables: { id: runId } })) {
      const { runEvents } = data as { runEvents: { content?: string } };
      if (runEvents.content !== undefined) return;
    }
    throw new Error('The stream ended without a text.');
  }

  /**
   * The hand-written side: its one activity, publishing into the stream of a run that the bench has
   * made for it.
   */
  const speak: Activities['speak'] = async ({ runId, question }: Speaking) => {
    const response = await fetch(`${talk.llm.openai}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
    });
    const { choices } = (await response.json()) as {
      choices: { message: { content: string } }[];
    };
    const text = choices[0]?.message.content ?? '';
    const run = { runId, rootRunId: runId, runPath: [runId], conversationId: null };
    const owned = { ...run, ownerId: viewer.id, workspace: viewer.id };
    const place = { stepId: 'answer', index: null, attempt: 1, channel: 'text' as const };
    const entry = runEntry(runtime, owned, 'step.text', { ...place, text });
    await runtime.graph.write((tx) => appendEntries(tx, [entry]));
    runtime.deps.wake();
    return text;
  };
  const fleet = await startFleet({
    temporal: temporalSettings(runtime.config),
    log: runtime.log,
    workflows: {
      taskQueue: QUEUE,
      bundle: await loadWorkflowBundle({
        entry: new URL('bench/first-character-workflows.ts', ROOT),
        preload: new URL('workflows/preload.ts', ROOT),
        madeOf: [new URL('bench/first-character-workflows.ts', ROOT)],
        cacheFolder: `${cacheFolder()}/workflows`,
      }),
      activities: { speak },
    },
    pools: [],
  });

  /** A run record to publish under. Its workflow waits on a queue without a worker. */
  async function aRun(): Promise<string> {
    const id = runtime.newId();
    await runtime.graph.write((tx) =>
      tx.run(
        `// benchRun
        MATCH (owner:User {id: $ownerId})
        CREATE (r:ProcessRun:Resource)-[:OWNED_BY]->(owner)
        SET r = {id: $id, rootRunId: $id, runPath: [$id], ownerId: $ownerId, workspace: $ownerId,
          processId: $processId,
          processName: 'by hand', processVersion: 1, snapshotHash: 'by hand', queuePrefix: '',
          status: 'running', depth: 0,
          createdAt: datetime()}`,
        { id, ownerId: viewer.id, processId },
      ),
    );
    return id;
  }

  const own = {
    product: [] as number[],
    byHand: [] as number[],
    started: [] as number[],
    sent: [] as number[],
  };
  let settleMs = 0;
  /** Waits until a message's Episodes and records are written, before the next measurement. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs));
  /** Asks for the fields of the subscription. */
  async function send(conversationId: string): Promise<string> {
    const { run } = await ada.mutate<{ readonly run: { readonly id: string } }>(
      'sendMessage',
      { conversationId, content: 'Hello?', processId },
      'run { id }',
    );
    return run.id;
  }
  async function product(): Promise<void> {
    const conversationId = await talk.starts();
    await settle();
    const startedMs = performance.now();
    const runId = await send(conversationId);
    own.sent.push(performance.now() - startedMs);
    await firstText(runId);
    own.product.push(performance.now() - startedMs);
    await runtime.temporal.client.workflow.getHandle(runId).result();
  }
  async function byHand(): Promise<void> {
    const conversationId = await talk.starts();
    const runId = await aRun();
    await settle();
    const keptMs = performance.now();
    await ada.mutate('appendTurn', { conversationId, content: 'Hello?' });
    const startedMs = performance.now();
    await runtime.temporal.client.workflow.start('speakByHand', {
      workflowId: runId,
      taskQueue: QUEUE,
      args: [{ runId, question: 'Hello?' }],
    });
    await firstText(runId);
    own.byHand.push(performance.now() - keptMs);
    own.started.push(performance.now() - startedMs);
    await runtime.temporal.client.workflow.getHandle(runId).result();
  }

  for (let answers = 0; answers < WARM_UP; answers += WARM_UP_AT_ONCE) {
    for (const side of [product, byHand])
      await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, () => side()));
    if (answers % 40 === 0) console.log(`warming up: ${answers} of ${WARM_UP} answers`);
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS));
  settleMs = SETTLE_MS;
  for (const list of Object.values(own)) list.length = 0;
  await interleave({ product, byHand }, { rounds: ROUNDS, warmUp: FIRST_ROUNDS });
  const times = Object.fromEntries(
    Object.entries(own).map(([name, ms]) => [name, ms.slice(FIRST_ROUNDS)]),
  ) as typeof own;
  const ours = median(times.product).toFixed(0);
  const sent = median(times.sent).toFixed(0);
  const figure = {
    name:
      'from sendMessage to the first character at the client, against a message kept and one ' +
      'activity by hand',
    value: pairedRatio(times.product, times.byHand),
    unit: 'x' as const,
    bound: 2,
    keep: 'at most' as const,
    detail:
      `${ours} / ${median(times.byHand).toFixed(0)} ms, ${sent} of them until the mutation ` +
      `answered; load ${loadavg()[0]?.toFixed(1)}`,
  };
  printFigure(figure);
  const alone = pairedRatio(times.product, times.started).toFixed(2);
  console.log(
    `     against that activity alone, which keeps nothing of the message: ${alone} x, ` +
      `${ours} / ${median(times.started).toFixed(0)} ms`,
  );

  await fleet.stop();
  await api.stop();
  await workers.stop();
  await talk.close();
  await runtime.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(holds(figure) ? 0 : 1);
}

await main();
