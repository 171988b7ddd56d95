import { expect, it } from 'vitest';
import { readSources } from './source.ts';

const COLUMNS_MAX = 100;
/**
 * Lines that cannot be broken: an import, one word such as an address or a hash, a directive of
 * Biome, and a regular expression with nothing beside it but its key or `.test(`.
 */
const UNBREAKABLE = [
  /^\s*(?:import|\} from) /,
  /^\s*\S+$/,
  /^\s*\/\/ biome-ignore /,
  /^\s*(?:\w+: )?\/(?![/*]).+\/[a-z]*(?:[,;]|\.test\()$/,
];

it(`has no line of more than ${COLUMNS_MAX} columns`, () => {
  const long = readSources()
    .filter(({ path }) => !/generated/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ place: `${path}:${index + 1}`, line }))
        .filter(({ line }) => [...line].length > COLUMNS_MAX)
        .filter(({ line }) => !UNBREAKABLE.some((pattern) => pattern.test(line))),
    );
  expect(long.map(({ place }) => place)).toEqual([]);
});
