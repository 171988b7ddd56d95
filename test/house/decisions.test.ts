import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from './source.ts';

const FOLDER = join(CHECKOUT, 'docs/decisions');
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, number = '', file = '', title = '', status = ''] =
      /^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| (.+) \|$/.exec(line) ?? [];
    return number === '' ? [] : [{ number, file, title, status }];
  });

it('each decision has one number and one row of the index, in order', () => {
  expect(rows.map(({ file }) => file)).toEqual(files.toSorted());
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { number, file } of rows)
    expect(file).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`));
});

it('each status is one of four, and names records that exist', () => {
  const numbers = rows.map(({ number }) => number);
  for (const { number, status } of rows) {
    expect(status, number).toMatch(
      /^(in force|withdrawn|superseded by \d{4}|changed in part by \d{4}\b.+)$/,
    );
    const by = status.startsWith('in force') ? [] : (status.match(/(?<= by | and )\d{4}/g) ?? []);
    expect(
      by.filter((one) => !numbers.includes(one)),
      number,
    ).toEqual([]);
  }
});
