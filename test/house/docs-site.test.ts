import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { MENU, stagePages, withLinks } from '../../stack/docs.ts';
import { referencePages } from '../../stack/docs-reference.ts';
import { tempFolder } from '../testkit/temp-folder.ts';
import { CHECKOUT } from './source.ts';

const folder = tempFolder('docs');
let pages: string[];
beforeAll(async () => {
  await stagePages(folder, null);
  const files = await readdir(folder, { recursive: true });
  pages = files.filter((name) => name.endsWith('.md'));
});

it('the site has each page in its menu, but for single decisions', () => {
  const listed = Object.values(MENU).flatMap((items) => Object.values(items));
  const wanted = pages.filter((name) => !/^decisions\/\d/.test(name));
  expect(listed.map((page) => `${page}.md`).toSorted()).toEqual(wanted.toSorted());
});

it('links within the site only to pages that exist', async () => {
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((\.[^)#\s]+)(?:#[^)\s]*)?\)/g))
      if (!existsSync(join(folder, dirname(page), target))) broken.push(`${page}: ${target}`);
  }
  expect(broken).toEqual([]);
});

it('leads a link to a file that is no page to the repository, or to nowhere', () => {
  const places = new Map([['docs/api.md', 'api.md']]);
  const text =
    '[the schema](../schema/schema.graphql), [here](api.md#errors), [there](https://a.b)';
  expect(withLinks(text, 'docs/api.md', places, null)).toBe(
    'the schema, [here](./api.md#errors), [there](https://a.b)',
  );
  expect(withLinks(text, 'docs/api.md', places, 'https://git.example/a/b')).toContain(
    '[the schema](https://git.example/a/b/blob/main/schema/schema.graphql)',
  );
});

it('shows with each field of the API a valid operation', async () => {
  const text = await readFile(join(CHECKOUT, 'schema/schema.graphql'), 'utf8');
  const schema = buildSchema(text);
  const reference = [...referencePages(schema).values()].join('\n');
  const examples = [...reference.matchAll(/```graphql\n(.*?)```/gs)].map(([, one = '']) => one);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  expect(examples).toHaveLength(
    roots.reduce((sum, type) => sum + Object.keys(type?.getFields() ?? {}).length, 0),
  );
  for (const example of examples) expect(validate(schema, parse(example)), example).toEqual([]);
});
