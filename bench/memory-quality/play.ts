import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import type { TestClient } from '../../test/testkit/client.ts';
import { openScriptedLlm } from '../../test/testkit/scripted-llm.ts';
import type { TalkTurn } from './talk.ts';

// Plays a conversation over the public API, as its people would have had it.

export interface Player {
  readonly user: TestClient;
  /** Runs jobs. */
  readonly admin: TestClient;
}
export interface Played {
  readonly conversationId: string;
  readonly turns: readonly { readonly id: string; readonly turnId: string }[];
}

const ERRORS = 'userErrors { code message path }';
const WAIT_MS_MAX = 600_000;

interface Payload {
  readonly userErrors: readonly { readonly message: string }[];
}
async function does<Data>({ user }: Player, mutation: string, input: object): Promise<Data> {
  const { it } = await user.query<{ it: Data & Payload }>(mutation.replace('ERRORS', ERRORS), {
    input,
  });
  if (it.userErrors.length > 0) throw new Error(JSON.stringify(it.userErrors));
  return it;
}

export async function until(text: string, check: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS_MAX; Date.now() < endMs; ) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Not in time: ${text}`);
}

async function startConversation(player: Player): Promise<string> {
  const { conversation } = await does<{ conversation: { id: string } }>(
    player,
    `mutation ($input: CreateConversationInput!) { it: createConversation(input: $input) {
      conversation { id } ERRORS } }`,
    {},
  );
  return conversation.id;
}

async function append(player: Player, conversationId: string, turn: TalkTurn): Promise<string> {
  const { speaker, text: content, saidAt } = turn;
  const at = saidAt === undefined ? {} : { saidAt };
  const made = await does<{ turn: { id: string } }>(
    player,
    'mutation ($input: AppendTurnInput!) { it: appendTurn(input: $input) { turn { id } ERRORS } }',
    { conversationId, content, speaker: speaker.toUpperCase(), ...at },
  );
  return made.turn.id;
}

/** A conversation of earlier days, appended turn by turn with the times of saying. */
export async function playPast(player: Player, turns: readonly TalkTurn[]): Promise<Played> {
  const conversationId = await startConversation(player);
  const played: { id: string; turnId: string }[] = [];
  for (const turn of turns)
    played.push({ id: turn.id, turnId: await append(player, conversationId, turn) });
  return { conversationId, turns: played };
}

/**
 * A conversation of now: the user sends messages, and a Process of the user's own answers. Its
 * Tools are REST calls, its model says the agent's turns.
 */
export async function playLive(player: Player, turns: readonly TalkTurn[]): Promise<Played> {
  const conversationId = await startConversation(player);
  const [llm, workshop] = await Promise.all([openScriptedLlm(), openWorkshop(turns)]);
  try {
    const tools = [...new Set(turns.flatMap(({ calls }) => calls.map(({ tool }) => tool)))];
    const process = await importAgent(player, tools, llm.openai, workshop.url);
    const played: { id: string; turnId: string }[] = [];
    for (const [index, turn] of turns.entries()) {
      const next = turns[index + 1];
      if (turn.speaker === 'agent') continue;
      if (next === undefined || next.speaker === 'user') {
        played.push({ id: turn.id, turnId: await append(player, conversationId, turn) });
        continue;
      }
      llm.answers(MODEL, () => ({ text: next.text }));
      const called = next.calls.map(({ tool }) => tool);
      const context = { asked: next.id, tools: called };
      const sent = await send(player, {
        conversationId,
        content: turn.text,
        processId: process,
        context,
      });
      played.push({ id: turn.id, turnId: sent.userTurn.id });
      played.push({ id: next.id, turnId: sent.agentTurn.id });
    }
    return { conversationId, turns: played };
  } finally {
    await Promise.all([llm.close(), workshop.close()]);
  }
}

const MODEL = 'engineer';

interface Sent {
  readonly userTurn: { readonly id: string };
  readonly agentTurn: { readonly id: string; readonly activeAlternative: { readonly id: string } };
}
async function send(player: Player, input: object): Promise<Sent> {
  const sent = await does<Sent>(
    player,
    `mutation ($input: SendMessageInput!) { it: sendMessage(input: $input) {
      userTurn { id } agentTurn { id activeAlternative { id } } ERRORS } }`,
    input,
  );
  await until('the answer of the agent', async () => {
    const { node } = await player.user.query<{
      node: { cacheStatus: string; run: { error: unknown } };
    }>(
      `query ($id: ID!) { node(id: $id) { ... on Alternative { cacheStatus run { error { code
        message } } } } }`,
      { id: sent.agentTurn.activeAlternative.id },
    );
    if (node.run.error !== null) throw new Error(JSON.stringify(node.run.error));
    return node.cacheStatus !== 'GENERATING';
  });
  return sent;
}

/** A server that answers the Tools' calls of a turn, as the fixture says. */
async function openWorkshop(turns: readonly TalkTurn[]) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here');
    const turn = turns.find(({ id }) => id === searchParams.get('turn'));
    const call = turn?.calls.find(({ tool }) => pathname === `/${tool}`);
    const { answer = {} } = call ?? {};
    const isText = typeof answer === 'string';
    response.setHeader('content-type', isText ? 'text/plain' : 'application/json');
    response.end(isText ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ANY = { type: 'object', properties: {} };
const connection = (...names: string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

/** The Tools and the Process of the agent. @returns the id of the Process */
async function importAgent(
  player: Player,
  tools: readonly string[],
  model: string,
  workshop: string,
): Promise<string> {
  const document = stringify({
    aiden: 1,
    services: [
      {
        name: 'workshop',
        type: 'rest_api',
        protocol: 'http',
        connectionSchema: connection('endpoint'),
      },
      {
        name: 'model',
        type: 'llm_provider',
        protocol: 'http',
        connectionSchema: connection('endpoint', 'model'),
      },
    ],
    tools: [
      ...tools.map((name) => ({
        name,
        service: 'workshop',
        mutating: false,
        connectionParams: { endpoint: workshop },
        operation: {
          type: 'rest_call',
          method: 'GET',
          path: `/${name}`,
          query: { turn: '{{turn}}' },
        },
        inputSchema: connection('turn'),
        outputSchema: {},
      })),
      {
        name: 'speak',
        service: 'model',
        connectionParams: { endpoint: model, model: MODEL },
        operation: { type: 'llm_call', promptTemplate: '', messages: 'messages' },
        inputSchema: {
          ...ANY,
          required: ['messages'],
          properties: { messages: { type: 'array' } },
        },
        outputSchema: {},
      },
    ],
    processes: [
      {
        name: 'engineer agent',
        initialContext: ['messages', 'asked', 'tools'],
        steps: [
          ...tools.map((name) => ({
            stepId: name.replaceAll('_', '-'),
            calls: { tool: name },
            inputs: { turn: '{context.asked}' },
            output: { variable: name, required: false },
            execution: { condition: `"${name}" in context.tools`, mode: 'parallel' },
          })),
          {
            stepId: 'answer',
            calls: { tool: 'speak' },
            inputs: { messages: '{context.messages}' },
            output: { variable: 'answer' },
            dependsOn: tools.map((name) => name.replaceAll('_', '-')),
          },
        ],
        outputTemplate: '{{answer}}',
      },
    ],
  });
  const { imported } = await player.user.query<{ imported: Payload }>(
    `mutation ($document: String!) { imported: importBundle(input: { document: $document }) {
      ${ERRORS} } }`,
    { document },
  );
  if (imported.userErrors.length > 0) throw new Error(JSON.stringify(imported.userErrors));
  const { processes } = await player.user.query<{ processes: { nodes: { id: string }[] } }>(
    '{ processes(query: "engineer agent", includeShared: false) { nodes { id } } }',
  );
  return processes.nodes[0]?.id ?? '';
}

/** Jobs that sum up and index, in the order in which one feeds the next. */
const JOBS = [
  'segmenter',
  'indexer',
  'segment-summarizer',
  'day-rollup',
  'week-rollup',
  'month-rollup',
  'year-rollup',
  'memory-embeddings',
];

/** A talk is read when nothing was said for so long: AIDEN_EXTRACTION_QUIET_SECONDS and a bit. */
const QUIET_MS = 65_000;

/**
 * Lets days pass: the background work is done, and the talk is summed up.
 * @returns ids of the runs that the player asked for: compressions and introspections, which a talk
 * of this length does not start by itself
 */
export async function passDays(
  player: Player,
  { conversationId, turns }: Played,
  onPhase: (phase: string) => void = () => {},
): Promise<readonly string[]> {
  const endMs = Date.now();
  await until('an Episode for each turn', async () => {
    const { workingMemory } = await player.user.query<{
      workingMemory: { immediatePath: { episodeId: string | null }[] };
    }>('query ($id: ID!) { workingMemory(conversationId: $id) { immediatePath { episodeId } } }', {
      id: conversationId,
    });
    return workingMemory.immediatePath.every(({ episodeId }) => episodeId !== null);
  });
  onPhase('told');
  await until('the quiet after the talk', async () => Date.now() >= endMs + QUIET_MS);
  await settle(player);
  onPhase('quiet');
  const half = turns[Math.floor(turns.length / 2)]?.turnId;
  const asked: string[] = [];
  for (const upToTurnId of [half, undefined])
    asked.push(
      await runs(
        player,
        `mutation ($input: CompressConversationInput!) { it: compressConversation(input: $input)
          { run { id } ERRORS } }`,
        { input: { conversationId, ...(upToTurnId === undefined ? {} : { upToTurnId }) } },
      ),
    );
  for (const _time of [1, 2])
    asked.push(
      await runs(
        player,
        `mutation ($id: ID!) { it: triggerIntrospection(input: { conversationId: $id }) { run {
          id } ERRORS } }`,
        { id: conversationId },
      ),
    );
  onPhase('compressed and reflected on');
  for (const job of JOBS) await runJob(player, job);
  onPhase('summed up');
  await settle(player);
  return asked;
}

/** Starts a run and waits for its end. @returns its id */
async function runs({ user }: Player, mutation: string, variables: object): Promise<string> {
  const { it } = await user.query<{ it: Payload & { run: { id: string } | null } }>(
    mutation.replace('ERRORS', ERRORS),
    variables,
  );
  if (it.run === null) throw new Error(JSON.stringify(it.userErrors));
  const { id } = it.run;
  await until('the end of the run', async () => {
    const { processRun } = await user.query<{ processRun: { status: string } }>(
      'query ($id: ID!) { processRun(id: $id) { status } }',
      { id },
    );
    return !['PENDING', 'RUNNING'].includes(processRun.status);
  });
  return id;
}

async function runJob({ admin }: Player, name: string): Promise<void> {
  const lastRun = async () => {
    const { jobs } = await admin.query<{ jobs: { name: string; lastRunAt: string | null }[] }>(
      '{ jobs { name lastRunAt } }',
    );
    return jobs.find((job) => job.name === name)?.lastRunAt ?? null;
  };
  const before = await lastRun();
  await admin.query(`mutation ($name: String!) { runJob(input: { name: $name }) { ${ERRORS} } }`, {
    name,
  });
  await until(`the job ${name}`, async () => (await lastRun()) !== before);
}

const QUIET_CHECKS = 20;
/** Waits until no run of the user is open and the table of contents has not changed for a while. */
export async function settle({ user }: Player): Promise<void> {
  let former = '';
  let quiet = 0;
  await until('the background work', async () => {
    const { processRuns, tocRoot } = await user.query<{
      processRuns: { nodes: object[] };
      tocRoot: object[];
    }>(
      `{ processRuns(status: [PENDING, RUNNING], first: 1, includeSystem: true) { nodes { id } }
        tocRoot { nodeId version } }`,
    );
    const now = JSON.stringify(tocRoot);
    quiet = processRuns.nodes.length === 0 && now === former ? quiet + 1 : 0;
    former = now;
    return quiet >= QUIET_CHECKS;
  });
}
