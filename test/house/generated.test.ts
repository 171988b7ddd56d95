import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { expect, it } from 'vitest';
import config from '../../codegen.ts';
import { STATEMENTS_FOLDER, statementPages } from '../../stack/statements.ts';
import { CHECKOUT } from './source.ts';

it('the committed typed documents are the ones that codegen writes', async () => {
  const outputs: { filename: string; content: string }[] = await generate(
    { ...config, cwd: CHECKOUT, silent: true },
    false,
  );
  expect(outputs.length).toBe(Object.keys(config.generates).length);
  const stale = outputs.filter(
    ({ filename, content }) => readFileSync(join(CHECKOUT, filename), 'utf8') !== content,
  );
  expect(
    stale.map(({ filename }) => filename),
    'npm run codegen writes them anew',
  ).toEqual([]);
});

it('the pages of statements tell the statements of the source (docs/decisions/0110)', async () => {
  const pages = await statementPages();
  expect(readdirSync(STATEMENTS_FOLDER).toSorted()).toEqual([...pages.keys()].toSorted());
  const stale = [...pages].filter(
    ([name, page]) => readFileSync(new URL(name, STATEMENTS_FOLDER), 'utf8') !== page,
  );
  expect(
    stale.map(([name]) => name),
    'npm run statements writes them anew',
  ).toEqual([]);
});
