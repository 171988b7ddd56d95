import { describe, expect, it } from 'vitest';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { validateProcess } from '../../src/processes/definition/validate.service.ts';
import { findProcesses, listProcesses } from '../../src/processes/process.cypher.ts';
import {
  createProcess,
  deleteProcess,
  restoreProcessVersion,
  updateProcess,
} from '../../src/processes/process.mutations.ts';
import { listProcessVersions } from '../../src/processes/process-version.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { loadSnapshot } from '../testkit/snapshot.ts';
import { race, refusals, world, worldGraph } from '../testkit/world.ts';

const find = async (viewer: Viewer, id: string) =>
  (await worldGraph().read((tx) => findProcesses(tx, viewer, [id])))[0] ?? null;
const ask = (cypher: string, params: Record<string, unknown>) =>
  worldGraph().read((tx) => tx.run(`// readBack\n${cypher}`, params));

describe('a Process', () => {
  it('is stored as ordered steps with edges to what they call (S4-OWN-01, S4-PROC-07, S4-STEP-03, S4-STEP-04)', async () => {
    const all = await world();
    const { ada } = all;
    const tool = await ada.createsTool();
    const inner = await createsProcess(all, ada, { initialContext: ['topic'] });
    const process = await createsProcess(all, ada, {
      initialContext: ['q'],
      steps: [
        toolStep('find', tool.id, {
          inputs: { id: '{context.q}' },
          execution: { timeout: 2.5, interactionMode: 'manual' },
        }),
        toolStep('step-2', inner.id, {
          calls: { processId: inner.id },
          inputs: { topic: '{step.find}' },
          execution: { timeout: 9 },
          dependsOn: ['find'],
        }),
        toolStep('last', tool.id, { dependsOn: ['step-2', 'find'] }),
      ],
      outputTemplate: '{{last}} {{q}}',
      description: 'three steps',
    });

    expect(await find(ada.viewer, process.id)).toEqual(process);
    expect(process).toMatchObject({
      ownerId: ada.viewer.userId,
      version: 1,
      enabled: true,
      shared: false,
      maxRecursionDepth: 5,
    });

    const steps = await ask(
      `MATCH (:Process:Resource {id: $id})-[has:DEFINES_STEP]->(s:ProcessStep)-[calls:CALLS_TOOL|CALLS_PROCESS]->(target)
       OPTIONAL MATCH (s)-[after:DEPENDS_ON]->(earlier)
       WITH has, s, calls, target, after, earlier ORDER BY after.order
       WITH has, s, calls, target, collect([after.order, earlier.id]) AS waits
       RETURN has.order AS order, s.id AS id, type(calls) AS type, properties(calls) AS carries, target.id AS target, waits ORDER BY order`,
      { id: process.id },
    );
    expect(steps).toEqual([
      {
        order: 0,
        id: 'find',
        type: 'CALLS_TOOL',
        carries: { timeout: 2.5, interactionMode: 'manual' },
        target: tool.id,
        waits: [[null, null]],
      },
      {
        order: 1,
        id: 'step-2',
        type: 'CALLS_PROCESS',
        carries: { timeout: 9 },
        target: inner.id,
        waits: [[0, 'find']],
      },
      {
        order: 2,
        id: 'last',
        type: 'CALLS_TOOL',
        carries: { interactionMode: 'auto' },
        target: tool.id,
        waits: [
          [0, 'step-2'],
          [1, 'find'],
        ],
      },
    ]);
    const [owned] = await ask(
      `MATCH (:Process {id: $id})-[e:OWNED_BY]->(u:User)
       MATCH (o:OutboxEntry {ownerId: u.id}) WHERE o.payload CONTAINS $id
       RETURN u.id AS owner, e.createdAt AS since, collect(o.kind) AS kinds`,
      { id: process.id },
    );
    expect(owned).toEqual({
      owner: ada.viewer.userId,
      since: process.createdAt,
      kinds: ['process.created'],
    });
    // The first to plan every statement on a database that was just started.
  });

  it('of 50 steps is created by at most 6 statements, and read by one', async () => {
    const all = await world();
    const { ada } = all;
    const tool = await ada.createsTool();
    const steps = Array.from({ length: 50 }, (_, index) =>
      toolStep(
        `s${index}`,
        tool.id,
        index === 0 ? {} : { dependsOn: [`s${index - 1}`], inputs: { id: `{step.s${index - 1}}` } },
      ),
    );
    const { value, statements } = await worldGraph().counting(() =>
      createsProcess(all, ada, { steps }),
    );
    expect(statements.map(({ name }) => name)).toEqual([
      'lockResources',
      'findStepTargets',
      'insertProcess',
      'insertSteps',
      'insertStepDependencies',
      'lookAtMayChange',
    ]);
    const read = await worldGraph().counting(() => find(ada.viewer, value.id));
    expect(read.value).toEqual(value);
    expect(read.statements).toHaveLength(1);
  });

  it('with any fault is not written at all (S4-PROC-03, S4-PROC-04, S4-PROC-05, S4-STEP-05, S4-STEP-07)', async () => {
    const all = await world();
    const { ada, bob } = all;
    const [own, foreign] = [await ada.createsTool(), await bob.createsTool()];
    const steps = [
      toolStep('a', own.id, { inputs: { nope: 1 }, dependsOn: ['b'] }),
      toolStep('b', foreign.id, { dependsOn: ['a'] }),
      toolStep('c', '00000000-0000-7000-8000-00000000dead', { inputs: { id: '{step.later}' } }),
    ];
    expect(
      await refusals(createsProcess(all, ada, { steps, outputTemplate: '{{unknown}}' })),
    ).toEqual([
      'FORWARD_DEPENDENCY steps.0.dependsOn.0',
      'CYCLE steps.0.dependsOn.0',
      'SCHEMA_VIOLATION steps.0.inputs.id',
      'SCHEMA_VIOLATION steps.0.inputs.nope',
      'NOT_FOUND steps.1.calls.toolId',
      'UNKNOWN_VARIABLE steps.2.inputs.id',
      'NOT_FOUND steps.2.calls.toolId',
      'UNKNOWN_VARIABLE outputTemplate',
    ]);
    const { totalCount } = await worldGraph().read((tx) =>
      listProcesses(tx, ada.viewer, { includeShared: false }),
    );
    expect(totalCount).toBe(0);
    const left = await ask('MATCH (s:ProcessStep)-[:CALLS_TOOL]->(:Tool {id: $id}) RETURN s', {
      id: own.id,
    });
    expect(left).toEqual([]);
  });

  it('may have step ids that another Process has too, but not twice (S4-STEP-01)', async () => {
    const all = await world();
    const tool = await all.ada.createsTool();
    const steps = [toolStep('same', tool.id)];
    await createsProcess(all, all.ada, { steps });
    await createsProcess(all, all.ada, { steps });
    expect(await refusals(createsProcess(all, all.ada, { steps: [...steps, ...steps] }))).toEqual([
      'TAKEN steps.1.output.variable',
      'TAKEN steps.1.stepId',
    ]);
  });
});

