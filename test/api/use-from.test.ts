import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installInto, packPackage } from '../../stack/packages.ts';
import { CHROMIUM, launch } from '../browser/chromium.ts';
import { freshName, client as signsIn } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// docs/use-from.md: each of its examples, as a user would run it.

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = join(CHECKOUT, 'examples/clients');
const example = (name: string) => join(EXAMPLES, name);
const run = promisify(execFile);
const isHere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

const user = freshName('ada');
const ada = signsIn(user);
const url = new URL(ada.url).origin;
const env = { ...process.env, AIDEN_URL: url, AIDEN_TOKEN: `dev:${user}` };
/** Runs a program in the checkout as this user. */
const runs = async (command: string, args: readonly string[], cwd = CHECKOUT) =>
  (await run(command, [...args], { cwd, env })).stdout;

/** A project that has the packed client and React, and the examples. */
const project = tempFolder('use-from');
beforeAll(async () => {
  await installInto(project, 'client', await packPackage('client', project));
  for (const name of ['react', 'react-dom', 'scheduler'])
    await symlink(join(CHECKOUT, 'node_modules', name), join(project, 'node_modules', name));
  await cp(EXAMPLES, project, { recursive: true });
});

describe.concurrent('a program', () => {
  it('in Node, with the client library', async () => {
    expect(await runs(process.execPath, ['node.mjs'], project)).toContain('Turin');
  });

  it("with OpenAI's SDK", async () => {
    expect(await runs(process.execPath, [example('openai.mjs')])).toContain('Turin');
  });

  it.skipIf(!isHere('curl', '--version'))('in a shell, with curl', async () => {
    const answer = JSON.parse(await runs('sh', [example('curl.sh')]));
    expect(answer.choices[0].message.content).toContain('Turin');
  });

  it.skipIf(!isHere('python3', '--version'))('in Python, without a package', async () => {
    expect(await runs('python3', [example('start_run.py')])).toMatch(/^COMPLETED .*Turin/);
  });

  // A memory of its own each: the first hit is one of all that the person told.
  const newcomer = () => ({ ...env, AIDEN_TOKEN: `dev:${freshName('bo')}` });

  it('in Node, that only needs a memory', async () => {
    const at = { cwd: project, env: newcomer() };
    const { stdout } = await run(process.execPath, ['memory.mjs'], at);
    expect(stdout).toContain('Fridays');
  });

  it.skipIf(!isHere('python3', '--version'))('in Python, that only needs a memory', async () => {
    const PYTHONPATH = join(CHECKOUT, 'packages/aiden-memory-python/src');
    const python = { ...newcomer(), PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run('python3', [example('memory.py')], { env: python });
    expect(stdout).toContain('Ronja leads the tests');
  });

  it.skipIf(!isHere('go', 'version'))('in Go, without a module', async () => {
    expect(await runs('go', ['run', example('start_run.go')])).toMatch(/^COMPLETED .*Turin/);
  });
});

describe('a scheduler', () => {
  it('of a machine starts one run a day, however often it calls', async () => {
    const first = await runs('sh', [example('nightly.sh')]);
    expect(first.trim()).not.toBe('');
    expect(await runs('sh', [example('nightly.sh')])).toBe(first);
  });

  it('of Aiden starts a Process by cron', async () => {
    const made = await ada.one<{ schedule: { nextRunsAt: string[] }; userErrors: object[] }>(
      await readFile(example('schedule.graphql'), 'utf8'),
      { processId: (await shipped(ada)).processId('chat') },
    );
    expect(made.userErrors).toEqual([]);
    expect(made.schedule.nextRunsAt.length).toBeGreaterThan(0);
  });
});

describe('an MCP host', () => {
  const serverOf = async (name: string) =>
    JSON.parse(await readFile(example(name), 'utf8')).mcpServers.aiden;
  const toolsBy = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
    const host = new Client({ name: 'host', version: '1' });
    await host.connect(transport as StdioClientTransport);
    const { tools } = await host.listTools();
    await host.close();
    return tools;
  };

  it('that starts a command lists tools', async () => {
    const { command, args, env: given } = await serverOf('mcp-stdio.json');
    expect(Object.keys(given)).toEqual(['AIDEN_URL', 'AIDEN_TOKEN']);
    const transport = new StdioClientTransport({ command, args, env, cwd: CHECKOUT } as never);
    expect(await toolsBy(transport)).toEqual(expect.any(Array));
  });

  it('that calls an address lists tools', async () => {
    const { url: given, headers } = await serverOf('mcp-http.json');
    expect(Object.keys(headers)).toEqual(['Authorization']);
    const transport = new StreamableHTTPClientTransport(new URL(new URL(given).pathname, url), {
      requestInit: { headers: { Authorization: `Bearer dev:${user}` } },
    });
    expect(await toolsBy(transport)).toEqual(expect.any(Array));
  });
});

describe.skipIf(!existsSync(CHROMIUM))('a page', () => {
  /**
   * Opens an HTML page at the address of the API, as a proxy of a development server would serve
   * it.
   */
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  async function opens(html: string) {
    const context = await browser.newContext();
    await context.addInitScript(`localStorage.setItem('token', 'dev:${user}')`);
    const page = await context.newPage();
    await page.route(`${url}/example`, (route) =>
      route.fulfill({ contentType: 'text/html', body: html }),
    );
    await page.goto(`${url}/example`);
    return page;
  }

  it('asks without any library', async () => {
    const page = await opens(await readFile(example('browser.html'), 'utf8'));
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('output').textContent()).toContain('Turin');
  });

  it('in React shows an answer as it comes', async () => {
    await writeFile(
      join(project, 'main.jsx'),
      `import { createElement } from 'react';
       import { createRoot } from 'react-dom/client';
       import { Talk } from './react.tsx';
       createRoot(document.body.appendChild(document.createElement('main'))).render(createElement(Talk));`,
    );
    const bundles = await build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      // vitest sets NODE_ENV; a build of a user has React's production form.
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { development: false } },
      build: {
        write: false,
        lib: { entry: join(project, 'main.jsx'), formats: ['iife'], name: 'talk' },
      },
    });
    const [bundle] = Array.isArray(bundles) ? bundles : [];
    const [chunk] = bundle !== undefined && 'output' in bundle ? bundle.output : [];
    const code = chunk?.code ?? '';
    const page = await opens(
      `<!doctype html><body><script>${code.replaceAll('</script', '<\\/script')}</script></body>`,
    );
    await page.getByLabel('Message').fill('Ada lives in Turin. Where does Ada live?');
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('output').textContent()).toContain('Turin');
  });
});
