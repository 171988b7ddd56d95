import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { BrowserContext, Page } from 'playwright-core';
import { buildConsole } from '../src/host/console.ts';
import { freePort } from '../src/host/ports.ts';
import { startApi } from '../src/main/api.ts';
import { readConfig } from '../src/main/config/config.ts';
import { openRuntime, type Runtime } from '../src/main/runtime.ts';
import { appendEntries } from '../src/outbox/entry.cypher.ts';
import { runEntry } from '../src/runs/events/run-entry.ts';
import { stepKey } from '../src/runs/steps/step-run.ts';
import { launch } from '../test/browser/chromium.ts';
import { client } from '../test/testkit/client.ts';
import { talkWorld } from '../test/testkit/talk-world.ts';
import { type Figure, holds, median, printFigure } from './report.ts';

// The console in Debian's chromium, against the API of this checkout: a run of 500 steps while 200
// events a second arrive, a list of 10,000 runs that is scrolled to its end, and a conversation
// that is opened from the list. The records of runs are written by hand, since no machine of a
// developer makes them this fast. The events go the way of all events: log, relay, bus,
// subscription.

const STEPS = 500;
const EVENTS_PER_SECOND = 200;
const EVENTS_MS = 10_000;
const BATCH = 10;
const RUNS = 10_000;
const SCROLL_MS = 45_000;
const LONG_MS_MAX = 200;
const INTERACTIVE_MS_MAX = 8_000;
/** Turns of the conversation: more than a screen of them. */
const TURNS = 20;
const OPENINGS = 7;
const PAINT_MS_MAX = 100;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
  const settings = {
    AIDEN_PORT: String(await freePort(0, new Set())),
    AIDEN_AUTH: 'dev',
    AIDEN_LOG_LEVEL: 'error',
    AIDEN_LOCAL_LLM: 'off',
    AIDEN_DATA_DIR: dataDir,
    AIDEN_QUEUE_PREFIX: `b${randomUUID().slice(0, 8)}-`,
  };
  await buildConsole((line) => console.log(line));
  const runtime = await openRuntime(
    readConfig({ flags: [], env: { ...process.env, ...settings }, file: null }),
  );
  const api = await startApi(runtime);
  const browser = await launch();
  const user = `bench-${randomUUID().slice(0, 8)}`;
  const ada = client(user, { url: api.url });
  const talk = await talkWorld(ada);
  try {
    const { viewer } = await ada.query<{ viewer: { id: string } }>('{ viewer { id } }');
    const { toolId } = await talk.speaker();
    const processId = await wideProcess(ada, toolId);
    const runId = await runByHand(runtime, viewer.id, processId);
    const context = await browser.newContext({ viewport: { width: 1360, height: 850 } });
    await context.addInitScript(`localStorage.setItem('aiden.token', 'dev:${user}')`);
    await context.addInitScript(WATCH_LONG_TASKS);

    const page = await context.newPage();
    const startedMs = performance.now();
    await page.goto(`${api.url}/console/runs/${runId}`);
    await page.locator('.step-node').first().waitFor({ timeout: 120_000 });
    // Interactive once a click on a step has opened its panel.
    await page.locator('.timeline-row').first().click();
    await page.getByRole('button', { name: 'Close the step' }).waitFor();
    note({
      name: `run page of ${STEPS} steps, to a step's panel`,
      value: performance.now() - startedMs,
      bound: INTERACTIVE_MS_MAX,
      detail: '',
    });
    await longTasks(page);
    const sent = await sendEvents(runtime, viewer.id, runId);
    await page.waitForTimeout(1_000);
    const whileEvents = await longTasks(page);
    const seen = (await page.getByRole('tab', { name: /Events/ }).textContent()) ?? '';
    if (!/\d/.test(seen)) throw new Error('No event came to the page.');
    note({
      name: 'longest task while events arrive',
      value: whileEvents.longestMs,
      bound: LONG_MS_MAX,
      detail:
        `${whileEvents.count} tasks over 50 ms, ${sent.toFixed(0)} events a second sent, the ` +
        `page has ${seen.replace(/\s+/g, ' ')}, `,
    });
    await page.close();

    const opened = await chatOpenings(context, api.url, await longTalk(ada));
    note({
      name: 'longest task from a click to the first paint of a chat',
      value: median(opened.map(({ longestMs }) => longestMs)),
      bound: PAINT_MS_MAX,
      detail:
        `median of ${opened.length}, ${TURNS} turns, all tasks ` +
        `${median(opened.map(({ allMs }) => allMs)).toFixed(0)} ms, `,
    });

    await manyRuns(runtime, viewer.id, processId);
    const list = await context.newPage();
    await list.goto(`${api.url}/console/runs`);
    await list.locator('tbody tr.clickable').first().waitFor({ timeout: 120_000 });
    await longTasks(list);
    const shown = await scrollDown(list);
    const whileScrolling = await longTasks(list);
    note({
      name: `longest task while ${RUNS} runs are scrolled`,
      value: whileScrolling.longestMs,
      bound: LONG_MS_MAX,
      detail: `${whileScrolling.count} tasks over 50 ms, ${shown} runs read, `,
    });
  } finally {
    await browser.close();
    await api.stop();
    // Its model's server would keep the process alive.
    await talk.close();
    await runtime.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A conversation of questions and answers with Markdown, as a model writes them. */
async function longTalk(ada: ReturnType<typeof client>): Promise<string> {
  const title = `Talk ${randomUUID().slice(0, 8)}`;
  const conversationId = await ada.creates('conversation', { title });
  for (let turn = 0; turn < TURNS; turn++) {
    const isAnswer = turn % 2 === 1;
    const content = isAnswer ? answerOf(turn) : `What is to be done on day ${turn}?`;
    const speaker = isAnswer ? 'AGENT' : 'USER';
    await ada.mutate('appendTurn', { conversationId, content, speaker });
  }
  return title;
}

function answerOf(turn: number): string {
  const items = Array.from(
    { length: 8 },
    (_, at) => `- **Point ${at}** of day ${turn}: \`do ${at}\``,
  );
  const rows = Array.from({ length: 5 }, (_, at) => `| ${at} | task ${at} | ${at * turn} h |`);
  return [
    `## Day ${turn}`,
    'These are the points, with the hours of each. They are done *in order*.',
    items.join('\n'),
    ['| no | task | hours |', '|---|---|---|', ...rows].join('\n'),
    ['```ts', `const day = ${turn};`, 'for (const point of points) await point(day);', '```'].join(
      '\n',
    ),
  ].join('\n\n');
}

/** Marks the click, and the paint that shows the first answer. */
const MARK_PAINT = `
  addEventListener('click', () => performance.mark('clicked'), { capture: true });
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('.message .markdown') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => performance.mark('painted');
      port2.postMessage(null);
    });
  }).observe(document, { childList: true, subtree: true });
`;

/** Milliseconds of its processor that tasks of the main thread take. */
interface Work {
  readonly longestMs: number;
  readonly allMs: number;
}

/** The work of the main thread from a click on the talk to its first paint. */
async function chatOpenings(
  context: BrowserContext,
  url: string,
  title: string,
): Promise<readonly Work[]> {
  const spent: Work[] = [];
  for (let at = 0; at < OPENINGS; at++) {
    const page = await context.newPage();
    await page.addInitScript(MARK_PAINT);
    await page.goto(`${url}/console/conversations`);
    const link = page.getByRole('link', { name: title });
    await link.waitFor();
    // The readings of the list are over.
    await page.waitForTimeout(1_000);
    const browser = context.browser();
    await browser?.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    await link.click();
    await page.locator('.message .markdown').first().waitFor();
    // The mark comes with the paint.
    await page.waitForTimeout(1_000);
    spent.push(workIn(String(await browser?.stopTracing())));
    await page.close();
  }
  return spent;
}

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  /** Microseconds of its thread's processor. */
  readonly tdur?: number;
}