describe('whose Process it is (S4-OWN)', () => {
  it('is seen by others only while shared, and changed by its owner only', async () => {
    const all = await world();
    const { deps, ada, bob } = all;
    const tool = await ada.createsTool({
      serviceId: (await ada.createsService({ shared: true })).id,
      shared: true,
    });
    const process = await createsProcess(all, ada, { steps: [toolStep('a', tool.id)] });
    const change = { id: process.id, name: 'Taken over' };
    expect(await find(bob.viewer, process.id)).toBeNull();
    expect(await refusals(updateProcess(deps, bob.viewer, change))).toEqual(['NOT_FOUND id']);
    expect(await refusals(deleteProcess(deps, bob.viewer, { id: process.id }))).toEqual([
      'NOT_FOUND id',
    ]);
    expect(
      await refusals(restoreProcessVersion(deps, bob.viewer, { id: process.id, version: 1 })),
    ).toEqual(['NOT_FOUND id']);
    expect(
      (
        await worldGraph().read((tx) =>
          listProcessVersions(tx, bob.viewer, { processId: process.id }),
        )
      ).totalCount,
    ).toBe(0);
    expect(await worldGraph().read((tx) => loadSnapshot(tx, bob.viewer, process.id))).toBeNull();

    await updateProcess(deps, ada.viewer, { id: process.id, shared: true });
    expect(await find(bob.viewer, process.id)).toMatchObject({ shared: true, version: 1 });
    expect(await refusals(updateProcess(deps, bob.viewer, change))).toEqual(['FORBIDDEN id']);
    expect(await refusals(deleteProcess(deps, bob.viewer, { id: process.id }))).toEqual([
      'FORBIDDEN id',
    ]);
    expect(
      await refusals(restoreProcessVersion(deps, bob.viewer, { id: process.id, version: 1 })),
    ).toEqual(['FORBIDDEN id']);
  });

  it('shared, calls only what is shared, whenever it becomes so', async () => {
    const all = await world();
    const { deps, ada } = all;
    const tool = await ada.createsTool();
    const steps = [toolStep('a', tool.id)];
    expect(await refusals(createsProcess(all, ada, { steps, shared: true }))).toEqual([
      'NOT_SHARED steps.0.calls.toolId',
    ]);
    const process = await createsProcess(all, ada, { steps });
    expect(
      await refusals(updateProcess(deps, ada.viewer, { id: process.id, shared: true })),
    ).toEqual(['NOT_SHARED steps.0.calls.toolId']);
    await updateTool(deps, ada.viewer, { id: tool.id, shared: true });
    await updateProcess(deps, ada.viewer, { id: process.id, shared: true });
    expect(await refusals(updateTool(deps, ada.viewer, { id: tool.id, shared: false }))).toEqual([
      'IN_USE shared',
    ]);
  });

  it('stays shared while steps of others call it', async () => {
    const all = await world();
    const { deps, ada, bob } = all;
    const tool = await ada.createsTool({ shared: true });
    const inner = await createsProcess(all, ada, { steps: [toolStep('a', tool.id)], shared: true });
    const outer = await createsProcess(all, bob, {
      steps: [toolStep('a', inner.id, { calls: { processId: inner.id }, inputs: {} })],
    });
    expect(
      await refusals(updateProcess(deps, ada.viewer, { id: inner.id, shared: false })),
    ).toEqual(['IN_USE shared']);
    expect(
      await refusals(updateProcess(deps, ada.viewer, { id: inner.id, initialContext: ['more'] })),
    ).toEqual(['IN_USE initialContext']);
    await deleteProcess(deps, bob.viewer, { id: outer.id });
    await updateProcess(deps, ada.viewer, {
      id: inner.id,
      shared: false,
      initialContext: ['more'],
    });
  });
});

