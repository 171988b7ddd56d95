import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { citedIds, readRequirements } from '../../stack/requirements.ts';
import { CHECKOUT, readSources } from './source.ts';

const FOLDERS = ['docs', 'examples'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(join(CHECKOUT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, names);
    return names.test(entry.name) ? [path] : [];
  });
}
const read = (path: string) => ({ path, text: readFileSync(join(CHECKOUT, path), 'utf8') });

const pages = [...PAGES, ...FOLDERS.flatMap((folder) => filesIn(folder, /\.(md|ya?ml)$/))].map(
  read,
);
// This file names the forbidden citations itself.
const sources = readSources().filter(({ path }) => path !== 'test/house/citations.test.ts');
const all = [...sources.map(({ path, text }) => ({ path, text })), ...pages];

/** Every match of a pattern, as `path:line: match`. */
function matches(texts: typeof all, pattern: RegExp): string[] {
  return texts.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map(([match]) => `${path}:${index + 1}: ${match}`),
      ),
  );
}

/** Files with comments that are no TypeScript of a room. */
const others = [
  ...readdirSync(CHECKOUT).filter((name) => /\.(ts|ya?ml)$/.test(name)),
  ...['faults', 'stack', 'deploy', 'proto', '.github'].flatMap((folder) =>
    filesIn(folder, /\.(ts|mjs|sh|ya?ml|proto)$/),
  ),
].map(read);

/** The comment of a line: all of it, or the part after a sign of comment. */
const commentOf = (line: string) => /^\s*(?:\/\/|\/?\*|#).*|\s\/\/\s.*/.exec(line)?.[0] ?? '';
const TOP = [...new Set(readdirSync(CHECKOUT).filter((name) => !name.includes('.')))].join('|');
const isThere = (path: string) =>
  existsSync(path) ||
  (existsSync(dirname(path)) &&
    readdirSync(dirname(path)).some((name) => name.startsWith(basename(path))));

it('names in comments only files, folders and sections that exist', () => {
  const missing: string[] = [];
  let seen = 0;
  for (const { path, text } of [...sources, ...others])
    for (const [index, line] of text.split('\n').entries()) {
      const comment = commentOf(line);
      for (const [, cited = ''] of comment.matchAll(
        new RegExp(`(?<![\\w./@:-])((?:${TOP})/[\\w./-]*\\w)`, 'g'),
      )) {
        seen++;
        // From the checkout, or from a folder above the comment.
        const folders = path.split('/').map((_name, depth, all) => all.slice(0, depth).join('/'));
        if (!folders.some((folder) => isThere(join(CHECKOUT, folder, cited))))
          missing.push(`${path}:${index + 1}: ${cited}`);
      }
      for (const [, page = '', section = ''] of comment.matchAll(
        /\b((?:docs\/[\w-]+|README|CONTRIBUTING)\.md), "?([A-Z]\w+)/g,
      ))
        if (!new RegExp(`^#+ ${section}`, 'm').test(read(page).text))
          missing.push(`${path}:${index + 1}: ${page}, ${section}`);
    }
  expect(seen).toBeGreaterThan(200);
  expect(missing).toEqual([]);
});

const decisions = readdirSync(join(CHECKOUT, 'docs/decisions'));

it('cites only decision records that exist', () => {
  const cited = matches(all, /\bdecisions\/\d{4}[a-z0-9.-]*/g);
  expect(cited.length).toBeGreaterThan(10);
  const missing = cited.filter((citation) => {
    const [, name = ''] = /decisions\/(.*)$/.exec(citation) ?? [];
    const file = name.replace(/[.-]+$/, '');
    return !decisions.some((found) => found === file || found.startsWith(`${file}-`));
  });
  expect(missing).toEqual([]);
});

it('cites only requirement ids that exist', () => {
  const page = readFileSync(join(CHECKOUT, 'docs/requirements.md'), 'utf8');
  const known = new Set(readRequirements(page).map(({ id }) => id));
  // These two test the reader of ids with ids of their own.
  const readers = ['stack/requirements.ts', 'test/pure/requirements.test.ts'];
  const unknown = all
    .filter(({ path }) => !readers.includes(path))
    .flatMap(({ path, text }) =>
      [...citedIds(text)].filter((id) => !known.has(id)).map((id) => `${path}: ${id}`),
    );
  expect(unknown).toEqual([]);
});

it('cites no document from outside this repository', () => {
  const foreign = [
    /\bdecisions\.md\b/g,
    /\bC-\d{2}\b/g,
    /\((?:faults? |attacks? )?[FA]\d{1,2}\b[^)\n]*\)/g,
    /\b(?:faults?|attacks?) [FA]\d{1,2}\b/g,
    /\bfaults-and-attacks\b/g,
    /\bmemory-graph\.md\b/g,
    /\bstack\.md\b/g,
    /\bthe (?:design )?card\b/g,
    /\.\.\/shared\b/g,
  ];
  expect(foreign.flatMap((pattern) => matches(all, pattern))).toEqual([]);
});

it('links only to pages that exist', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(CHECKOUT, path, '..', target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it('names in docs/ARCHITECTURE.md and CONTRIBUTING.md only files and functions that exist', () => {
  const page = ['docs/ARCHITECTURE.md', 'CONTRIBUTING.md'].map((path) => read(path).text).join('');
  const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const files = spans.filter((span) => /^[a-z][\w./-]*\/[\w.-]+\.(?:tsx?|ya?ml)$/.test(span));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(join(CHECKOUT, file)))).toEqual([]);
  const functions = spans.filter((span) => /^[a-z]+[A-Z]\w*$/.test(span));
  expect(functions.length).toBeGreaterThan(20);
  const code = sources
    .filter(({ path }) => !path.startsWith('test/'))
    .map(({ text }) => text)
    .join('\n');
  const declared = (name: string) =>
    new RegExp(`\\b(?:function\\*?|const|class) ${name}\\b|\\b${name}(?:\\(|: |\\??\\()`).test(
      code,
    );
  expect(functions.filter((name) => !declared(name))).toEqual([]);
});
