import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { citedIds, readRequirements } from '../../stack/requirements.ts';
import { CHECKOUT, readSources } from './source.ts';

const page = (name: string) => readFileSync(join(CHECKOUT, 'docs', name), 'utf8');
const requirements = readRequirements(page('requirements.md'));
const deviations = page('deviations.md');
const rows = deviations.split('\n').flatMap((line) => {
  if (!/^\| S[0-4]/.test(line)) return [];
  const [, ids = '', instead = '', why = '', shown = '', ...rest] = line.split('|');
  const tests = [...shown.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
  return [{ line, ids: [...citedIds(ids)], instead, why, tests, rest }];
});
const listed = new Set(rows.flatMap(({ ids }) => ids));
/** The remark in bold at the end of a requirement. */
const isMarked = ({ text }: { readonly text: string }) => / \*\*[A-Z][^*]+\*\*$/.test(text);

it('marks the same requirements as departed from on both pages', () => {
  const marked = requirements.filter(isMarked).map(({ id }) => id);
  expect(listed.size).toBeGreaterThan(15);
  expect(marked.sort()).toEqual([...listed].sort());
});

/** A row of the table at the head of test/conformance: a sentence, and the test that shows it. */
const ELSEWHERE = /^\/\/ (.+?) +\| (test\/\S+\.test\.ts)(?: \((.+)\))?$/gm;

it('names at the head of a document only tests that show the requirement', () => {
  const rows = readSources()
    .filter(({ path }) => path.startsWith('test/conformance/'))
    .flatMap(({ text }) => [...text.matchAll(ELSEWHERE)]);
  expect(rows.length).toBeGreaterThan(20);
  for (const [row, , path = '', ids = ''] of rows) {
    const found = citedIds(readFileSync(join(CHECKOUT, path), 'utf8'));
    expect(
      [...citedIds(ids)].filter((id) => !found.has(id)),
      row,
    ).toEqual([]);
  }
});

it('has a test for every requirement that is not a deviation', () => {
  // This test reads ids of its own.
  const readers = ['test/pure/requirements.test.ts'];
  const tests = readSources().filter(
    ({ path }) => path.endsWith('.test.ts') && !readers.includes(path),
  );
  // The table at the head of a document's tests names tests, and shows nothing itself.
  const cited = citedIds(tests.map(({ text }) => text.replace(ELSEWHERE, '')).join('\n'));
  const untested = requirements.filter(({ id }) => !cited.has(id) && !listed.has(id));
  expect(untested.map(({ id }) => id)).toEqual([]);
});

it('names in each row the behaviour of the product, its reason and its tests', () => {
  for (const { line, ids, instead, why, tests, rest } of rows) {
    expect(rest.length, line).toBe(1);
    expect(instead.length, line).toBeGreaterThan(3);
    expect(why.length, line).toBeGreaterThan(3);
    expect(tests, line).not.toEqual([]);
    const cited = tests.map((path) => citedIds(readFileSync(join(CHECKOUT, path), 'utf8')));
    expect(
      ids.filter((id) => !cited.some((found) => found.has(id))),
      line,
    ).toEqual([]);
    expect(
      cited.every((found) => ids.some((id) => found.has(id))),
      line,
    ).toBe(true);
  }
});