describe('changing a Process (S4-PROC-02)', () => {
  it('replaces its steps by new nodes and keeps every version', async () => {
    const all = await world();
    const { deps, ada } = all;
    const tool = await ada.createsTool();
    const before = await createsProcess(all, ada, {
      steps: [toolStep('a', tool.id), toolStep('b', tool.id, { dependsOn: ['a'] })],
    });
    const after = await updateProcess(deps, ada.viewer, {
      id: before.id,
      steps: [toolStep('c', tool.id)],
      outputTemplate: '{{c}}',
      tokenBudget: 7,
    });
    expect(after).toMatchObject({
      version: 2,
      steps: [{ id: 'c' }],
      tokenBudget: 7,
      name: before.name,
    });
    expect(await find(ada.viewer, before.id)).toEqual(after);
    expect(
      await ask('MATCH (s:ProcessStep) WHERE s.key STARTS WITH $id RETURN s.id AS id', {
        id: before.id,
      }),
    ).toEqual([{ id: 'c' }]);

    const versions = await worldGraph().read((tx) =>
      listProcessVersions(tx, ada.viewer, { processId: before.id }),
    );
    expect(
      versions.items.map(({ item }) => [
        item.version,
        item.definition.steps.length,
        item.createdBy,
      ]),
    ).toEqual([
      [2, 1, ada.viewer.userId],
      [1, 2, ada.viewer.userId],
    ]);
  });

  it('is no new version where the definition is the same', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    const { steps, outputTemplate, initialContext } = process;
    expect(
      (
        await updateProcess(deps, ada.viewer, {
          id: process.id,
          steps,
          outputTemplate,
          initialContext,
          enabled: false,
        })
      ).version,
    ).toBe(1);
    const [step] = steps;
    const leftOut = {
      id: step?.id,
      calls: step?.calls,
      inputs: step?.inputs,
      output: { variable: step?.output.variable },
    };
    expect(
      (await updateProcess(deps, ada.viewer, { id: process.id, steps: [leftOut] })).version,
    ).toBe(1);
    expect(
      (await updateProcess(deps, ada.viewer, { id: process.id, name: 'Another name' })).version,
    ).toBe(2);
  });

  it('refuses what createProcess refuses, and a version that is not current', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    expect(
      await refusals(
        updateProcess(deps, ada.viewer, {
          id: process.id,
          steps: [],
          outputTemplate: '{{x}}',
          maxRecursionDepth: -1,
        }),
      ),
    ).toEqual(['INVALID maxRecursionDepth', 'REQUIRED steps', 'UNKNOWN_VARIABLE outputTemplate']);
    expect(
      await refusals(
        updateProcess(deps, ada.viewer, { id: process.id, expectedVersion: 2, name: 'x' }),
      ),
    ).toEqual(['CONFLICT expectedVersion']);
    expect(await find(ada.viewer, process.id)).toEqual(process);
  });

  it('may call itself from the version on that it then is', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada, { initialContext: ['n'] });
    const again = toolStep('again', process.id, {
      calls: { processId: process.id },
      inputs: { n: '{context.n}' },
    });
    expect(
      (await updateProcess(deps, ada.viewer, { id: process.id, steps: [...process.steps, again] }))
        .version,
    ).toBe(2);
    const other = { ...again, inputs: { m: '{context.m}' } };
    expect(
      (
        await updateProcess(deps, ada.viewer, {
          id: process.id,
          initialContext: ['m'],
          steps: [...process.steps, other],
        })
      ).version,
    ).toBe(3);
    expect(await refusals(deleteProcess(deps, ada.viewer, { id: process.id }))).toEqual(['done']);
  });

  it('goes back to an old version by making it the newest', async () => {
    const all = await world();
    const { deps, ada } = all;
    const first = await createsProcess(all, ada, { description: 'first' });
    await updateProcess(deps, ada.viewer, {
      id: first.id,
      description: null,
      outputTemplate: 'second',
      tokenBudget: 3,
    });
    const restored = await restoreProcessVersion(deps, ada.viewer, { id: first.id, version: 1 });
    expect(restored).toEqual({ ...first, version: 3, updatedAt: restored.updatedAt });
    expect(
      await refusals(restoreProcessVersion(deps, ada.viewer, { id: first.id, version: 9 })),
    ).toEqual(['NOT_FOUND version']);
  });

  it('of several at once, with the same expected version, lets exactly one through', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    const writers = Array.from(
      { length: 8 },
      (_, index) => () =>
        updateProcess(deps, ada.viewer, {
          id: process.id,
          expectedVersion: 1,
          outputTemplate: `${index}`,
        }),
    );
    expect(await race(writers)).toEqual({ done: 1, 'CONFLICT expectedVersion': 7 });
    expect((await find(ada.viewer, process.id))?.version).toBe(2);
  });

  it('of several at once, without one, numbers every version', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        updateProcess(deps, ada.viewer, { id: process.id, outputTemplate: `${index}` }),
      ),
    );
    const versions = await worldGraph().read((tx) =>
      listProcessVersions(tx, ada.viewer, { processId: process.id }),
    );
    expect(versions.items.map(({ item }) => item.version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(
      await ask('MATCH (:Process {id: $id})-[:DEFINES_STEP]->(s) RETURN count(s) AS steps', {
        id: process.id,
      }),
    ).toEqual([{ steps: 1 }]);
  });
});

