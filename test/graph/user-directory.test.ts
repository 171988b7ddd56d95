import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { lockResources } from '../../src/platform/neo4j/lock.ts';
import { openUserDirectory } from '../../src/users/user-directory.service.ts';
import { world } from '../testkit/world.ts';

const identityOf = (sub: string, name: string) => ({
  issuer: 'test',
  sub,
  name,
  roles: ['user' as const],
  workspace: null,
  expiresAtMs: null,
});

it('a known user signs in while background work holds the lock of the User', async () => {
  const { deps } = await world();
  const sub = randomUUID();
  const first = await openUserDirectory(deps).viewerOf(identityOf(sub, 'Ada'));
  await deps.graph.write(async (tx) => {
    await lockResources(tx, [first.userId]);
    // Another process, without a cache.
    expect(await openUserDirectory(deps).viewerOf(identityOf(sub, 'Ada'))).toEqual(first);
  });
  const renamed = await openUserDirectory(deps).viewerOf(identityOf(sub, 'Ada L.'));
  expect(renamed).toEqual({ ...first, name: 'Ada L.' });
});
