import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSealedSecret } from '../../src/catalog/secrets/secret.cypher.ts';
import { findServices } from '../../src/catalog/services/service.cypher.ts';
import { updateService } from '../../src/catalog/services/service.mutations.ts';
import { findTools } from '../../src/catalog/tools/tool.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { keepSystemSecret, loadBundles } from '../../src/main/examples.ts';
import { findThingsByName } from '../../src/processes/bundle/bundle.cypher.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../src/users/user.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
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
    connectionSchema:
      type: object
      required: [endpoint]
      properties: { endpoint: { type: string, default: "\${WHERE}" } }
`,
});

async function find(kind: 'Service' | 'Secret' | 'Tool', name: string): Promise<string[]> {
  const found = await readWith(deps.graph, findThingsByName, SYSTEM, [{ kind, name }]);
  return found.map(({ id }) => id);
}

describe('the bundles of the product', () => {
  it('is loaded again only when its text or its variables change', async () => {
    const shipped = bundle(`shipped ${randomUUID()}`, 'first');
    const variables = { WHERE: 'http://127.0.0.1:9' };
    const expected = { names: [shipped.name], kept: [] };
    expect(await loadBundles(deps, [shipped], variables)).toMatchObject(expected);
    const [id = ''] = await find('Service', shipped.name);

    const described = async () =>
      (await readWith(deps.graph, findServices, SYSTEM, [id]))[0]?.description;
    const newer = bundle(shipped.name, 'second');
    expect(await loadBundles(deps, [shipped], variables)).toEqual({ names: [], kept: [] });
    expect(await loadBundles(deps, [newer], variables)).toMatchObject({ names: [shipped.name] });
    expect(await described()).toBe('second');

    // An admin's edit stays, also when something newer ships, until the edit is undone.
    await updateService(deps, SYSTEM, { id, description: 'edited' });
    const newest = bundle(shipped.name, 'third');
    expect(await loadBundles(deps, [newest], variables)).toEqual({
      names: [shipped.name],
      kept: [`Service ${shipped.name}: description`],
    });
    expect(await described()).toBe('edited');
    await updateService(deps, SYSTEM, { id, description: 'third' });
    expect(await loadBundles(deps, [shipped], variables)).toMatchObject({ kept: [] });
    expect(await described()).toBe('first');
    expect(await find('Service', shipped.name)).toEqual([id]);
  });

  it('keeps edits also on the first load after an upgrade', async () => {
    const shipped = bundle(`shipped ${randomUUID()}`, 'first');
    const variables = { WHERE: 'http://127.0.0.1:9' };
    await loadBundles(deps, [shipped], variables);
    await writeCypher(
      deps.graph,
      'MATCH (b:LoadedBundle {name: $name}) SET b.given = null',
      shipped,
    );
    const [id = ''] = await find('Service', shipped.name);
    await updateService(deps, SYSTEM, { id, description: 'edited' });
    const { kept } = await loadBundles(deps, [bundle(shipped.name, 'second')], variables);
    expect(kept).toEqual([`Service ${shipped.name}: description`]);
  });

  it('is there once after two instances have loaded it at the same time', async () => {
    const shipped = bundle(`shipped ${randomUUID()}`, 'raced');
    await Promise.all(
      [1, 2, 3].map(() => loadBundles(deps, [shipped], { WHERE: 'http://127.0.0.1:9' })),
    );
    expect(await find('Service', shipped.name)).toHaveLength(1);
  });
});

describe('the Tools of a shipped bundle', () => {
  const name = `model ${randomUUID()}`;
  const shipped = (connection: object, prompt: string) => ({
    name,
    document: JSON.stringify({
      aiden: 1,
      services: [
        {
          name,
          type: 'llm_provider',
          protocol: 'http',
          shared: true,
          connectionSchema: {
            type: 'object',
            required: ['endpoint', 'model'],
            properties: { endpoint: { type: 'string' }, model: { type: 'string' } },
          },
        },
      ],
      tools: ['ask', 'tell'].map((verb) => ({
        name: `${verb} ${name}`,
        service: name,
        shared: true,
        operation: { type: 'llm_call', promptTemplate: prompt },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'string' },
        ...connection,
      })),
    }),
  });
  const at = (endpoint: string, secret?: string) => ({
    connectionParams: { endpoint, model: 'm' },
    ...(secret === undefined ? {} : { secret }),
  });
  const toolOf = async (verb: string) => {
    const [id = ''] = await find('Tool', `${verb} ${name}`);
    const [tool] = await readWith(deps.graph, findTools, SYSTEM, [id]);
    if (tool === undefined) throw new Error('There is no such Tool.');
    return tool;
  };

  it('move to another model with its key and back, except an edited connection', async () => {
    const key = `key ${name}`;
    await keepSystemSecret(deps, 'sk-operator', key);
    await loadBundles(deps, [shipped(at('http://127.0.0.1:9/v1'), 'One')], {});
    await loadBundles(deps, [shipped(at('https://models.example/v1', key), 'One')], {});
    const [secretId] = await find('Secret', key);
    const expected = { connectionParams: { endpoint: 'https://models.example/v1' }, secretId };
    expect(await toolOf('ask')).toMatchObject(expected);

    const { id } = await toolOf('tell');
    const mine = { endpoint: 'https://mine.example/v1', model: 'mine' };
    await updateTool(deps, SYSTEM, { id, connectionParams: mine, secretId: null });
    const { kept } = await loadBundles(
      deps,
      [shipped(at('https://other.example/v1', key), 'Two')],
      {},
    );
    expect(kept).toEqual([`Tool tell ${name}: connection`]);
    // The operator's key never goes to the admin's endpoint; the new prompt arrives.
    expect(await toolOf('tell')).toMatchObject({
      connectionParams: mine,
      secretId: null,
      operation: { promptTemplate: 'Two' },
    });
    expect(await toolOf('ask')).toMatchObject({
      connectionParams: { endpoint: 'https://other.example/v1' },
      operation: { promptTemplate: 'Two' },
    });

    await loadBundles(deps, [shipped(at('http://127.0.0.1:9/v1'), 'Two')], {});
    expect(await toolOf('ask')).toMatchObject({
      connectionParams: { endpoint: 'http://127.0.0.1:9/v1' },
      secretId: null,
    });
  });
});

describe("the operator's key for the system's own Tools", () => {
  const stored = async (name: string) => {
    const [id = ''] = await find('Secret', name);
    const sealed = await readWith(deps.graph, findSealedSecret, id);
    return {
      id,
      value: deps.vault.decrypt(
        { encryptedValue: sealed?.encryptedValue ?? '' },
        { secretId: id, ownerId: SYSTEM_USER_ID },
      ),
      text: sealed?.encryptedValue,
    };
  };

  it('is one Secret of the system, made once by racing instances', async () => {
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
