import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { CatalogDeps } from '../../src/catalog/deps.ts';
import { findServices, listServices } from '../../src/catalog/services/service.cypher.ts';
import { deleteService, updateService } from '../../src/catalog/services/service.mutations.ts';
import { openTarget } from '../../src/catalog/tools/call-target.service.ts';
import { findCallTargets } from '../../src/catalog/tools/target.cypher.ts';
import { deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { findToolSnapshots } from '../../src/runs/run/snapshot.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { migrator } from '../testkit/migrations.ts';
import {
  answering,
  ENDPOINT,
  ENDPOINT_SCHEMA,
  race,
  refusals,
  world,
  worldGraph,
} from '../testkit/world.ts';

const find = async (viewer: Viewer, id: string) =>
  (await worldGraph().read((tx) => findServices(tx, viewer, [id])))[0] ?? null;
const listed = async (
  viewer: Viewer,
  filter: Parameters<typeof listServices>[2] = { first: 200 },
) =>
  (await worldGraph().read((tx) => listServices(tx, viewer, filter))).items.map(
    ({ item }) => item.id,
  );

const withDefault = (endpoint: string): JsonObject => ({
  type: 'object',
  properties: { endpoint: { type: 'string', format: 'uri', default: endpoint } },
});

const again = migrator();

/** Nothing answers, so no probe is the first use of a Secret. */
const UNREACHED = {
  ...answering,
  probe: async () => ({ status: 'down' as const, errorMessage: 'Nothing answers.' }),
};
/** Where calls of these Tools go: by a call of now, and by the snapshot of a run. */
async function placesOf(deps: CatalogDeps, viewer: Viewer, tools: readonly { id: string }[]) {
  const ids = tools.map(({ id }) => id);
  return worldGraph().read(async (tx) => {
    const targets = await findCallTargets(tx, ids);
    const snapshots = await findToolSnapshots(tx, viewer, ids);
    return ids.map((id) => {
      const target = targets.find((found) => found.id === id);
      if (target === undefined) throw new Error(`No target of ${id}.`);
      const called = openTarget(deps.vault, target, viewer.userId).connectionParams['endpoint'];
      const snapshot = snapshots.find((found) => found.id === id);
      expect(snapshot?.connectionParams['endpoint']).toBe(called);
      return called;
    });
  });
}

describe('a Service', () => {
  it('is stored with its owner, its edge and its entry in one commit (S4-OWN-01, S4-SVC-01, S4-SVC-07)', async () => {
    const { ada } = await world();
    const service = await ada.createsService({ description: 'where items live' });
    expect(service).toMatchObject({
      ownerId: ada.viewer.userId,
      name: 'Items',
      description: 'where items live',
      type: 'rest_api',
      protocol: 'http',
      connectionSchema: ENDPOINT_SCHEMA,
      schemaVersion: 1,
      requiresSecret: false,
      enabled: true,
      shared: false,
      status: 'degraded',
      errorMessage: 'not checked yet',
      lastHealthCheck: null,
      serviceTemplateId: null,
    });
    const [row] = await worldGraph().read((tx) =>
      tx.run(
        `// readBack
      MATCH (s:Service:Resource {id: $id})-[e:OWNED_BY]->(u:User)
      MATCH (o:OutboxEntry {ownerId: u.id}) WHERE o.payload CONTAINS s.id
      RETURN u.id AS owner, e.createdAt AS since, collect(o.kind) AS kinds`,
        { id: service.id },
      ),
    );
    expect(row).toEqual({
      owner: ada.viewer.userId,
      since: service.createdAt,
      kinds: ['service.created'],
    });
  });

  it('names everything that is wrong at once, and writes nothing (S4-SVC-06, S4-SVC-07, S4-SVC-08)', async () => {
    const { ada } = await world();
    expect(
      await refusals(
        ada.createsService({
          name: ' ',
          type: 'neo4j_graph',
          protocol: 'http',
          connectionSchema: { type: 'nonsense' },
        }),
      ),
    ).toEqual([
      'REQUIRED name',
      'PROTOCOL_MISMATCH protocol',
      'SCHEMA_INVALID connectionSchema.type',
    ]);
    expect(
      await refusals(ada.createsService({ type: null, protocol: null, connectionSchema: null })),
    ).toEqual(['REQUIRED type', 'REQUIRED protocol', 'REQUIRED connectionSchema']);
    expect(
      await refusals(ada.createsService({ name: 'x'.repeat(201), description: 'x'.repeat(2_001) })),
    ).toEqual(['INVALID name', 'INVALID description']);
    expect(await listed(ada.viewer, { includeShared: false })).toEqual([]);
  });

  it.each([
    ['neo4j_graph', 'bolt'],
    ['neo4j_graph', 'bolt+s'],
    ['rest_api', 'https'],
    ['llm_provider', 'http'],
    ['mcp_server', 'stdio'],
    ['mcp_server', 'sse'],
  ] as const)('of type %s speaks %s (S4-SVC-08)', async (type, protocol) => {
    const { ada } = await world();
    expect(await refusals(ada.createsService({ type, protocol }))).toEqual(['done']);
  });

  it('is found by others only while it is shared, and changed by its owner only (S4-OWN-04, S4-OWN-05)', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await ada.createsService();
    expect(await find(bob.viewer, id)).toBeNull();
    expect(await listed(bob.viewer)).not.toContain(id);
    expect(await refusals(updateService(deps, bob.viewer, { id, name: 'mine' }))).toEqual([
      'NOT_FOUND id',
    ]);
    expect(await refusals(deleteService(deps, bob.viewer, { id }))).toEqual(['NOT_FOUND id']);
    await updateService(deps, ada.viewer, { id, shared: true });
    expect(await find(bob.viewer, id)).toMatchObject({ id, shared: true });
    expect(await listed(bob.viewer)).toContain(id);
    expect(await listed(bob.viewer, { includeShared: false })).not.toContain(id);
    expect(await refusals(updateService(deps, bob.viewer, { id, name: 'mine' }))).toEqual([
      'FORBIDDEN id',
    ]);
    expect(await refusals(deleteService(deps, bob.viewer, { id }))).toEqual(['FORBIDDEN id']);
  });

  it('is listed newest first, by type, page by page', async () => {
    const { ada } = await world();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await ada.createsService()).id);
    await ada.createsService({ type: 'llm_provider' });
    const filter = { type: 'rest_api', includeShared: false } as const;
    expect(await listed(ada.viewer, filter)).toEqual(ids);
    const page = await worldGraph().read((tx) =>
      listServices(tx, ada.viewer, { ...filter, first: 2 }),
    );
    expect(page).toMatchObject({ totalCount: 5, hasNextPage: true });
    expect(await listed(ada.viewer, { ...filter, first: 2, after: page.items[1]?.cursor })).toEqual(
      ids.slice(2, 4),
    );
  });

  it('counts the versions of its connectionSchema, and nothing else (S4-SVC-09)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsService();
    expect(
      await updateService(deps, ada.viewer, {
        id,
        name: 'Things',
        description: 'new',
        enabled: false,
      }),
    ).toMatchObject({ schemaVersion: 1, name: 'Things', description: 'new', enabled: false });
    const wider = { ...ENDPOINT_SCHEMA, title: 'wider' };
    expect(await updateService(deps, ada.viewer, { id, connectionSchema: wider })).toMatchObject({
      schemaVersion: 2,
      connectionSchema: wider,
    });
    expect(
      await updateService(deps, ada.viewer, { id, connectionSchema: wider, description: null }),
    ).toMatchObject({ schemaVersion: 2, description: null });
    expect(
      await refusals(
        updateService(deps, ada.viewer, { id, name: '', connectionSchema: { type: 7 } }),
      ),
    ).toEqual(expect.arrayContaining(['REQUIRED name', 'SCHEMA_INVALID connectionSchema.type']));
  });

  it('keeps a schema that its Tools fit (S4-SVC-09)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsService();
    await ada.createsTool({ serviceId: id });
    await ada.createsTool({ serviceId: id });
    const stricter = { ...ENDPOINT_SCHEMA, required: ['endpoint', 'region'] };
    expect(
      await refusals(updateService(deps, ada.viewer, { id, connectionSchema: stricter })),
    ).toEqual(['IN_USE connectionSchema']);
    await expect(
      updateService(deps, ada.viewer, { id, connectionSchema: stricter }),
    ).rejects.toThrow('2 Tools');
    expect(await find(ada.viewer, id)).toMatchObject({ schemaVersion: 1 });
  });

  it('moves no Tool by a new default: Secrets of others stay where they go (S4-SVC-09)', async () => {
    const { deps, ada: eve, bob } = await world({ toolCalls: UNREACHED });
    const { id, name } = await eve.createsService({
      shared: true,
      connectionSchema: withDefault(ENDPOINT),
    });
    const secretId = (await bob.createsSecret()).id;
    const tools = [
      await bob.createsTool({ serviceId: id, secretId, connectionParams: {} }),
      await bob.createsTool({ serviceId: id, connectionParams: {} }),
    ];
    const [tool] = tools;
    const ofEve = 'http://127.0.0.1:10';
    await updateService(deps, eve.viewer, { id, connectionSchema: withDefault(ofEve) });
    const service = { name, type: 'rest_api', protocol: 'http', shared: true };
    const document = stringify({
      aiden: 1,
      services: [{ ...service, connectionSchema: withDefault(`${ofEve}/bundle`) }],
    });
    await importBundle(deps, eve.viewer, { document });
    expect(await placesOf(deps, bob.viewer, tools)).toEqual([ENDPOINT, ENDPOINT]);

    // A change that says nothing about the connection moves nothing either.
    await updateTool(deps, bob.viewer, { id: tool?.id ?? '', name: 'Renamed', secretId });
    expect(await placesOf(deps, bob.viewer, tools)).toEqual([ENDPOINT, ENDPOINT]);

    // Its owner moves it by naming the connection and the Secret again.
    const again = { id: tool?.id ?? '', connectionParams: {} };
    expect(await refusals(updateTool(deps, bob.viewer, again))).toEqual([
      'SECRET_REQUIRED secretId',
    ]);
    await updateTool(deps, bob.viewer, { ...again, secretId });
    expect(await placesOf(deps, bob.viewer, tools)).toEqual([`${ofEve}/bundle`, ENDPOINT]);
  });

  it('of an older version has Tools that keep its present defaults (V150)', async () => {
    const { deps, ada: eve, bob } = await world({ toolCalls: UNREACHED });
    const { id } = await eve.createsService({
      shared: true,
      connectionSchema: withDefault(ENDPOINT),
    });
    const tool = await bob.createsTool({ serviceId: id, connectionParams: {} });
    const older = (statement: string) =>
      worldGraph().write((tx) => tx.run(`// olderTool\n ${statement}`, { id: tool.id }));
    await older('MATCH (:Tool {id: $id})-[uses:USES_SERVICE]->() REMOVE uses.connectionSchema');
    expect(await placesOf(deps, bob.viewer, [tool])).toEqual([ENDPOINT]);
    await again('150');
    const later = withDefault('http://127.0.0.1:10');
    await updateService(deps, eve.viewer, { id, connectionSchema: later });
    expect(await placesOf(deps, bob.viewer, [tool])).toEqual([ENDPOINT]);
  });

  it('stays shared while Tools of others use it (S4-SVC-13)', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await ada.createsService({ shared: true });
    await ada.createsTool({ serviceId: id });
    const foreign = await bob.createsTool({ serviceId: id });
    await expect(updateService(deps, ada.viewer, { id, shared: false })).rejects.toThrow(
      '1 Tool of others',
    );
    await deleteTool(deps, bob.viewer, { id: foreign.id });
    expect(await updateService(deps, ada.viewer, { id, shared: false })).toMatchObject({
      shared: false,
    });
  });

  it('goes only when no Tool uses it (S4-SVC-10)', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsService();
    const tool = await ada.createsTool({ serviceId: id });
    expect(await refusals(deleteService(deps, ada.viewer, { id }))).toEqual(['IN_USE id']);
    await deleteTool(deps, ada.viewer, { id: tool.id });
    expect(await deleteService(deps, ada.viewer, { id })).toBe(id);
    expect(await find(ada.viewer, id)).toBeNull();
    expect(await refusals(deleteService(deps, ada.viewer, { id }))).toEqual(['NOT_FOUND id']);
  });

  it('of the system is changed by an admin and by nobody else', async () => {
    const { deps, ada, root, system } = await world();
    const hidden = await system.createsService();
    const { id } = await system.createsService({ shared: true });
    expect(await find(ada.viewer, hidden.id)).toBeNull();
    expect(await refusals(updateService(deps, ada.viewer, { id, name: 'mine' }))).toEqual([
      'FORBIDDEN id',
    ]);
    expect(await updateService(deps, root.viewer, { id, name: 'ours' })).toMatchObject({
      name: 'ours',
      ownerId: system.viewer.userId,
    });
    await deleteService(deps, root.viewer, { id });
    await deleteService(deps, root.viewer, { id: hidden.id });
  });
});

