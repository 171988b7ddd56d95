import { describe, expect, it } from 'vitest';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { validateProcess } from '../../src/processes/definition/validate.service.ts';
import { findProcesses, listProcesses } from '../../src/processes/process.cypher.ts';
import {
  type CreateProcess,
  createProcess,
  deleteProcess,
  restoreProcessVersion,
  updateProcess,
} from '../../src/processes/process.mutations.ts';
import { listProcessVersions } from '../../src/processes/process-version.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { loadSnapshot } from '../testkit/snapshot.ts';
import { type Person, race, refuses, world, worldGraph } from '../testkit/world.ts';

interface Named {
  readonly id: string;
}
const graph = worldGraph();
const all = await world();
const { deps, ada, bob } = all;
const { userId } = ada.viewer;

const find = async (viewer: Viewer, id: string) =>
  (await readWith(graph, findProcesses, viewer, [id]))[0] ?? null;
const ask = (cypher: string, params: object) => runCypher(graph, cypher, params);
const creates = (input: Partial<CreateProcess> = {}, person: Person = ada) =>
  createsProcess(all, person, input);
const update = ({ id }: Named, changes: object, { viewer }: Person = ada) =>
  updateProcess(deps, viewer, { id, ...changes });
const remove = ({ id }: Named, { viewer }: Person = ada) => deleteProcess(deps, viewer, { id });
const restore = ({ id }: Named, version: number, { viewer }: Person = ada) =>
  restoreProcessVersion(deps, viewer, { id, version });
const versionsOf = async ({ id: processId }: Named, { viewer }: Person = ada) =>
  (await readWith(graph, listProcessVersions, viewer, { processId })).items.map(({ item }) => item);
const own = { includeShared: false };
const countOf = async ({ viewer }: Person) =>
  (await readWith(graph, listProcesses, viewer, own)).totalCount;
const subStep = (id: string, { id: processId }: Named, inputs: object = {}) =>
  toolStep(id, processId, { calls: { processId }, inputs });

