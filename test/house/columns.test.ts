import { expect, it } from 'vitest';
import { readSources } from './source.ts';

const COLUMNS_MAX = 100;
/** Folders with longer lines. Remove a folder once it is clean; add none. */
const NOT_YET = [
  ...['bench', 'console', 'packages', 'src', 'stack'],
  ...['browser', 'clients', 'faults', 'house', 'native'].map((folder) => `test/${folder}`),
];
/** A line that cannot be broken: an import, or one word such as an address or a hash. */
const isWhole = (line: string) => /^\s*(import|\} from) /.test(line) || /^\s*\S+$/.test(line);

it(`has no line of more than ${COLUMNS_MAX} columns in the folders that are clean`, () => {
  const long = readSources()
    .filter(({ path }) => !/generated/.test(path))
    .filter(({ path }) => !NOT_YET.some((folder) => path.startsWith(`${folder}/`)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ place: `${path}:${index + 1}`, line }))
        .filter(({ line }) => [...line].length > COLUMNS_MAX && !isWhole(line)),
    );
  expect(long.map(({ place }) => place)).toEqual([]);
});
