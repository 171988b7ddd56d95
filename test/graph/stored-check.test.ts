import { describe, expect, it } from 'vitest';
import { createProcess } from '../../src/processes/process.mutations.ts';
import { checkStored } from '../../src/processes/stored-check.service.ts';
import { world } from '../testkit/world.ts';

// The check before an upgrade. A graph that a newer version would judge otherwise is made by
// writing what this version's own mutations refuse.

const { deps, ada, bob } = await world();
const write = (statement: string, params: Record<string, string>) =>
  deps.graph.write((tx) => tx.run(`// test\n ${statement}`, params));
const calls = (toolId: string, name: string) =>
  createProcess(deps, bob.viewer, {
    name,
    initialContext: ['id'],
    steps: [
      {
        id: 'read',
        calls: { toolId },
        inputs: { id: '{context.id}' },
        output: { variable: 'found' },
      },
    ],
    outputTemplate: '',
  } as never);
const found = async (...ids: string[]) => {
  const { invalid } = await checkStored(deps);
  return invalid
    .filter(({ id }) => ids.includes(id))
    .map(({ kind, name, ownerId, problems }) => ({
      kind,
      name,
      ownerId,
      problems: problems.map(({ code, path }) => `${code} ${path.join('.')}`),
    }));
};

describe('the check of all that is stored', () => {
  it('accepts what this version has written, of all users, and counts it', async () => {
    const tool = await ada.createsTool({ shared: true });
    const process = await calls(tool.id, 'Read one');
    expect(await found(tool.id, process.id)).toEqual([]);
    const { checked } = await checkStored(deps);
    expect(checked.tools).toBeGreaterThan(0);
    expect(checked.processes).toBeGreaterThan(0);
  });

  it('names each Process and Tool that would be refused, with its owner and path', async () => {
    const tool = await ada.createsTool({ name: 'Read page', shared: true });
    const process = await calls(tool.id, 'Read two');
    const schema = { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] };
    await write('MATCH (n:Tool {id: $id}) SET n.inputSchema = $schema', {
      id: tool.id,
      schema: JSON.stringify(schema),
    });
    expect(await found(tool.id, process.id)).toEqual([
      {
        kind: 'Tool',
        name: 'Read page',
        ownerId: ada.viewer.userId,
        problems: [
          'UNKNOWN_VARIABLE operation.restCall.path',
          'UNKNOWN_VARIABLE inputSchema.properties.page',
        ],
      },
      {
        kind: 'Process',
        name: 'Read two',
        ownerId: bob.viewer.userId,
        problems: ['SCHEMA_VIOLATION steps.0.inputs.page', 'SCHEMA_VIOLATION steps.0.inputs.id'],
      },
    ]);
  });

  it('names what this version can not read at all, and goes on', async () => {
    const tool = await ada.createsTool({ shared: true });
    const [broken, whole] = [await calls(tool.id, 'Broken'), await calls(tool.id, 'Whole')];
    await write('MATCH (:Process {id: $id})-[:DEFINES_STEP]->(s) SET s.execution = $text', {
      id: broken.id,
      text: '{"mode":"of a later version"}',
    });
    expect(await found(broken.id, whole.id)).toEqual([
      { kind: 'Process', name: 'Broken', ownerId: bob.viewer.userId, problems: ['INVALID '] },
    ]);
  });
});