describe('a Process', () => {
  // S4-OWN-01, S4-PROC-07, S4-STEP-03, S4-STEP-04
  it('is stored as ordered steps that call', async () => {
    const tool = await ada.createsTool();
    const inner = await creates({ initialContext: ['topic'] });
    const process = await creates({
      initialContext: ['q'],
      steps: [
        toolStep('find', tool.id, {
          inputs: { id: '{context.q}' },
          execution: { timeout: 2.5, interactionMode: 'manual' },
        }),
        {
          ...subStep('step-2', inner, { topic: '{step.find}' }),
          execution: { timeout: 9 },
          dependsOn: ['find'],
        },
        toolStep('last', tool.id, { dependsOn: ['step-2', 'find'] }),
      ],
      outputTemplate: '{{last}} {{q}}',
      description: 'three steps',
    });
    expect(await find(ada.viewer, process.id)).toEqual(process);
    const defaults = { version: 1, enabled: true, shared: false, maxRecursionDepth: 5 };
    expect(process).toMatchObject({ ownerId: userId, ...defaults });

    const steps = await ask(
      `MATCH (:Process:Resource {id: $id})-[has:DEFINES_STEP]->(s:ProcessStep)
       MATCH (s)-[calls:CALLS_TOOL|CALLS_PROCESS]->(target)
       OPTIONAL MATCH (s)-[after:DEPENDS_ON]->(earlier)
       WITH has, s, calls, target, after, earlier ORDER BY after.order
       WITH has, s, calls, target, collect([after.order, earlier.id]) AS waits
       RETURN [has.order, s.id, type(calls), target.id] AS step, properties(calls) AS carries, waits
       ORDER BY step[0]`,
      { id: process.id },
    );
    expect(steps).toEqual([
      {
        step: [0, 'find', 'CALLS_TOOL', tool.id],
        carries: { timeout: 2.5, interactionMode: 'manual' },
        waits: [[null, null]],
      },
      {
        step: [1, 'step-2', 'CALLS_PROCESS', inner.id],
        carries: { timeout: 9 },
        waits: [[0, 'find']],
      },
      {
        step: [2, 'last', 'CALLS_TOOL', tool.id],
        carries: { interactionMode: 'auto' },
        waits: ['step-2', 'find'].map((id, order) => [order, id]),
      },
    ]);
    const [owned] = await ask(
      `MATCH (:Process {id: $id})-[e:OWNED_BY]->(u:User)
       MATCH (o:OutboxEntry {ownerId: u.id}) WHERE o.payload CONTAINS $id
       RETURN u.id AS owner, e.createdAt AS since, collect(o.kind) AS kinds`,
      { id: process.id },
    );
    const since = process.createdAt;
    expect(owned).toEqual({ owner: userId, since, kinds: ['process.created'] });
  });

  it('of many steps is created by at most 6 statements, and read by one', async () => {
    const tool = await ada.createsTool();
    const steps = Array.from({ length: 12 }, (_, n) => {
      const before = `s${n - 1}`;
      const after = n === 0 ? {} : { dependsOn: [before], inputs: { id: `{step.${before}}` } };
      return toolStep(`s${n}`, tool.id, after);
    });
    const { value, statements } = await graph.counting(() => creates({ steps }));
    expect(statements.map(({ name }) => name)).toEqual([
      ...['lockResources', 'findStepTargets', 'insertProcess', 'insertSteps'],
      ...['insertStepDependencies', 'lookAtMayChange'],
    ]);
    const read = await graph.counting(() => find(ada.viewer, value.id));
    expect(read.value).toEqual(value);
    expect(read.statements).toHaveLength(1);
  });

  // S4-PROC-03, S4-PROC-04, S4-PROC-05, S4-STEP-05, S4-STEP-07
  it('with any fault is not written', async () => {
    const { ada } = await world();
    const [mine, foreign] = [await ada.createsTool(), await bob.createsTool()];
    const steps = [
      toolStep('a', mine.id, { inputs: { nope: 1 }, dependsOn: ['b'] }),
      toolStep('b', foreign.id, { dependsOn: ['a'] }),
      toolStep('c', '00000000-0000-7000-8000-00000000dead', { inputs: { id: '{step.later}' } }),
    ];
    await refuses(
      creates({ steps, outputTemplate: '{{unknown}}' }, ada),
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
      'CYCLE steps.0.dependsOn.0',
      'SCHEMA_VIOLATION steps.0.inputs.id',
      'SCHEMA_VIOLATION steps.0.inputs.nope',
      'NOT_FOUND steps.1.calls.toolId',
      'UNKNOWN_VARIABLE steps.2.inputs.id',
      'NOT_FOUND steps.2.calls.toolId',
      'UNKNOWN_VARIABLE outputTemplate',
    );
    expect(await countOf(ada)).toBe(0);
    const left = 'MATCH (s:ProcessStep)-[:CALLS_TOOL]->(:Tool {id: $id}) RETURN s';
    expect(await ask(left, { id: mine.id })).toEqual([]);
  });

  it('may have step ids that another Process has too, but not twice (S4-STEP-01)', async () => {
    const steps = [toolStep('same', (await ada.createsTool()).id)];
    await creates({ steps });
    await creates({ steps });
    const twice = creates({ steps: [...steps, ...steps] });
    await refuses(twice, 'TAKEN steps.1.output.variable', 'TAKEN steps.1.stepId');
  });
});

describe('the owner of a Process (S4-OWN)', () => {
  it('alone changes it; others see it only while it is shared', async () => {
    const { id: serviceId } = await ada.createsService({ shared: true });
    const tool = await ada.createsTool({ serviceId, shared: true });
    const process = await creates({ steps: [toolStep('a', tool.id)] });
    const others = async (problem: string) => {
      await refuses(update(process, { name: 'Taken over' }, bob), problem);
      await refuses(remove(process, bob), problem);
      await refuses(restore(process, 1, bob), problem);
    };
    expect(await find(bob.viewer, process.id)).toBeNull();
    await others('NOT_FOUND id');
    expect(await versionsOf(process, bob)).toEqual([]);
    expect(await readWith(graph, loadSnapshot, bob.viewer, process.id)).toBeNull();
    await update(process, { shared: true });
    expect(await find(bob.viewer, process.id)).toMatchObject({ shared: true, version: 1 });
    await others('FORBIDDEN id');
  });

  it('shares it only while all that it calls is shared', async () => {
    const tool = await ada.createsTool();
    const steps = [toolStep('a', tool.id)];
    await refuses(creates({ steps, shared: true }), 'NOT_SHARED steps.0.calls.toolId');
    const process = await creates({ steps });
    await refuses(update(process, { shared: true }), 'NOT_SHARED steps.0.calls.toolId');
    await updateTool(deps, ada.viewer, { id: tool.id, shared: true });
    await update(process, { shared: true });
    const unshares = () => updateTool(deps, ada.viewer, { id: tool.id, shared: false });
    await refuses(unshares(), 'IN_USE shared');
    const ofBob = await creates({ steps }, bob);
    await remove(process);
    await refuses(unshares(), 'IN_USE shared');
    await remove(ofBob, bob);
    expect(await unshares()).toMatchObject({ shared: false });
  });

  it('keeps it shared while steps of others call it', async () => {
    const tool = await ada.createsTool({ shared: true });
    const inner = await creates({ steps: [toolStep('a', tool.id)], shared: true });
    const outer = await creates({ steps: [subStep('a', inner)] }, bob);
    await refuses(update(inner, { shared: false }), 'IN_USE shared');
    await refuses(update(inner, { initialContext: ['more'] }), 'IN_USE initialContext');
    await remove(outer, bob);
    await update(inner, { shared: false, initialContext: ['more'] });
  });
});

