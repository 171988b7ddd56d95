import { z } from 'zod';
import type { Graph, Row } from '../src/platform/neo4j/graph.ts';
import { parseRow } from '../src/platform/neo4j/row.ts';
import type { Injury } from './injuries.ts';
import { allCursors, type Person, STEPS } from './load.ts';
import type { ReceivedCall, Target } from './target.ts';

/** A fault may make the engine repeat a call until this long after it. */
const AFTERMATH_MS = 120_000;
const SHOWN_MAX = 5;

const RunRow = z.object({
  id: z.string(),
  status: z.string(),
  output: z.string().nullable(),
  /** JSON of a run that failed. */
  error: z.string().nullable(),
  steps: z.array(z.object({ stepId: z.string(), status: z.string() })),
  kinds: z.array(z.string()),
});
type RunRow = z.infer<typeof RunRow>;

const FIND_RUNS = /* cypher */ `
  // faultsRuns
  MATCH (r:ProcessRun {processId: $processId})
  RETURN r.id AS id, r.status AS status, r.output AS output, r.error AS error,
    [(r)-[:HAS_STEP_RUN]->(s:StepRun) | s {.stepId, .status}] AS steps,
    COLLECT { MATCH (o:OutboxEntry {runId: r.id}) RETURN o.kind } AS kinds
`;

/** All runs of a person's Process, as they are stored. */
export async function runsOf(graph: Graph, { processId }: Person): Promise<RunRow[]> {
  const rows = await graph.read((tx) => tx.run(FIND_RUNS, { processId }));
  return rows.map((row: Row) => parseRow(RunRow, row, 'ProcessRun'));
}

/** Every accepted run ended once, with the right output, one record per step, and no run beside. */
export function checkRuns(person: Person, runs: readonly RunRow[]): string[] {
  const faults: string[] = [];
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const { id, text } of person.runs) {
    const run = byId.get(id);
    if (run === undefined) {
      faults.push(`run ${id} was accepted and is not stored`);
      continue;
    }
    if (run.status !== 'completed') faults.push(`run ${id} is ${run.status}: ${run.error}`);
    else if (run.output !== `done: ${text}`) faults.push(`run ${id} has the output ${run.output}`);
  }
  for (const { id, status, steps, kinds } of runs) {
    if (status !== 'completed') continue;
    const found = steps.map(({ stepId, status: of }) => `${stepId} ${of}`).sort();
    const expected = STEPS.map((step) => `${step} completed`).sort();
    if (found.join() !== expected.join()) faults.push(`run ${id} has the steps ${found.join()}`);
    const expectedKinds = { 'run.requested': 1, 'run.started': 1, 'step.ended': 3, 'run.ended': 1 };
    for (const [kind, count] of Object.entries(expectedKinds)) {
      const actual = kinds.filter((one) => one === kind).length;
      if (actual !== count) faults.push(`run ${id} has ${actual} entries ${kind}, not ${count}`);
    }
  }
  if (new Set(person.runs.map(({ id }) => id)).size !== person.runs.length)
    faults.push('two accepted requests got the same run');
  return faults;
}

/**
 * Each step called the target, and again only after a fault, or where the caller hung up before the
 * answer: a quick call of a workflow ends after 500 ms, and its queue makes it
 * (docs/decisions/0123).
 */
export function checkCalls(
  runs: readonly RunRow[],
  target: Target,
  injuries: readonly Injury[],
): { faults: string[]; repeated: number; left: number } {
  const faults: string[] = [];
  const known = new Set(runs.flatMap(({ id }) => STEPS.map((step) => `${id}/${step}`)));
  let repeated = 0;
  let left = 0;
  const isExplained = (ms: number) =>
    injuries.some(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs + AFTERMATH_MS);
  for (const [key, calls] of target.calls) {
    if (!known.has(key)) faults.push(`the target was called for ${key}, which is no step`);
    repeated += calls.length - 1;
    const wasLeft = (index: number) => calls[index]?.wasLeft === true;
    left += calls.slice(1).filter((_call, index) => wasLeft(index)).length;
    if (calls.slice(1).some(({ atMs }, index) => !wasLeft(index) && !isExplained(atMs)))
      faults.push(`the call of ${key} was repeated, and no fault explains it: ${clocks(calls)}`);
  }
  for (const { id, status } of runs)
    for (const step of STEPS)
      if (status === 'completed' && !target.calls.has(`${id}/${step}`))
        faults.push(`step ${step} of run ${id} has a result without a call`);
  return { faults, repeated, left };
}

