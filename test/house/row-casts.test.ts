import { expect, it } from 'vitest';
import { readSources } from './source.ts';

/**
 * A cast to a type: `as Row`, `as unknown as …`, `as string[]`; no `as const`, no import, no Cypher
 * (`AS name`).
 */
const CAST = /\bas (?:unknown as|never|any|string|number|boolean|object|[A-Z][A-Za-z]*)\b/;
const IMPORT = /^\s*(?:import|export) .* as |^\s*(?:type )?[A-Za-z]+ as [A-Za-z]+,$/;

it('no statement casts what it gives back; rows are parsed (src/platform/neo4j/row.ts)', () => {
  const files = readSources().filter(({ path }) => /^src\/.*\.cypher\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(75);
  const casts = files.flatMap(({ path, text }) =>
    text
      // Statements are Cypher, comments are English.
      .replace(/\/\*\*?[\s\S]*?\*\//g, '')
      .replace(/`[^`]*`/g, '``')
      .split('\n')
      .filter((line) => CAST.test(line.replace(/\/\/.*$/, '')) && !IMPORT.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(casts).toEqual([]);
});
