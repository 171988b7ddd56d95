import process from 'node:process';
import type { JsonObject } from '../src/common/json.ts';
import { openEmbeddings } from '../src/knowledge/embeddings.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { aloneWithVectors, scriptedEmbedder } from '../test/testkit/embedder.ts';
import { testGraph } from '../test/testkit/graph.ts';
import { openMemoryWorld, type Rememberer, saying } from '../test/testkit/memory-world.ts';
import { quiet } from '../test/testkit/outbox.ts';
import type { LlmRequest, ScriptedReply } from '../test/testkit/scripted-llm.ts';
import { type Figure, holds, median, printFigure } from './report.ts';

// What a conversation's length does to its own ingestion: 200 turns, one after the other, each told until all of it is in the graph,
// by the real workflow and Process, with a model that answers at once. Names recur, so resolution looks at ever more of them.

const TURNS = Number(process.env['BENCH_TURNS'] ?? 200);
const WARM_UP = Number(process.env['BENCH_WARM_UP'] ?? 60);
const ENDS = Math.min(20, Math.floor(TURNS / 2));

const graph = testGraph();
await migrate(graph);
const letGo = await aloneWithVectors(graph);
const embedder = scriptedEmbedder({ model: 'bench-ingest', dimension: 100 });
const world = await openMemoryWorld(
  openEmbeddings({ graph, log: quiet, embedder, openFormer: () => embedder }),
);

const SYLLABLES = ['ba', 'co', 'du', 'fe', 'gi', 'ha', 'jo', 'ku', 'le', 'mi', 'na', 'po'];
const VERBS = ['WORKS_WITH', 'LIVES_IN', 'KNOWS'];

/** The n-th name: no two share most of their letters. */
function nameOf(n: number): string {
  const part = (at: number) => SYLLABLES[Math.floor((n * 7 + 5) / 12 ** at) % 12] ?? '';
  const mixed = SYLLABLES[(n * 5 + 3) % 12] ?? '';
  return `${part(0)}${mixed}${part(1)}${part(2)} ${mixed}${part(1)}${part(0)}`.replace(
    /\b\w/g,
    (letter) => letter.toUpperCase(),
  );
}

/** A new name in each turn, and three of those that were named before. */
function namesIn(turn: number): string[] {
  const before = [1, 2, 3].map((n) => (turn * 31 + n * 17) % Math.max(turn, 1));
  return [...new Set([turn, ...before])].map(nameOf);
}

function textOf(turn: number): string {
  return `Turn ${turn}: ${namesIn(turn).join(', ')} went on with the work of week ${turn % 52}.`;
}

function readOut({ system, messages }: LlmRequest): ScriptedReply {
  const asks = (key: string) => system.includes(`"required":["${key}"`);
  const said = messages.at(-1)?.content ?? '';
  const turn = Number(/<content>[\s\S]*?Turn (\d+):/.exec(said)?.[1] ?? 0);
  const names = namesIn(turn);
  const answer: JsonObject = asks('entities')
    ? {
        entities: names.map((name) => ({
          name,
          category: 'Person',
          summary: `${name} was at work in week ${turn % 52}.`,
        })),
      }
    : asks('facts')
      ? { facts: names.slice(1).map((name, at) => factOf(names[0] ?? '', VERBS[at] ?? '', name)) }
      : asks('same')
        ? { same: [], repeated: [], ended: [] }
        : { summary: 'Somebody at work.', category: 'Person', confidence: 0.9, facets: {} };
  return saying(answer);
}

function factOf(source: string, relation_type: string, target: string): JsonObject {
  const fact = `${source} ${relation_type.toLowerCase().replaceAll('_', ' ')} ${target}.`;
  return { source, target, relation_type, fact, valid_at: null, invalid_at: null };
}

interface Told {
  readonly ms: number;
  readonly statements: number;
}
/** Says so many turns in a conversation of its own; each until it is in the graph. */
async function talks(ada: Rememberer, turns: number): Promise<Told[]> {
  const conversationId = await ada.starts();
  const told: Told[] = [];
  for (let turn = 0; turn < turns; turn++) {
    let statements = 0;
    const stop = world.engine.graph.onStatement(({ name }) => {
      if (name !== 'asked') statements++;
    });
    const startedMs = performance.now();
    const end = await world.ingested(await ada.says(conversationId, textOf(turn)));
    told.push({ ms: performance.now() - startedMs, statements });
    stop();
    if (end.status !== 'read' || end.faults.length > 0)
      throw new Error(`Turn ${turn} was ${end.status}: ${end.faults.join(' ')}`);
  }
  return told;
}

async function measured(): Promise<Told[]> {
  try {
    const ada = await world.person();
    world.llm.answers(ada.model, readOut);
    await talks(ada, WARM_UP);
    return await talks(ada, TURNS);
  } finally {
    await world.close();
    await letGo();
    await graph.close();
  }
}

const told = await measured();
const [first, last] = [told.slice(0, ENDS), told.slice(-ENDS)];
const msOf = (some: readonly Told[]) => median(some.map(({ ms }) => ms));
const statementsOf = (some: readonly Told[]) => median(some.map(({ statements }) => statements));
if (process.env['BENCH_VERBOSE'] !== undefined)
  console.log(told.map(({ ms, statements }) => `${ms.toFixed(0)}/${statements}`).join(' '));
const figure: Figure = {
  name: `${TURNS} turns ingested: the rate of the last ${ENDS} against the first`,
  value: msOf(first) / msOf(last),
  unit: 'x',
  bound: 0.8,
  keep: 'at least',
  detail: `${msOf(first).toFixed(0)} / ${msOf(last).toFixed(0)} ms a turn; ${statementsOf(first)} / ${statementsOf(last)} statements`,
};
printFigure(figure);
process.exit(holds(figure) ? 0 : 1);
