import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { exportBundle } from '../../src/processes/bundle/bundle-export.service.ts';
import { findProcesses } from '../../src/processes/process.cypher.ts';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import { readWith } from '../testkit/graph.ts';
import { refusals, refuses, world, worldDeps } from '../testkit/world.ts';

const deps = worldDeps();

const BUNDLE = `
aiden: 1
services:
  - name: items
    type: rest_api
    protocol: http
    connectionSchema:
      type: object
      required: [endpoint]
      properties: { endpoint: { type: string, format: uri } }
tools:
  - name: find item
    service: items
    connectionParams: { endpoint: "http://127.0.0.1:9" }
    operation: { type: rest_call, method: GET, path: "/items/{{id}}" }
    inputSchema: { type: object, required: [id], properties: { id: { type: string } } }
    outputSchema: { type: object }
processes:
  - name: ping
    initialContext: [id]
    maxRecursionDepth: 2
    steps:
      - stepId: find
        calls: { tool: find item }
        inputs: { id: "{context.id}" }
        output: { variable: item }
      - stepId: back
        calls: { process: pong }
        inputs: { id: "{context.id}" }
        output: { variable: back, required: false }
    outputTemplate: "{{json item}}"
  - name: pong
    initialContext: [id]
    steps:
      - stepId: forth
        calls: { process: ping }
        inputs: { id: "{context.id}" }
        output: { variable: forth, required: false }
    outputTemplate: "{{forth}}"
`;

const OFFERING = `
${BUNDLE.slice(0, BUNDLE.indexOf('tools:'))}
  - name: models
    type: llm_provider
    protocol: http
    connectionSchema: { type: object }
${BUNDLE.slice(BUNDLE.indexOf('tools:'), BUNDLE.indexOf('processes:'))}
  - name: ask
    service: models
    connectionParams: { endpoint: "http://127.0.0.1:9", model: m }
    operation: { type: llm_call, promptTemplate: "{{prompt}}" }
    inputSchema: { type: object, required: [prompt], properties: { prompt: { type: string } } }
    outputSchema: { type: object }
processes:
  - name: answer
    initialContext: [question]
    steps:
      - stepId: answer
        calls: { tool: ask }
        inputs: { prompt: "{context.question}" }
        output: { variable: answer }
        tools:
          - { tool: find item, permission: ask }
          - { process: page, name: read, description: Reads a page., permission: ask }
          - process: page
    outputTemplate: "{{answer}}"
  - name: page
    initialContext: [id]
    steps:
      - stepId: find
        calls: { tool: find item }
        inputs: { id: "{context.id}" }
        output: { variable: item }
    outputTemplate: "{{json item}}"
`;

