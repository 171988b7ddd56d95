import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingPlatforms, unchecked } from '../../stack/complete-lock.ts';
import { CHECKOUT } from './source.ts';

const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));

it('has a hash for each package, or npm installs it unchecked (node stack/complete-lock.ts mends it)', () => {
  expect(unchecked(lock.packages)).toEqual([]);
});

it('finds a package without a hash, and none of our own folders', () => {
  const entries = {
    '': { version: '1.0.0' },
    'packages/client': { version: '1.0.0' },
    'node_modules/aiden-client': { link: true },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' },
    'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
    'node_modules/old': { version: '3.0.0', integrity: 'sha1-x' },
  };
  expect(unchecked(entries).map(({ name }) => name)).toEqual(['@b/c', 'old']);
});

it('names the packages of every platform in the lockfile, or npm ci refuses it (node stack/complete-lock.ts mends it)', () => {
  expect(missingPlatforms(lock.packages)).toEqual([]);
});
