import process from 'node:process';
import type { JsonObject } from '../src/common/json.ts';
import { openEmbeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { aloneWithVectors, scriptedEmbedder } from '../test/testkit/embedder.ts';
import { testGraph } from '../test/testkit/graph.ts';
import { openMemoryWorld, type Rememberer, saying } from '../test/testkit/memory-world.ts';
import { quiet } from '../test/testkit/outbox.ts';
import type { LlmRequest, ScriptedReply } from '../test/testkit/scripted-llm.ts';
import { type Figure, holds, median, pairedRatio, printFigure } from './report.ts';

// The effect of a conversation's length on its own ingestion: 200 turns, one after the other, each
// told until all of it is in the graph, by the real workflow and Process, with a model that answers
// at once. Names recur, so resolution looks at ever more of them. A machine's slow minutes fall on
// both ends alike: the first turns are those of a second conversation, told between the last.

const TURNS = Number(process.env['BENCH_TURNS'] ?? 200);
const WARM_UP = Number(process.env['BENCH_WARM_UP'] ?? 60);
const ENDS = Math.min(20, Math.floor(TURNS / 2));

const graph = testGraph();
await migrate(graph);
const letGo = await aloneWithVectors(graph);
const embedder = scriptedEmbedder({ model: 'bench-ingest', dimension: 100 });
const embeddings = openEmbeddings({ graph, log: quiet, embedder, openFormer: () => embedder });
const world = await openMemoryWorld({ embeddings });

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
  const asks = (key: string) => system.includes(`{${key}:`);
  const said = messages.at(-1)?.content ?? '';
  const turn = Number(/<messages>[\s\S]*?Turn (\d+):/.exec(said)?.[1] ?? 0);
  const names = namesIn(turn);
  const answer: JsonObject = asks('entities')
    ? {
        entities: names.map((name) => ({
          name,
          category: 'Person',
          summary: `${name} was at work in week ${turn % 52}.`,
        })),
        facts: names.slice(1).map((name, at) => factOf(names[0] ?? '', VERBS[at] ?? '', name)),
      }
    : asks('same')
      ? { same: [], repeated: [], ended: [] }
      : { summary: 'A person at work.', category: 'Person', confidence: 0.9, facets: {} };
  return saying(answer);
}

function factOf(source: string, relation: string, target: string): JsonObject {
  const fact = `${source} ${relation.toLowerCase().replaceAll('_', ' ')} ${target}.`;
  return { source, target, relation, fact, valid_at: null, invalid_at: null };
}

/** Says so many turns, each until it is in the graph; how many milliseconds each took. */
async function tells(
  { ada, conversationId }: Talk,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = from; turn < to; turn++) {
    const startedMs = performance.now();
    const end = await world.ingested(await ada.says(conversationId, textOf(turn)));
    times.push(performance.now() - startedMs);
    if (end.status !== 'read' || end.faults.length > 0)
      throw new Error(`Turn ${turn} was ${end.status}: ${end.faults.join(' ')}`);
  }
  return times;
}

interface Talk {
  readonly ada: Rememberer;
  readonly conversationId: string;
}
async function begins(): Promise<Talk> {
  const ada = await world.person();
  world.llm.answers(ada.model, readOut);
  return { ada, conversationId: await ada.starts() };
}

/**
 * The last turns of a long conversation and, in the same minutes, the first of another, one by one.
 */
async function measured(): Promise<{ first: number[]; last: number[]; began: number[] }> {
  try {
    await tells(await begins(), { from: 0, to: WARM_UP });
    const [long, fresh] = [await begins(), await begins()];
    const began = await tells(long, { from: 0, to: TURNS - ENDS });
    const [first, last]: [number[], number[]] = [[], []];
    for (let n = 0; n < ENDS; n++) {
      first.push(...(await tells(fresh, { from: n, to: n + 1 })));
      last.push(...(await tells(long, { from: TURNS - ENDS + n, to: TURNS - ENDS + n + 1 })));
    }
    return { first, last, began: began.slice(0, ENDS) };
  } finally {
    await world.close();
    await letGo();
    await graph.close();
  }
}

const { first, last, began } = await measured();
const figure: Figure = {
  name: `${TURNS} turns ingested: the rate of the last ${ENDS} against the first`,
  value: pairedRatio(first, last),
  unit: 'x',
  bound: 0.8,
  keep: 'at least',
  detail:
    `${median(first).toFixed(0)} / ${median(last).toFixed(0)} ms a turn; its own first ${ENDS} ` +
    `took ${median(began).toFixed(0)} ms`,
};
printFigure(figure);
process.exit(holds(figure) ? 0 : 1);
