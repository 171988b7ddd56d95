import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, LoneAnonymousOperationRule, parse, specifiedRules, validate } from 'graphql';
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

it('the pages show only GraphQL that the schema accepts', () => {
  const schema = buildSchema(read('schema/schema.graphql'));
  // A block may hold several operations to copy one by one.
  const rules = specifiedRules.filter((rule) => rule !== LoneAnonymousOperationRule);
  const pages = readdirSync(join(CHECKOUT, 'docs')).filter((name) => name.endsWith('.md'));
  const isField = (name = '') => schema.getQueryType()?.getFields()[name] !== undefined;
  const faults = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((path) => {
    const blocks = [...read(path).matchAll(/^```graphql\n(.*?)^```/gms)].map(
      ([, text = '']) => text,
    );
    // A span such as `health { status }`.
    const spans = [...read(path).matchAll(/`(?:query )?\{?\s*((\w+) \{[^`…]*\})`/g)].flatMap(
      ([span, text = '', name]) => {
        if (!isField(name)) return [];
        return span.includes('`{') || span.includes('query') ? [`{ ${text}`] : [`{ ${text} }`];
      },
    );
    return [...blocks, ...spans].flatMap((text) =>
      validate(schema, parse(text), rules).map(({ message }) => `${path}: ${message}`),
    );
  });
  expect(faults).toEqual([]);
});
