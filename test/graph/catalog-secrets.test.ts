import { describe, expect, it } from 'vitest';
import { findSecrets, listSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import { deleteSecret, updateSecret } from '../../src/catalog/secrets/secret.mutations.ts';
import { rotateSecrets } from '../../src/catalog/secrets/secret-rotation.service.ts';
import { openCallTarget, openTarget } from '../../src/catalog/tools/call-target.service.ts';
import { findCallTargets } from '../../src/catalog/tools/target.cypher.ts';
import { deleteTool } from '../../src/catalog/tools/tool.mutations.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { newKeyRingEntry, openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import type { Viewer } from '../../src/users/user.ts';
import { answering, ENDPOINT, race, refusals, world, worldGraph } from '../testkit/world.ts';

const find = async (viewer: Viewer, id: string) =>
  (await worldGraph().read((tx) => findSecrets(tx, viewer, [id])))[0] ?? null;
const CANARY = 'CANARY-5f0e8b6a41';

async function stored(id: string): Promise<string> {
  const [row] = await worldGraph().read((tx) =>
    tx.run('// readBack\n MATCH (s:Secret {id: $id}) RETURN s.encryptedValue AS value', { id }),
  );
  return String(row?.['value']);
}

describe('a Secret', () => {
  it('keeps its plaintext nowhere: not in the node, not in the entry, not in the answer (S4-SEC-02, S4-SEC-03)', async () => {
    const { deps, ada } = await world();
    const secret = await ada.createsSecret({
      value: CANARY,
      allowedOrigins: ['https://API.example.com:443/'],
    });
    await updateSecret(deps, ada.viewer, { id: secret.id, value: `${CANARY}-2` });
    expect(secret).toEqual({
      id: secret.id,
      ownerId: ada.viewer.userId,
      name: 'Key',
      type: 'api_key',
      shared: false,
      keyVersion: 1,
      rotatedAt: null,
      allowedOrigins: ['https://api.example.com'],
      createdAt: secret.createdAt,
      updatedAt: secret.createdAt,
    });
    const rows = await worldGraph().read((tx) =>
      tx.run(
        `// readBack
      MATCH (s:Secret:Resource {id: $id})-[:OWNED_BY]->(u) MATCH (o:OutboxEntry {ownerId: u.id}) RETURN s {.*} AS secret, o {.*} AS entry`,
        { id: secret.id },
      ),
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect(await stored(secret.id)).toMatch(/^v1\.1\./);
  });

  it('changes its name and metadata, and keeps its id, type and time of creation (S4-SEC-01)', async () => {
    const { deps, ada } = await world();
    const types = ['api_key', 'oauth_token', 'password', 'certificate'] as const;
    for (const type of types) {
      const secret = await ada.createsSecret({ type });
      expect(secret).toMatchObject({ type, shared: false });
      // A type in the input is no field of an update, and changes nothing.
      const change = { id: secret.id, name: `${type} 2`, shared: true, type: 'password' };
      const changed = await updateSecret(deps, ada.viewer, change);
      expect(changed).toMatchObject({ id: secret.id, name: `${type} 2`, type, shared: true });
      expect(changed.createdAt).toBe(secret.createdAt);
      expect(await find(ada.viewer, secret.id)).toMatchObject({ type, name: `${type} 2` });
    }
  });

  it('names what is wrong with it, without its value', async () => {
    const { ada } = await world();
    expect(
      await refusals(
        ada.createsSecret({
          name: '',
          value: '',
          allowedOrigins: ['https://x.org/path', 'ftp://x.org', 'https://x.org'],
        }),
      ),
    ).toEqual([
      'REQUIRED name',
      'REQUIRED value',
      'INVALID allowedOrigins.0',
      'INVALID allowedOrigins.1',
    ]);
    expect(await refusals(ada.createsSecret({ value: 'shorter' }))).toEqual(['INVALID value']);
    expect(await refusals(ada.createsSecret({ value: 'x'.repeat(70_000) }))).toEqual([
      'TOO_LARGE value',
    ]);
  });

  it("is its owner's alone, shared or not; for others it is as absent (S4-SEC-06, S4-OWN-06)", async () => {
    const { deps, ada, bob, root } = await world();
    const { id } = await ada.createsSecret({ shared: true });
    for (const stranger of [bob, root]) {
      expect(await find(stranger.viewer, id)).toBeNull();
      expect(
        (await worldGraph().read((tx) => listSecrets(tx, stranger.viewer, {}))).totalCount,
      ).toBe(0);
      const asForeign = await updateSecret(deps, stranger.viewer, { id, name: 'mine' }).catch(
        (error: unknown) => error,
      );
      const asAbsent = await updateSecret(deps, stranger.viewer, {
        id: 'none',
        name: 'mine',
      }).catch((error: unknown) => error);
      expect(asForeign).toEqual(asAbsent);
      expect(await refusals(deleteSecret(deps, stranger.viewer, { id }))).toEqual(['NOT_FOUND id']);
    }
    expect(await find(ada.viewer, id)).toMatchObject({ id, shared: true });
  });

  it('rotates its value under the same id, and its Tools open the new one (S4-SEC-04, S4-SEC-07)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsSecret({ value: 'first-value' });
    const tools = [
      await ada.createsTool({ secretId: id }),
      await ada.createsTool({ secretId: id }),
    ];
    const rotated = await updateSecret(deps, ada.viewer, {
      id,
      value: 'second-value',
      name: 'Renamed',
    });
    expect(rotated).toMatchObject({ id, name: 'Renamed', rotatedAt: expect.any(String) });
    expect(await updateSecret(deps, ada.viewer, { id, name: 'Again' })).toMatchObject({
      rotatedAt: rotated.rotatedAt,
    });
    const targets = await worldGraph().read((tx) =>
      findCallTargets(
        tx,
        tools.map((tool) => tool.id),
      ),
    );
    expect(
      targets.map((target) => openTarget(deps.vault, target, ada.viewer.userId).secret),
    ).toEqual([
      { value: 'second-value', scope: 'bearer' },
      { value: 'second-value', scope: 'bearer' },
    ]);
  });

  it('goes only when no Tool uses it (S4-SEC-05)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsSecret();
    const tool = await ada.createsTool({ secretId: id });
    expect(await refusals(deleteSecret(deps, ada.viewer, { id }))).toEqual(['IN_USE id']);
    await deleteTool(deps, ada.viewer, { id: tool.id });
    expect(await deleteSecret(deps, ada.viewer, { id })).toBe(id);
    expect(await find(ada.viewer, id)).toBeNull();
  });

  it('is never deleted from under a Tool that is being made', async () => {
    const { deps, ada } = await world();
    const service = await ada.createsService();
    for (let round = 0; round < 12; round++) {
      const { id } = await ada.createsSecret();
      const counts = await race([
        () => ada.createsTool({ serviceId: service.id, secretId: id }),
        () => deleteSecret(deps, ada.viewer, { id }),
      ]);
      expect(counts['done']).toBe(1);
    }
  });
});

