import { expect, it } from 'vitest';
import { byName, isFactAt } from '../../console/src/memory/names.ts';

const known = (uuid: string, name: string, entityType: string | null, createdAt: string) => ({
  uuid,
  name,
  entityType,
  createdAt,
});

it('shows entities of one name together, unless their types differ', () => {
  const groups = byName([
    known('2', 'Nora', null, '2026-02-01'),
    known('1', 'nora ', 'Person', '2026-01-01'),
    known('3', 'Nora', 'Ship', '2026-03-01'),
    known('4', 'Turin', 'Place', '2026-01-01'),
  ]);
  expect(
    groups.map(({ name, entityType, places }) => [
      name,
      entityType,
      ...places.map(({ uuid }) => uuid),
    ]),
  ).toEqual([
    ['nora ', 'Person', '1', '2'],
    ['Nora', 'Ship', '3'],
    ['Turin', 'Place', '4'],
  ]);
});

it('shows a fact where it held, as it was known', () => {
  const fact = {
    validAt: '2020-01-01',
    invalidAt: '2024-01-01',
    createdAt: '2026-01-01',
    expiredAt: '2026-06-01',
  };
  const at = (valid: string | null, knownAt: string | null) =>
    isFactAt(
      fact,
      valid === null ? null : Date.parse(valid),
      knownAt === null ? null : Date.parse(knownAt),
    );
  expect(at(null, null)).toBe(true);
  expect(at('2022-01-01', null)).toBe(true);
  expect(at('2019-01-01', null)).toBe(false);
  expect(at('2025-01-01', null)).toBe(false);
  // Its end was not known yet.
  expect(at('2025-01-01', '2026-03-01')).toBe(true);
  expect(at('2025-01-01', '2026-07-01')).toBe(false);
  expect(at('2022-01-01', '2025-12-01')).toBe(false);
});
