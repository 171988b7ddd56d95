import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

let rest: RestServer;
let ada: TestClient;
let world: RunWorld;
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  world = await runWorld(ada, rest);
});
afterAll(() => rest.close());

const starts = (input: object) =>
  ada.mutate<{ run: object | null }>('startProcessRun', input, 'run { id }');

describe('starting a run', () => {
  it('refuses everything wrong at once, each at its path (S4-EXEC-05)', async () => {
    const processId = await world.createsProcess([{ stepId: 'a' }], {
      initialContext: ['name', 'other'],
    });
    const { run, userErrors } = await starts({ processId, context: { wrong: 1 } });
    expect(run).toBeNull();
    expect(userErrors.map(({ code, path }) => `${code} ${path.join('.')}`).sort()).toEqual([
      'REQUIRED input.context.name',
      'REQUIRED input.context.other',
      'UNKNOWN_VARIABLE input.context.wrong',
    ]);
    const context = { name: 'x', other: 'y' };
    const budget = { tokens: 0, costUsd: -2 };
    const numbers = await starts({ processId, context, timeout: -1, budget });
    expect(numbers.userErrors.map(({ path }) => path.join('.')).sort()).toEqual([
      'input.budget.costUsd',
      'input.budget.tokens',
      'input.timeout',
    ]);
  });
});

describe('a run that is over', () => {
  it('answers all that there is to know of it, steps and variables included', async () => {
    const processId = await world.createsProcess(
      [
        { stepId: 'first' },
        { stepId: 'left_out', execution: { condition: 'false' } },
        { stepId: 'second', inputs: { name: '{step.first.body.name}!' } },
      ],
      { outputTemplate: '{{second.body.name}}' },
    );
    const runId = await world.starts(processId);
    expect(await world.finishes(runId)).toEqual({ status: 'COMPLETED', output: 'Grace!' });
    const processRun = await ada.one<Record<string, unknown> & { steps: object[] }>(
      `query ($id: ID!) { processRun(id: $id) {
        id workflowId temporalRunId processName processVersion status context output variables
        error { code }
        depth parentStepId parentRun { id } retryOf { id } childRuns { id } process { id } owner
        { name }
        usage { toolCalls llmCalls inputTokens costUsd } budget { tokens } startedAt completedAt
        createdAt
        steps { stepId index status attempt inputs output outputTruncated cached worker { type
        status } childRun { id }
                usage { toolCalls } error { code } startedAt completedAt } } }`,
      { id: runId },
    );
    expect(processRun).toMatchObject({
      id: runId,
      workflowId: runId,
      status: 'COMPLETED',
      context: { name: 'Grace' },
      output: 'Grace!',
      error: null,
      depth: 0,
      parentStepId: null,
      parentRun: null,
      retryOf: null,
      childRuns: [],
      process: { id: processId },
      usage: { toolCalls: 2, llmCalls: 0, inputTokens: 0, costUsd: null },
      budget: null,
      variables: {
        first: { body: { name: 'Grace' } },
        left_out: null,
        second: { body: { name: 'Grace!' } },
      },
    });
    const steps = new Map(
      processRun.steps.map((step) => [(step as { stepId: string }).stepId, step]),
    );
    expect(steps.get('first')).toMatchObject({
      status: 'COMPLETED',
      attempt: 1,
      inputs: { name: 'Grace' },
      worker: { type: 'REST_CALL' },
      usage: { toolCalls: 1 },
    });
    expect(steps.get('left_out')).toMatchObject({ status: 'SKIPPED', output: null });
  });

  it('fails with code, step and a message to act on, in itself and in its stream', async () => {
    const failing = await runWorld(ada, rest, '/status/400');
    const processId = await failing.createsProcess([{ stepId: 'breaks' }]);
    const runId = await failing.starts(processId);
    expect((await failing.finishes(runId)).status).toBe('FAILED');
    const processRun = await ada.find<{ error: { code: string; stepId: string; message: string } }>(
      'processRun',
      runId,
      'error { code message stepId details }',
    );
    expect(processRun.error).toMatchObject({ code: 'TOOL_FAILED', stepId: 'breaks' });
    expect(processRun.error.message).toContain('400');
    const kinds: string[] = [];
    for await (const { runEvents } of ada.subscribeSse<{ runEvents: { __typename: string } }>(
      `subscription ($runId: ID!) { runEvents(runId: $runId) { __typename ... on ErrorEvent {
        message } } }`,
      { runId },
    ))
      kinds.push(runEvents.__typename);
    expect(kinds.slice(-2)).toEqual(['ErrorEvent', 'HarnessEndEvent']);
    const retry = await ada.mutate<{ run: { id: string } | null }>(
      'retryProcessRun',
      { runId },
      'run { id }',
    );
    expect(retry.userErrors).toEqual([]);
    expect(retry.run?.id).not.toBe(runId);
    await failing.finishes(retry.run?.id ?? '');
  });

  it('can not be cancelled, paused or resumed any more', async () => {
    const runId = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
    await world.finishes(runId);
    for (const name of ['cancelProcessRun', 'pauseProcessRun', 'resumeProcessRun']) {
      const { userErrors } = await ada.mutate(name, { id: runId });
      expect(userErrors).toMatchObject([{ code: 'STATE', path: ['input', 'id'] }]);
    }
  });
});