describe('opening a Secret for a call', () => {
  const faultOf = (work: () => unknown) => {
    try {
      work();
      return 'opened';
    } catch (error) {
      return error instanceof ToolFault ? error.code : String(error);
    }
  };

  it('is for its owner only, and only where it may go (S4-SEC-08)', async () => {
    const { deps, ada, bob } = await world();
    const secret = await ada.createsSecret({ allowedOrigins: [ENDPOINT] });
    const tool = await ada.createsTool({ secretId: secret.id, shared: true });
    const [target] = await worldGraph().read((tx) => findCallTargets(tx, [tool.id]));
    if (target?.secret == null) throw new Error('no target');
    const { secret: sealed } = target;
    expect(faultOf(() => openTarget(deps.vault, target, ada.viewer.userId))).toBe('opened');
    expect(faultOf(() => openTarget(deps.vault, target, bob.viewer.userId))).toBe(
      'SECRET_UNAVAILABLE',
    );
    expect(
      faultOf(() =>
        openTarget(
          deps.vault,
          { ...target, connectionParams: { endpoint: 'http://attacker.example' } },
          ada.viewer.userId,
        ),
      ),
    ).toBe('SECRET_UNAVAILABLE');
    expect(
      faultOf(() =>
        openTarget(
          deps.vault,
          { ...target, secret: { ...sealed, ownerId: bob.viewer.userId } },
          bob.viewer.userId,
        ),
      ),
    ).toBe('SECRET_UNAVAILABLE');
    expect(
      faultOf(() =>
        openTarget(
          deps.vault,
          { ...target, secret: null, service: { ...target.service, requiresSecret: true } },
          ada.viewer.userId,
        ),
      ),
    ).toBe('SECRET_UNAVAILABLE');
    // A place where it may not go is refused before anything is decrypted.
    const blind = {
      decrypt: () => {
        throw new Error('decrypted');
      },
    };
    expect(
      faultOf(() =>
        openTarget(
          blind,
          { ...target, connectionParams: { endpoint: 'http://attacker.example' } },
          ada.viewer.userId,
        ),
      ),
    ).toBe('SECRET_UNAVAILABLE');
  });

  it('without allowedOrigins goes where it went first, until its owner changes that (S4-SEC-08)', async () => {
    const probe = async () => ({ status: 'down' as const, errorMessage: 'Nothing answers.' });
    const { deps, ada } = await world({ toolCalls: { ...answering, probe } });
    const { id } = await ada.createsSecret();
    const [first, second] = ['http://127.0.0.1:11', 'http://127.0.0.1:12'];
    const tools = await Promise.all(
      [first, second].map((endpoint) =>
        ada.createsTool({ secretId: id, connectionParams: { endpoint } }),
      ),
    );
    const open = async (at: number) => {
      const [target] = await worldGraph().read((tx) => findCallTargets(tx, [tools[at]?.id ?? '']));
      if (target === undefined) throw new Error('no target');
      return openCallTarget(deps, target, ada.viewer.userId).then(
        () => 'opened',
        ({ code, message }: ToolFault) => [code, message],
      );
    };
    const refused = [
      'SECRET_UNAVAILABLE',
      expect.stringMatching(/http:\/\/127\.0\.0\.1:11 only.*updateSecret/),
    ];
    // Nothing answers there, so the background probe is no first use.
    expect((await find(ada.viewer, id))?.allowedOrigins).toEqual([]);
    expect([await open(0), await open(1), await open(0)]).toEqual(['opened', refused, 'opened']);
    expect((await find(ada.viewer, id))?.allowedOrigins).toEqual([first]);

    await updateSecret(deps, ada.viewer, { id, allowedOrigins: [] });
    const race = await Promise.all([open(0), open(1), open(0), open(1)]);
    expect(race.filter((result) => result === 'opened').length).toBeGreaterThan(0);
    const [pinned, ...others] = (await find(ada.viewer, id))?.allowedOrigins ?? [];
    expect(others).toEqual([]);
    race.forEach((result, at) => {
      expect([at, result === 'opened']).toEqual([at, pinned === [first, second][at % 2]]);
    });

    await updateSecret(deps, ada.viewer, { id, allowedOrigins: [first, second, 'stdio:clock'] });
    expect([await open(0), await open(1)]).toEqual(['opened', 'opened']);
  });

  it('fails closed once its key is gone', async () => {
    const { ada } = await world();
    const tool = await ada.createsTool({ secretId: (await ada.createsSecret()).id });
    const [target] = await worldGraph().read((tx) => findCallTargets(tx, [tool.id]));
    if (target === undefined) throw new Error('no target');
    const other = openVault(parseKeyRing(newKeyRingEntry(9)));
    expect(faultOf(() => openTarget(other, target, ada.viewer.userId))).toBe('SECRET_UNAVAILABLE');
  });
});

