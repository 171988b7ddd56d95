import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingPlatforms, unchecked } from '../../stack/complete-lock.ts';
import { CHECKOUT } from './source.ts';

const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));

// npm installs a package without a hash unchecked; `node stack/complete-lock.ts` adds the hash.
it('has a hash for each package', () => {
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

// npm ci refuses a lockfile without them; `node stack/complete-lock.ts` adds them.
it('names the packages of every platform in the lockfile', () => {
  expect(missingPlatforms(lock.packages)).toEqual([]);
});