describe('a Process and what it calls, both changed at once', () => {
  it('never calls a Tool that is gone (S4-TOOL-08, S4-STEP-03)', async () => {
    const all = await world();
    const { deps, ada } = all;
    for (let round = 0; round < 10; round++) {
      const tool = await ada.createsTool();
      const outcome = await race([
        () => createsProcess(all, ada, { steps: [toolStep('a', tool.id)] }),
        () => deleteTool(deps, ada.viewer, { id: tool.id }),
      ]);
      expect(outcome['done']).toBe(1);
      expect(Object.keys(outcome).filter((key) => key !== 'done')).toEqual([
        expect.stringMatching(/^(IN_USE id|NOT_FOUND steps\.0\.calls\.toolId)$/),
      ]);
    }
    const broken = await ask(
      'MATCH (:User {id: $id})<-[:OWNED_BY]-(:Process)-[:DEFINES_STEP]->(s) WHERE NOT (s)-[:CALLS_TOOL]->(:Tool) RETURN s',
      { id: ada.viewer.userId },
    );
    expect(broken).toEqual([]);
  });

  it('shared, never calls a Tool that is not', async () => {
    const all = await world();
    const { deps, ada } = all;
    for (let round = 0; round < 10; round++) {
      const tool = await ada.createsTool({ shared: true });
      const outcome = await race([
        () => createsProcess(all, ada, { steps: [toolStep('a', tool.id)], shared: true }),
        () => updateTool(deps, ada.viewer, { id: tool.id, shared: false }),
      ]);
      expect(outcome['done']).toBe(1);
    }
    const broken = await ask(
      'MATCH (:User {id: $id})<-[:OWNED_BY]-(p:Process {shared: true})-[:DEFINES_STEP]->()-[:CALLS_TOOL]->(t:Tool {shared: false}) RETURN t',
      { id: ada.viewer.userId },
    );
    expect(broken).toEqual([]);
  });

  it('never calls a Process that is gone', async () => {
    const all = await world();
    const { deps, ada } = all;
    for (let round = 0; round < 10; round++) {
      const inner = await createsProcess(all, ada);
      const outcome = await race([
        () =>
          createsProcess(all, ada, {
            steps: [toolStep('a', inner.id, { calls: { processId: inner.id }, inputs: {} })],
          }),
        () => deleteProcess(deps, ada.viewer, { id: inner.id }),
      ]);
      expect(outcome['done']).toBe(1);
    }
  });

  it('two that begin to call each other at the same moment both succeed or are refused, and nothing hangs', async () => {
    const all = await world();
    const { deps, ada } = all;
    const [left, right] = [await createsProcess(all, ada), await createsProcess(all, ada)];
    const calls = (from: string, to: string) => () =>
      updateProcess(deps, ada.viewer, {
        id: from,
        steps: [toolStep('other', to, { calls: { processId: to }, inputs: {} })],
      });
    expect(await race([calls(left.id, right.id), calls(right.id, left.id)])).toEqual({ done: 2 });
    expect(await refusals(deleteProcess(deps, ada.viewer, { id: left.id }))).toEqual(['IN_USE id']);
  });
});

