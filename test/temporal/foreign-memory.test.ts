import { describe, expect, it } from 'vitest';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import type { Process } from '../../src/processes/process.ts';
import { listApprovals } from '../../src/runs/control/approval.cypher.ts';
import type { Approval } from '../../src/runs/control/approval.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { resolveStep } from '../../src/runs/control/run-control.mutations.ts';
import { listAgreements } from '../../src/runs/memory/agreement.cypher.ts';
import {
  allowProcessMemory,
  findMemoryAccess,
  revokeProcessMemory,
} from '../../src/runs/memory/agreement.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';
import { refuses, world } from '../testkit/world.ts';

// Another user's shared Process gets none of the runner's memory unless the runner agreed
// (docs/decisions/0093). Eve writes Processes; each test has a runner of its own.

const { engine, rest, bob: eve, system } = await engineWorld();
const service = await system.createsService({
  name: 'graph',
  type: 'neo4j_graph',
  protocol: 'bolt',
  shared: true,
});
/** A Tool of the system on data of the run's owner. */
const onGraph = (name: string, query: string, access: 'read' | 'write') =>
  system.createsTool({
    name,
    shared: true,
    serviceId: service.id,
    connectionParams: { endpoint: 'bolt://the-platform' },
    operation: { type: 'graph_query', access, query },
    inputSchema: {
      type: 'object',
      properties: access === 'write' ? { note: { type: 'string' } } : {},
    },
    outputSchema: {},
  });
const reads = await onGraph(
  'read my name',
  'MATCH (u:User {id: $ownerId}) RETURN u.id AS pin',
  'read',
);
const writes = await onGraph(
  'note it',
  'MATCH (u:User {id: $ownerId}) SET u.testNote = $note RETURN u.testNote AS note',
  'write',
);
/** Eve's shared Tool, which sends its input to Eve's server. */
const leak = await echoTool(eve, rest.origin, '/echo', { name: 'leak', shared: true });

const runner = async (): Promise<Viewer> => (await world()).ada.viewer;
const STEPS = () => [step('a', reads.id, {}), step('b', leak.id, { q: '{step.a}' })];
const niceSummary = (steps: object[] = STEPS(), more: object = {}) =>
  engine.createProcess(eve.viewer, { name: 'nice summary', shared: true, steps, ...more });
const start = (viewer: Viewer, { id: processId }: Process) =>
  engine.start(viewer, { processId, context: {} });
const approvals = async (viewer: Viewer): Promise<Approval[]> => {
  const page = await readWith(engine.graph, listApprovals, viewer.userId, {}, {});
  return page.items.map(({ item }) => item);
};
async function asked(viewer: Viewer, count = 1): Promise<Approval[]> {
  let found: Approval[] = [];
  await eventually(`${count} approvals wait`, async () => {
    found = await approvals(viewer);
    return found.length === count;
  });
  return found;
}
const decide = (viewer: Viewer, { runId, stepId, index }: Approval, more: object = {}) =>
  resolveStep(engine.deps, viewer, { runId, stepId, index, decision: 'approve', ...more });
/** Decides the one approval that waits. */
async function decidesOne(viewer: Viewer, more: object = {}): Promise<Approval> {
  const [approval] = await asked(viewer);
  if (approval === undefined) throw new Error('Nothing waits.');
  await decide(viewer, approval, more);
  return approval;
}
const statusOf = async (viewer: Viewer, { id }: { readonly id: string }) =>
  (await engine.wait(viewer, id)).status;
const allows = (viewer: Viewer, { id: processId }: Process) =>
  allowProcessMemory(engine.deps, viewer, { processId, version: 1 });
const leaked = ({ userId }: Viewer) =>
  rest.requests.filter(({ query }) => (query.get('q') ?? '').includes(userId)).length;
const agreements = async (viewer: Viewer) =>
  (await readWith(engine.graph, listAgreements, viewer.userId, {})).items.map(({ item }) => item);

