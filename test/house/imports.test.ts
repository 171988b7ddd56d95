import { describe, expect, it } from 'vitest';
import {
  MAY_IMPORT,
  PURE_PACKAGES,
  packageOf,
  READS_ENVIRONMENT,
  type Room,
  roomsOf,
} from './rooms.ts';
import { readSources, type SourceFile } from './source.ts';

const files = readSources();
const rooms = roomsOf(files);
const roomOf = (path: string): Room => rooms.get(path) ?? 'test';
const inRooms = (wanted: readonly Room[]) =>
  files.filter(({ path }) => wanted.includes(roomOf(path)));
const runtime = (file: SourceFile) => file.imports.filter(({ isTypeOnly }) => !isTypeOnly);

describe('the house', () => {
  it('is read at all', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(roomOf('src/processes/process.ts')).toBe('pure');
    expect(roomOf('src/platform/neo4j/graph.ts')).toBe('neo4j');
  });

  it('has imports that point the right way', () => {
    const wrong = files.flatMap((file) => {
      const allowed = MAY_IMPORT[roomOf(file.path)];
      if (allowed === 'all') return [];
      return runtime(file)
        .filter(
          ({ isLocal, to }) =>
            isLocal && roomOf(to) !== roomOf(file.path) && !allowed.includes(roomOf(to)),
        )
        .map(({ to }) => `${file.path} (${roomOf(file.path)}) imports ${to} (${roomOf(to)})`);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps common, client library and workflows free of everything that does I/O', () => {
    const wrong = inRooms(['common', 'client', 'workflows']).flatMap((file) =>
      runtime(file)
        .filter(({ isLocal, to }) => !isLocal && !PURE_PACKAGES.includes(packageOf(to)))
        .filter(
          ({ to }) =>
            roomOf(file.path) !== 'workflows' ||
            !['@temporalio/workflow', '@temporalio/common'].includes(packageOf(to)),
        )
        .map(({ to }) => `${file.path} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no circles', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      const seen = trail.indexOf(path);
      if (seen >= 0) return void circles.push([...trail.slice(seen), path].join(' -> '));
      if (done.has(path)) return;
      for (const { to, isLocal } of runtime(byPath.get(path) ?? { path, text: '', imports: [] })) {
        if (isLocal) visit(to, [...trail, path]);
      }
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });

  it('reaches nothing from a workflow that its sandbox does not have', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = byPath.get(path);
      if (file === undefined || reached.has(path)) return;
      reached.add(path);
      for (const { to, isLocal } of runtime(file)) if (isLocal) visit(to);
    };
    for (const { path } of inRooms(['workflows'])) visit(path);
    const wrong = [...reached].filter((path) =>
      /\b(Buffer|structuredClone|performance|fetch)\b[.(]/.test(
        byPath.get(path)?.text.replace(/^\s*(\*|\/\/).*$/gm, '') ?? '',
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the environment only where things are opened', () => {
    const wrong = files.filter(
      ({ path, text }) =>
        !READS_ENVIRONMENT.includes(roomOf(path)) && /\bprocess\.env\b/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('writes Cypher only beside its noun, or in platform/neo4j', () => {
    const wrong = inRooms([
      'common',
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
      ({ path, text }) => roomOf(path) !== 'test' && /^export default /m.test(text),
    );
    expect(defaults.map(({ path }) => path)).toEqual([]);
  });
});