describe('rotating the key', () => {
  it('re-encrypts every value, goes on where it was stopped, and leaves alone what it can not open', async () => {
    const oldKey = newKeyRingEntry(1);
    const newKey = newKeyRingEntry(Math.floor(Math.random() * 1e8) + 100);
    const before = await world({ vault: openVault(parseKeyRing(oldKey)) });
    const secrets = [];
    for (let count = 0; count < 5; count++)
      secrets.push(await before.ada.createsSecret({ value: `value-number-${count}` }));
    const lost = await world({ vault: openVault(parseKeyRing(newKeyRingEntry(99_999_999))) });
    const unreadable = await lost.ada.createsSecret();

    const ring = openVault(parseKeyRing(`${newKey},${oldKey}`));
    let opened = 0;
    const dying = {
      ...ring,
      encrypt: (...args: Parameters<typeof ring.encrypt>) => {
        if (++opened > 2) throw new Error('killed');
        return ring.encrypt(...args);
      },
    };
    await expect(
      rotateSecrets({ graph: worldGraph(), vault: dying }, { batchSize: 1 }),
    ).rejects.toThrow('killed');
    const report = await rotateSecrets({ graph: worldGraph(), vault: ring }, { batchSize: 2 });
    expect(report.failed.map(({ secretId }) => secretId)).toContain(unreadable.id);

    for (const [index, secret] of secrets.entries()) {
      expect(await find(before.ada.viewer, secret.id)).toMatchObject({
        keyVersion: ring.currentKeyId,
        rotatedAt: null,
      });
      const sealed = { encryptedValue: await stored(secret.id) };
      const only = openVault(parseKeyRing(newKey));
      expect(only.decrypt(sealed, { secretId: secret.id, ownerId: secret.ownerId })).toBe(
        `value-number-${index}`,
      );
    }
  });

  it('never undoes a new value that was set meanwhile', async () => {
    const oldKey = newKeyRingEntry(1);
    const ring = openVault(
      parseKeyRing(`${newKeyRingEntry(Math.floor(Math.random() * 1e8) + 100)},${oldKey}`),
    );
    const { deps, ada } = await world({ vault: openVault(parseKeyRing(oldKey)) });
    const secrets = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ada.createsSecret({ value: `old-value-${index}` })),
    );
    await Promise.all([
      rotateSecrets({ graph: worldGraph(), vault: ring }, { batchSize: 3 }),
      ...secrets.map(({ id }) =>
        updateSecret({ ...deps, vault: ring }, ada.viewer, { id, value: 'new-value' }),
      ),
    ]);
    for (const { id, ownerId } of secrets) {
      expect(ring.decrypt({ encryptedValue: await stored(id) }, { secretId: id, ownerId })).toBe(
        'new-value',
      );
    }
  });
});
