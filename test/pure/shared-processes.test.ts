import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { memoryUseOf } from '../../src/catalog/tools/memory-use.ts';
import { Operation } from '../../src/operations/operation.ts';
import { isNameForModel, legalName } from '../../src/processes/definition/agent-tool-name.ts';
import { toolNames } from '../../src/processes/exposed-process.ts';
import { SYSTEM_USER_ID } from '../../src/users/user.ts';

// docs/decisions/0093, 0094.

describe('names of tools', () => {
  const SEED = 94;
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constantFrom(
      'deploy report',
      'deploy_report',
      'deploy:report',
      '',
      '\ud800',
      'déploy report',
    ),
    fc.integer({ min: 0, max: 9 }).map((at) => `deploy_report_00000000000${at}`),
  );

  it('are legal, each once, in the order of the Processes, and the first of a name has it', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), (names) => {
        const processes = names.map((one, at) => ({
          id: `01a21b1e-0000-7000-8000-00000000000${at}`.slice(0, 36 + String(at).length - 1),
          name: one,
        }));
        const tools = toolNames(processes);
        expect([...tools.values()]).toEqual(processes);
        for (const tool of tools.keys()) expect(isNameForModel(tool)).toBe(true);
        const seen = new Set<string>();
        for (const process of processes) {
          const legal = legalName(process.name);
          if (!seen.has(legal)) expect(tools.get(legal)).toBe(process);
          seen.add(legal);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});

describe('the use of the memory by Tools of the system', () => {
  const { tools } = parse(readFileSync('examples/system.yaml', 'utf8'), { merge: true }) as {
    tools: { name: string; operation: object }[];
  };
  const uses = tools.map(({ name, operation }) => [
    name,
    memoryUseOf({ ownerId: SYSTEM_USER_ID, operation: Operation.parse(operation) }),
  ]);

  it('is known of each shipped Tool: a new one that reads memory is among these', () => {
    expect(uses.filter(([, use]) => use !== null)).toEqual([
      ['what is known most', 'read'],
      ['query_graph', 'read'],
      ['search_memory', 'read'],
      ['get_entity', 'read'],
      ['read_conversation', 'read'],
      ['browse_toc', 'read'],
      ['expand_grip', 'read'],
      ['remember', 'write'],
      // The Tools of the person who runs it are theirs alone, as their memory is.
      ['sketch a process', 'read'],
      ['check a draft', 'read'],
    ]);
  });

  it('is none for the same operation of another user', () => {
    const operation = Operation.parse({
      type: 'graph_query',
      query: 'CALL aiden.queryOwnGraph($query, $parameters)',
    });
    expect(memoryUseOf({ ownerId: 'eve', operation })).toBeNull();
  });
});
