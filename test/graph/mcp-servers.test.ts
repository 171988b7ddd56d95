import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { listMcpServerTools } from '../../src/catalog/import/mcp-listing.service.ts';
import { importMcpTools } from '../../src/catalog/import/tool-import.mutations.ts';
import { findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { probeTools } from '../../src/catalog/tools/tool-health.service.ts';
import { testTool } from '../../src/catalog/tools/tool-test.service.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { mcpDriver } from '../../src/platform/drivers/mcp-call.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { checkToolCallers } from '../../src/processes/tool-callers.service.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { readWith } from '../testkit/graph.ts';
import { EVERYTHING } from '../testkit/mcp-everything.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { realCalls } from '../testkit/real-calls.ts';
import { refusals, refuses, world, worldGraph } from '../testkit/world.ts';

// The temporary folder may be a link, and the filesystem server compares real paths.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'aiden-mcp-')));
const toolsFile = join(folder, 'tools.json');
const npmServer = (name: string, ...args: string[]) => {
  const entry = `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(entry, import.meta.url)), ...args],
  };
};
const mcpServers = {
  everything: EVERYTHING,
  memory: { ...npmServer('memory'), env: ['MEMORY_FILE_PATH'] },
  filesystem: npmServer('filesystem', folder),
  thinking: npmServer('sequential-thinking'),
  file: {
    command: process.execPath,
    args: [fileURLToPath(new URL('../testkit/mcp-file-server.ts', import.meta.url)), toolsFile],
  },
};
const toolCalls = realCalls({ mcpServers });
const renderer = openRenderer();

const offers = (tools: readonly { name: string; description?: string; more?: JsonObject }[]) =>
  writeFileSync(
    toolsFile,
    JSON.stringify(
      tools.map(({ more, ...tool }) => ({ inputSchema: { type: 'object', ...more }, ...tool })),
    ),
  );

offers([]);
writeFileSync(join(folder, 'hello.txt'), 'hello from a file');
const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
const driver = mcpDriver({ egress, renderer, mcpServers });
afterAll(async () => {
  await Promise.all([driver.close(), egress.close(), renderer.close()]);
  rmSync(folder, { recursive: true });
});

type McpOperation = Extract<DriverCall['operation'], { type: 'mcp_call' }>;
async function call(
  server: string,
  tool: string,
  inputs: JsonObject = {},
  given: Partial<DriverCall<McpOperation>> = {},
): Promise<Json> {
  const target = { protocol: 'stdio' as const, connectionParams: { server } };
  const operation: McpOperation = { type: 'mcp_call', tool };
  return (await driver.invoke(driverCall(operation, target, { inputs, ...given }))).output;
}
const namesOf = async (server: string) => {
  const target = driverTarget('mcp_call', { protocol: 'stdio', connectionParams: { server } });
  const listed = await driver.listTools(target, AbortSignal.timeout(120_000));
  return listed.map(({ name }) => name);
};

describe('the MCP project’s servers from npm', () => {
  it('filesystem lists its tools, reads a file and refuses one outside of its folder', async () => {
    expect(await namesOf('filesystem')).toEqual(
      expect.arrayContaining(['read_text_file', 'write_file', 'list_directory']),
    );
    const path = join(folder, 'hello.txt');
    expect(JSON.stringify(await call('filesystem', 'read_text_file', { path }))).toContain(
      'hello from a file',
    );
    await expect(
      call('filesystem', 'read_text_file', { path: '/etc/passwd' }),
    ).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      retryable: false,
      message: expect.stringContaining('denied'),
    });
  });

  it('memory keeps texts between two sessions', async () => {
    expect(await namesOf('memory')).toEqual(
      expect.arrayContaining(['create_entities', 'read_graph']),
    );
    const target = {
      protocol: 'stdio' as const,
      connectionParams: { server: 'memory' },
      secret: { value: join(folder, 'memory.jsonl'), scope: 'env:MEMORY_FILE_PATH' },
    };
    const ask = (tool: string, inputs: JsonObject) =>
      driver.invoke(driverCall({ type: 'mcp_call', tool } as McpOperation, target, { inputs }));
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['lives in Berlin'] }];
    await ask('create_entities', { entities });
    expect(await ask('read_graph', {})).toMatchObject({
      output: { entities: [{ name: 'Ada', observations: ['lives in Berlin'] }] },
    });
  });

  it('sequential-thinking takes numbers and gives structured content', async () => {
    expect(await namesOf('thinking')).toEqual(['sequentialthinking']);
    const inputs = { thought: 'one', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 };
    const expected = { thoughtNumber: 1, totalThoughts: 2 };
    expect(await call('thinking', 'sequentialthinking', inputs)).toMatchObject(expected);
  });
});

describe('images and files of an MCP tool', () => {
  it('become blobs, and the text has their URIs', async () => {
    const stored = new Map<string, Buffer>();
    const storeFile = async (name: string, bytes: Uint8Array) => {
      stored.set(name, Buffer.from(bytes));
      return `ci-blob://files/${name}`;
    };
    expect(await call('file', 'files', {}, { storeFile })).toBe(
      [
        'Here they are.',
        '[image image/png ci-blob://files/1.png]',
        '[resource file:///report.pdf application/pdf ci-blob://files/2.pdf]',
      ].join('\n'),
    );
    expect(stored.get('1.png')).toEqual(Buffer.from([137, 80, 78, 71]));
    expect(stored.get('2.pdf')?.toString()).toBe('%PDF-1.7');
    // A call that is not recorded stores nothing.
    expect(await call('file', 'files')).toContain('[image image/png]');
    const tiny = await call('everything', 'get-tiny-image', {}, { storeFile });
    expect(tiny).toContain('[image image/png ci-blob://files/');
  });
});

