import { createIdSource } from '../../src/common/id.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry, OutboxEntry } from '../../src/outbox/entry.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';
import { writeCypher, writeWith } from './graph.ts';

export const clock = { nowMs: () => Date.now() };
export const newId = createIdSource({ ...clock, random: Math.random });
export const quiet = openLog('silent');

/** A fact of a run of its own (or of `rootRunId`), as a writer of the domain would record it. */
export function someEntry(given: Partial<OutboxEntry> = {}): OutboxEntry {
  const rootRunId = given.rootRunId ?? newId();
  return {
    id: newId(),
    kind: 'test.happened',
    at: new Date().toISOString(),
    ownerId: 'somebody',
    workspace: 'somebody',
    rootRunId,
    runId: rootRunId,
    runPath: [rootRunId],
    conversationId: null,
    payload: { text: 'what happened' },
    ...given,
  };
}

export async function write(graph: Graph, ...entries: OutboxEntry[]): Promise<void> {
  await writeWith(graph, appendEntries, entries);
}

/** Lets a projection of this name begin after the present entries of the database. */
export async function beginsHere(graph: Graph, name: string): Promise<string> {
  await writeCypher(
    graph,
    `MATCH (counter:Counter {name: 'outbox'}) MERGE (c:Checkpoint {name: $name}) SET
      c.seq = counter.value`,
    { name },
  );
  return name;
}

/** Waits until `check` holds; fails with its name. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  ms = 100_000,
) {
  const endMs = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > endMs) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Reads `count` entries, then lets go. */
export async function take(entries: AsyncIterable<NumberedEntry>, count: number) {
  const taken: NumberedEntry[] = [];
  for await (const entry of entries) {
    taken.push(entry);
    if (taken.length === count) break;
  }
  return taken;
}
