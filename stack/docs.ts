import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { runTool } from '../src/host/child.ts';
import { referencePages } from './docs-reference.ts';
import { addressesOf } from './release.ts';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));
const SITE = join(CHECKOUT, 'site');

/** Pages outside of docs/, by their place in the site. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'packages/client/README.md': 'packages/client.md',
  'packages/local-llm/README.md': 'packages/local-llm.md',
  'packages/gguf-llm/README.md': 'packages/gguf-llm.md',
};

/** The menu: titles of groups, with the pages of each. Decisions are reached by their index. */
export const MENU: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    Aiden: 'index',
    'Use it from …': 'use-from',
    'The console': 'console',
    Models: 'models',
  },
  Build: {
    'Services, Tools and Processes': 'authoring',
    'Agents and MCP hosts': 'agents',
    'A conversation of an agent': 'agents-transcript',
    'MCP servers': 'mcp',
    'The client library': 'packages/client',
  },
  'The API': {
    Conventions: 'api',
    Reference: 'reference/index',
    Queries: 'reference/queries',
    Mutations: 'reference/mutations',
    Subscriptions: 'reference/subscriptions',
    Objects: 'reference/objects',
    Inputs: 'reference/inputs',
    Enums: 'reference/enums',
    'Interfaces, unions, scalars': 'reference/others',
  },
  Records: {
    'Agent memory': 'agent-memory',
    'Call graph': 'call-graph',
    'Raw sessions': 'raw-session-graph',
    'The graph': 'graph',
    'Your own graph': 'own-graph',
    'Your data': 'data',
  },
  Operate: {
    Operations: 'operations',
    'local-llm': 'packages/local-llm',
    'gguf-llm': 'packages/gguf-llm',
    Security: 'security',
    Changelog: 'changelog',
  },
  Contribute: {
    Contributing: 'contributing',
    Architecture: 'ARCHITECTURE',
    Glossary: 'glossary',
    Decisions: 'decisions/README',
    Requirements: 'requirements',
    Deviations: 'deviations',
  },
};

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(CHECKOUT, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    }),
  );
  return found.flat();
}

/**
 * A page with its links as the site has them. A link to a file that is no page leads to the
 * repository, or becomes plain text where its address is not known.
 * @param from path of the page in the repository
 * @param places places in the site by path in the repository
 */
export function withLinks(
  text: string,
  from: string,
  places: ReadonlyMap<string, string>,
  repository: string | null,
): string {
  const at = places.get(from) ?? from;
  return text.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)/g,
    (_link, image: string, words: string, target: string, hash = '') => {
      const path = posix.join(posix.dirname(from), target).replace(/\/$/, '');
      const place = places.get(path) ?? places.get(`${path}/README.md`);
      if (place !== undefined) {
        const relative = posix.relative(posix.dirname(at), place);
        const link = relative.startsWith('.') ? relative : `./${relative}`;
        return `${image}[${words}](${link}${hash})`;
      }
      return repository === null ? words : `[${words}](${repository}/blob/main/${path}${hash})`;
    },
  );
}

/** Writes all pages of the site, the reference and the menu into a folder. */
export async function stagePages(folder: string, repository: string | null): Promise<void> {
  const docs = (await filesIn('docs')).filter((path) => !path.startsWith('docs/statements/'));
  const places = new Map([
    ...docs.map((path) => [path, path.slice('docs/'.length)] as const),
    ...Object.entries(OTHER_PAGES),
  ]);
  await rm(folder, { recursive: true, force: true });
  const write = async (place: string, text: string) => {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), text);
  };
  for (const [path, place] of places) {
    const source = join(CHECKOUT, path);
    if (!path.endsWith('.md')) await cp(source, join(folder, place));
    else await write(place, withLinks(await readFile(source, 'utf8'), path, places, repository));
  }
  const schema = buildSchema(await readFile(join(CHECKOUT, 'schema/schema.graphql'), 'utf8'));
  for (const [place, text] of referencePages(schema)) await write(place, text);
  const menu = Object.entries(MENU).map(([text, items]) => ({
    text,
    items: Object.entries(items).map(([title, page]) => ({
      text: title,
      link: `/${page.replace(/(^|\/)index$/, '$1')}`,
    })),
  }));
  await write('menu.json', JSON.stringify({ menu, repository }));
}

/** Installs the packages of the site where they differ from its lock file. */
async function install(): Promise<void> {
  const lock = await readFile(join(SITE, 'package-lock.json'), 'utf8');
  const stamp = join(SITE, 'node_modules', 'installed-from');
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === lock) return;
  console.log('Installing the packages of the site …');
  await runTool('npm', ['ci', '--no-audit', '--no-fund'], { cwd: SITE });
  await writeFile(stamp, lock);
}

/** `npm run docs [-- --dev]`: builds the site (folder `dist` in it), or serves it with reload. */
async function main(args: readonly string[]): Promise<number> {
  await install();
  await stagePages(
    join(SITE, 'pages'),
    addressesOf(process.env)?.homepage.replace('#readme', '') ?? null,
  );
  const command = args.includes('--dev') ? 'dev' : 'build';
  const vitepress = spawn('npm', ['run', '--silent', command], { cwd: SITE, stdio: 'inherit' });
  return new Promise((resolve) => vitepress.once('close', (code) => resolve(code ?? 1)));
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