describe.concurrent('a shared Process of another user', () => {
  it('asks before it reads the memory, and nothing leaves before the agreement', async () => {
    const ada = await runner();
    const process = await niceSummary();
    const run = await start(ada, process);
    const [approval] = await asked(ada);
    expect(approval).toMatchObject({
      stepId: 'a',
      toolId: reads.id,
      memory: { processId: process.id, processName: 'nice summary', version: 1, reads: true },
    });
    expect(leaked(ada)).toBe(0);
    expect(await agreements(ada)).toEqual([]);
    await decide(ada, approval as Approval);
    expect(await statusOf(ada, run)).toBe('completed');
    expect(leaked(ada)).toBe(1);
    expect(await agreements(ada)).toMatchObject([{ processId: process.id, version: 1 }]);

    // Once per version: the next run does not ask, and a new version does.
    expect((await engine.run(ada, process)).status).toBe('completed');
    await updateProcess(engine.deps, eve.viewer, { id: process.id, outputTemplate: 'new' });
    const again = await start(ada, process);
    expect(await asked(ada)).toMatchObject([{ runId: again.id, memory: { version: 2 } }]);
    expect(leaked(ada)).toBe(2);
  });

  it('is refused with words: the run fails, and other steps of it ask no more', async () => {
    const ada = await runner();
    const both = ['a', 'b'].map((id) => step(id, reads.id, {}, { mode: 'parallel' }));
    const later = step('c', reads.id, {}, {}, { required: false });
    const optional = both.map((one) => ({ ...one, output: { ...one.output, required: false } }));
    const process = await niceSummary([...optional, later]);
    const run = await start(ada, process);
    const approval = await decidesOne(ada, { decision: 'reject', note: 'not you' });
    expect(await statusOf(ada, run)).toBe('completed');
    const steps = await engine.steps(ada, run.id);
    for (const id of ['a', 'b', 'c'])
      expect(find(steps, id)).toMatchObject({ status: 'failed', error: { code: 'REJECTED' } });
    expect(find(steps, approval.stepId)?.error?.message).toBe(
      'The Process "nice summary" of another user (version 1) may not read your memory: not you',
    );
    expect(await agreements(ada)).toEqual([]);
  });

  it('writes nothing into the memory before the agreement, as a plain step', async () => {
    const ada = await runner();
    const process = await niceSummary([step('a', writes.id, { note: 'pay eve' })]);
    const run = await start(ada, process);
    const [approval] = await asked(ada);
    expect(approval?.memory).toMatchObject({ reads: false, writes: true });
    const note = () =>
      runCypher(engine.graph, 'MATCH (u:User {id: $id}) RETURN u.testNote AS note', {
        id: ada.userId,
      });
    expect(await note()).toEqual([{ note: null }]);
    // The person may change the call too.
    await decide(ada, approval as Approval, { inputs: { note: 'mine' } });
    expect(await statusOf(ada, run)).toBe('completed');
    expect(await note()).toEqual([{ note: 'mine' }]);
  });

  it('asks once for many items and sub-runs: one decision lets all go on', async () => {
    const ada = await runner();
    const called = await niceSummary([step('a', reads.id, {})]);
    const mine = await engine.createProcess(ada, {
      initialContext: ['list'],
      steps: [subStep('items', called.id, {}, { forEach: 'context.list' })],
    });
    const input = { processId: mine.id, context: { list: [1, 2, 3, 4, 5, 6] } };
    const { id } = await engine.start(ada, input);
    const open = await asked(ada, 6);
    expect(new Set(open.map(({ memory }) => memory?.processId))).toEqual(new Set([called.id]));
    await decide(ada, open[3] as Approval);
    expect(await statusOf(ada, { id })).toBe('completed');
    expect(await approvals(ada)).toEqual([]);
    expect(await agreements(ada)).toHaveLength(1);
  });

  it('asks where an own or system Process that it calls reads the memory', async () => {
    const ada = await runner();
    const input = { shared: true, steps: [step('a', reads.id, {})] };
    const systems = await engine.createProcess(system.viewer, input);
    expect((await engine.run(ada, systems)).status).toBe('completed');
    const process = await niceSummary([subStep('sub', systems.id, {})]);
    await start(ada, process);
    expect(await asked(ada)).toMatchObject([{ memory: { processId: process.id } }]);
  });

  it('asks anew where a Process that it calls, or a Tool of its author, was changed', async () => {
    const ada = await runner();
    const below = await niceSummary([step('x', leak.id, { q: 'x' })]);
    const own = await echoTool(eve, rest.origin, '/echo', { shared: true });
    const process = await niceSummary([
      step('a', reads.id, {}),
      subStep('b', below.id, {}),
      step('c', own.id, { q: 'y' }),
    ]);
    const allow = () => allows(ada, process);
    await allow();
    expect((await engine.run(ada, process)).status).toBe('completed');
    await updateProcess(engine.deps, eve.viewer, { id: below.id, outputTemplate: 'other' });
    await start(ada, process);
    await asked(ada);
    // An agreement that is made meanwhile lets the waiting step go on.
    await allow();
    await asked(ada, 0);
  });

  it('gets no cached answer of an own Process, nor of an older version by a retry', async () => {
    const ada = await runner();
    const cached = step('a', reads.id, {}, { cacheSeconds: 600 });
    const mine = await engine.createProcess(ada, { steps: [cached] });
    expect((await engine.run(ada, mine)).status).toBe('completed');
    const fails = await echoTool(eve, rest.origin, '/status/404', { shared: true });
    const process = await niceSummary([cached, step('b', fails.id, { q: 'x' })]);
    const run = await start(ada, process);
    await decidesOne(ada);
    expect(await statusOf(ada, run)).toBe('failed');

    // Version 2 calls another Tool as step a, and hands its output on.
    const steps = [step('a', leak.id, { q: 'harmless' }), step('b', leak.id, { q: '{step.a}' })];
    await updateProcess(engine.deps, eve.viewer, { id: process.id, steps });
    const retried = await retryProcessRun(engine.deps, ada, { runId: run.id });
    await engine.launch(retried.id);
    expect(await statusOf(ada, retried)).toBe('completed');
    expect(leaked(ada)).toBe(0);
  });

  it('asks after a manual step too, and the decision before is kept', async () => {
    const ada = await runner();
    const process = await niceSummary([step('a', reads.id, {}, { interactionMode: 'manual' })]);
    const run = await start(ada, process);
    expect((await decidesOne(ada)).memory).toBeNull();
    await eventually('the step asks for the memory', async () => {
      const [forMemory] = await approvals(ada);
      return forMemory?.memory?.version === 1;
    });
    await decidesOne(ada);
    expect(await statusOf(ada, run)).toBe('completed');
  });

  it('asks again once the agreement is withdrawn', async () => {
    const ada = await runner();
    const process = await niceSummary([step('a', reads.id, {})]);
    await allows(ada, process);
    expect((await engine.run(ada, process)).status).toBe('completed');
    const revoke = () => revokeProcessMemory(engine.deps, ada, { processId: process.id });
    await revoke();
    await start(ada, process);
    await asked(ada);
    await refuses(revoke(), 'NOT_FOUND processId');
  });
});

