import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SOURCE } from './foreign-case.ts';

const FOLDER = new URL('./', import.meta.url);
const CASES_MIN = 120;
const Case = z.looseObject({ title: z.string().min(1), source: z.string().regex(SOURCE) });

/** All cases of a file: each exported list has nothing else. */
async function casesOf(file: string): Promise<z.infer<typeof Case>[]> {
  const exported: Record<string, unknown> = await import(new URL(file, FOLDER).href);
  return Object.values(exported)
    .filter((list) => Array.isArray(list))
    .flatMap((list) => list.map((one) => Case.parse(one)));
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.cases.ts'));

describe('cases from other systems', () => {
  it.each(files)('%s has cases, each with its source, and a runner', async (file) => {
    const cases = await casesOf(file);
    expect(cases.length).toBeGreaterThan(0);
    const runner = file.replace('.cases.ts', '.test.ts');
    const runners = [...readdirSync(FOLDER), ...readdirSync(new URL('app/', FOLDER))];
    expect(runners).toContain(runner);
  });

  it(`are at least ${CASES_MIN}, most of them from public reports`, async () => {
    const all = (await Promise.all(files.map(casesOf))).flat();
    const reports = new Set(all.map(({ source }) => source).filter((source) => source !== 'own'));
    expect(all.length).toBeGreaterThanOrEqual(CASES_MIN);
    expect(reports.size).toBeGreaterThanOrEqual(CASES_MIN / 2);
  });
});
