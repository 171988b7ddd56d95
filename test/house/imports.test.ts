import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderCircles } from './folders.ts';
import {
  CLIENT_PACKAGES,
  MAY_IMPORT,
  PURE_PACKAGES,
  packageOf,
  READS_ENVIRONMENT,
  ROOMS,
  type Role,
  roleOf,
  roomOf,
  runtimeImports,
} from './rooms.ts';
import { CHECKOUT, importsOf, type ReadFile, readSources } from './source.ts';

const ALSO: Partial<Record<Role, readonly string[]>> = {
  client: CLIENT_PACKAGES,
  workflows: ['@temporalio/workflow', '@temporalio/common'],
};

const files = readSources().map((file): ReadFile => ({ ...file, imports: importsOf(file) }));
const byPath = new Map(files.map((file) => [file.path, file]));
const withRole = (wanted: readonly Role[]) =>
  files.filter(({ path }) => wanted.includes(roleOf(path)));

/** Every circle among these files, as `a -> b -> a`. */
function circles(edgesOf: (file: ReadFile) => ReadFile['imports']): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) return void found.push([...trail.slice(seen), path].join(' -> '));
    if (done.has(path)) return;
    const file = byPath.get(path);
    if (file !== undefined)
      for (const { to, isLocal } of edgesOf(file)) if (isLocal) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}