describe('runs as a list', () => {
  it("show only the viewer's own, by Process and status, newest first", async () => {
    const processId = await world.createsProcess([{ stepId: 'a' }], { shared: false });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      ids.push(await world.starts(processId));
      await world.finishes(ids.at(-1) ?? '');
    }
    const list = (who: TestClient, extra = '') =>
      who.query<{ processRuns: { totalCount: number; nodes: { id: string }[] } }>(
        `query ($processId: ID) { processRuns(processId: $processId ${extra}) { totalCount nodes
          { id } pageInfo { hasNextPage } } }`,
        { processId },
      );
    expect((await list(ada)).processRuns.nodes.map(({ id }) => id)).toEqual([...ids].reverse());
    expect((await list(ada, ', status: [FAILED]')).processRuns.totalCount).toBe(0);
    expect((await list(ada, ', first: 2')).processRuns.nodes).toHaveLength(2);
    expect((await list(client(freshName('eve')))).processRuns.totalCount).toBe(0);
    const viaProcess = await ada.query<{ process: { runs: { totalCount: number } } }>(
      'query ($id: ID!) { process(id: $id) { runs(status: [COMPLETED]) { totalCount } } }',
      { id: processId },
    );
    expect(viaProcess.process.runs.totalCount).toBe(3);
  });

  it('are found by words of their context, error, name or id, and by their time', async () => {
    const word = freshName('Kiel');
    const processId = await world.createsProcess([{ stepId: 'a' }]);
    const failing = await runWorld(ada, rest, '/status/400');
    const failingId = await failing.createsProcess([{ stepId: 'breaks' }]);
    const found = await world.starts(processId, { context: { name: `From ${word} by sea` } });
    const broken = await failing.starts(failingId);
    await Promise.all([world.finishes(found), failing.finishes(broken)]);
    const list = async (variables: object) => {
      const { processRuns } = await ada.query<{ processRuns: { nodes: { id: string }[] } }>(
        `query ($query: String, $from: DateTime, $to: DateTime, $processId: ID) {
          processRuns(query: $query, from: $from, to: $to, processId: $processId) {
            nodes { id } } }`,
        variables,
      );
      return processRuns.nodes.map(({ id }) => id);
    };
    expect(await list({ query: ` ${word.toUpperCase()}  sea ` })).toEqual([found]);
    expect(await list({ query: `${word} land` })).toEqual([]);
    expect(await list({ query: found })).toEqual([found]);
    expect(await list({ query: 'answered 400', processId: failingId })).toEqual([broken]);
    expect(await list({ query: word, from: '2026-01-01T00:00:00Z' })).toEqual([found]);
    expect(await list({ query: word, to: '2026-01-01T00:00:00+01:00' })).toEqual([]);
  });
});
