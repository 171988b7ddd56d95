import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingPlatforms } from '../../stack/complete-lock.ts';
import { CHECKOUT } from './source.ts';

it('names the packages of every platform in the lockfile, or npm ci refuses it (node stack/complete-lock.ts mends it)', () => {
  const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));
  expect(missingPlatforms(lock.packages)).toEqual([]);
});
