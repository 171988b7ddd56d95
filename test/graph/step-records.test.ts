import { afterAll, describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { type Graph, openGraph } from '../../src/platform/neo4j/graph.ts';
import {
  type AttemptEnd,
  type AttemptStart,
  keyOf,
  type StepState,
  type StepWrite,
} from '../../src/runs/attempts/attempt.cypher.ts';
import { decideClaim } from '../../src/runs/attempts/decide-claim.ts';
import { openStepRecords } from '../../src/runs/attempts/step-records.service.ts';
import { openForgetfulWay } from '../testkit/forgetful-way.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { newId, someEntry } from '../testkit/outbox.ts';
import { worldGraph } from '../testkit/world.ts';

// docs/decisions/0114: starts and ends of attempts, in groups, each decided on a state of its step.

const graph = worldGraph();
const made: string[] = [];
afterAll(() =>
  writeCypher(
    graph,
    `MATCH (r:ProcessRun) WHERE r.id IN $made OPTIONAL MATCH (r)-[:HAS_STEP_RUN]->(s)
      DETACH DELETE r, s`,
    { made },
  ),
);

type Run = StepWrite['run'];
type Start = StepWrite & { readonly start: AttemptStart };

/** Runs of an owner of their own each. */
async function runs(count: number, properties: object = {}): Promise<Run[]> {
  const ids = Array.from({ length: count }, () => newId());
  made.push(...ids);
  await writeCypher(
    graph,
    `UNWIND $ids AS id CREATE (run:ProcessRun {id: id, ownerId: id, rootRunId: id,
      status: 'running'}) SET run += $properties`,
    { ids, properties },
  );
  return ids.map((id) => ({ runId: id, rootRunId: id, ownerId: id, processId: 'p' }));
}

async function aRun(properties: object = {}): Promise<Run> {
  const [run] = await runs(1, properties);
  if (run === undefined) throw new Error('No run was made.');
  return run;
}
/** The state of a step that has not begun. */
const FRESH: StepState = { runStatus: 'running', record: null, tool: null };
const NO_TOKENS = { budgetTokens: 100, tokensUsed: 0, tokensReserved: 0 };
async function spentBy({ runId }: Run): Promise<object | undefined> {
  const [root] = await runCypher(
    graph,
    `MATCH (r:ProcessRun {id: $runId})
      RETURN r.tokensUsed AS used, r.costUsed AS cost, r.tokensReserved AS reserved`,
    { runId },
  );
  return root;
}

const look = (records: ReturnType<typeof openStepRecords>, run: Run, stepId: string) =>
  records.look(run.ownerId, { runId: run.runId, key: `${run.runId}/${stepId}`, toolId: 'none' });

/** The write of the next attempt's start, decided on this state. */
function startOf(run: Run, stepId: string, state: StepState | null): Start {
  if (state === null) throw new Error('The run is gone.');
  const decision = decideClaim(state, 3);
  if (decision.kind !== 'claim') throw new Error(`The step is ${decision.kind}.`);
  const { record } = state;
  const now = new Date().toISOString();
  const { attempt } = decision;
  return {
    ...{ run, stepId, index: null, attempt, now, startedAt: now, workerId: null, end: null },
    from: {
      status: record?.status ?? 'pending',
      attempt: record?.attempt ?? 0,
      usage: record?.usage ?? NO_USAGE,
    },
    start: { inputs: '{}', inputsBlob: null, toolId: 'none', runStart: null },
    entries: [someEntry({ kind: 'step.started', rootRunId: run.rootRunId, payload: { attempt } })],
  };
}

const COMPLETED: AttemptEnd = {
  ...{ status: 'completed', output: '"done"', outputBlob: null, outputBytes: 6, error: null },
  ...{ outputTruncated: false, cached: false, cacheKey: null },
  usage: { ...NO_USAGE, inputTokens: 7, costUsd: 0.5, toolCalls: 1 },
};

const endOf = (start: StepWrite, end: AttemptEnd = COMPLETED): StepWrite => ({
  ...start,
  ...{ start: null, end },
  from: { ...start.from, status: 'running', attempt: start.attempt },
  entries: [someEntry({ kind: 'step.ended', rootRunId: start.run.rootRunId })],
});

async function kindsOf(run: Run): Promise<unknown[]> {
  const rows = await runCypher(
    graph,
    'MATCH (o:OutboxEntry {rootRunId: $id}) RETURN o.kind AS kind ORDER BY o.id',
    { id: run.runId },
  );
  return rows.map(({ kind }) => kind);
}

const statusOf = async (run: Run, stepId: string) =>
  (await look(openStepRecords(graph), run, stepId))?.record?.status;

/** Counts transactions that write attempts. */
function counted(): { graph: Pick<Graph, 'read' | 'write'>; writes: () => number } {
  let writes = 0;
  return {
    graph: {
      read: (work) => graph.read(work),
      write: (work) => {
        writes += 1;
        return graph.write(work);
      },
    },
    writes: () => writes,
  };
}

describe('the records of steps', () => {
  it('go in few transactions where many arrive at once, and each is answered', async () => {
    const some = await runs(40);
    const { graph: counting, writes } = counted();
    const sizes: number[] = [];
    const records = openStepRecords(counting, (members) => sizes.push(members));
    const starts = await Promise.all(
      some.map(async (run) => startOf(run, 'a', await look(records, run, 'a'))),
    );
    expect(await Promise.all(starts.map((start) => records.write(start)))).toEqual(
      starts.map(() => 'done'),
    );
    await Promise.all(
      starts.map(({ run }) =>
        records.append(run.ownerId, [someEntry({ kind: 'step.text', rootRunId: run.runId })]),
      ),
    );
    expect(await Promise.all(starts.map((start) => records.write(endOf(start))))).toEqual(
      starts.map(() => 'done'),
    );
    expect(writes()).toBeLessThan(12);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120);
    for (const run of some.slice(0, 3)) {
      expect(await kindsOf(run)).toEqual(['step.started', 'step.text', 'step.ended']);
      expect(await statusOf(run, 'a')).toBe('completed');
    }
  });

  it('hold a start and its end in one write, with the usage of all attempts', async () => {
    const run = await aRun();
    const records = openStepRecords(graph);
    for (const status of ['pending', 'completed'] as const) {
      const start = startOf(run, 'a', await look(records, run, 'a'));
      const ended = someEntry({ kind: 'step.ended', rootRunId: run.runId });
      const end = { ...COMPLETED, status };
      const write = { ...start, end, entries: [...start.entries, ended] };
      expect(await records.write(write)).toBe('done');
    }
    const state = await look(records, run, 'a');
    expect(state?.record).toMatchObject({
      ...{ status: 'completed', attempt: 2, output: 'done' },
      usage: { inputTokens: 14, costUsd: 1, toolCalls: 2 },
    });
    expect(await kindsOf(run)).toHaveLength(4);
  });

  it('grant an attempt to one of two writers that saw the same state', async () => {
    const some = await runs(10);
    const [ada, bob] = [openStepRecords(graph), openStepRecords(graph)];
    for (const stepId of ['first', 'second']) {
      const answers = await Promise.all(
        some.map(async (run) => {
          const start = startOf(run, stepId, await look(ada, run, stepId));
          const entry = someEntry({ kind: 'step.started', rootRunId: run.rootRunId });
          const other = { ...start, entries: [entry] };
          return Promise.all([ada.write(start), bob.write(other)]);
        }),
      );
      for (const answer of answers) expect(answer.toSorted()).toEqual(['changed', 'done']);
    }
    for (const run of some.slice(0, 3))
      expect(await kindsOf(run)).toEqual(['step.started', 'step.started']);
  });

  it('fail a write that Neo4j refuses alone, with its reason, and keep its group', async () => {
    const some = await runs(6);
    const records = openStepRecords(graph);
    const answers = await Promise.all(
      some.map(async (run, index) => {
        const start = startOf(run, 'a', await look(records, run, 'a'));
        const bad = { ...start, start: { ...start.start, inputs: { no: 'property' } as never } };
        return records
          .write(index === 3 ? (bad as StepWrite) : start)
          .catch((error: Error) => error.message);
      }),
    );
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(5);
    expect(answers[3]).toMatch(/Property values can only be of primitive types/);
    expect(await kindsOf(some[3] as Run)).toEqual([]);
  });

  it('begin nothing in a run that is over, and end only the attempt they know', async () => {
    const [over, open] = [await aRun({ status: 'cancelled' }), await aRun()];
    const records = openStepRecords(graph);
    expect(decideClaim({ runStatus: 'cancelled', record: null }, 3)).toEqual({ kind: 'over' });
    expect(await records.write(startOf(over, 'a', FRESH))).toBe('changed');
    const first = startOf(open, 'a', FRESH);
    expect(await records.write(first)).toBe('done');
    // Its worker was taken for lost, and another attempt began.
    const second = startOf(open, 'a', await look(records, open, 'a'));
    expect(second.attempt).toBe(2);
    expect(await records.write(second)).toBe('done');
    expect(await records.write(endOf(first))).toBe('changed');
    expect(await records.write(endOf(second))).toBe('done');
    expect(await records.write(endOf(second))).toBe('changed');
    expect(await kindsOf(over)).toEqual([]);
  });

  it('record the start of a run once, before the first steps that found it pending', async () => {
    const run = await aRun({ status: 'pending' });
    const records = openStepRecords(graph);
    const starts = await Promise.all(
      ['a', 'b'].map(async (stepId) => {
        const entry = someEntry({ kind: 'run.started', rootRunId: run.runId });
        const runStart = { runId: run.runId, temporalRunId: 't', now: entry.at, entry };
        const write = startOf(run, stepId, await look(records, run, stepId));
        return { ...write, start: { ...write.start, runStart } } satisfies StepWrite;
      }),
    );
    const answers = await Promise.all(starts.map((start) => records.write(start)));
    expect(answers).toEqual(['done', 'done']);
    expect(await kindsOf(run)).toEqual(['run.started', 'step.started', 'step.started']);
    expect((await look(records, run, 'a'))?.runStatus).toBe('running');
  });

  it('reserve no more than the budget holds, and settle what was spent', async () => {
    const run = await aRun(NO_TOKENS);
    const both = [openStepRecords(graph), openStepRecords(graph)] as const;
    const starts = [0, 1, 2, 3, 4, 5].map((at) => startOf(run, `s${at}`, FRESH));
    const answers = await Promise.all(
      starts.map((start, index) =>
        (both[index % 2] ?? both[0]).reserve(start, { tokens: 30, cost: 0 }),
      ),
    );
    const granted = starts.filter((_, index) => answers[index] === 'done');
    expect(granted).toHaveLength(3);
    expect(answers).toContainEqual({ budgetVersion: 0 });
    await Promise.all(granted.map((start) => both[0].settle(endOf(start), 'used')));
    expect(await spentBy(run)).toMatchObject({ used: 21, reserved: 0 });
  });

  it('count all that was reserved where the call was lost with its worker', async () => {
    const run = await aRun(NO_TOKENS);
    const records = openStepRecords(graph);
    const start = startOf(run, 'ask', FRESH);
    expect(await records.reserve(start, { tokens: 30, cost: 0.25 })).toBe('done');
    const lost: AttemptEnd = { ...COMPLETED, status: 'failed', output: null, usage: NO_USAGE };
    expect(await records.settle(endOf(start, lost), 'reserved')).toBe('done');
    expect(await spentBy(run)).toEqual({ used: 30, cost: 0.25, reserved: 0 });
  });

  it('are written once where the answer of the commit is lost, or its process ends', async () => {
    const way = await openForgetfulWay();
    const forgetful = openGraph({
      uri: way.uri,
      user: process.env['NEO4J_USER'] ?? 'neo4j',
      password: process.env['NEO4J_PASSWORD'] ?? '',
    });
    const some = await runs(5);
    const records = openStepRecords(forgetful);
    const starts = some.map((run) => startOf(run, 'a', FRESH));
    way.state.toLose = 1;
    const answers = await Promise.all(starts.map((start) => records.write(start)));
    expect(way.state.lost).toBe(1);
    expect(answers).toEqual(starts.map(() => 'done'));
    // A process that ended before the answer: its successor looks again.
    const successor = openStepRecords(graph);
    expect(await Promise.all(starts.map((start) => successor.write(start)))).toEqual(
      starts.map(() => 'changed'),
    );
    for (const start of starts) {
      expect(await kindsOf(start.run)).toEqual(['step.started']);
      const again = startOf(start.run, 'a', await look(successor, start.run, 'a'));
      expect([keyOf(again), again.attempt]).toEqual([keyOf(start), 2]);
    }
    await forgetful.close();
    await way.close();
  });
});