describe('changing a Process (S4-PROC-02)', () => {
  it('replaces its steps by new nodes and keeps every version', async () => {
    const tool = await ada.createsTool();
    const before = await creates({
      steps: [toolStep('a', tool.id), toolStep('b', tool.id, { dependsOn: ['a'] })],
    });
    const steps = [toolStep('c', tool.id)];
    const after = await update(before, { steps, outputTemplate: '{{c}}', tokenBudget: 7 });
    const { name } = before;
    expect(after).toMatchObject({ version: 2, steps: [{ id: 'c' }], tokenBudget: 7, name });
    expect(await find(ada.viewer, before.id)).toEqual(after);
    const left = 'MATCH (s:ProcessStep) WHERE s.key STARTS WITH $id RETURN s.id AS id';
    expect(await ask(left, { id: before.id })).toEqual([{ id: 'c' }]);
    const versions = await versionsOf(before);
    expect(
      versions.map((one) => [one.version, one.definition.steps.length, one.createdBy]),
    ).toEqual([2, 1].map((version) => [version, 3 - version, userId]));
  });

  it('is no new version where the definition is the same', async () => {
    const process = await creates();
    const { steps, outputTemplate, initialContext } = process;
    const same = { steps, outputTemplate, initialContext, enabled: false };
    expect((await update(process, same)).version).toBe(1);
    const leftOut = steps.map(({ id, calls, inputs, output: { variable } }) => {
      return { id, calls, inputs, output: { variable } };
    });
    expect((await update(process, { steps: leftOut })).version).toBe(1);
    expect((await update(process, { name: 'Another name' })).version).toBe(2);
  });

  it('refuses faults as createProcess does, and a version that is not current', async () => {
    const process = await creates();
    await refuses(
      update(process, { steps: [], outputTemplate: '{{x}}', maxRecursionDepth: -1 }),
      'INVALID maxRecursionDepth',
      'REQUIRED steps',
      'UNKNOWN_VARIABLE outputTemplate',
    );
    await refuses(update(process, { expectedVersion: 2, name: 'x' }), 'CONFLICT expectedVersion');
    expect(await find(ada.viewer, process.id)).toEqual(process);
  });

  it('may call itself from the version on that it then is', async () => {
    const process = await creates({ initialContext: ['n'] });
    const again = subStep('again', process, { n: '{context.n}' });
    expect((await update(process, { steps: [...process.steps, again] })).version).toBe(2);
    const other = { ...again, inputs: { m: '{context.m}' } };
    const changes = { initialContext: ['m'], steps: [...process.steps, other] };
    expect((await update(process, changes)).version).toBe(3);
    await remove(process);
  });

  it('goes back to an old version by making it the newest', async () => {
    const first = await creates({ description: 'first' });
    await update(first, { description: null, outputTemplate: 'second', tokenBudget: 3 });
    const restored = await restore(first, 1);
    expect(restored).toEqual({ ...first, version: 3, updatedAt: restored.updatedAt });
    await refuses(restore(first, 9), 'NOT_FOUND version');
  });

  it('of several at once lets one through with an expected version, all without', async () => {
    const process = await creates();
    const writers = (more: object) =>
      [1, 2, 3, 4].map((n) => () => update(process, { outputTemplate: `${n}`, ...more }));
    const counts = await race(writers({ expectedVersion: 1 }));
    expect(counts).toEqual({ done: 1, 'CONFLICT expectedVersion': 3 });
    await update(process, { outputTemplate: 'fifth' });
    expect(await race(writers({}))).toEqual({ done: 4 });
    const versions = (await versionsOf(process)).map(({ version }) => version);
    expect(versions).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const steps = 'MATCH (:Process {id: $id})-[:DEFINES_STEP]->(s) RETURN count(s) AS steps';
    expect(await ask(steps, { id: process.id })).toEqual([{ steps: 1 }]);
  });
});