describe('writers racing over a Service', () => {
  const ROUNDS = 12;

  it('never leave a Tool without its Service (S4-SVC-10)', async () => {
    const { deps, ada } = await world();
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.createsService();
      const counts = await race([
        () => ada.createsTool({ serviceId: id }),
        () => deleteService(deps, ada.viewer, { id }),
      ]);
      expect(counts['done']).toBe(1);
      expect(Object.keys(counts).sort()).toEqual(
        [counts['IN_USE id'] ? 'IN_USE id' : 'NOT_FOUND serviceId', 'done'].sort(),
      );
    }
  });

  it('never leave a foreign Tool on a Service that is not shared (S4-SVC-13)', async () => {
    const { deps, ada, bob } = await world();
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.createsService({ shared: true });
      const counts = await race([
        () => bob.createsTool({ serviceId: id }),
        () => updateService(deps, ada.viewer, { id, shared: false }),
      ]);
      expect(counts['done']).toBe(1);
    }
  });

  it('never leave a Tool whose connectionParams break the schema (S4-TOOL-04)', async () => {
    const { deps, ada } = await world();
    const stricter = { ...ENDPOINT_SCHEMA, required: ['endpoint', 'region'] };
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.createsService();
      const counts = await race([
        () => ada.createsTool({ serviceId: id, connectionParams: { endpoint: ENDPOINT } }),
        () => updateService(deps, ada.viewer, { id, connectionSchema: stricter }),
      ]);
      expect(counts['done']).toBe(1);
    }
  });

  it('never send a Secret to a place its Tool was not made for', async () => {
    const { deps, ada: eve, bob } = await world({ toolCalls: UNREACHED });
    const secretId = (await bob.createsSecret()).id;
    const later = 'http://127.0.0.1:10';
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await eve.createsService({
        shared: true,
        connectionSchema: withDefault(ENDPOINT),
      });
      const [tool, service] = await Promise.all([
        bob.createsTool({ serviceId: id, secretId, connectionParams: {} }),
        updateService(deps, eve.viewer, { id, connectionSchema: withDefault(later) }),
      ]);
      // Both instants are taken under the lock.
      const expected = service.updatedAt < tool.createdAt ? later : ENDPOINT;
      if (service.updatedAt !== tool.createdAt)
        expect(await placesOf(deps, bob.viewer, [tool])).toEqual([expected]);
    }
  });

  it('count every version', async () => {
    const { deps, ada } = await world();
    const { id } = await ada.createsService();
    const writers = Array.from(
      { length: 10 },
      (_, index) => () =>
        updateService(deps, ada.viewer, {
          id,
          connectionSchema: { ...ENDPOINT_SCHEMA, title: `t${index}` },
        }),
    );
    expect(await race(writers)).toEqual({ done: 10 });
    expect((await find(ada.viewer, id))?.schemaVersion).toBe(11);
  });
});