describe('deleting a Process (S4-PROC-06)', () => {
  it('takes its steps and versions with it, and leaves an entry', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    expect(await deleteProcess(deps, ada.viewer, { id: process.id })).toBe(process.id);
    expect(await find(ada.viewer, process.id)).toBeNull();
    expect(
      await ask('MATCH (n) WHERE n.processId = $id OR n.key STARTS WITH $id RETURN labels(n)', {
        id: process.id,
      }),
    ).toEqual([]);
    const kinds = await ask(
      'MATCH (o:OutboxEntry {ownerId: $owner}) WHERE o.payload CONTAINS $id RETURN o.kind AS kind ORDER BY o.id',
      { owner: ada.viewer.userId, id: process.id },
    );
    expect(kinds).toEqual([{ kind: 'process.created' }, { kind: 'process.deleted' }]);
  });

  it.each([
    ['a Conversation', 'CREATE (:Conversation)-[:DEFAULT_PROCESS]->(p)'],
    ['an Alternative', 'CREATE (:Alternative)-[:EXECUTED_BY]->(p)'],
    ['a Summary', 'CREATE (:Summary)-[:CREATED_BY_PROCESS]->(p)'],
    ['an open run', "CREATE (:ProcessRun {id: randomUUID(), processId: p.id, status: 'waiting'})"],
  ])('is refused while %s refers to it', async (_what, link) => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    await worldGraph().write((tx) =>
      tx.run(`// link\nMATCH (p:Process {id: $id}) ${link}`, { id: process.id }),
    );
    expect(await refusals(deleteProcess(deps, ada.viewer, { id: process.id }))).toEqual([
      'IN_USE id',
    ]);
    expect(await find(ada.viewer, process.id)).toEqual(process);
  });

  it('is not kept from it by finished runs', async () => {
    const all = await world();
    const { deps, ada } = all;
    const process = await createsProcess(all, ada);
    await worldGraph().write((tx) =>
      tx.run("// link\nCREATE (:ProcessRun {id: randomUUID(), processId: $id, status: 'failed'})", {
        id: process.id,
      }),
    );
    expect(await refusals(deleteProcess(deps, ada.viewer, { id: process.id }))).toEqual(['done']);
  });
});

