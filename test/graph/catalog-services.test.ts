import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { findServices, listServices } from '../../src/catalog/services/service.cypher.ts';
import { deleteService, updateService } from '../../src/catalog/services/service.mutations.ts';
import { openTarget } from '../../src/catalog/tools/call-target.service.ts';
import { findCallTargets } from '../../src/catalog/tools/target.cypher.ts';
import { updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import { findToolSnapshots } from '../../src/runs/run/snapshot.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { migrator } from '../testkit/migrations.ts';
import {
  answering,
  ENDPOINT,
  ENDPOINT_SCHEMA,
  type Person,
  race,
  refusals,
  refuses,
  world,
  worldGraph,
} from '../testkit/world.ts';

const graph = worldGraph();
const { deps, ada, bob, root, system } = await world();
const find = async (viewer: Viewer, id: string) =>
  (await readWith(graph, findServices, viewer, [id]))[0] ?? null;
const listed = async (
  { viewer }: Person,
  filter: Parameters<typeof listServices>[2] = { first: 200 },
) => (await readWith(graph, listServices, viewer, filter)).items.map(({ item }) => item.id);
const update = (id: string, changes: object, { viewer }: Person = ada) =>
  updateService(deps, viewer, { id, ...changes });
const remove = (id: string, { viewer }: Person = ada) => deleteService(deps, viewer, { id });

const withDefault = (endpoint: string) => ({
  shared: true,
  connectionSchema: {
    type: 'object',
    properties: { endpoint: { type: 'string', format: 'uri', default: endpoint } },
  },
});

const again = migrator();

/** Nothing answers, so no probe is the first use of a Secret. */
const UNREACHED = {
  ...answering,
  probe: async () => ({ status: 'down' as const, errorMessage: 'Nothing answers.' }),
};
const unreached = await world({ toolCalls: UNREACHED, vault: deps.vault });
/** Where calls of these Tools go: by a call of now, and by the snapshot of a run. */
async function placesOf({ viewer }: Person, tools: readonly { id: string }[]) {
  const ids = tools.map(({ id }) => id);
  return graph.read(async (tx) => {
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
  // S4-OWN-01, S4-SVC-01, S4-SVC-07
  it('is stored with owner, edge and entry in one commit', async () => {
    const service = await ada.createsService({ description: 'where items live' });
    const { userId } = ada.viewer;
    expect(service).toMatchObject({
      ...{ ownerId: userId, name: 'Items', description: 'where items live', schemaVersion: 1 },
      ...{ type: 'rest_api', protocol: 'http', connectionSchema: ENDPOINT_SCHEMA },
      ...{ requiresSecret: false, enabled: true, shared: false, serviceTemplateId: null },
      ...{ status: 'healthy', errorMessage: null, lastHealthCheck: null },
    });
    const [row] = await runCypher(
      graph,
      `MATCH (s:Service:Resource {id: $id})-[e:OWNED_BY]->(u:User)
      MATCH (o:OutboxEntry {ownerId: u.id}) WHERE o.payload CONTAINS s.id
      RETURN u.id AS owner, e.createdAt AS since, collect(o.kind) AS kinds`,
      { id: service.id },
    );
    expect(row).toEqual({ owner: userId, since: service.createdAt, kinds: ['service.created'] });
  });

  it('speaks the protocols of its type (S4-SVC-08)', async () => {
    for (const [type, protocol] of [
      ['neo4j_graph', 'bolt'],
      ['neo4j_graph', 'bolt+s'],
      ['rest_api', 'https'],
      ['llm_provider', 'http'],
      ['mcp_server', 'stdio'],
      ['mcp_server', 'sse'],
    ] as const)
      expect(await refusals(ada.createsService({ type, protocol }))).toEqual(['done']);
  });

  it('names all faults at once, and writes nothing (S4-SVC-06, S4-SVC-07, S4-SVC-08)', async () => {
    const { ada } = await world();
    const connectionSchema = { type: 'nonsense' };
    await refuses(
      ada.createsService({ name: ' ', type: 'neo4j_graph', protocol: 'http', connectionSchema }),
      'REQUIRED name',
      'PROTOCOL_MISMATCH protocol',
      'SCHEMA_INVALID connectionSchema.type',
    );
    await refuses(
      ada.createsService({ type: null, protocol: null, connectionSchema: null }),
      'REQUIRED type',
      'REQUIRED protocol',
      'REQUIRED connectionSchema',
    );
    await refuses(
      ada.createsService({ name: 'x'.repeat(201), description: 'x'.repeat(2_001) }),
      'INVALID name',
      'INVALID description',
    );
    expect(await listed(ada, { includeShared: false })).toEqual([]);
  });

  // S4-OWN-04, 05
  it('is found by others only while shared, and changed by its owner only', async () => {
    const { id } = await ada.createsService();
    expect(await find(bob.viewer, id)).toBeNull();
    expect(await listed(bob)).not.toContain(id);
    for (const problem of ['NOT_FOUND id', 'FORBIDDEN id']) {
      await refuses(update(id, { name: 'mine' }, bob), problem);
      await refuses(remove(id, bob), problem);
      await update(id, { shared: true });
    }
    expect(await find(bob.viewer, id)).toMatchObject({ id, shared: true });
    expect(await listed(bob)).toContain(id);
    expect(await listed(bob, { includeShared: false })).not.toContain(id);
  });

  it('is listed newest first, by type', async () => {
    const { ada } = await world();
    const ids: string[] = [];
    for (let count = 0; count < 2; count++) ids.unshift((await ada.createsService()).id);
    await ada.createsService({ type: 'llm_provider' });
    expect(await listed(ada, { type: 'rest_api', includeShared: false })).toEqual(ids);
  });

  it('counts the versions of its connectionSchema, and nothing else (S4-SVC-09)', async () => {
    const { id } = await ada.createsService();
    const changes = { name: 'Things', description: 'new', enabled: false };
    expect(await update(id, changes)).toMatchObject({ schemaVersion: 1, ...changes });
    const connectionSchema = { ...ENDPOINT_SCHEMA, title: 'wider' };
    const wider = { schemaVersion: 2, connectionSchema };
    expect(await update(id, { connectionSchema })).toMatchObject(wider);
    const same = { connectionSchema, description: null };
    expect(await update(id, same)).toMatchObject({ ...wider, description: null });
    expect(await refusals(update(id, { name: '', connectionSchema: { type: 7 } }))).toEqual(
      expect.arrayContaining(['REQUIRED name', 'SCHEMA_INVALID connectionSchema.type']),
    );
  });

  // S4-SVC-09
  it('moves no Tool by a new default: Secrets of others stay where they go', async () => {
    const { deps, ada: eve, bob } = unreached;
    const { id: serviceId, name } = await eve.createsService(withDefault(ENDPOINT));
    const secretId = (await bob.createsSecret()).id;
    const tool = await bob.createsTool({ serviceId, secretId, connectionParams: {} });
    const tools = [tool, await bob.createsTool({ serviceId, connectionParams: {} })];
    const ofEve = 'http://127.0.0.1:10';
    await updateService(deps, eve.viewer, { id: serviceId, ...withDefault(ofEve) });
    const service = { name, type: 'rest_api', protocol: 'http' };
    const services = [{ ...service, ...withDefault(`${ofEve}/bundle`) }];
    await importBundle(deps, eve.viewer, { document: stringify({ aiden: 1, services }) });
    expect(await placesOf(bob, tools)).toEqual([ENDPOINT, ENDPOINT]);

    // A change that says nothing about the connection moves nothing either.
    await updateTool(deps, bob.viewer, { id: tool.id, name: 'Renamed', secretId });
    expect(await placesOf(bob, tools)).toEqual([ENDPOINT, ENDPOINT]);

    // Its owner moves it by naming the connection and the Secret again.
    const again = { id: tool.id, connectionParams: {} };
    await refuses(updateTool(deps, bob.viewer, again), 'SECRET_REQUIRED secretId');
    await updateTool(deps, bob.viewer, { ...again, secretId });
    expect(await placesOf(bob, tools)).toEqual([`${ofEve}/bundle`, ENDPOINT]);
  });

  it('of an older version has Tools that keep its present defaults (V150)', async () => {
    const { ada: eve, bob } = unreached;
    const { id } = await eve.createsService(withDefault(ENDPOINT));
    const tool = await bob.createsTool({ serviceId: id, connectionParams: {} });
    const older = 'MATCH (:Tool {id: $id})-[uses:USES_SERVICE]->() REMOVE uses.connectionSchema';
    await writeCypher(graph, older, { id: tool.id });
    expect(await placesOf(bob, [tool])).toEqual([ENDPOINT]);
    await again('150');
    await update(id, withDefault('http://127.0.0.1:10'), eve);
    expect(await placesOf(bob, [tool])).toEqual([ENDPOINT]);
  });

  it('of the system is changed by admins only', async () => {
    const hidden = await system.createsService();
    const { id } = await system.createsService({ shared: true });
    expect(await find(ada.viewer, hidden.id)).toBeNull();
    await refuses(update(id, { name: 'mine' }), 'FORBIDDEN id');
    const ownerId = system.viewer.userId;
    expect(await update(id, { name: 'ours' }, root)).toMatchObject({ name: 'ours', ownerId });
    await remove(id, root);
    await remove(hidden.id, root);
  });
});

describe('writers racing over a Service', () => {
  const stricter = { ...ENDPOINT_SCHEMA, required: ['endpoint', 'region'] };
  it.each<[string, (id: string) => readonly (() => Promise<unknown>)[]]>([
    [
      'a Tool without its Service (S4-SVC-10)',
      (id) => [() => ada.createsTool({ serviceId: id }), () => remove(id)],
    ],
    [
      'a foreign Tool on a Service that is not shared (S4-SVC-13)',
      (id) => [() => bob.createsTool({ serviceId: id }), () => update(id, { shared: false })],
    ],
    [
      'a Tool whose connectionParams break the schema (S4-TOOL-04, S4-SVC-09)',
      (id) => [
        () => ada.createsTool({ serviceId: id, connectionParams: { endpoint: ENDPOINT } }),
        () => update(id, { connectionSchema: stricter }),
      ],
    ],
  ])('never leave %s', async (_, writersOf) => {
    for (let round = 0; round < 4; round++) {
      const { id } = await ada.createsService({ shared: true });
      const { done, ...refused } = await race(writersOf(id));
      expect([done, ...Object.values(refused)]).toEqual([1, 1]);
    }
  });

  it('never send a Secret to a place its Tool was not made for', async () => {
    const { deps, ada: eve, bob } = unreached;
    const secretId = (await bob.createsSecret()).id;
    const later = 'http://127.0.0.1:10';
    for (let round = 0; round < 4; round++) {
      const { id } = await eve.createsService(withDefault(ENDPOINT));
      const [tool, service] = await Promise.all([
        bob.createsTool({ serviceId: id, secretId, connectionParams: {} }),
        updateService(deps, eve.viewer, { id, ...withDefault(later) }),
      ]);
      // Both instants are taken under the lock.
      const expected = service.updatedAt < tool.createdAt ? later : ENDPOINT;
      if (service.updatedAt !== tool.createdAt)
        expect(await placesOf(bob, [tool])).toEqual([expected]);
    }
  });

  it('count every version', async () => {
    const { id } = await ada.createsService();
    const writers = Array.from({ length: 10 }, (_, n) => {
      const connectionSchema = { ...ENDPOINT_SCHEMA, title: `t${n}` };
      return () => update(id, { connectionSchema });
    });
    expect(await race(writers)).toEqual({ done: 10 });
    expect((await find(ada.viewer, id))?.schemaVersion).toBe(11);
  });
});
