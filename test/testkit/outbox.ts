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

/** Waits until `check` gives a value that is true, and returns it; fails with its name. */
export async function eventually<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  ms = 150_000,
): Promise<Exclude<Value, false | null | undefined>> {
  const endMs = Date.now() + ms;
  // Each check takes processor time from the work that it waits for.
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    const value = await check();
    if (value) return value as Exclude<Value, false | null | undefined>;
    if (Date.now() > endMs) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
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