describe('the house', () => {
  it('is read at all', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(roleOf('src/processes/process.ts')).toBe('pure');
    expect(roleOf('src/platform/neo4j/graph.ts')).toBe('neo4j');
    expect(files.filter(({ path }) => roomOf(path) === 'runs').length).toBeGreaterThan(10);
  });

  it('has a room in the table for every folder of src', () => {
    const rooms = new Set(files.map(({ path }) => roomOf(path)).filter((room) => room !== null));
    expect([...rooms].sort()).toEqual(Object.keys(ROOMS).sort());
  });

  it('has imports that point from role to role as they may', () => {
    const wrong = files.flatMap((file) => {
      const role = roleOf(file.path);
      const allowed = MAY_IMPORT[role];
      if (allowed === 'all') return [];
      return runtimeImports(file)
        .filter(
          ({ isLocal, to }) => isLocal && roleOf(to) !== role && !allowed.includes(roleOf(to)),
        )
        .map(({ to }) => `${file.path} (${role}) imports ${to} (${roleOf(to)})`);
    });
    expect(wrong).toEqual([]);
  });

  it('has imports that point from room to room as the table says', () => {
    const wrong = files.flatMap((file) => {
      const room = roomOf(file.path);
      if (room === null) return [];
      // Types too: a type that points up makes the room below it follow the room above.
      return file.imports
        .filter(({ isLocal, to }) => {
          const target = roomOf(to);
          if (!isLocal || target === room) return false;
          // The client library imports nothing of src, so each room may use it.
          if (roleOf(to) === 'client') return false;
          return target === null || !ROOMS[room]?.includes(target);
        })
        .map(({ to }) => `${file.path} imports ${to}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has no two rooms that reach each other, in the table as in the code', () => {
    const reaches = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of ROOMS[from] ?? []) {
        if (seen.has(to)) continue;
        seen.add(to);
        reaches(to, seen);
      }
      return seen;
    };
    expect(Object.keys(ROOMS).filter((room) => reaches(room).has(room))).toEqual([]);
  });

  it('has no circle of files, types included', () => {
    expect(circles(runtimeImports)).toEqual([]);
    expect(circles(({ imports }) => imports)).toEqual([]);
  });

  it('has no circle of folders, types included', () => {
    expect(folderCircles(files)).toEqual([]);
  });

  it('names a circle of folders with one import for each of its arrows', () => {
    const one = (path: string, ...to: string[]) => ({
      path,
      imports: to.map((name) => ({ to: name, isLocal: true, isTypeOnly: true })),
    });
    const some = [
      one('src/a/one/x.ts', 'src/a/two/y.ts'),
      one('src/a/two/y.ts', 'src/a/three/z.ts', 'src/a/deps.ts'),
      one('src/a/three/z.ts', 'src/a/one/w.ts'),
      one('src/a/deps.ts', 'src/a/two/y.ts'),
    ];
    expect(folderCircles(some)).toEqual([
      'src/a: one and two and three\nsrc/a/one/x.ts imports src/a/two/y.ts\n' +
        'src/a/two/y.ts imports src/a/three/z.ts\nsrc/a/three/z.ts imports src/a/one/w.ts',
    ]);
    expect(folderCircles(some.slice(0, 2))).toEqual([]);
  });

  it('keeps pure files, client library and workflows free of packages that do I/O', () => {
    const wrong = withRole(['pure', 'client', 'workflows']).flatMap((file) =>
      runtimeImports(file)
        .filter(({ isLocal, to }) => !isLocal && !PURE_PACKAGES.includes(packageOf(to)))
        .filter(({ to }) => !(ALSO[roleOf(file.path)] ?? []).includes(packageOf(to)))
        .map(({ to }) => `${file.path} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('reaches nothing from a workflow that its sandbox does not have', () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = byPath.get(path);
      if (file === undefined || reached.has(path)) return;
      reached.add(path);
      for (const { to, isLocal } of runtimeImports(file)) if (isLocal) visit(to);
    };
    for (const { path } of withRole(['workflows'])) visit(path);
    const wrong = [...reached].filter((path) =>
      /\b(Buffer|structuredClone|performance|fetch)\b[.(]/.test(
        byPath.get(path)?.text.replace(/^\s*(\*|\/\/).*$/gm, '') ?? '',
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the environment only where resources are opened', () => {
    const wrong = files.filter(
      ({ path, text }) =>
        !READS_ENVIRONMENT.includes(roleOf(path)) && /\bprocess\.env\b/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('writes Cypher only in *.cypher.ts files, or in platform/neo4j', () => {
    const wrong = withRole([
      'pure',
      'mutations',
      'service',
      'platform',
      'schema',
      'workflows',
      'activities',
    ]).filter(({ text }) =>
      /^\s*(OPTIONAL )?(MATCH|MERGE|UNWIND) *[($\w]/m.test(text.replace(/^\s*(\*|\/\/).*$/gm, '')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('names every file in kebab-case and exports by name', () => {
    const named = files.filter(
      ({ path }) =>
        !/^[a-z0-9.-]+$/.test(path.split('/').at(-1) ?? '') && !path.includes('/generated'),
    );
    expect(named.map(({ path }) => path)).toEqual([]);
    // vitest asks for a default export of its setup files.
    const defaults = files.filter(
      ({ path, text }) => roleOf(path) !== 'test' && /^export default /m.test(text),
    );
    expect(defaults.map(({ path }) => path)).toEqual([]);
  });

  it('has no product file that only tests import', () => {
    const product = files.filter(
      ({ path }) => !['test', 'bench', 'examples'].includes(roleOf(path)),
    );
    const imported = new Set(product.flatMap(({ imports }) => imports.map(({ to }) => to)));
    // Files that a command, a thread or another process starts are named by their path.
    const manifests = ['package.json', 'Dockerfile', 'docker-compose.yml', 'codegen.ts']
      .concat(
        'packages/client/package.json',
        'packages/local-llm/package.json',
        'cli/aiden.js',
        'console/index.html',
      )
      .filter((path) => existsSync(join(CHECKOUT, path)))
      .map((path) => readFileSync(join(CHECKOUT, path), 'utf8'));
    const started = [...product.map(({ text }) => text), ...manifests].join('\n');
    const unused = product
      .map(({ path }) => path)
      .filter((path) => !imported.has(path) && !/\/(index|generated\/.*)\.ts$/.test(path))
      .filter((path) => !started.includes(path.split('/').at(-1) ?? path));
    expect(unused).toEqual([]);
  });
});
