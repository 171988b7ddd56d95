import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { probeTools } from '../../src/catalog/tools/tool-health.service.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openGate } from '../testkit/gate.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, ownPath } from '../testkit/rest-server.ts';
import { echoTool, runsOf, step } from '../testkit/run-steps.ts';
import { answering, refuses, world } from '../testkit/world.ts';

const { engine, rest, ada, bob, own } = await engineWorld();

const tool = (path = '/echo', more: object = {}) => echoTool(ada, rest.origin, path, more);
const { runSteps } = own;
const gate = await openGate();
afterAll(() => gate.close());

/** A run of two steps; while the first one calls, `change` changes the Tool of the second. */
async function changedMeanwhile(path: string, change: (toolId: string) => Promise<unknown>) {
  const held = ownPath('/held');
  const open = gate.hold(held);
  const [first, second] = [await echoTool(ada, gate.origin, held), await tool(path)];
  const steps = [step('a', first.id, { q: '1' }), step('b', second.id, { q: '2' })];
  const running = runSteps(steps, '');
  await gate.reached(held);
  await change(second.id);
  open();
  return running;
}

describe.concurrent('a run', () => {
  // SX-05, S4-EXEC-01, S4-EXEC-04, S4-EXEC-14
  it('executes its steps in order, binds their outputs and renders the result', async () => {
    const { id } = await tool();
    const { run, steps } = await runSteps(
      [step('a', id, { q: 'Hello {context.name}' }), step('b', id, { q: '{step.a.query.q}!' })],
      '{{b.query.q}} from {{name}}',
      { name: 'Ada' },
    );
    expect(run).toMatchObject({ status: 'completed', output: 'Hello Ada! from Ada', error: null });
    const expected = [
      ['a', 'completed', 1],
      ['b', 'completed', 1],
    ];
    expect(steps.map(({ stepId, status, attempt }) => [stepId, status, attempt])).toEqual(expected);
    const [a, b] = steps as [StepRun, StepRun];
    expect(Date.parse(b.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(a.completedAt ?? ''));
    const entries = await engine.entries(run.id);
    expect(entries.filter(({ kind }) => kind === 'step.ended')).toHaveLength(2);
    expect(entries.filter(({ kind }) => kind === 'run.ended')).toHaveLength(1);
  });

  // S4-EXEC-06
  it('runs neighbouring parallel steps at once', async () => {
    const path = ownPath('/held');
    const open = gate.hold(path);
    const { id } = await echoTool(ada, gate.origin, path);
    const names = ['a', 'b', 'c'];
    const running = runSteps(
      names.map((name) => step(name, id, { q: name }, { mode: 'parallel' })),
      '',
    );
    await gate.reached(path, names.length);
    open();
    expect((await running).run.status).toBe('completed');
  });

  // SX-05, S4-EXEC-03, S4-STEP-05
  it('coerces to the inputSchema; a bad input fails with its path, without a call', async () => {
    const path = ownPath('/typed');
    const typed = await tool(path, {
      inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'number' } } },
    });
    const steps = [step('a', typed.id, { q: '0.5' }), step('b', typed.id, { q: '{context.q}' })];
    const { run, of } = await runSteps(steps, '', { q: 'many' });
    expect(of('a')).toMatchObject({ inputs: { q: 0.5 }, output: { query: { q: '0.5' } } });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID', stepId: 'b' } });
    expect(run.error?.message).toContain('q: ');
    expect(of('b')).toMatchObject({ status: 'failed', attempt: 1 });
    expect(rest.requests.filter((one) => one.path === path)).toHaveLength(1);
  });

  // S4-EXEC-07
  it('skips a step whose condition is false; its variable is null', async () => {
    const { id } = await tool();
    const { run, of } = await runSteps(
      [
        step('a', id, { q: '1' }),
        step('b', id, { q: '2' }, { condition: 'step.a.query.q == "2"' }),
      ],
      '{{#if b}}yes{{else}}no{{/if}}',
    );
    expect(run).toMatchObject({ status: 'completed', output: 'no' });
    expect(of('b')).toMatchObject({ status: 'skipped', attempt: 0 });
    expect(of('b').note).toContain('condition is false');
  });

  it('runs a forEach once per item, in windows, with the index in the ids', async () => {
    const { id } = await tool();
    const { run, steps } = await runSteps(
      [
        step('a', id, { q: '{item.n}-{index}' }, { forEach: 'context.list', maxConcurrency: 3 }),
        step('none', id, { q: '1' }, { forEach: 'context.empty' }),
      ],
      '{{#each a}}{{this.query.q}} {{/each}}{{json none}}',
      { list: Array.from({ length: 7 }, (_, n) => ({ n: n * 10 })), empty: [] },
    );
    expect(run.output).toBe('0-0 10-1 20-2 30-3 40-4 50-5 60-6 []');
    const items = steps.filter(({ stepId }) => stepId === 'a');
    expect(items.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('retries retryable faults after the pause of their target, and counts attempts', async () => {
    const { id } = await tool(`/flaky?key=${randomUUID()}&fails=2`);
    const retry = { maximumAttempts: 3, initialInterval: 0.05 };
    const { run, of } = await runSteps([step('a', id, { q: '1' }, { retry })], '{{a.failed}}');
    expect(run).toMatchObject({ error: null, status: 'completed', output: '2' });
    expect(of('a').attempt).toBe(3);
    const ended = (await engine.entries(run.id)).filter(({ kind }) => kind === 'step.ended');
    expect(
      ended.map(({ payload }) => [payload['attempt'], payload['status'], payload['willRetry']]),
    ).toEqual([
      [1, 'failed', true],
      [2, 'failed', true],
      [3, 'completed', false],
    ]);
  });

  it('does not count a pause of calls to its target as an attempt', async () => {
    const server = await openRestServer();
    const gone = await echoTool(ada, server.origin, '/status/503');
    const once = { retry: { maximumAttempts: 1 }, onFailure: 'continue' };
    const optional = { required: false };
    // The fifth failure in a row begins a pause for this origin: the second one of step a.
    const failures = ['x', 'y', 'z'].map((id) => step(id, gone.id, { q: '1' }, once, optional));
    const flaky = await echoTool(ada, server.origin, `/flaky?key=${randomUUID()}&fails=2`);
    const retry = { maximumAttempts: 3, initialInterval: 0.05 };
    const { run, of } = await runSteps(
      [...failures, step('a', flaky.id, { q: '1' }, { retry, onFailure: 'continue' }, optional)],
      '{{a.failed}}',
    );
    expect(run).toMatchObject({ error: null, status: 'completed', output: '2' });
    expect(of('a').attempt).toBe(3);
    await server.close();
  });

  it('ends a step at its timeout and closes its socket (S4-EXEC-08)', async () => {
    const silent = await openRestServer();
    const { id } = await echoTool(ada, silent.origin, '/never');
    const before = Date.now();
    const { run, of } = await runSteps(
      [step('a', id, { q: '1' }, { timeout: 3, retry: { maximumAttempts: 1 } })],
      '',
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'STEP_TIMEOUT', stepId: 'a' } });
    expect(of('a').status).toBe('timed_out');
    expect(Date.now() - before).toBeLessThan(50_000);
    expect(silent.requests.some(({ path }) => path === '/never')).toBe(true);
    await eventually('its socket is closed', () => silent.openSockets() === 0);
    await silent.close();
  });

  it('tries a client error once; then onFailure gives null or the value of fallback', async () => {
    const { id } = await tool('/status/400');
    const retry = { maximumAttempts: 5, initialInterval: 0.01 };
    const { run, of } = await runSteps(
      [
        step('a', id, { q: '1' }, { retry }, { required: false }),
        step('b', id, { q: '1' }, { onFailure: 'fallback', fallback: { say: 'instead' } }),
      ],
      '{{json a}} {{b.say}}',
    );
    expect(run).toMatchObject({ status: 'completed', output: 'null instead' });
    expect(of('a')).toMatchObject({ attempt: 1, error: { code: 'TOOL_FAILED' } });
  });

  // S4-EXEC-09
  it('fails where a required step gives nothing, unless the Tool says that it may', async () => {
    const nullable = { anyOf: [{ $ref: '#/$defs/count' }, { type: 'null' }] };
    const taken = [
      { type: 'null' },
      { ...nullable, $defs: { count: { type: 'integer' } } },
      { enum: ['x', null] },
    ];
    const once = async (outputSchema: object, output: object = {}, path = '/empty') => {
      const { id } = await tool(path, { outputSchema });
      return (await runSteps([step('a', id, { q: '1' }, {}, output)], '{{json a}}')).run;
    };
    const goesOn = { status: 'completed', output: 'null' };
    for (const outputSchema of taken) expect(await once(outputSchema)).toMatchObject(goesOn);
    expect(await once({}, { required: false })).toMatchObject(goesOn);
    const fails = { status: 'failed', error: { code: 'OUTPUT_INVALID', stepId: 'a' } };
    // A list of properties alone says nothing of null.
    for (const outputSchema of [{}, { properties: { x: {} } }])
      expect(await once(outputSchema)).toMatchObject(fails);
    expect(await once({ type: 'object', required: ['x'] }, {}, '/text')).toMatchObject(fails);
    const deletes = await tool('/empty', { outputSchema: { type: 'null' } });
    const each = await runSteps(
      [step('a', deletes.id, { q: '{item}' }, { forEach: 'context.ids' })],
      '{{json a}}',
      { ids: [1, 2, 3] },
    );
    expect(each.run).toMatchObject({ status: 'completed', output: '[null,null,null]' });
  });

  it('skips a step that depends on a failed one, and fails where it is required', async () => {
    const bad = await tool('/status/400');
    const good = await tool();
    const a = step('a', bad.id, { q: '1' }, {}, { required: false });
    const optional = await runSteps(
      [a, step('b', good.id, { q: '1' }, {}, { required: false }, { dependsOn: ['a'] })],
      '{{json b}}',
    );
    expect(optional.run).toMatchObject({ status: 'completed', output: 'null' });
    expect(optional.of('b').status).toBe('skipped');
    const required = await runSteps(
      [a, step('b', good.id, { q: '1' }, {}, {}, { dependsOn: ['a'] })],
      '',
    );
    const expected = { status: 'failed', error: { code: 'TOOL_FAILED', stepId: 'b' } };
    expect(required.run).toMatchObject(expected);
  });

  // S4-EXEC-10
  it('cuts text at a token boundary and lists at their tail, and says so', async () => {
    const words = await tool('/text');
    const { run, of } = await runSteps(
      [step('a', words.id, { q: '1' }, {}, { tokenBudget: 1 })],
      '{{a}}',
    );
    expect(run.output).toBe('plain');
    expect(of('a').outputTruncated).toBe(true);
  });

  it.each([
    ['fails', '{{#each a.query.q.deep.deeper}}{{/each}}{{a.nothing.here}}', {}],
    [
      'does not end',
      `{{a.path}}{{#each list}}${'{{#each @root.list}}'.repeat(2)}${'{{/each}}'.repeat(3)}`,
      { details: { reason: 'TIME' } },
    ],
  ])(
    'fails with TEMPLATE_FAILED and keeps its steps where its output %s',
    async (_, text, more) => {
      const { id } = await tool();
      const list = Array.from({ length: 1_500 }, (_item, index) => index);
      const { run, of } = await runSteps([step('a', id, { q: '1' })], text, { list });
      const error = { code: 'TEMPLATE_FAILED', ...more };
      expect(run).toMatchObject({ status: 'failed', error });
      expect(of('a').status).toBe('completed');
    },
  );

  it('fails with a code where an expression makes a small value huge', async () => {
    const { id } = await tool();
    const context = { list: Array.from({ length: 20_000 }, () => 0), text: 'x'.repeat(100_000) };
    const forEach = 'context.list.map(n, context.text)';
    const wide = await runSteps([step('a', id, { q: '{item}' }, { forEach })], '', context);
    expect(wide.run).toMatchObject({ status: 'failed', error: { code: 'CONDITION_FAILED' } });
    const q = '{context.text}'.repeat(1_000);
    const long = await runSteps([step('a', id, { q })], '', context);
    expect(long.run.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', stepId: 'a' });
  });

  describe.each([
    [
      'the Tool',
      'MATCH (one:Tool {id: $id}) SET one.enabled = false',
      /^The Tool Echo is disabled/,
    ],
    [
      'its Service',
      'MATCH (:Tool {id: $id})-[:USES_SERVICE]->(one:Service) SET one.enabled = false',
      /^The Service .* of Tool Echo is disabled/,
    ],
  ])('where %s is disabled while a step before it runs', (_what, disable, message) => {
    it('fails at that step and makes no call (S4-EXEC-02)', async () => {
      const path = ownPath('/never-called');
      const { run, of } = await changedMeanwhile(path, (id) =>
        writeCypher(engine.graph, `${disable}`, { id }),
      );
      expect(of('a').status).toBe('completed');
      expect(of('b')).toMatchObject({ status: 'failed', attempt: 1 });
      const expected = { status: 'failed', error: { code: 'TARGET_DISABLED', stepId: 'b' } };
      expect(run).toMatchObject(expected);
      expect(run.error?.message).toMatch(message);
      expect(rest.requests.filter((one) => one.path === path)).toEqual([]);
    });
  });

  it('uses the definition as it was when it started (S4-EXEC-02)', async () => {
    const [before, after] = [ownPath('/echo'), ownPath('/echo')];
    const set = 'MATCH (t:Tool {id: $id}) SET t.operation = replace(t.operation, $before, $after)';
    const { run } = await changedMeanwhile(before, (id) =>
      writeCypher(engine.graph, set, { id, before, after }),
    );
    expect(run.status).toBe('completed');
    expect(rest.requests.filter(({ path }) => path === before)).toHaveLength(1);
    expect(rest.requests.filter(({ path }) => path === after)).toEqual([]);
  });

  it('fails with TARGET_UNHEALTHY after the tries of its retry (S4-EXEC-02)', async () => {
    const probe = async () => ({ status: 'down' as const, errorMessage: 'no answer' });
    const { ada: eve } = await world({ toolCalls: { ...answering, probe } });
    const dead = await echoTool(eve, 'http://127.0.0.1:9');
    const retry = { maximumAttempts: 2, initialInterval: 0.05 };
    const steps = [step('a', dead.id, { q: '1' }, { retry })];
    const { run, of } = await runsOf(engine, eve).runSteps(steps, '');
    expect(run.error?.code).toBe('TARGET_UNHEALTHY');
    expect(of('a').attempt).toBe(2);
  });

  it('calls a Tool that is degraded (S4-EXEC-02)', async () => {
    const probe = async () => ({ status: 'degraded' as const, errorMessage: 'no such model' });
    const { ada: eve, deps } = await world({ toolCalls: { ...answering, probe } });
    const { id } = await echoTool(eve, rest.origin);
    await probeTools(deps, [id]);
    const { run } = await runsOf(engine, eve).runSteps(
      [step('a', id, { q: 'x' })],
      '{{a.query.q}}',
    );
    expect(run).toMatchObject({ status: 'completed', output: 'x' });
    const [stored] = await readWith(engine.graph, findTools, eve.viewer, [id]);
    expect(stored?.status).toBe('degraded');
  });

  it('answers an equal call from the cache within cacheSeconds, to its owner', async () => {
    const path = ownPath('/once-cached');
    const { id } = await tool(path);
    const cached = step('a', id, { q: 'cached' }, { cacheSeconds: 60 });
    const first = await runSteps([cached], '{{a.query.q}}');
    const second = await runSteps([cached], '{{a.query.q}}');
    expect([first.of('a').cached, second.of('a').cached]).toEqual([false, true]);
    expect(second.run.output).toBe('cached');
    expect(rest.requests.filter((request) => request.path === path)).toHaveLength(1);
  });

  // S4-EXEC-05, S4-PROC-08
  it('is refused without its initialContext, with a foreign Process, or disabled', async () => {
    const { id } = await tool();
    const process = await own.createProcess({
      initialContext: ['x', 'y'],
      steps: [step('a', id, { q: '{context.x}{context.y}' })],
    });
    const start = (viewer: typeof ada.viewer, context: JsonObject) =>
      startProcessRun(engine.deps, viewer, { processId: process.id, context });
    await refuses(
      start(ada.viewer, { x: 1, z: 2 }),
      'REQUIRED context.y',
      'UNKNOWN_VARIABLE context.z',
    );
    await refuses(start(bob.viewer, { x: 1, y: 2 }), 'NOT_FOUND processId');
    await writeCypher(engine.graph, 'MATCH (p:Process {id: $id}) SET p.enabled = false', {
      id: process.id,
    });
    await refuses(start(ada.viewer, { x: 1, y: 2 }), 'DISABLED processId');
  });

  it('is one run for one idempotency key, however often it is asked for', async () => {
    const { id } = await tool();
    const input = { initialContext: ['x'], steps: [step('a', id, { q: '{context.x}' })] };
    const process = await own.createProcess(input);
    const start = (x: number) =>
      startProcessRun(engine.deps, ada.viewer, {
        processId: process.id,
        context: { x },
        idempotencyKey: 'the-key',
      });
    const runs = await Promise.all(Array.from({ length: 20 }, () => start(1)));
    expect(new Set(runs.map((run) => run.id)).size).toBe(1);
    await refuses(start(2), 'CONFLICT idempotencyKey');
  });

  it('is cancelled while a step runs, and the step lets go of its socket', async () => {
    const silent = await openRestServer();
    const { id } = await tool('/never', { connectionParams: { endpoint: silent.origin } });
    const process = await own.createProcess({
      steps: [step('a', id, { q: '1' }), step('b', id, { q: '1' })],
    });
    const { id: runId } = await own.start(process);
    await eventually('the step calls', () => silent.requests.length > 0);
    const before = Date.now();
    await cancelProcessRun(engine.deps, ada.viewer, { id: runId, reason: 'changed my mind' });
    const run = await own.wait(runId);
    // Below the 60 s that the step would have hung; how fast exactly is the bench's business.
    expect(Date.now() - before).toBeLessThan(50_000);
    expect(run).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
    expect(run.error?.message).toContain('changed my mind');
    const steps = await own.steps(runId);
    expect(steps.map(({ stepId, status }) => [stepId, status])).toEqual(
      expect.arrayContaining([
        ['a', 'cancelled'],
        ['b', 'cancelled'],
      ]),
    );
    await eventually('its socket is closed', () => silent.openSockets() === 0);
    expect(silent.openSockets()).toBe(0);
    await refuses(cancelProcessRun(engine.deps, ada.viewer, { id: runId }), 'STATE id');
    await silent.close();
  });

  it('writes no more history than a workflow that calls the activities itself', async () => {
    const { id } = await tool();
    const { run } = await runSteps([step('a', id, { q: '1' }), step('b', id, { q: '1' })], '');
    // The run ends in the graph before its workflow does.
    await engine.temporal.client.workflow.getHandle(run.id).result();
    const events = await engine.historyEvents(run.id);
    // Two steps: an activity or a marker each, and a marker where the Tool was not known as quick.
    // finishRun is a local activity, so a marker. Nothing else but the workflow's own tasks.
    const activities = events.filter((type) => /ACTIVITY_TASK_SCHEDULED|^10$/.test(type)).length;
    const markers = events.filter((type) => /MARKER|^25$/.test(type)).length;
    expect(activities).toBeLessThanOrEqual(2);
    expect(activities + markers).toBeLessThanOrEqual(4);
    expect(events.filter((type) => /TIMER|CHILD|^17$/.test(type))).toHaveLength(0);
  });
});