describe('listing Processes', () => {
  it('pages through one’s own and what is shared, by name and by Tool', async () => {
    const all = await world();
    const { ada, bob } = all;
    const tool = await ada.createsTool({ shared: true });
    const marked = `needle ${tool.id}`;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.unshift(
        (
          await createsProcess(all, ada, {
            name: `${marked} ${index}`,
            steps: [toolStep('a', tool.id)],
            shared: index === 2,
          })
        ).id,
      );
    }
    const list = (viewer: Viewer, filter: Parameters<typeof listProcesses>[2]) =>
      worldGraph().read((tx) => listProcesses(tx, viewer, filter));
    const first = await list(ada.viewer, { query: marked.toUpperCase(), first: 3 });
    const rest = await list(ada.viewer, {
      query: marked,
      first: 3,
      after: first.items.at(-1)?.cursor,
    });
    expect([...first.items, ...rest.items].map(({ item }) => item.id)).toEqual(ids);
    expect([first.totalCount, first.hasNextPage, rest.hasNextPage]).toEqual([5, true, false]);
    expect(
      (await list(bob.viewer, { toolId: tool.id })).items.map(({ item }) => item.name),
    ).toEqual([`${marked} 2`]);
    expect((await list(bob.viewer, { toolId: tool.id, includeShared: false })).totalCount).toBe(0);
  });
});

