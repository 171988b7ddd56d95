import { expect, it } from 'vitest';
import { PLANNED } from '../../src/main/first-use.ts';
import { readSources } from './source.ts';

// docs/decisions/0011. `n:Other:Unembedded {key: key}` is found by its key, and how many are
// unembedded is no matter.
const COMES_AND_GOES = /\(\w*:(PendingEntry|PendingStart|Unembedded)\b/;

it('what looks for things that come and go is planned once', () => {
  const statements = readSources()
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.cypher.ts'))
    .flatMap(({ text }) => text.match(/`[^`]*\bMATCH\b[^`]*`/g) ?? [])
    .filter((statement) => COMES_AND_GOES.test(statement.replace(/\bCREATE \([^)]*\)/g, '')));
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter((statement) => !/^`\s*CYPHER replan=skip\s/.test(statement))).toEqual(
    [],
  );
});

it('HAS_STEP leads from a RecipeRun to its RecipeStep only (docs/decisions/0058)', () => {
  const others = readSources()
    .filter(({ path }) => /^(src|activities|schema)\//.test(path))
    .filter(({ path }) => !/^src\/(session-graph|own-graph)\//.test(path))
    .filter(({ text }) => /\bHAS_STEP\b/.test(text));
  expect(others.map(({ path }) => path)).toEqual([]);
});

it('every named statement is known before it is used (docs/decisions/0115)', () => {
  const unknown = readSources()
    .filter(({ path }) => /^(src|activities|schema)\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\/\* cypher \*\/ `\s*(?:CYPHER [^\n]*\n\s*)?\/\/ (\S+)\n/g)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    );
  expect(unknown).toEqual([]);
});

it('those that are planned first exist', () => {
  const texts = readSources()
    .filter(({ path }) => path.startsWith('src/'))
    .map(({ text }) => text)
    .join('\n');
  // A list has its name as a value, a search in the key of its text.
  const isThere = (name: string) => new RegExp(`// ${name}\\b|'${name}'|\`${name}/`).test(texts);
  expect(PLANNED.filter((name) => !isThere(name))).toEqual([]);
});
