import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from './source.ts';

const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8');
const blocks = [
  ...read('docs/use-from.md').matchAll(
    /^\[([^\]]+)\]\(\.\.\/(examples\/clients\/[^)]+)\)\n\n```\w+\n(.*?)```$/gms,
  ),
].map(([, name = '', path = '', text = '']) => ({ name, path, text }));

it('docs/use-from.md shows each example as the file that a test runs', () => {
  for (const { path, text } of blocks) expect(text, path).toBe(read(path));
  const files = readdirSync(join(CHECKOUT, 'examples/clients'));
  expect(blocks.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  const test = read('test/api/use-from.test.ts');
  expect(
    files.filter((name) => !test.includes(`'${name}'`) && !test.includes(`/${name}'`)),
  ).toEqual([]);
});