describe('validating a definition', () => {
  it('plans what would run and writes nothing', async () => {
    const all = await world();
    const { deps, ada } = all;
    const [tool, other] = [await ada.createsTool(), await ada.createsTool()];
    const inner = await createsProcess(all, ada, {
      steps: [toolStep('a', other.id), toolStep('b', other.id)],
    });
    const parallel = { execution: { mode: 'parallel' } };
    const input = {
      name: 'P',
      initialContext: [],
      steps: [
        toolStep('a', tool.id, parallel),
        toolStep('b', tool.id, parallel),
        toolStep('c', inner.id, { calls: { processId: inner.id }, inputs: {} }),
      ],
      outputTemplate: '',
    };
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
    const bad = await validateProcess(deps, ada.viewer, {
      ...input,
      name: '',
      outputTemplate: '{{z}}',
    });
    expect([bad.plan, bad.problems.map(({ code }) => code)]).toEqual([
      null,
      ['REQUIRED', 'UNKNOWN_VARIABLE'],
    ]);
    const { totalCount } = await worldGraph().read((tx) =>
      listProcesses(tx, ada.viewer, { includeShared: false }),
    );
    expect(totalCount).toBe(1);
  });
});

describe('the snapshot of a run', () => {
  it('holds everything reachable, as it is now, by one statement per level and one for the Tools', async () => {
    const all = await world();
    const { deps, ada } = all;
    const inner = await createsProcess(all, ada);
    const outer = await createsProcess(all, ada, {
      steps: [toolStep('a', inner.id, { calls: { processId: inner.id }, inputs: {} })],
    });
    const { value: snapshot, statements } = await worldGraph().counting(() =>
      worldGraph().read((tx) => loadSnapshot(tx, ada.viewer, outer.id)),
    );
    expect(statements.map(({ name }) => name)).toEqual([
      'findProcesses',
      'findProcesses',
      'findToolSnapshots',
    ]);
    expect(Object.keys(snapshot?.processes ?? {}).sort()).toEqual([inner.id, outer.id].sort());
    expect(Object.keys(snapshot?.tools ?? {})).toHaveLength(1);

    await updateProcess(deps, ada.viewer, { id: outer.id, outputTemplate: 'new' });
    const old = await worldGraph().read((tx) => loadSnapshot(tx, ada.viewer, outer.id, 1));
    expect(old).toEqual(snapshot);
    expect(await worldGraph().read((tx) => loadSnapshot(tx, ada.viewer, outer.id, 7))).toBeNull();
  });

  it('leaves out what the viewer may not use any more', async () => {
    const all = await world();
    const { ada, bob } = all;
    const tool = await ada.createsTool({ shared: true });
    const process = await createsProcess(all, bob, { steps: [toolStep('a', tool.id)] });
    // The API refuses to un-share it; whatever the reason, the run must not get it.
    await worldGraph().write((tx) =>
      tx.run('// unshare\nMATCH (t:Tool {id: $id}) SET t.shared = false', { id: tool.id }),
    );
    expect(
      (await worldGraph().read((tx) => loadSnapshot(tx, bob.viewer, process.id)))?.tools,
    ).toEqual({});
  });
});

describe('what a caller sends', () => {
  it('of fields nobody may set changes nothing', async () => {
    const all = await world();
    const { deps, ada, bob } = all;
    const tool = await ada.createsTool();
    const input = {
      name: 'P',
      initialContext: [],
      steps: [toolStep('a', tool.id, { key: 'x', ownerId: bob.viewer.userId })],
      outputTemplate: '',
      id: 'mine',
      ownerId: bob.viewer.userId,
      version: 99,
      createdAt: '2000-01-01T00:00:00.000Z',
    };
    const process = await createProcess(deps, ada.viewer, input);
    expect(process).toMatchObject({ ownerId: ada.viewer.userId, version: 1 });
    expect(process.id).not.toBe('mine');
    const changed = await updateProcess(deps, ada.viewer, { ...input, id: process.id, name: 'Q' });
    expect(changed).toMatchObject({
      id: process.id,
      ownerId: ada.viewer.userId,
      version: 2,
      createdAt: process.createdAt,
    });
    expect(await find(ada.viewer, process.id)).toEqual(changed);
  });
});
