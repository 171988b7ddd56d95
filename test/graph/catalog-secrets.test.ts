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
import { readWith, runCypher } from '../testkit/graph.ts';
import {
  answering,
  ENDPOINT,
  type Person,
  race,
  refuses,
  world,
  worldGraph,
} from '../testkit/world.ts';

const graph = worldGraph();
const { deps, ada, bob } = await world();

const find = async (viewer: Viewer, id: string) =>
  (await readWith(graph, findSecrets, viewer, [id]))[0] ?? null;
type Vault = Parameters<typeof openTarget>[0];
const CANARY = 'CANARY-5f0e8b6a41';

async function stored(id: string): Promise<string> {
  const find = 'MATCH (s:Secret {id: $id}) RETURN s.encryptedValue AS value';
  const [row] = await runCypher(graph, find, { id });
  return String(row?.['value']);
}

describe('a Secret', () => {
  it('keeps its plaintext in no node, entry or answer (S4-SEC-02, 03)', async () => {
    const secret = await ada.createsSecret({
      value: CANARY,
      allowedOrigins: ['https://API.example.com:443/'],
    });
    await updateSecret(deps, ada.viewer, { id: secret.id, value: `${CANARY}-2` });
    expect(secret).toEqual({
      ...{ id: secret.id, ownerId: ada.viewer.userId, name: 'Key', type: 'api_key' },
      ...{ shared: false, keyVersion: 1, rotatedAt: null },
      allowedOrigins: ['https://api.example.com'],
      ...{ createdAt: secret.createdAt, updatedAt: secret.createdAt },
    });
    const rows = await runCypher(
      graph,
      `MATCH (s:Secret:Resource {id: $id})-[:OWNED_BY]->(u)
      MATCH (o:OutboxEntry {ownerId: u.id}) WHERE o.payload CONTAINS $id
      RETURN s {.*} AS secret, o {.*} AS entry`,
      { id: secret.id },
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect(await stored(secret.id)).toMatch(/^v1\.1\./);
  });

  // S4-SEC-01
  it('changes its name and metadata, and keeps its id, type and time of creation', async () => {
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

  it('names its faults, without its value', async () => {
    const allowedOrigins = ['https://x.org/path', 'ftp://x.org', 'https://x.org'];
    await refuses(
      ada.createsSecret({ name: '', value: '', allowedOrigins }),
      'REQUIRED name',
      'REQUIRED value',
      'INVALID allowedOrigins.0',
      'INVALID allowedOrigins.1',
    );
    await refuses(ada.createsSecret({ value: 'shorter' }), 'INVALID value');
    await refuses(ada.createsSecret({ value: 'x'.repeat(70_000) }), 'TOO_LARGE value');
  });

  // S4-SEC-06, S4-OWN-06
  it("is its owner's alone, shared or not; for others it is as absent", async () => {
    const { ada, bob, root } = await world();
    const { id } = await ada.createsSecret({ shared: true });
    for (const { viewer } of [bob, root]) {
      expect(await find(viewer, id)).toBeNull();
      expect((await readWith(graph, listSecrets, viewer, {})).totalCount).toBe(0);
      const [foreign, absent] = [id, 'none'].map((id) =>
        updateSecret(deps, viewer, { id, name: 'mine' }).catch((error: unknown) => error),
      );
      expect(await foreign).toEqual(await absent);
      await refuses(deleteSecret(deps, viewer, { id }), 'NOT_FOUND id');
    }
    expect(await find(ada.viewer, id)).toMatchObject({ id, shared: true });
  });

  // S4-SEC-04, 07
  it('rotates its value under the same id, and its Tools open the new one', async () => {
    const { id } = await ada.createsSecret({ value: 'first-value' });
    const tools = [id, id].map(async (secretId) => (await ada.createsTool({ secretId })).id);
    const ids = await Promise.all(tools);
    const update = (changes: object) => updateSecret(deps, ada.viewer, { id, ...changes });
    const rotated = await update({ value: 'second-value', name: 'Renamed' });
    const { rotatedAt } = rotated;
    expect(rotated).toMatchObject({ id, name: 'Renamed', rotatedAt: expect.any(String) });
    expect(await update({ name: 'Again' })).toMatchObject({ rotatedAt });
    const targets = await readWith(graph, findCallTargets, ids);
    const opened = { value: 'second-value', scope: 'bearer' };
    expect(
      targets.map((target) => openTarget(deps.vault, target, ada.viewer.userId).secret),
    ).toEqual([opened, opened]);
  });

  it('goes only when no Tool uses it, also one that is being made (S4-SEC-05)', async () => {
    const { id } = await ada.createsSecret();
    const tool = await ada.createsTool({ secretId: id });
    const remove = (id: string) => deleteSecret(deps, ada.viewer, { id });
    await refuses(remove(id), 'IN_USE id');
    await deleteTool(deps, ada.viewer, { id: tool.id });
    expect(await remove(id)).toBe(id);
    expect(await find(ada.viewer, id)).toBeNull();
    const { id: serviceId } = await ada.createsService();
    for (let round = 0; round < 4; round++) {
      const { id: secretId } = await ada.createsSecret();
      const making = () => ada.createsTool({ serviceId, secretId });
      expect((await race([making, () => remove(secretId)]))['done']).toBe(1);
    }
  });
});

describe('opening a Secret for a call', () => {
  type Target = Parameters<typeof openTarget>[1];
  const opening = (target: Target, { viewer }: Person, vault: Vault = deps.vault) => {
    try {
      openTarget(vault, target, viewer.userId);
      return 'opened';
    } catch (error) {
      return error instanceof ToolFault ? error.code : String(error);
    }
  };
  const targetOf = async (id: string) => {
    const [target] = await readWith(graph, findCallTargets, [id]);
    if (target?.secret == null) throw new Error('no target');
    return { ...target, secret: target.secret };
  };

  it('is for its owner only, where it may go, with its key (S4-SEC-08)', async () => {
    const { id: secretId } = await ada.createsSecret({ allowedOrigins: [ENDPOINT] });
    const target = await targetOf((await ada.createsTool({ secretId, shared: true })).id);
    const { secret, service } = target;
    const elsewhere = { ...target, connectionParams: { endpoint: 'http://attacker.example' } };
    // A place where it may not go is refused before anything is decrypted.
    const blind = {
      decrypt: () => {
        throw new Error('decrypted');
      },
    };
    expect(opening(target, ada)).toBe('opened');
    expect([
      opening(target, bob),
      opening(elsewhere, ada),
      opening(elsewhere, ada, blind),
      opening({ ...target, secret: { ...secret, ownerId: bob.viewer.userId } }, bob),
      opening({ ...target, secret: null, service: { ...service, requiresSecret: true } }, ada),
      opening(target, ada, openVault(parseKeyRing(newKeyRingEntry(9)))),
    ]).toEqual(new Array(6).fill('SECRET_UNAVAILABLE'));
  });

  // S4-SEC-08
  it('pins the first origin where none is listed, until its owner changes it', async () => {
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
      const target = await targetOf(tools[at]?.id ?? '');
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
});

describe('rotating the key', () => {
  it('re-encrypts every value, resumes after a stop, and skips unreadable values', async () => {
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
    await expect(rotateSecrets({ graph: graph, vault: dying }, { batchSize: 1 })).rejects.toThrow(
      'killed',
    );
    const report = await rotateSecrets({ graph: graph, vault: ring }, { batchSize: 2 });
    expect(report.failed.map(({ secretId }) => secretId)).toContain(unreadable.id);

    for (const [index, secret] of secrets.entries()) {
      const expected = { keyVersion: ring.currentKeyId, rotatedAt: null };
      expect(await find(before.ada.viewer, secret.id)).toMatchObject(expected);
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
      rotateSecrets({ graph: graph, vault: ring }, { batchSize: 3 }),
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
