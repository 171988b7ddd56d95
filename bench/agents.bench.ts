import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { calls, toolResultsIn } from '../test/testkit/agents.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoTool, speakerTool, step } from '../test/testkit/run-steps.ts';
import { openScriptedLlm } from '../test/testkit/scripted-llm.ts';
import { answering, newViewer, personOf } from '../test/testkit/world.ts';
import { type Figure, holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// A model that answers at once and calls 10 tools, one after the other and all at once, against
// stored Processes with the same questions and calls (docs/decisions/0065).

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 12);
const CALLS = 10;

async function main(): Promise<void> {
  const engine = await openEngine();
  await migrate(engine.graph);
  const llm = await openScriptedLlm();
  const rest = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"q":"1"}'),
  );
  await new Promise<void>((resolve) => rest.listen(0, '127.0.0.1', resolve));
  const { vault } = engine.activityDeps;
  const deps = { ...engine.deps, vault: vault as never, toolCalls: answering, mcpServers: {} };
  const ada = personOf(deps, await newViewer(deps, 'ada'));
  const echo = await echoTool(ada, `http://127.0.0.1:${(rest.address() as AddressInfo).port}`);
  const [plain, oneByOne, atOnce] = await Promise.all(
    ['plain', 'one-by-one', 'at-once'].map((model) => speakerTool(ada, llm.openai, model)),
  );
  if (plain === undefined || oneByOne === undefined || atOnce === undefined)
    throw new Error('The models could not be made.');
  llm.answers('plain', () => ({ text: 'Done.' }));
  llm.answers('one-by-one', (request) => {
    const n = toolResultsIn(request).length;
    return n < CALLS ? calls(['Echo', { q: `${n}` }]) : { text: 'Done.' };
  });
  const all = Array.from({ length: CALLS }, (_, n): [string, { q: string }] => [
    'Echo',
    { q: `${n}` },
  ]);
  llm.answers('at-once', (request) =>
    toolResultsIn(request).length < CALLS ? calls(...all) : { text: 'Done.' },
  );
  const stored = (steps: object[]) =>
    engine.createProcess(ada.viewer, { steps, outputTemplate: '' });
  const agent = (toolId: string) =>
    stored([
      step(
        'a',
        toolId,
        { say: 'Go' },
        {},
        {},
        {
          tools: [{ toolId: echo.id }],
          agent: { maxRounds: CALLS + 2 },
        },
      ),
    ]);
  const ask = (n: number) => step(`ask${n}`, plain.id, { say: 'Go' });
  const call = (n: number, execution = {}) => step(`call${n}`, echo.id, { q: `${n}` }, execution);
  const places = Array.from({ length: CALLS }, (_, n) => n);
  const processes = {
    'agent, one by one': await agent(oneByOne.id),
    'stored, one by one': await stored([...places.flatMap((n) => [ask(n), call(n)]), ask(CALLS)]),
    'agent, at once': await agent(atOnce.id),
    'stored, at once': await stored([
      ask(0),
      ...places.map((n) => call(n, { mode: 'parallel' })),
      ask(1),
    ]),
  };
  const runs = async (name: keyof typeof processes) => {
    const { status, error } = await engine.run(ada.viewer, processes[name]);
    if (status !== 'completed') throw new Error(`${name}: ${status} ${error?.message}`);
  };
  const names = Object.keys(processes) as (keyof typeof processes)[];
  const subjects = Object.fromEntries(names.map((name) => [name, () => runs(name)])) as Record<
    keyof typeof processes,
    () => Promise<void>
  >;
  const ms = await interleave(subjects, { rounds: ROUNDS });
  const figure = (how: 'one by one' | 'at once', bound: number): Figure => ({
    name: `an agent with ${CALLS} calls ${how}, against a stored Process of the same`,
    value: pairedRatio(ms[`agent, ${how}`], ms[`stored, ${how}`]),
    unit: 'x',
    bound,
    keep: 'at most',
    detail:
      `${median(ms[`agent, ${how}`]).toFixed(0)} against ` +
      `${median(ms[`stored, ${how}`]).toFixed(0)} ms`,
  });
  const figures = [figure('one by one', 1.25), figure('at once', 1.3)];
  for (const one of figures) printFigure(one);
  rest.closeAllConnections();
  rest.close();
  await llm.close();
  await engine.close();
  process.exit(figures.every(holds) ? 0 : 1);
}

await main();
