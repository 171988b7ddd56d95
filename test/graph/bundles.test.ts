import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { exportBundle } from '../../src/processes/bundle/bundle-export.service.ts';
import { findProcesses } from '../../src/processes/process.cypher.ts';
import { deleteProcess, updateProcess } from '../../src/processes/process.mutations.ts';
import { readWith } from '../testkit/graph.ts';
import { loadSnapshot } from '../testkit/snapshot.ts';
import { world, worldDeps } from '../testkit/world.ts';

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
  it('creates missing things once, and leaves all unchanged the second time', async () => {
    const { ada } = await world();
    const first = await importBundle(deps, ada.viewer, { document: BUNDLE });
    expect(first).toMatchObject({ updated: [], unchanged: [] });
    expect(first.created).toHaveLength(4);

    const again = await importBundle(deps, ada.viewer, { document: BUNDLE });
    expect(again).toMatchObject({ created: [], updated: [] });
    expect([...again.unchanged].sort()).toEqual([...first.created].sort());
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

  it('names every fault with its place in the document, and writes nothing', async () => {
    const { ada } = await world();
    const broken = BUNDLE.replace('protocol: http\n', 'protocol: bolt\n')
      .replace('"{{json item}}"', '"{{json nothing}}"')
      .replace('process: ping }', 'process: nobody }');
    const refusal = await importBundle(deps, ada.viewer, { document: broken }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(Refusal);
    const problems = (refusal as Refusal).problems.map(
      ({ code, path }) => `${code} ${path.join('.')}`,
    );
    expect(problems).toContain('PROTOCOL_MISMATCH document.services.0.protocol');
    expect(problems).toContain('NOT_FOUND document.processes.1.steps.0.calls.process');
    const fixed = await importBundle(deps, ada.viewer, { document: BUNDLE });
    expect(fixed.created).toHaveLength(4);
  });

  it('says of a bundle of an older version that a step has a stepId', async () => {
    const { ada } = await world();
    const old = BUNDLE.replace('stepId: forth', 'id: forth');
    const error = await importBundle(deps, ada.viewer, { document: old }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error.problems).toMatchObject([
      { code: 'REQUIRED', path: ['document', 'processes', '1', 'steps', '0', 'stepId'] },
      {
        code: 'INVALID',
        path: ['document', 'processes', '1', 'steps', '0', 'id'],
        message: expect.stringContaining('Rename'),
      },
    ]);
  });

  it('names faults of shape beside all others, with their place, and writes nothing', async () => {
    const { ada } = await world();
    const broken = BUNDLE.replace('method: GET', 'method: GOT')
      .replace(
        'id: "{context.id}" }\n        output: { variable: item }',
        'id: "{context.idd}" }\n        output: { variable: item }',
      )
      .replace('"{{forth}}"', '"{{fourth}}"')
      .replace('maxRecursionDepth: 2', 'maxRecursionDepth: 2\n    toolz: []')
      .replace(
        'required: false }\n    outputTemplate: "{{json item}}"',
        'required: 5 }\n    outputTemplate: 5',
      );
    const refusal = await importBundle(deps, ada.viewer, { document: broken }).then(
      () => null,
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
    const expected = { created: [], updated: [] };
    expect(await importBundle(deps, ada.viewer, { document })).toMatchObject(expected);
    const found = await readWith(deps.graph, findProcesses, ada.viewer, created);
    const ping = found.find(({ name }) => name === 'ping');
    if (ping === undefined) throw new Error('no ping');
    const change = (contextSchema: JsonObject | null) =>
      updateProcess(deps, ada.viewer, { id: ping.id, contextSchema });
    // pong gives no style, so the style needs its default.
    await expect(change({ properties: { style: { enum: ['long'] } } })).rejects.toMatchObject({
      problems: [{ code: 'IN_USE', path: ['initialContext'] }],
    });
    const changed = await change({ properties: { style: { default: 'short' } } });
    expect(changed.version).toBe(2);
    const wrong = typed.replace('type: string }, style', 'type: array }, style');
    await expect(importBundle(deps, ada.viewer, { document: wrong })).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({
          code: 'TYPE_MISMATCH',
          message: expect.stringContaining('is a list'),
        }),
      ]),
    });
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

  it('gives back the imported bundle, and importing that changes nothing', async () => {
    const { ada, bob } = await world();
    await importBundle(deps, ada.viewer, { document: BUNDLE });
    const document = await exportBundle(deps, ada.viewer, {});
    const again = await importBundle(deps, ada.viewer, { document });
    expect(again).toMatchObject({ created: [], updated: [] });
    const copied = await importBundle(deps, bob.viewer, { document });
    expect(copied.created).toHaveLength(4);
  });

  it('refuses tags, unknown fields, alias bombs and values of Secrets', async () => {
    const { ada } = await world();
    const aliases = Array.from({ length: 200 }, (_, index) => `k${index}: *a`);
    const bomb = ['aiden: 1', 'x: &a [1,1]', ...aliases].join('\n');
    for (const document of [
      'aiden: 1\nservices: !!js/function "x"',
      'aiden: 2',
      'aiden: 1\nsecrets: [{ name: a, value: b }]',
      bomb,
      '{',
    ]) {
      await expect(importBundle(deps, ada.viewer, { document })).rejects.toBeInstanceOf(Refusal);
    }
  });

  it('reads the bundles the product ships', async () => {
    const { ada } = await world();
    const read = (name: string) =>
      readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');
    const registered = worldDeps({ mcpServers: { clock: [] } });
    const variables = { AIDEN_LOCAL_LLM_URL: 'http://127.0.0.1:9/v1' };
    const input = { document: asOwn(read('system.yaml')), variables };
    const system = await importBundle(registered, ada.viewer, input);
    expect(system.created.length).toBeGreaterThan(5);
    const tour = await importBundle(registered, ada.viewer, {
      document: unshared(read('tour.yaml')),
    });
    expect(tour.created).toHaveLength(2);
  });
});