/** The work of the tasks of the main thread between the two marks. */
function workIn(trace: string): Work {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const [clicked, painted] = ['clicked', 'painted'].map((mark) =>
    traceEvents.find(({ name }) => name === mark),
  );
  if (clicked === undefined || painted === undefined) throw new Error('The trace has no marks.');
  const tasks = traceEvents
    .filter(({ name, tid }) => name.endsWith('RunTask') && tid === clicked.tid)
    .filter(({ ts }) => ts >= clicked.ts && ts <= painted.ts)
    .map(({ tdur = 0 }) => tdur / 1_000);
  return { longestMs: Math.max(0, ...tasks), allMs: tasks.reduce((sum, ms) => sum + ms, 0) };
}

/** Keeps the long tasks of a page from its first script on. */
const WATCH_LONG_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
`;

/** The long tasks since the last reading. */
async function longTasks(page: Page): Promise<{ count: number; longestMs: number }> {
  const durations = await page.evaluate<number[]>('globalThis.longTasks.splice(0)');
  return { count: durations.length, longestMs: Math.max(0, ...durations) };
}

/** A Process of 500 steps: 50 stages of ten that run at the same time. */
async function wideProcess(ada: ReturnType<typeof client>, toolId: string): Promise<string> {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    stepId: `s${index}`,
    calls: { toolId },
    inputs: { messages: '{context.messages}' },
    output: { variable: `v${index}` },
    execution: { mode: index % 11 === 10 ? 'SEQUENTIAL' : 'PARALLEL' },
  }));
  const { createProcess } = await ada.query<{
    createProcess: { process: { id: string } | null; userErrors: object[] };
  }>(
    `mutation ($input: CreateProcessInput!) { createProcess(input: $input) { process { id }
      userErrors { message path } } }`,
    {
      input: {
        name: `wide ${randomUUID()}`,
        initialContext: ['messages'],
        steps,
        outputTemplate: 'done',
      },
    },
  );
  if (createProcess.process === null) throw new Error(JSON.stringify(createProcess.userErrors));
  return createProcess.process.id;
}

/** A running run whose steps are all under way. No Worker knows of it. */
async function runByHand(runtime: Runtime, ownerId: string, processId: string): Promise<string> {
  const id = runtime.newId();
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    key: stepKey(id, `s${index}`, null),
    runId: id,
    ownerId,
    stepId: `s${index}`,
    status: index < STEPS / 2 ? 'completed' : 'running',
    attempt: 1,
    inputs: JSON.stringify({ messages: [{ role: 'user', content: 'Where does Ada live?' }] }),
    output: index < STEPS / 2 ? JSON.stringify('Ada lives in Turin.') : null,
  }));
  await runtime.graph.write((tx) =>
    tx.run(
      `// benchWideRun
      MATCH (owner:User {id: $ownerId})
      CREATE (r:ProcessRun:Resource)-[:OWNED_BY]->(owner)
      SET r = {id: $id, rootRunId: $id, runPath: [$id], ownerId: $ownerId, workspace: $ownerId,
        processId: $processId,
        processName: 'wide', processVersion: 1, snapshotHash: 'by hand', queuePrefix: '',
        status: 'running', depth: 0,
        origin: 'user', createdAt: datetime(), startedAt: datetime()}
      WITH r
      UNWIND $steps AS step
      CREATE (r)-[:HAS_STEP_RUN]->(s:StepRun)
      SET s = step, s.startedAt = datetime(),
        s.completedAt = CASE step.status WHEN 'completed' THEN datetime() ELSE null END`,
      { id, ownerId, processId, steps },
    ),
  );
  return id;
}

/** Streams words into the running steps. Gives the events sent a second. */
async function sendEvents(runtime: Runtime, ownerId: string, runId: string): Promise<number> {
  const owned = {
    runId,
    rootRunId: runId,
    runPath: [runId],
    conversationId: null,
    ownerId,
    workspace: ownerId,
  };
  const startedMs = performance.now();
  let sent = 0;
  while (performance.now() - startedMs < EVENTS_MS) {
    const entries = Array.from({ length: BATCH }, () =>
      runEntry(runtime, owned, 'step.text', {
        stepId: `s${STEPS / 2 + (sent++ % (STEPS / 2))}`,
        index: null,
        attempt: 1,
        channel: 'text',
        text: 'Ada lives in Turin. ',
      }),
    );
    await runtime.graph.write((tx) => appendEntries(tx, entries));
    runtime.deps.wake();
    const dueMs = startedMs + (sent / EVENTS_PER_SECOND) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  }
  return sent / ((performance.now() - startedMs) / 1_000);
}

/**
 * Ended runs, one second apart. Their records are whole: a read waits two seconds for the rest of a
 * record that lacks its output (docs/decisions/0014).
 */
async function manyRuns(runtime: Runtime, ownerId: string, processId: string): Promise<void> {
  const ids = Array.from({ length: RUNS }, () => runtime.newId());
  await runtime.graph.write((tx) =>
    tx.run(
      `// benchManyRuns
      MATCH (owner:User {id: $ownerId})
      UNWIND range(0, size($ids) - 1) AS index
      WITH owner, $ids[index] AS id, datetime() - duration({seconds: size($ids) - index}) AS at
      CREATE (r:ProcessRun:Resource)-[:OWNED_BY]->(owner)
      SET r = {id: id, rootRunId: id, runPath: [id], ownerId: $ownerId, workspace: $ownerId,
        processId: $processId,
        processName: 'many', processVersion: 1, snapshotHash: 'by hand', queuePrefix: '',
        status: 'completed', depth: 0,
        origin: 'user', createdAt: at, startedAt: at, completedAt: at, output: 'done', outputBytes:
          4}`,
      { ids, ownerId, processId },
    ),
  );
}

/** Scrolls on for SCROLL_MS, or to the last run. Gives the number of runs that were read. */
async function scrollDown(page: Page): Promise<number> {
  const startedMs = performance.now();
  const read = () =>
    page.evaluate<number>("Number(document.querySelector('table').getAttribute('aria-rowcount'))");
  while (performance.now() - startedMs < SCROLL_MS && (await read()) < RUNS) {
    await page.evaluate("document.querySelector('.page-body').scrollBy(0, 4000)");
    await page.waitForTimeout(40);
  }
  return read();
}

/** Prints a figure as soon as it is measured. */
function note(measured: Pick<Figure, 'name' | 'value' | 'bound' | 'detail'>): void {
  const figure: Figure = {
    ...measured,
    unit: 'ms',
    keep: 'at most',
    detail: `${measured.detail}load ${loadavg()[0]?.toFixed(1)}`,
  };
  printFigure(figure);
  if (!holds(figure)) process.exitCode = 1;
}

await main();
