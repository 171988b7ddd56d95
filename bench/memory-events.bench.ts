import { randomUUID } from 'node:crypto';
import neo4j from 'neo4j-driver';
import {
  estimateTokens,
  type GivenEvent,
  MEMORY_INGESTED,
} from '../src/agent-memory/events/event.ts';
import { eventKey } from '../src/agent-memory/events/key.ts';
import { expandGrip } from '../src/agent-memory/grips/expand-grip.service.ts';
import { TOC_LEVELS } from '../src/agent-memory/toc/toc.ts';
import { browseToc, getTocNode } from '../src/agent-memory/toc/toc-browse.service.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openMemoryBench, storyOf } from './memory-store.ts';
import { holds, interleave, lastTenth, median, percentile, printFigure } from './report.ts';

// The agent memory: the cost of taking in events over the least that any writer of the same graph
// does, whether the rate holds up to 1,000,000 events of one store, and whether browsing its table
// of contents and expanding grips take as long there as among 10,000.

const BATCH = 1_000;
const SMALL = Number(process.env['BENCH_EVENTS_SMALL'] ?? 10_000);
const TOTAL = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
/** Of each way, in each round. */
const READS = Number(process.env['BENCH_READS'] ?? 300);
const ROUNDS = 7;
const { env } = process;
const uri = String(env['NEO4J_URI']);
const user = env['NEO4J_USER'] ?? 'neo4j';
const password = env['NEO4J_PASSWORD'] ?? '';
const graph = openGraph({ uri, user, password });
const driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
  disableLosslessIntegers: true,
});
await migrate(graph);
const memory = openMemoryBench(graph);
type Person = ReturnType<typeof memory.person>;

let kept = true;
const show = (figure: Parameters<typeof printFigure>[0]) => {
  printFigure(figure);
  kept = holds(figure) && kept;
};
const rate = (ms: number) => `${Math.round((BATCH / ms) * 1_000)}/s`;

// The baseline: the same nodes and properties, written without checks.
const BARE = /* cypher */ `
  // benchBareEvents
  CALL () {
    UNWIND $events AS event
    CREATE (m:MemoryEvent)
    SET m = event
  }
  CREATE (o:OutboxEntry:PendingEntry:MemoryIngest)
  SET o = $entry, o.at = datetime($entry.at)
`;
async function writeBare(person: Person, given: readonly GivenEvent[]): Promise<void> {
  const { store, workspace, userId } = person;
  const { int } = neo4j;
  const nowMs = Date.now();
  const events = given.map(({ eventId, timestamp, metadata, ...event }) => {
    const ms = Date.parse(timestamp);
    return {
      ...event,
      eventId,
      realm: store,
      store,
      key: eventKey.prefixStart(ms) + eventId,
      timestampMs: int(ms),
      arrivedMs: int(nowMs),
      tokens: int(estimateTokens(event.text)),
      metadata: JSON.stringify(metadata),
    };
  });
  const ids = given.map(({ eventId, timestamp }) => [eventId, Date.parse(timestamp)]);
  const entry = {
    id: randomUUID(),
    kind: MEMORY_INGESTED,
    at: new Date(nowMs).toISOString(),
    ownerId: userId,
    workspace,
    runPath: [],
    payload: JSON.stringify({ store, events: ids }),
  };
  const session = driver.session();
  try {
    await session.executeWrite((tx) => tx.run(BARE, { events, entry }));
  } finally {
    await session.close();
  }
}

async function compareIngest(): Promise<void> {
  const [ours, bare] = [memory.person(), memory.person()];
  const at = { ours: 0, bare: 0 };
  // Generated before the measurement, so that no measured time includes it.
  const rounds = { rounds: 25, warmUp: 10 };
  const stories = Array.from({ length: 35 }, (_, round) => storyOf(round * BATCH, BATCH));
  const times = await interleave(
    {
      ours: () => memory.ingest(ours, stories[at.ours++] ?? []),
      bare: () => writeBare(bare, stories[at.bare++] ?? []),
    },
    rounds,
  );
  const [oursMs, bareMs] = [median(times.ours), median(times.bare)];
  show({
    name: 'ingestEvents over a bare UNWIND … CREATE of the same graph',
    value: bareMs / oursMs,
    unit: 'x',
    bound: 0.5,
    keep: 'at least',
    detail: `${rate(oursMs)} against ${rate(bareMs)}`,
  });
}