describe('the tools that an MCP server offers', () => {
  const setUp = async () => {
    const { deps, ada, bob } = await world({ toolCalls, mcpServers: { file: [] } });
    const input = {
      type: 'mcp_server',
      protocol: 'stdio',
      connectionSchema: { type: 'object' },
    } as const;
    const { id: serviceId } = await ada.createsService(input);
    const source = { serviceId, connectionParams: { server: 'file' } };
    const list = (more = {}) =>
      listMcpServerTools(deps, ada.viewer, { ...source, ...more }).then((found) =>
        found.map(({ name, state, changes }) => [name, state, ...Object.keys(changes)].join(' ')),
      );
    const run = (more = {}) => importMcpTools(deps, ada.viewer, { ...source, ...more });
    return { deps, ada, bob, source, list, run };
  };

  it('are listed before an import, compared after it, and updated by the next one', async () => {
    const { ada, list, run } = await setUp();
    offers([{ name: 'a' }, { name: 'b', description: 'old' }, { name: 'c' }]);
    expect(await list()).toEqual(['a new', 'b new', 'c new']);

    const { tools } = await run({ names: ['a', 'b', 'c'] });
    const expected = ['a unchanged', 'b unchanged', 'c unchanged'];
    expect(await list({ connectionParams: null })).toEqual(expected);
    offers([
      { name: 'a', more: { properties: { path: { type: 'string' } } } },
      { name: 'b', description: 'new' },
      { name: 'd' },
    ]);
    expect(await list()).toEqual([
      'a changed inputSchema',
      'b changed description',
      'd new',
      'c gone',
    ]);

    const again = await run();
    const expectedAgain = ['changed', 'changed', 'new', 'gone'];
    expect(again.serverTools.map(({ state }) => state)).toEqual(expectedAgain);
    const [a, b, c] = tools;
    expect(again.tools.map(({ id }) => id)).toEqual(expect.arrayContaining([a?.id, b?.id]));
    expect(again.tools).toHaveLength(3);
    expect(await list()).toEqual(['a unchanged', 'b unchanged', 'd unchanged', 'c gone']);
    const kept = await readWith(worldGraph(), findTools, ada.viewer, [c?.id ?? '']);
    expect(kept).toHaveLength(1);
    expect((await run()).tools).toHaveLength(3);
  });

  it('are degraded while the server does not list them, each for itself', async () => {
    const { deps, ada, run } = await setUp();
    offers([{ name: 'a' }, { name: 'b' }]);
    const { tools } = await run();
    const ids = tools.map(({ id }) => id);
    const healths = async () => {
      await probeTools(deps, ids);
      const found = await readWith(worldGraph(), findTools, ada.viewer, ids);
      return Object.fromEntries(
        found.map(({ name, status, errorMessage, probeTells }) => [
          name,
          errorMessage ?? `${status}, tells of ${probeTells ?? 'an answer'}`,
        ]),
      );
    };
    const known = 'healthy, tells of call';
    expect(await healths()).toEqual({ a: known, b: known });
    offers(['a', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name })));
    expect(await healths()).toEqual({
      a: known,
      b: 'The MCP server does not list the tool b. It lists a, c, d, e, f and 1 more.',
    });
    // It answers with an error: what it offers is not known.
    writeFileSync(toolsFile, 'no JSON');
    const unknown = 'healthy, tells of an answer';
    expect(await healths()).toEqual({ a: unknown, b: unknown });
    offers([]);
    expect(await healths()).toMatchObject({ a: expect.stringContaining('It lists none.') });
  });

  it('are not updated under steps that would not fit any more', async () => {
    const { deps, ada, source, run } = await setUp();
    offers([{ name: 'a', more: { properties: { path: { type: 'string' } } } }, { name: 'b' }]);
    const { tools } = await run();
    const [toolId = ''] = tools.filter(({ name }) => name === 'a').map(({ id }) => id);
    const read = toolStep('read', toolId, { inputs: { path: 'x' } });
    await createsProcess({ deps }, ada, { name: 'Reads a path', steps: [read] });
    offers([
      { name: 'a', more: { properties: { where: { type: 'string' } }, required: ['where'] } },
      { name: 'b', description: 'new' },
    ]);
    const again = (more = {}) =>
      importMcpTools(deps, ada.viewer, { ...source, ...more }, checkToolCallers);
    for (const dryRun of [true, false])
      await expect(again({ dryRun })).rejects.toThrow(/^a: Steps of .*"Reads a path"/);
    expect((await again({ names: ['b'] })).tools).toHaveLength(1);
  });

  it('are imported beside one that cannot be called; a dry run writes nothing', async () => {
    const { list, run } = await setUp();
    offers([{ name: 'odd', more: { properties: { x: { type: 'thing' } } } }]);
    const [schema] = await refusals(run({ dryRun: true }));
    expect(schema).toMatch(/^SCHEMA_INVALID/);
    offers([{ name: 'good' }, { name: 'odd', more: { type: 'string' } }]);
    expect(await run({ dryRun: true })).toMatchObject({ tools: [] });
    expect(await list()).toEqual(['good new', 'odd unusable']);
    const { tools, serverTools } = await run();
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    const expected = [null, 'Its inputSchema has to have the type "object", and it has "string".'];
    expect(serverTools.map(({ problem }) => problem)).toEqual(expected);
    await refuses(run({ names: ['good', 'odd'] }), 'SCHEMA_INVALID names.1');
    expect(await list()).toEqual(['good unchanged', 'odd unusable']);
  });

  it('leave the outputSchema and mapped inputs that an author wrote', async () => {
    const { deps, ada, list, run } = await setUp();
    offers([{ name: 'a' }, { name: 'm' }]);
    const { tools } = await run();
    const idOf = (name: string) => tools.find((tool) => tool.name === name)?.id ?? '';
    await updateTool(deps, ada.viewer, { id: idOf('a'), outputSchema: { type: 'string' } });
    await updateTool(deps, ada.viewer, {
      id: idOf('m'),
      operation: { type: 'mcp_call', tool: 'm', arguments: { path: '{{file}}' } },
      inputSchema: { properties: { file: { type: 'string' } } },
    });
    expect(await list()).toEqual(['a unchanged', 'm unchanged']);
  });

  it('are named, and not Tools of another user or another connection', async () => {
    const { deps, ada, bob, source, run } = await setUp();
    offers([{ name: 'a' }]);
    await run();
    await refuses(listMcpServerTools(deps, bob.viewer, source), 'NOT_FOUND serviceId');
    expect(
      await refusals(
        listMcpServerTools(deps, ada.viewer, { ...source, connectionParams: { server: 'none' } }),
      ),
    ).not.toEqual([]);
    const [found] = await listMcpServerTools(deps, ada.viewer, source);
    expect(found?.tool?.ownerId).toBe(ada.viewer.userId);
    await updateTool(deps, ada.viewer, { id: found?.tool?.id ?? '', mutating: false });
    const tested = await testTool(deps, ada.viewer, { id: found?.tool?.id ?? '', inputs: {} });
    expect(tested).toMatchObject({ output: expect.stringContaining('[image image/png]') });
  });
});
