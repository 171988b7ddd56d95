import type { Projection } from '../../src/outbox/projector.service.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { runCypher, writeCypher } from './graph.ts';
import { beginsHere } from './outbox.ts';

/** Counts of a counting projection for one test. */
export interface Tally {
  /** Grows by one for each entry that was counted. */
  readonly count: number;
  /** Entries that bear the mark of having been counted. */
  readonly marked: number;
  readonly numbers: number;
  readonly pending: number;
  readonly deadLetters: number;
}

// The tally's lock is taken first, so that two counters at once take turns; the
// mark on the entry makes it idempotent, as the MERGE of a real projection does.
const COUNT = `
  // testCount
  MATCH (t:TestTally {name: $name}) SET t.lock = true
  WITH t UNWIND $ids AS id
  MATCH (o:OutboxEntry {id: id}) WHERE o.testTally IS NULL
  SET o.testTally = $name
  WITH t, count(o) AS fresh
  SET t.count = t.count + fresh
`;

const READ = `
  // testTally
  MATCH (t:TestTally {name: $name})
  RETURN t.count AS count,
    COUNT { MATCH (o:OutboxEntry {rootRunId: $name}) WHERE o.testTally = $name } AS marked,
    COUNT { MATCH (o:OutboxEntry {rootRunId: $name}) WHERE o.seq IS NOT NULL RETURN DISTINCT o.seq
    } AS numbers,
    COUNT { MATCH (o:OutboxEntry:PendingEntry {rootRunId: $name}) } AS pending,
    COUNT { MATCH (l:DeadLetter {projection: $name}) } AS deadLetters
`;

/** Before the first entry is written: the projection of this name counts from here on. */
export async function beginTally(graph: Graph, name: string): Promise<void> {
  await writeCypher(graph, 'CREATE (:TestTally {name: $name, count: 0})', { name });
  await beginsHere(graph, name);
}

/** Counts the entries of the run that has its name. */
export function tallyProjection(graph: Graph, name: string): Projection {
  return {
    name,
    handle: async (entries) => {
      const ids = entries.filter(({ rootRunId }) => rootRunId === name).map(({ id }) => id);
      if (ids.length > 0) await writeCypher(graph, COUNT, { name, ids });
    },
  };
}

export async function readTally(graph: Graph, name: string): Promise<Tally> {
  const [row] = await runCypher(graph, READ, { name });
  return row as unknown as Tally;
}