/** Milliseconds of each batch. */
async function fill(person: Person, from: number, until: number): Promise<number[]> {
  const batchMs: number[] = [];
  for (let number = from; number < until; number += BATCH) {
    const events = storyOf(number, BATCH);
    const startedMs = performance.now();
    await memory.ingest(person, events);
    batchMs.push(performance.now() - startedMs);
  }
  return batchMs;
}

const WAYS = ['browseToc', 'getNode', 'expandGrip'] as const;
const NODES = '// benchNodes\nMATCH (l:TocLatest {store: $store}) RETURN l.nodeId AS id';
const GRIPS =
  '// benchGrips\nMATCH (g:Grip {store: $store}) WITH g ORDER BY rand() LIMIT $limit RETURN ' +
  'g.gripId AS id';

/**
 * The 95th percentile of each way of reading, over nodes and grips of the whole store, a like share
 * of each level.
 */
async function readAll(person: Person): Promise<Record<(typeof WAYS)[number], number>> {
  const { store } = person;
  const [nodes, grips] = await graph.read(async (tx) => [
    await tx.run(NODES, { store }),
    await tx.run(GRIPS, { store, limit: 5_000 }),
  ]);
  const byLevel = Map.groupBy(
    nodes.map(({ id }) => String(id)),
    (id) => id.split(':')[1] ?? '',
  );
  const any = (ids: readonly string[] = []) => String(ids[Math.floor(Math.random() * ids.length)]);
  const nodeOf = (levels: readonly string[], index: number) =>
    any(byLevel.get(levels[index % levels.length] ?? ''));
  const gripIds = grips.map(({ id }) => String(id));
  const read = {
    async browseToc(index: number) {
      const parentId = nodeOf(['year', 'month', 'week', 'day'], index);
      // Weeks and days have as many children at any size; of years and months both have a page of
      // two.
      const limit = /year|month/.test(parentId) ? 2 : 50;
      const page = await browseToc(memory.deps, person, { parentId, limit });
      return page.nodes.length > 0;
    },
    getNode: async (index: number) =>
      (await getTocNode(memory.deps, person, { nodeId: nodeOf(TOC_LEVELS, index) })) !== null,
    async expandGrip() {
      const found = await expandGrip(memory.deps, person, { gripId: any(gripIds) });
      return (found?.excerptEvents.length ?? 0) > 0;
    },
  };
  const percentiles = {
    browseToc: [] as number[],
    getNode: [] as number[],
    expandGrip: [] as number[],
  };
  // The first round is for plans and caches; of the others the median, so that another program's
  // second on this machine decides nothing.
  for (let round = 0; round <= ROUNDS; round++) {
    const times = {
      browseToc: [] as number[],
      getNode: [] as number[],
      expandGrip: [] as number[],
    };
    for (let index = 0; index < READS; index++)
      for (const way of WAYS) {
        const startedMs = performance.now();
        if (!(await read[way](index))) throw new Error(`${way} found nothing.`);
        times[way].push(performance.now() - startedMs);
      }
    if (round > 0) for (const way of WAYS) percentiles[way].push(percentile(times[way], 95));
  }
  return {
    browseToc: median(percentiles.browseToc),
    getNode: median(percentiles.getNode),
    expandGrip: median(percentiles.expandGrip),
  };
}

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1_000).toFixed(0)} s`;
try {
  await compareIngest();

  const ada = memory.person();
  const first = await fill(ada, 0, SMALL);
  await memory.sumUp();
  const small = await readAll(ada);
  let startedMs = performance.now();
  const batchMs = [...first, ...(await fill(ada, SMALL, TOTAL))];
  console.log(`     ${TOTAL} events in ${seconds(startedMs)}`);
  const { firstMs, lastMs, ratio } = lastTenth(batchMs);
  show({
    name: `the last tenth of ${TOTAL} events of one store over the first`,
    value: ratio,
    unit: 'x',
    bound: 0.8,
    keep: 'at least',
    detail: `${rate(lastMs)} after ${rate(firstMs)}`,
  });
  console.log(`     ${await memory.sumUp()}`);
  const large = await readAll(ada);
  for (const way of WAYS)
    show({
      name: `${way}, the 95th percentile at ${TOTAL} events against ${SMALL}`,
      value: large[way] / small[way],
      unit: 'x',
      bound: 1.5,
      keep: 'at most',
      detail: `${large[way].toFixed(2)} ms against ${small[way].toFixed(2)} ms`,
    });
  startedMs = performance.now();
  await memory.close();
  console.log(`     gone again in ${seconds(startedMs)}`);
} finally {
  await Promise.all([graph.close(), driver.close()]);
}
process.exitCode = kept ? 0 : 1;
