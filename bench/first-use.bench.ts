import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as console_ from '../console/src/generated/documents.ts';
import { freePort } from '../src/host/ports.ts';
import { client, type Document, type TestClient } from '../test/testkit/client.ts';
import { nativeEnv, type Started, start } from '../test/testkit/started.ts';
import { type Figure, holds, median, printFigure } from './report.ts';

// The first calls after a start. An installation of its own is filled, stopped and started again
// with its servers; then the calls of the console and of a chat are made for the first time, and
// three times more. `npm run bench -- first-use --conversations 365 --rest 20` has a year of
// conversations and waits 20 s after the start, as a person does who opens a browser. With `--busy`
// it is stopped while the memory of the conversations is being made. `--data folder` keeps the
// filled installation there, and measures it again the next time.

const FIRST_MS_MAX = 500;
const ANSWER_MS_MAX = 2_000;
const MESSAGES = 6;
const QUIET_SECONDS = 30;
const AGAIN = 3;
const DAY_MS = 86_400_000;
const USER = 'first-use';
const SAYINGS = [
  'I met Ada Lovelace in Turin; she works on the engine with Charles Babbage.',
  'We plan the release of the engine for Thursday.',
  'Charles moved to London and Ada stays in Turin.',
  'The invoice of the workshop is still open.',
  'I run along the river each morning before work.',
];

interface Installation {
  readonly url: string;
  readonly user: TestClient;
  /** Seconds that its start took. */
  readonly seconds: number;
  stop(): Promise<void>;
}

interface Call {
  readonly name: string;
  /** @param time how often it was made before */
  make(time: number): Promise<unknown>;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      conversations: { type: 'string', default: '10' },
      busy: { type: 'boolean', default: false },
      rest: { type: 'string', default: '0' },
      statements: { type: 'string', default: '3' },
    },
  });
  const data = values.data ?? (await mkdtemp(join(tmpdir(), 'aiden-first-use-')));
  const env = await envOf(data);
  try {
    if (!existsSync(join(data, 'aiden'))) {
      const filled = await open(env);
      await fill(filled.user, Number(values.conversations));
      if (!values.busy) await untilQuiet(filled.user);
      await filled.stop();
    }
    const again = await open(env);
    console.log(`started again in ${again.seconds.toFixed(1)} s`);
    await sleep(Number(values.rest) * 1_000);
    try {
      const figures = await measure(again, Number(values.statements));
      for (const figure of figures) printFigure(figure);
      process.exitCode = figures.every(holds) ? 0 : 1;
    } finally {
      await again.stop();
    }
  } finally {
    if (values.data === undefined) await rm(data, { recursive: true, force: true });
  }
}

/** Given data keeps its ports: vectors are made anew for a model at another address. */
async function envOf(data: string): Promise<Record<string, string>> {
  const file = join(data, 'ports.json');
  if (!existsSync(file)) {
    const taken = new Set<number>();
    const ports = {
      AIDEN_PORT: String(await freePort(0, taken)),
      AIDEN_LOCAL_LLM_PORT: String(await freePort(0, taken)),
    };
    await mkdir(data, { recursive: true });
    await writeFile(file, JSON.stringify(ports));
  }
  const ports: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  return { ...nativeEnv(data), AIDEN_LOCAL_LLM: 'on', ...ports };
}

async function open(env: Record<string, string>): Promise<Installation> {
  const startedMs = performance.now();
  const product: Started = start(['--no-tour'], env);
  await product.until('Ctrl-C stops everything');
  const url = `http://127.0.0.1:${env['AIDEN_PORT']}`;
  return {
    url,
    user: client(USER, { url, role: 'admin' }),
    seconds: (performance.now() - startedMs) / 1_000,
    async stop() {
      product.child.kill('SIGINT');
      await product.exit;
    },
  };
}

/** Conversations that a person had, one a day until yesterday, and their memory. */
async function fill(user: TestClient, conversations: number): Promise<void> {
  for (let day = conversations; day > 0; day--) {
    const conversationId = await newConversation(user);
    for (let number = 0; number < MESSAGES; number++)
      await user.mutate('appendTurn', {
        conversationId,
        content: `${SAYINGS[number % SAYINGS.length]} That was day ${day}.`,
        speaker: number % 2 === 0 ? 'USER' : 'AGENT',
        saidAt: new Date(Date.now() - day * DAY_MS + number * 60_000).toISOString(),
      });
  }
  await answerOf(user, await newConversation(user), await chatProcess(user));
}

/** Waits until no run of the product's own has been there for half a minute. */
async function untilQuiet(user: TestClient): Promise<void> {
  for (let quietSeconds = 0; quietSeconds < QUIET_SECONDS; await sleep(1_000)) {
    const { running } = await user.query<{ running: { totalCount: number } }>(
      '{ running: processRuns(status: [PENDING, RUNNING], includeSystem: true) { totalCount } }',
    );
    quietSeconds = running.totalCount === 0 ? quietSeconds + 1 : 0;
  }
}

async function newConversation(user: TestClient): Promise<string> {
  const { conversation } = await user.mutate<{ conversation: { id: string } }>(
    'createConversation',
    {},
    'conversation { id }',
  );
  return conversation.id;
}

async function chatProcess(user: TestClient): Promise<string> {
  const { processes } = await user.query<{ processes: { nodes: { id: string }[] } }>(
    '{ processes(name: "chat", first: 1) { nodes { id } } }',
  );
  const [chat] = processes.nodes;
  if (chat === undefined) throw new Error('There is no Process "chat".');
  return chat.id;
}

