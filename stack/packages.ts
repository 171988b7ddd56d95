import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runTool } from '../src/host/child.ts';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));

/** The fields of a package.json that are read here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Where the repository is; fields of a package.json. */
export interface Addresses {
  readonly repository: { readonly type: 'git'; readonly url: string };
  readonly bugs: string;
  readonly homepage: string;
}

const ASK = `const ask = async (url, path, body) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
const messages = [{ role: 'user', content: 'Who lives in Turin? Ada lives in Turin.' }];`;

/**
 * The published packages: the folder in packages/, and a program that uses the installed package.
 */
export const PACKAGES: Readonly<Record<string, string>> = {
  client: `import { createGraph, getText, openClient, reduceEvent } from '@aiden/client';
const event = { kind: 'text', id: 't', runId: 'r', content: 'Hello' };
openClient({ url: 'http://127.0.0.1:9' }).close();
console.log(getText(reduceEvent(createGraph(), event), 'r'));`,
  'local-llm': `import { startLocalLlm } from '@aiden/local-llm';
${ASK}
const server = await startLocalLlm();
const chat = { model: 'local-extractive-1', messages };
const { choices } = await ask(server.url, '/v1/chat/completions', chat);
const texts = { model: 'local-embedding-512', input: ['Ada'] };
const { data } = await ask(server.url, '/v1/embeddings', texts);
await server.close();
console.log(choices[0].message.content, data[0].embedding.length);`,
  'gguf-llm': `import { startGgufServer } from '@aiden/gguf-llm';
${ASK}
const answers = async ({ onText }) => {
  onText('Ada does.');
  return { finishReason: 'stop', promptTokens: 1, completionTokens: 1 };
};
const model = { name: 'small', contextTokens: 1000, chat: answers };
const server = await startGgufServer({ chat: model, embeddings: null });
const { choices } = await ask(server.url, '/v1/chat/completions', { model: 'small', messages });
await server.close();
console.log(choices[0].message.content);`,
};

export const folderOf = (name: string) => join(CHECKOUT, 'packages', name);
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * Builds a package and packs it, with the addresses in its package.json.
 * @returns the path of the archive
 */
export async function packPackage(
  name: string,
  into: string,
  addresses: Addresses | null = null,
): Promise<string> {
  const folder = folderOf(name);
  const staged = await mkdtemp(join(tmpdir(), 'aiden-pack-'));
  try {
    const { scripts: _build, ...manifest } = (await readManifest(folder)) as Manifest & {
      scripts?: unknown;
    };
    // Built beside the checkout, so that nothing there changes while others read it.
    const compiler = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
    const project = join(folder, 'tsconfig.build.json');
    const output = ['--project', project, '--outDir', join(staged, 'dist')];
    await runTool(process.execPath, [compiler, ...output]);
    for (const file of (manifest.files ?? []).filter((one) => one !== 'dist'))
      await cp(join(folder, file), join(staged, file), { recursive: true });
    const published = `${JSON.stringify({ ...manifest, ...addresses }, null, 2)}\n`;
    await writeFile(join(staged, 'package.json'), published);
    await mkdir(into, { recursive: true });
    await runTool('npm', ['pack', '--pack-destination', into], { cwd: staged });
    const archive = manifest.name.replace('@', '').replace('/', '-');
    return join(into, `${archive}-${manifest.version}.tgz`);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/**
 * Everything that an installation needs, from this checkout's node_modules. No registry is asked.
 */
async function closureOf(names: readonly string[], found = new Map<string, string>()) {
  for (const name of names) {
    const at = join(CHECKOUT, 'node_modules', name);
    if (found.has(name)) continue;
    found.set(name, `file:${at}`);
    await closureOf(Object.keys((await readManifest(at)).dependencies ?? {}), found);
  }
  return found;
}

/** Installs the archive of a package into an empty folder, a project that knows nothing else. */
export async function installInto(project: string, name: string, archive: string): Promise<void> {
  const manifest = await readManifest(folderOf(name));
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const dependencies = {
    ...Object.fromEntries(await closureOf(needed)),
    [manifest.name]: `file:${archive}`,
  };
  const plain = { name: 'plain', private: true, type: 'module', dependencies };
  await writeFile(join(project, 'package.json'), JSON.stringify(plain));
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runTool('npm', ['install', ...flags], { cwd: project });
}

/**
 * Runs the package's program and its commands in a project that has it installed. Types are not
 * stripped: Node refuses that inside node_modules.
 * @returns what the program printed
 * @throws Error with the output of the part that failed
 */
export async function useIn(project: string, name: string): Promise<string> {
  const { bin = {} } = await readManifest(folderOf(name));
  for (const command of Object.keys(bin))
    await runTool(join(project, 'node_modules/.bin', command), ['--help'], { cwd: project });
  await writeFile(join(project, 'use.js'), PACKAGES[name] ?? '');
  const args = ['--no-experimental-strip-types', 'use.js'];
  const printed = await runTool(process.execPath, args, { cwd: project });
  return printed.trim();
}
