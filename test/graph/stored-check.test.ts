import { describe, expect, it } from 'vitest';
import {
  checkStored,
  checkStoredPage,
  type InvalidThing,
} from '../../src/processes/stored-check.service.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { world } from '../testkit/world.ts';

// The check before an upgrade. A graph that a newer version would judge otherwise is made by
// writing what this version's own mutations refuse.

const { deps, ada, bob } = await world();
const write = (statement: string, params: Record<string, string>) =>
  deps.graph.write((tx) => tx.run(`// test\n ${statement}`, params));
const calls = (toolId: string, name: string) =>
  createsProcess({ deps }, bob, { name, steps: [toolStep('read', toolId)] });
const summaryOf = ({ kind, name, ownerId, problems }: InvalidThing) => ({
  kind,
  name,
  ownerId,
  problems: problems.map(({ code, path }) => `${code} ${path.join('.')}`),
});

describe('the check of all that is stored', () => {
  // One check for all: it reads what every test has stored.
  it('names each refused or unreadable thing with its owner, and goes on', async () => {
    const fine = await ada.createsTool({ shared: true });
    const [whole, broken] = [await calls(fine.id, 'Whole'), await calls(fine.id, 'Broken')];
    const tool = await ada.createsTool({ name: 'Read page', shared: true });
    const process = await calls(tool.id, 'Read two');
    const schema = { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] };
    await write('MATCH (n:Tool {id: $id}) SET n.inputSchema = $schema', {
      id: tool.id,
      schema: JSON.stringify(schema),
    });
    await write('MATCH (:Process {id: $id})-[:DEFINES_STEP]->(s) SET s.execution = $text', {
      id: broken.id,
      text: '{"mode":"of a later version"}',
    });
    const { invalid, checked } = await checkStored(deps);
    const of = (id: string) => invalid.filter((one) => one.id === id).map(summaryOf);
    expect(of(fine.id)).toEqual([]);
    expect(of(whole.id)).toEqual([]);
    expect(checked.tools).toBeGreaterThan(1);
    expect(checked.processes).toBeGreaterThan(2);
    expect(of(tool.id)).toEqual([
      {
        kind: 'Tool',
        name: 'Read page',
        ownerId: ada.viewer.userId,
        problems: [
          'UNKNOWN_VARIABLE operation.restCall.path',
          'UNKNOWN_VARIABLE inputSchema.properties.page',
        ],
      },
    ]);
    const ownerId = bob.viewer.userId;
    expect([...of(process.id), ...of(broken.id)]).toEqual([
      {
        kind: 'Process',
        name: 'Read two',
        ownerId,
        problems: ['SCHEMA_VIOLATION steps.0.inputs.page', 'SCHEMA_VIOLATION steps.0.inputs.id'],
      },
      { kind: 'Process', name: 'Broken', ownerId, problems: ['INVALID '] },
    ]);
  });

  it('costs the same number of statements for any number of Processes and owners', async () => {
    const tool = await ada.createsTool({ shared: true });
    const own = await createsProcess({ deps }, ada, { steps: [toolStep('read', tool.id)] });
    const foreign = await calls(tool.id, 'Foreign');
    for (const owner of [ada, bob, ada])
      await createsProcess({ deps }, owner, { steps: [toolStep('read', tool.id)] });
    const cost = async (limit: number) => {
      const { value, statements } = await deps.graph.counting(() =>
        checkStoredPage(deps, 'Process', { after: '', limit }),
      );
      expect(value.checked).toBe(limit);
      return statements.map(({ name }) => name);
    };
    expect(await cost(1)).toEqual(await cost(5));
    expect(await cost(5)).toHaveLength(3);

    // Each owner's steps are held to what that owner may use.
    await write('MATCH (n:Tool {id: $id}) SET n.shared = $shared <> "no"', {
      id: tool.id,
      shared: 'no',
    });
    const { invalid } = await checkStored(deps);
    const of = (id: string) => invalid.filter((one) => one.id === id).map(summaryOf);
    expect(of(own.id)).toEqual([]);
    expect(of(foreign.id)[0]?.problems).toEqual(['NOT_FOUND steps.0.calls.toolId']);
  });
});
