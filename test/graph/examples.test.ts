import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSealedSecret } from '../../src/catalog/secrets/secret.cypher.ts';
import { findServices } from '../../src/catalog/services/service.cypher.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { keepSystemSecret, loadBundles } from '../../src/main/examples.ts';
import { findThingsByName } from '../../src/processes/bundle/bundle.cypher.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../src/users/user.ts';
import { worldDeps } from '../testkit/world.ts';

const deps = worldDeps();
const SYSTEM: Viewer = {
  userId: SYSTEM_USER_ID,
  name: 'system',
  roles: ['user', 'admin'],
  workspace: 'system',
};

const bundle = (name: string, description: string) => ({
  name,
  document: `
aiden: 1
services:
  - name: ${name}
    description: ${description}
    type: rest_api
    protocol: http
    shared: true
    connectionSchema: { type: object, required: [endpoint], properties: { endpoint: { type: string, default: "\${WHERE}" } } }
`,
});

async function find(kind: 'Service' | 'Secret', name: string): Promise<string[]> {
  const found = await deps.graph.read((tx) => findThingsByName(tx, SYSTEM, [{ kind, name }]));
  return found.map(({ id }) => id);
}

describe('what ships with the product', () => {
  it('is loaded once, and again only when its text or its variables change', async () => {
    const shipped = bundle(`shipped ${randomUUID()}`, 'first');
    const variables = { WHERE: 'http://127.0.0.1:9' };
    expect(await loadBundles(deps, [shipped], variables)).toEqual([shipped.name]);
    const [id = ''] = await find('Service', shipped.name);

    // An admin's edit stays as long as nothing newer ships.
    await updateService(deps, SYSTEM, { id, description: 'edited' });
    expect(await loadBundles(deps, [shipped], variables)).toEqual([]);
    const described = async () =>
      (await deps.graph.read((tx) => findServices(tx, SYSTEM, [id])))[0]?.description;
    expect(await described()).toBe('edited');

    const newer = bundle(shipped.name, 'second');
    expect(await loadBundles(deps, [newer], variables)).toEqual([shipped.name]);
    expect(await described()).toBe('second');
    expect(await loadBundles(deps, [newer], { WHERE: 'http://127.0.0.1:10' })).toEqual([
      shipped.name,
    ]);
    expect(await find('Service', shipped.name)).toEqual([id]);
  });

  it('is there once after two instances have loaded it at the same time', async () => {
    const shipped = bundle(`shipped ${randomUUID()}`, 'raced');
    await Promise.all(
      [1, 2, 3].map(() => loadBundles(deps, [shipped], { WHERE: 'http://127.0.0.1:9' })),
    );
    expect(await find('Service', shipped.name)).toHaveLength(1);
  });
});

describe("the operator's key for the system's own Tools", () => {
  const stored = async (name: string) => {
    const [id = ''] = await find('Secret', name);
    const sealed = await deps.graph.read((tx) => findSealedSecret(tx, id));
    return {
      id,
      value: deps.vault.decrypt(
        { encryptedValue: sealed?.encryptedValue ?? '' },
        { secretId: id, ownerId: SYSTEM_USER_ID },
      ),
      text: sealed?.encryptedValue,
    };
  };

  it('is one Secret of the system, made once by racing instances, and follows the setting', async () => {
    const name = `key ${randomUUID()}`;
    await Promise.all([1, 2, 3].map(() => keepSystemSecret(deps, 'sk-first', name)));
    expect(await find('Secret', name)).toHaveLength(1);
    const first = await stored(name);
    expect(first.value).toBe('sk-first');

    await keepSystemSecret(deps, 'sk-first', name);
    expect((await stored(name)).text).toBe(first.text);
    await keepSystemSecret(deps, 'sk-second', name);
    expect(await stored(name)).toMatchObject({ id: first.id, value: 'sk-second' });
  });

  it('takes the place of a value that the key ring of today can not open', async () => {
    const name = `key ${randomUUID()}`;
    await keepSystemSecret(worldDeps(), 'sk-lost', name);
    await keepSystemSecret(deps, 'sk-found', name);
    expect((await stored(name)).value).toBe('sk-found');
  });
});
