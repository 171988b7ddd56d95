import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { citedIds, readRequirements } from '../../stack/requirements.ts';

it('finds the requirement ids that a test names: alone, listed and in ranges', () => {
  expect([...citedIds("it('holds (S4-TOOL-05)')")]).toEqual(['S4-TOOL-05']);
  expect([...citedIds('S4-SEC-01…03, S0-ID-02 and SX-04')]).toEqual([
    'S4-SEC-01',
    'S4-SEC-02',
    'S4-SEC-03',
    'S0-ID-02',
    'SX-04',
  ]);
  expect([...citedIds('S4-OWN-01, 02 and 04')]).toEqual(['S4-OWN-01', 'S4-OWN-02', 'S4-OWN-04']);
  expect([...citedIds('S4-OWN-01, 20 users')]).toContain('S4-OWN-01');
  expect([...citedIds('UTS4-TOOL-05x A4-TOOL-05')]).toEqual([]);
});

it('has every requirement once in docs/requirements.md', () => {
  const ids = readRequirements(
    readFileSync(new URL('../../docs/requirements.md', import.meta.url), 'utf8'),
  ).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(300);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('S4-PROC-04');
});