describe('an agreement beforehand', () => {
  const access = async (viewer: Viewer, id: string) =>
    (await readWith(engine.graph, findMemoryAccess, viewer, [id])).get(id);

  it('is told and given by version and digest', async () => {
    const ada = await runner();
    const process = await niceSummary();
    const mine = await engine.createProcess(ada, { steps: [subStep('s', process.id, {})] });
    const told = await access(ada, process.id);
    expect(told).toMatchObject({ reads: true, writes: false, tools: ['read my name'] });
    expect(told?.asking.map(({ processId }) => processId)).toEqual([process.id]);
    expect((await access(ada, mine.id))?.asking.map(({ processId }) => processId)).toEqual([
      process.id,
    ]);
    expect((await access(eve.viewer, process.id))?.asking).toEqual([]);

    const allow = (more: object) =>
      allowProcessMemory(engine.deps, ada, { processId: process.id, version: 1, ...more });
    await refuses(allow({ version: 7, digest: 'x' }), 'CONFLICT version', 'CONFLICT digest');
    await refuses(allow({ processId: mine.id }), 'INVALID processId');
    await refuses(allow({ processId: 'none' }), 'NOT_FOUND processId');
    await allow({ digest: told?.digest });
    expect((await access(ada, process.id))?.asking).toEqual([]);
    expect((await access(ada, mine.id))?.asking).toEqual([]);
  });

  it('holds for the version it names only, however an agreement and a change race', async () => {
    const ada = await runner();
    const process = await niceSummary([step('a', reads.id, {})]);
    const tries = await Promise.allSettled([
      allows(ada, process),
      allows(ada, process),
      updateProcess(engine.deps, eve.viewer, { id: process.id, steps: STEPS() }),
    ]);
    expect(tries[2]?.status).toBe('fulfilled');
    expect((await agreements(ada)).map(({ version }) => version)).toEqual(
      tries.slice(0, 2).some(({ status }) => status === 'fulfilled') ? [1] : [],
    );
    await start(ada, process);
    await asked(ada);
    expect(leaked(ada)).toBe(0);
  });
});