/** The document without shared resources: other tests would find a second `chat`. */
function unshared(document: string): string {
  return document.replaceAll('shared: true', 'shared: false');
}

/**
 * The system's bundle for a user: without the Tools over the platform's graph, which only the
 * system may have, and without the tools that its steps offer, which are among them.
 */
function asOwn(document: string): string {
  const bundle = parse(unshared(document)) as {
    tools: { name: string; operation: { type: string } }[];
    processes: { steps: { calls: { tool?: string }; tools?: object; agent?: object }[] }[];
  };
  const tools = bundle.tools.filter(({ operation }) => operation.type !== 'graph_query');
  const names = new Set(tools.map(({ name }) => name));
  const processes = bundle.processes.filter(({ steps }) =>
    steps.every(({ calls }) => calls.tool === undefined || names.has(calls.tool)),
  );
  for (const step of processes.flatMap(({ steps }) => steps)) {
    delete step.tools;
    delete step.agent;
  }
  return stringify({ ...bundle, tools, processes });
}

describe('a Process and all that it can reach', () => {
  it('is one snapshot, circles included (S4-EXEC-12)', async () => {
    const { ada } = await world();
    const { created } = await importBundle(deps, ada.viewer, { document: BUNDLE });
    const found = await readWith(deps.graph, findProcesses, ada.viewer, created);
    const ping = found.find(({ name }) => name === 'ping');
    const { value: snapshot, statements } = await deps.graph.counting(() =>
      readWith(deps.graph, loadSnapshot, ada.viewer, ping?.id ?? ''),
    );
    expect(
      Object.values(snapshot?.processes ?? {})
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['ping', 'pong']);
    expect(Object.values(snapshot?.tools ?? {})).toHaveLength(1);
    expect(statements.length).toBeLessThanOrEqual(3);
  });

  // S4-PROC-06
  it('keeps its interface while it is called, and goes only when it is not', async () => {
    const { ada } = await world();
    const { created } = await importBundle(deps, ada.viewer, { document: BUNDLE });
    const found = await readWith(deps.graph, findProcesses, ada.viewer, created);
    const ping = found.find(({ name }) => name === 'ping');
    if (ping === undefined) throw new Error('no ping');
    await expect(deleteProcess(deps, ada.viewer, { id: ping.id })).rejects.toMatchObject({
      problems: [{ code: 'IN_USE' }],
    });
    await expect(
      updateProcess(deps, ada.viewer, { id: ping.id, initialContext: ['id', 'more'] }),
    ).rejects.toMatchObject({ problems: [{ code: 'IN_USE', path: ['initialContext'] }] });
  });
});