describe('bundles', () => {
  it('creates missing things once, also for another user; its export changes nothing', async () => {
    const { ada, bob } = await world();
    const first = await importBundle(deps, ada.viewer, { document: BUNDLE });
    expect(first).toMatchObject({ updated: [], unchanged: [] });
    expect(first.created).toHaveLength(4);
    const exported = await exportBundle(deps, ada.viewer, {});
    for (const document of [BUNDLE, exported]) {
      const again = await importBundle(deps, ada.viewer, { document });
      expect(again).toMatchObject({ created: [], updated: [] });
      expect([...again.unchanged].sort()).toEqual([...first.created].sort());
    }
    const copied = await importBundle(deps, bob.viewer, { document: exported });
    expect(copied.created).toHaveLength(4);
  });

  it('updates only differences', async () => {
    const { ada } = await world();
    await importBundle(deps, ada.viewer, { document: BUNDLE });
    const changed = BUNDLE.replace('"{{forth}}"', '"came back with {{forth}}"').replace(
      '/items/{{id}}',
      '/things/{{id}}',
    );
    const result = await importBundle(deps, ada.viewer, { document: changed });
    expect(result.created).toEqual([]);
    expect(result.updated).toHaveLength(2);
    expect(result.unchanged).toHaveLength(2);
  });

  it('exports the offered tools of a step in the form that an import reads', async () => {
    const { ada } = await world();
    const { created } = await importBundle(deps, ada.viewer, { document: OFFERING });
    const document = await exportBundle(deps, ada.viewer, {});
    expect(parse(document).processes[0].steps[0].tools).toEqual([
      { tool: 'find item', permission: 'ask' },
      { process: 'page', name: 'read', description: 'Reads a page.', permission: 'ask' },
      { process: 'page' },
    ]);
    const again = await importBundle(deps, ada.viewer, { document });
    expect([...again.unchanged].sort()).toEqual([...created].sort());
  });

  it('checks without writing when it is a dry run', async () => {
    const { ada } = await world();
    const checked = await importBundle(deps, ada.viewer, { document: BUNDLE, mode: 'check' });
    expect(checked.created).toHaveLength(4);
    const found = await readWith(deps.graph, findProcesses, ada.viewer, checked.created);
    expect(found).toEqual([]);
  });

  it('says of a bundle of an older version that a step has a stepId', async () => {
    const { ada } = await world();
    const old = BUNDLE.replace('stepId: forth', 'id: forth');
    const path = ['document', 'processes', '1', 'steps', '0'];
    await expect(importBundle(deps, ada.viewer, { document: old })).rejects.toMatchObject({
      problems: [
        { code: 'REQUIRED', path: [...path, 'stepId'] },
        { code: 'INVALID', path: [...path, 'id'], message: expect.stringContaining('Rename') },
      ],
    });
  });

  it('names faults of shape beside all others, with their place, and writes nothing', async () => {
    const { ada } = await world();
    const broken = [
      ['method: GET', 'method: GOT'],
      [
        'id: "{context.id}" }\n        output: { variable: item',
        'id: "{context.x}" }\n        output: { variable: item',
      ],
      ['"{{forth}}"', '"{{fourth}}"'],
      ['maxRecursionDepth: 2', 'maxRecursionDepth: 2\n    toolz: []'],
      ['false }\n    outputTemplate: "{{json item}}"', '5 }\n    outputTemplate: 5'],
    ].reduce((text, [old = '', wrong = '']) => text.replace(old, wrong), BUNDLE);
    const refusal = await importBundle(deps, ada.viewer, { document: broken }).catch(
      (error: unknown) => error,
    );
    if (!(refusal instanceof Refusal)) throw new Error('It was accepted.');
    const lines = broken.split('\n');
    const found = refusal.problems.map(({ path, message }) => {
      const [, line = '0', column = '0'] = /^Line (\d+), column (\d+): /.exec(message) ?? [];
      const rest = lines[Number(line) - 1]?.slice(Number(column) - 1);
      return `${path.slice(1).join('.')} at ${rest?.split(/[:\s]/)[0]}`;
    });
    expect(found.sort()).toEqual([
      'processes.0.outputTemplate at outputTemplate',
      'processes.0.steps.0.inputs.id at id',
      'processes.0.steps.1.output.required at required',
      'processes.0.toolz at toolz',
      'processes.1.outputTemplate at outputTemplate',
      'tools.0.operation.method at method',
    ]);
    expect(refusal.message).toContain('Did you mean "GET"?');
    expect(refusal.message).toContain('{{fourth}} is neither in initialContext nor the output');
    const document = BUNDLE.replace('protocol: http\n', 'protocol: bolt\n');
    const unknown = { document: document.replace('process: ping }', 'process: nobody }') };
    const expected = [
      'PROTOCOL_MISMATCH document.services.0.protocol',
      'NOT_FOUND document.processes.1.steps.0.calls.process',
    ];
    expect(await refusals(importBundle(deps, ada.viewer, unknown))).toEqual(
      expect.arrayContaining(expected),
    );
    const fixed = await importBundle(deps, ada.viewer, { document: BUNDLE });
    expect(fixed.created).toHaveLength(4);
  });

  it('keeps a contextSchema; callers may leave out variables with a default', async () => {
    const { ada } = await world();
    const typed = BUNDLE.replace(
      'initialContext: [id]\n    maxRecursionDepth: 2',
      `initialContext: [id, style]
    contextSchema:
      properties: { id: { type: string }, style: { enum: [long, short], default: long } }
    maxRecursionDepth: 2`,
    );
    const { created } = await importBundle(deps, ada.viewer, { document: typed });
    const document = await exportBundle(deps, ada.viewer, {});
    expect(parse(document).processes[0]).toMatchObject({
      name: 'ping',
      contextSchema: { properties: { style: { default: 'long' } } },
    });
    const found = await readWith(deps.graph, findProcesses, ada.viewer, created);
    const id = found.find(({ name }) => name === 'ping')?.id ?? '';
    const change = (contextSchema: JsonObject | null) =>
      updateProcess(deps, ada.viewer, { id, contextSchema });
    // pong gives no style, so the style needs its default.
    const strict = change({ properties: { style: { enum: ['long'] } } });
    await refuses(strict, 'IN_USE initialContext');
    const changed = await change({ properties: { style: { default: 'short' } } });
    expect(changed.version).toBe(2);
    const wrong = typed.replace('type: string }, style', 'type: array }, style');
    await expect(importBundle(deps, ada.viewer, { document: wrong })).rejects.toThrow('is a list');
  });

  it('lets two imports of one user at the same moment create everything once', async () => {
    const { ada } = await world();
    const results = await Promise.all(
      [1, 2, 3].map(() => importBundle(deps, ada.viewer, { document: BUNDLE })),
    );
    const created = new Set(results.flatMap(({ created: ids }) => ids));
    expect(created.size).toBe(4);
    expect(results.filter(({ created: ids }) => ids.length === 4)).toHaveLength(1);
  });
});
