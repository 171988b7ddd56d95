import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoTool, speakerTool, step } from '../test/testkit/run-steps.ts';
import { answering, newViewer, personOf } from '../test/testkit/world.ts';
import { type Figure, holds, median, percentile, printFigure } from './report.ts';

// A loop of 200 rounds: the length of its history and the memory of its process. 50 agents at once:
// how long the slowest takes (docs/decisions/0065).

const ROUNDS = 200;
const AGENTS = 50;
const AGENT_ROUNDS = 4;
const HISTORY_EVENTS_MAX = 10_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * A model that calls Echo until it has read so many results, as its name says. It keeps nothing of
 * its requests.
 */
async function speak(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let raw = '';
  for await (const chunk of request) raw += chunk;
  if (raw === '') return void response.writeHead(200).end('{"object":"list","data":[]}');
  const { model, messages } = JSON.parse(raw) as { model: string; messages: { role: string }[] };
  const read = messages.filter(({ role }) => role === 'tool').length;
  const [, rounds] = /(\d+)$/.exec(model) ?? [];
  const call = {
    index: 0,
    id: `call-${read}`,
    type: 'function',
    function: { name: 'Echo', arguments: JSON.stringify({ q: `${read}` }) },
  };
  const isOver = read >= Number(rounds);
  const delta = isOver ? { content: 'Done.' } : { tool_calls: [call] };
  const finish = isOver ? 'stop' : 'tool_calls';
  const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const choice of [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finish },
  ])
    response.write(`data: ${JSON.stringify({ ...head, choices: [choice] })}\n\n`);
  response.end('data: [DONE]\n\n');
}

async function main(): Promise<void> {
  const engine = await openEngine();
  await migrate(engine.graph);
  const llm = createServer((request, response) => void speak(request, response));
  const heaps: number[] = [];
  let calls = 0;
  const rest = createServer((_request, response) => {
    calls += 1;
    if (calls % 20 === 0) {
      collect();
      heaps.push(process.memoryUsage().heapUsed / 1024 / 1024);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"q":"1"}');
  });
  for (const server of [llm, rest])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const originOf = (server: typeof llm) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { vault } = engine.activityDeps;
  const deps = { ...engine.deps, vault: vault as never, toolCalls: answering, mcpServers: {} };
  const ada = personOf(deps, await newViewer(deps, 'ada'));
  const echo = await echoTool(ada, originOf(rest));
  const agent = async (rounds: number) => {
    const speaker = await speakerTool(ada, `${originOf(llm)}/v1`, `rounds-${rounds}`);
    const limits = { maxRounds: rounds + 1, maxToolCalls: rounds };
    const more = { tools: [{ toolId: echo.id }], agent: limits };
    return engine.createProcess(ada.viewer, {
      steps: [step('a', speaker.id, { say: 'Go' }, {}, {}, more)],
      outputTemplate: '{{a}}',
    });
  };
  const ends = async (started: Awaited<ReturnType<typeof agent>>) => {
    const startMs = performance.now();
    const run = await engine.run(ada.viewer, started);
    if (run.output !== 'Done.') throw new Error(`${run.status}: ${run.error?.message}`);
    return { id: run.id, ms: performance.now() - startMs };
  };

  const short = await agent(AGENT_ROUNDS);
  await ends(short);
  calls = 0;
  heaps.length = 0;
  const long = await ends(await agent(ROUNDS));
  const events = (await engine.historyEvents(long.id)).length;
  const [early, late] = [median(heaps.slice(0, 3)), median(heaps.slice(-3))];
  const alone = (await ends(short)).ms;
  const tookMs = (await Promise.all(Array.from({ length: AGENTS }, () => ends(short)))).map(
    ({ ms }) => ms,
  );
  const figures: Figure[] = [
    {
      name: `the history of ${ROUNDS} rounds`,
      value: events,
      unit: 'events',
      bound: HISTORY_EVENTS_MAX,
      keep: 'at most',
      detail: `${(long.ms / ROUNDS).toFixed(0)} ms a round`,
    },
    {
      name: `the heap at the end of ${ROUNDS} rounds over that at their beginning`,
      value: late / early,
      unit: 'x',
      bound: 1.3,
      keep: 'at most',
      detail:
        `${early.toFixed(0)} and ${late.toFixed(0)} MB: ` +
        `${heaps.map((mb) => mb.toFixed(0)).join(' ')}`,
    },
    {
      name: `${AGENTS} agents at once, the slowest over the median`,
      value: Math.max(...tookMs) / median(tookMs),
      unit: 'x',
      bound: 2,
      keep: 'at most',
      detail:
        `alone ${alone.toFixed(0)}, p50 ${median(tookMs).toFixed(0)}, p90 ` +
        `${percentile(tookMs, 90).toFixed(0)}, slowest ${Math.max(...tookMs).toFixed(0)} ms`,
    },
  ];
  for (const one of figures) printFigure(one);
  for (const server of [llm, rest]) {
    server.closeAllConnections();
    server.close();
  }
  await engine.close();
  process.exit(figures.every(holds) ? 0 : 1);
}

await main();