describe('a Process and its targets, both changed at once', () => {
  const owned = 'MATCH (:User {id: $userId})<-[:OWNED_BY]-';
  it('never calls a Tool or a Process that is gone (S4-TOOL-08, S4-STEP-03)', async () => {
    for (let round = 0; round < 4; round++) {
      const [tool, inner] = [await ada.createsTool(), await creates()];
      for (const writers of [
        [
          () => creates({ steps: [toolStep('a', tool.id)] }),
          () => deleteTool(deps, ada.viewer, { id: tool.id }),
        ],
        [() => creates({ steps: [subStep('a', inner)] }), () => remove(inner)],
      ]) {
        const { done, ...refused } = await race(writers);
        expect(done).toBe(1);
        expect(Object.keys(refused)).toEqual([
          expect.stringMatching(/^(IN_USE id|NOT_FOUND steps\.0\.calls\.(toolId|processId))$/),
        ]);
      }
    }
    const broken = `${owned}(:Process)-[:DEFINES_STEP]->(s)
      WHERE NOT (s)-[:CALLS_TOOL|CALLS_PROCESS]->() RETURN s`;
    expect(await ask(broken, { userId })).toEqual([]);
  });

  it('shared, never calls a Tool that is not', async () => {
    for (let round = 0; round < 4; round++) {
      const tool = await ada.createsTool({ shared: true });
      const { done } = await race([
        () => creates({ steps: [toolStep('a', tool.id)], shared: true }),
        () => updateTool(deps, ada.viewer, { id: tool.id, shared: false }),
      ]);
      expect(done).toBe(1);
    }
    const broken = `${owned}(p:Process {shared: true})-[:DEFINES_STEP]->()
      -[:CALLS_TOOL]->(t:Tool {shared: false}) RETURN t`;
    expect(await ask(broken, { userId })).toEqual([]);
  });

  it('two that begin to call each other at once both succeed, and nothing hangs', async () => {
    const [left, right] = [await creates(), await creates()];
    const calls = (from: Named, to: Named) => () => update(from, { steps: [subStep('other', to)] });
    expect(await race([calls(left, right), calls(right, left)])).toEqual({ done: 2 });
    await refuses(remove(left), 'IN_USE id');
  });
});

describe('deleting a Process (S4-PROC-06)', () => {
  it('takes its steps and versions with it; ended runs do not hold it', async () => {
    const process = await creates();
    const { id } = process;
    await writeCypher(
      graph,
      "CREATE (:ProcessRun {id: randomUUID(), processId: $id, status: 'failed'})",
      { id },
    );
    expect(await remove(process)).toBe(id);
    expect(await find(ada.viewer, id)).toBeNull();
    const left = `MATCH (n) WHERE (n.processId = $id OR n.key STARTS WITH $id)
      AND NOT n:ProcessRun RETURN labels(n)`;
    expect(await ask(left, { id })).toEqual([]);
    const kinds = await ask(
      `MATCH (o:OutboxEntry {ownerId: $userId}) WHERE o.payload CONTAINS $id
       RETURN o.kind AS kind ORDER BY o.id`,
      { userId, id },
    );
    expect(kinds).toEqual([{ kind: 'process.created' }, { kind: 'process.deleted' }]);
  });

  it.each([
    ['a Conversation', 'CREATE (:Conversation)-[:DEFAULT_PROCESS]->(p)'],
    ['an Alternative', 'CREATE (:Alternative)-[:EXECUTED_BY]->(p)'],
    ['a Summary', 'CREATE (:Summary)-[:CREATED_BY_PROCESS]->(p)'],
    ['an open run', "CREATE (:ProcessRun {id: randomUUID(), processId: p.id, status: 'waiting'})"],
  ])('is refused while %s refers to it', async (_, link) => {
    const process = await creates();
    await writeCypher(graph, `MATCH (p:Process {id: $id}) ${link}`, { id: process.id });
    await refuses(remove(process), 'IN_USE id');
    expect(await find(ada.viewer, process.id)).toEqual(process);
  });
});