/** The times of day of calls. */
function clocks(calls: readonly ReceivedCall[]): string {
  return calls
    .map(({ atMs, wasLeft }) => {
      const at = new Date(atMs).toISOString().slice(11, 23);
      return wasLeft ? `${at} (left)` : at;
    })
    .join(', ');
}

/** Each accepted turn is in its conversation once, in the order of acceptance. */
export async function checkTurns(person: Person, url: string): Promise<string[]> {
  const query =
    'query ($id: ID!) { node(id: $id) { ... on Conversation { activePath { id content } } } }';
  const { node } = await person
    .at(url)
    .query<{ node: { activePath: { id: string; content: string }[] } }>(query, {
      id: person.conversationId,
    });
  const stored = node.activePath.map(({ content }) => content);
  const accepted = person.turns.map(({ text }) => text);
  const places = accepted.map((text) => stored.indexOf(text));
  const faults: string[] = [];
  if (places.includes(-1)) faults.push('an accepted turn is missing');
  if (new Set(stored).size !== stored.length) faults.push('a turn is stored twice');
  if (places.some((place, index) => index > 0 && place <= (places[index - 1] ?? 0)))
    faults.push('turns are out of order');
  return faults;
}

/** Checks that subscribers got the same events as a subscriber that reads from the beginning. */
export async function checkSubscribers(person: Person, url: string): Promise<string[]> {
  const faults: string[] = [];
  for (const followed of person.followed) {
    const { cursors, field, id } = followed;
    if (field === 'conversationEvents' && cursors.length === 0) continue;
    const all = await allCursors(person.at(url), followed, cursors.length);
    const seen = field === 'runEvents' ? all : all.slice(0, cursors.length);
    if (cursors.join() !== seen.join())
      faults.push(
        `a subscriber of ${field} ${id} got ${cursors.length} of ${all.length} events or others`,
      );
  }
  return faults;
}

/** The log is numbered without gaps, and no projection has given an entry up. */
export async function checkLog(graph: Graph): Promise<string[]> {
  const [row] = await graph.read((tx) =>
    tx.run(`// faultsLog
      MATCH (o:OutboxEntry) WHERE o.seq IS NOT NULL
      WITH count(o) AS entries, count(DISTINCT o.seq) AS numbers,
        max(o.seq) - min(o.seq) + 1 AS span
      RETURN entries, numbers, span, COUNT { (:DeadLetter) } AS letters,
        COLLECT { MATCH (p:PendingEntry) RETURN p.kind } AS pending`),
  );
  const { entries, numbers, span, letters, pending } = row ?? {};
  const kinds = z.array(z.string()).parse(pending ?? []);
  const faults: string[] = [];
  if (entries !== numbers) faults.push(`${entries} entries have ${numbers} numbers`);
  if (numbers !== span) faults.push(`${numbers} numbers span ${span}`);
  if (letters !== 0) faults.push(`${letters} entries were given up`);
  if (kinds.length > 0) faults.push(`${kinds.length} entries have no number: ${kinds.join()}`);
  return faults;
}

/** The first faults of a kind, and how many more there are. */
export function shown(faults: readonly string[]): string[] {
  const more = faults.length - SHOWN_MAX;
  return more > 0 ? [...faults.slice(0, SHOWN_MAX), `and ${more} more`] : [...faults];
}
