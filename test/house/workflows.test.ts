import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHECKOUT, readSources } from './source.ts';

interface Bundle {
  readonly processes?: readonly { readonly name: string }[];
  readonly tools?: readonly { readonly name: string }[];
}

it('has no code for one Process in workflows: they name no shipped Process or Tool (SX-04)', () => {
  const folder = join(CHECKOUT, 'examples');
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => {
      const bundle = parse(readFileSync(join(folder, file), 'utf8')) as Bundle;
      return [...(bundle.processes ?? []), ...(bundle.tools ?? [])].map(({ name }) => name);
    });
  expect(names.length).toBeGreaterThan(10);
  const workflows = readSources().filter(({ path }) => path.startsWith('workflows/'));
  expect(workflows.length).toBeGreaterThan(5);
  const named = workflows.flatMap(({ path, text }) =>
    names.filter((name) => text.includes(`'${name}'`)).map((name) => `${path}: ${name}`),
  );
  expect(named).toEqual([]);
});