describe('reading Processes', () => {
  it('lists one’s own and the shared, by name and by Tool', async () => {
    const tool = await ada.createsTool({ shared: true });
    const marked = `needle ${tool.id}`;
    const steps = [toolStep('a', tool.id)];
    const mine = await creates({ name: marked, steps });
    const shared = await creates({ name: `${marked} shared`, steps, shared: true });
    const list = async (viewer: Viewer, filter: Parameters<typeof listProcesses>[2]) =>
      (await readWith(graph, listProcesses, viewer, filter)).items.map(({ item }) => item.id);
    const found = await list(ada.viewer, { query: marked.toUpperCase() });
    expect(found).toEqual([shared.id, mine.id]);
    expect(await list(bob.viewer, { toolId: tool.id })).toEqual([shared.id]);
    expect(await list(bob.viewer, { toolId: tool.id, ...own })).toEqual([]);
  });

  it('validating a definition plans a run and writes nothing', async () => {
    const { ada } = await world();
    const [tool, other] = [await ada.createsTool(), await ada.createsTool()];
    const inner = await creates({ steps: ['a', 'b'].map((id) => toolStep(id, other.id)) }, ada);
    const parallel = { execution: { mode: 'parallel' } };
    const steps = [...['a', 'b'].map((id) => toolStep(id, tool.id, parallel)), subStep('c', inner)];
    const input = { name: 'P', initialContext: [], steps, outputTemplate: '' };
    expect(await validateProcess(deps, ada.viewer, input)).toEqual({
      problems: [],
      plan: {
        stages: [['a', 'b'], ['c']],
        maxDepth: 1,
        estimatedSteps: 5,
        toolIds: [tool.id, other.id],
        worstCase: expect.objectContaining({ stepExecutions: 5, unboundedStepIds: [] }),
      },
    });
    const faulty = { ...input, name: '', outputTemplate: '{{z}}' };
    const bad = await validateProcess(deps, ada.viewer, faulty);
    expect(bad.plan).toBeNull();
    expect(bad.problems.map(({ code }) => code)).toEqual(['REQUIRED', 'UNKNOWN_VARIABLE']);
    expect(await countOf(ada)).toBe(1);
  });

  it('the snapshot of a run holds all that it calls, by one statement per level', async () => {
    const inner = await creates();
    const outer = await creates({ steps: [subStep('a', inner)] });
    const { value: snapshot, statements } = await graph.counting(() =>
      graph.read((tx) => loadSnapshot(tx, ada.viewer, outer.id)),
    );
    expect(statements.map(({ name }) => name).join(' ')).toBe(
      'findProcesses findProcesses findToolSnapshots',
    );
    expect(Object.keys(snapshot?.processes ?? {}).sort()).toEqual([inner.id, outer.id].sort());
    expect(Object.keys(snapshot?.tools ?? {})).toHaveLength(1);
  });

  it('the snapshot leaves out a Tool that the viewer may not use any more', async () => {
    const tool = await ada.createsTool({ shared: true });
    const process = await creates({ steps: [toolStep('a', tool.id)] }, bob);
    // The API refuses to un-share it; whatever the reason, the run must not get it.
    await writeCypher(graph, 'MATCH (t:Tool {id: $id}) SET t.shared = false', { id: tool.id });
    const snapshot = await readWith(graph, loadSnapshot, bob.viewer, process.id);
    expect(snapshot?.tools).toEqual({});
  });

  it('fields that no caller may set change nothing', async () => {
    const tool = await ada.createsTool();
    const ownerId = bob.viewer.userId;
    const forged = { id: 'mine', ownerId, version: 99, createdAt: '2000-01-01T00:00:00.000Z' };
    const steps = [toolStep('a', tool.id, { key: 'x', ownerId })];
    const input = { name: 'P', initialContext: [], steps, outputTemplate: '', ...forged };
    const process = await createProcess(deps, ada.viewer, input);
    expect(process).toMatchObject({ ownerId: userId, version: 1 });
    expect(process.id).not.toBe('mine');
    const { id, createdAt } = process;
    const changed = await update(process, { ...input, id, name: 'Q' });
    expect(changed).toMatchObject({ id, ownerId: userId, version: 2, createdAt });
    expect(await find(ada.viewer, id)).toEqual(changed);
  });
});
