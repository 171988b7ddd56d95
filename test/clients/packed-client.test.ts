import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderOf, installInto, packPackage, readManifest } from '../../stack/packages.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = folderOf('client');
const run = promisify(execFile);

/** A project outside of the checkout that knows nothing but the packed client. */
const project = tempFolder('client');
beforeAll(async () => {
  await installInto(project, 'client', await packPackage('client', project));
});

/**
 * The same program for Node and for a browser: each part of the package, and the result as plain
 * data.
 */
const PROGRAM = `
import {
  createGraph, defaultActive, FlowGraph, getText, openClient, projectThread, reduceEvent,
  RunEventsDocument, toConversation,
} from '@aiden/client';
import { projectDAG } from '@aiden/client/conversation-graph';
import { SendMessageDocument } from '@aiden/client/documents';

const events = [
  { kind: 'harness_start', runId: 'r', agentId: 'a' },
  { kind: 'text', id: 't', runId: 'r', content: 'Hello ' },
  { kind: 'text', id: 't', runId: 'r', content: 'world' },
  { kind: 'harness_end', runId: 'r', agentId: 'a' },
];
const graph = events.reduce(reduceEvent, createGraph());
const conversation = toConversation(graph);
const active = defaultActive(conversation);
const calls = FlowGraph.fromCallEvents([
  { type: 'call.requested', call: { requestId: 'a', operationId: 'o' } },
  { type: 'call.requested', call: { requestId: 'b', operationId: 'o', parentRequestId: 'a' } },
]);
const clients = ['sse', 'ws'].map((transport) =>
  openClient({ url: 'http://127.0.0.1:9', transport }));
for (const client of clients) client.close();

export const outcome = {
  text: getText(graph, 'r'),
  thread: projectThread(conversation, active, { toolCalls: 'collapse' }).length,
  dag: projectDAG(conversation, active).nodes.length,
  order: calls.topologicalOrder(),
  documents: [RunEventsDocument, SendMessageDocument].map(({ definitions }) =>
    definitions[0].name.value),
  clients: clients.length,
};
`;
const OUTCOME = {
  text: 'Hello world',
  thread: 1,
  dag: 1,
  order: ['a', 'b'],
  documents: ['RunEvents', 'SendMessage'],
  clients: 2,
};

describe('the packed client', () => {
  it('holds JavaScript with types and no sources', async () => {
    const installed = join(project, 'node_modules/@aiden/client');
    const files = await readdir(installed, { recursive: true });
    expect(files).toContain('dist/index.js');
    expect(files).toContain('dist/index.d.ts');
    expect(files).toContain('README.md');
    expect(files).toContain('LICENSE');
    expect(files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('has the version of the product', async () => {
    expect((await readManifest(PACKAGE)).version).toBe((await readManifest(CHECKOUT)).version);
  });

  it('runs in a plain Node project without type stripping', async () => {
    const file = join(project, 'use.js');
    await writeFile(file, `${PROGRAM}\nconsole.log(JSON.stringify(outcome));\n`);
    const { stdout } = await run(process.execPath, ['--no-experimental-strip-types', file]);
    expect(JSON.parse(stdout)).toEqual(OUTCOME);
  });

  it('is typed for a strict project that checks its libraries', async () => {
    await writeFile(
      join(project, 'typed.ts'),
      `import { openClient, SendMessageDocument, type CallStatus, type Graph } from '@aiden/client';
const client = openClient({ url: 'http://127.0.0.1:4000' });
const { sendMessage } = await client.request(SendMessageDocument,
  { input: { conversationId: 'c', content: 'Hi' } });
const status: string | undefined = sendMessage.run?.status;
const call: CallStatus = 'running';
const graph: Graph = client.followRun('r').graph;
// @ts-expect-error: content is missing
await client.request(SendMessageDocument, { input: { conversationId: 'c' } });
export { status, call, graph };
`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: [],
    };
    const config = { compilerOptions, files: ['typed.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(CHECKOUT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler], { cwd: project }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('runs as a browser bundle, where Node has nothing to give', async () => {
    const entry = join(project, 'browser.js');
    await writeFile(entry, PROGRAM);
    const bundles = await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: false,
        lib: { entry, formats: ['iife'], name: 'used' },
      },
    });
    const [bundle] = Array.isArray(bundles) ? bundles : [];
    const [chunk] = bundle !== undefined && 'output' in bundle ? bundle.output : [];
    const code = chunk?.code ?? '';
    expect(code.length).toBeGreaterThan(10_000);
    expect(code).not.toMatch(/["']node:|__vite-browser-external|\brequire\(["']/);
    // A page's globals, and none of Node's; values are compared as JSON, since the page has its own
    // Object.
    const own = { URL, TextDecoder, AbortController, WebSocket, structuredClone, fetch, console };
    const page = createContext({ ...own, setTimeout, clearTimeout });
    new Script(`${code}\n;globalThis.text = JSON.stringify(used.outcome);`).runInContext(page);
    expect(JSON.parse(String(page['text']))).toEqual(OUTCOME);
  });
});