/** Asks, and waits for the end of the run that answers. */
async function answerOf(
  user: TestClient,
  conversationId: string,
  processId: string,
  sent: () => void = () => {},
): Promise<string> {
  const input = { conversationId, processId, content: 'Where does Ada live?' };
  const { sendMessage } = await user.query(console_.SendDocument, { input });
  const runId = sendMessage.run?.id;
  if (runId === undefined) throw new Error(JSON.stringify(sendMessage.userErrors));
  sent();
  for (;;) {
    const { run } = await user.query<{ run: { status: string } }>(
      'query ($id: ID!) { run: processRun(id: $id) { status } }',
      { id: runId },
    );
    if (run.status === 'COMPLETED') return runId;
    if (run.status === 'FAILED') throw new Error('The answer failed.');
    await sleep(50);
  }
}

async function measure({ url, user }: Installation, most: number): Promise<Figure[]> {
  const asks = <Data, Variables>(document: Document<Data, Variables>, variables?: Variables) =>
    user.query(document, variables);
  let conversationId = '';
  let processId = '';
  let runId = '';
  let sendMs: number[] = [];
  const calls: readonly Call[] = [
    { name: 'viewer', make: () => asks(console_.ViewerDocument) },
    { name: 'home', make: () => asks(console_.HomeDocument) },
    { name: 'conversations', make: () => asks(console_.ConversationsDocument, { first: 50 }) },
    { name: 'answerers', make: () => asks(console_.AnswerersDocument) },
    {
      name: 'createConversation',
      make: async () => {
        conversationId = await newConversation(user);
      },
    },
    {
      name: 'conversation',
      make: () => asks(console_.ConversationDocument, { id: conversationId }),
    },
    {
      name: 'appendTurn',
      make: () => user.mutate('appendTurn', { conversationId, content: 'Ada likes the river.' }),
    },
    {
      name: 'sendMessage',
      make: async (time) => {
        if (time === 0) processId = await chatProcess(user);
        const startedMs = performance.now();
        runId = await answerOf(user, conversationId, processId, () => {
          sendMs = [...sendMs, performance.now() - startedMs];
        });
      },
    },
    {
      name: 'conversation with its answer',
      make: () => asks(console_.ConversationDocument, { id: conversationId }),
    },
    {
      name: 'workingMemory',
      make: () => asks(console_.WorkingMemoryDocument, { id: conversationId }),
    },
    {
      name: 'search',
      make: () => asks(console_.MemorySearchDocument, { input: { query: 'Where does Ada live?' } }),
    },
    { name: 'entities', make: () => asks(console_.EntitiesDocument, { first: 50 }) },
    { name: 'tocRoot', make: () => asks(console_.TocRootDocument) },
    { name: 'introspections', make: () => asks(console_.IntrospectionsDocument) },
    { name: 'runs', make: () => asks(console_.RunsDocument, { first: 50 }) },
    { name: 'run', make: () => asks(console_.RunDocument, { id: runId }) },
    { name: 'processes', make: () => asks(console_.ProcessesDocument) },
    { name: 'process', make: () => asks(console_.ProcessPageDocument, { id: processId }) },
    { name: 'catalog', make: () => asks(console_.CatalogDocument) },
    { name: 'operations', make: () => asks(console_.OperationsDocument) },
    { name: 'memorySettings', make: () => asks(console_.SettingsDocument) },
  ];
  const figures: Figure[] = [];
  for (const call of calls) {
    const before = await statementSeconds(url);
    const tookMs: number[] = [];
    let slowest = '';
    for (let time = 0; time <= AGAIN; time++) {
      const startedMs = performance.now();
      await call.make(time);
      tookMs.push(performance.now() - startedMs);
      if (time === 0) slowest = slowestSince(before, await statementSeconds(url), most);
    }
    const [first = Number.NaN, ...later] = tookMs;
    const isAnswer = call.name === 'sendMessage';
    const detail = `(later ${median(later).toFixed(0)} ms; ${slowest})`;
    const name = isAnswer ? 'answer' : call.name;
    figures.push(figureOf(name, first, isAnswer ? ANSWER_MS_MAX : FIRST_MS_MAX, detail));
    if (!isAnswer) continue;
    const [sent = Number.NaN, ...sentLater] = sendMs;
    const ofSent = `(later ${median(sentLater).toFixed(0)} ms)`;
    figures.push(figureOf('sendMessage', sent, FIRST_MS_MAX, ofSent));
  }
  return figures;
}

function figureOf(name: string, value: number, bound: number, detail: string): Figure {
  return { name: `first ${name}`, value, unit: 'ms', bound, keep: 'at most', detail };
}

/** Seconds that each statement has taken so far. */
async function statementSeconds(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^aiden_neo4j_statement_seconds_sum\{name="(\w+)"\} (\S+)$/gm);
  return new Map([...lines].map(([, name = '', seconds]) => [name, Number(seconds)]));
}

function slowestSince(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  most: number,
): string {
  return [...after]
    .map(([name, seconds]) => ({ name, ms: (seconds - (before.get(name) ?? 0)) * 1_000 }))
    .sort((left, right) => right.ms - left.ms)
    .slice(0, most)
    .filter(({ ms }) => ms >= 1)
    .map(({ name, ms }) => `${name} ${ms.toFixed(0)}`)
    .join(', ');
}

await main();
