import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { citedIds, readRequirements } from '../../stack/requirements.ts';
import { CHECKOUT, readSources } from './source.ts';

const page = (name: string) => readFileSync(join(CHECKOUT, 'docs', name), 'utf8');
const requirements = readRequirements(page('requirements.md'));
const deviations = page('deviations.md');
/** Ids in the first column of the tables by chapter. */
const listed = new Set(
  [...deviations.matchAll(/^\| (S[0-4][^|]*) \|/gm)].flatMap(([, ids = '']) => [...citedIds(ids)]),
);
/** The remark in bold at the end of a requirement. */
const isMarked = ({ text }: { readonly text: string }) => / \*\*[A-Z][^*]+\*\*$/.test(text);

it('marks the same requirements as departed from on both pages', () => {
  const marked = requirements.filter(isMarked).map(({ id }) => id);
  expect(listed.size).toBeGreaterThan(15);
  expect(marked.sort()).toEqual([...listed].sort());
});

it('has a test for every requirement that is not a deviation', () => {
  // This test reads ids of its own.
  const readers = ['test/pure/requirements.test.ts'];
  const tests = readSources().filter(
    ({ path }) => path.endsWith('.test.ts') && !readers.includes(path),
  );
  const cited = citedIds(tests.map(({ text }) => text).join('\n'));
  const untested = requirements.filter(({ id }) => !cited.has(id) && !listed.has(id));
  expect(untested.map(({ id }) => id)).toEqual([]);
});

it('says in each row what the product does instead, and why', () => {
  const rows = deviations.split('\n').filter((line) => /^\| S[0-4]/.test(line));
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim());
    expect(cells).toHaveLength(5);
    expect(cells.slice(1, 4).every((cell) => cell.length > 3)).toBe(true);
  }
});
