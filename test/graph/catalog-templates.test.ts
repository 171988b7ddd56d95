import { describe, expect, it } from 'vitest';
import { findServices } from '../../src/catalog/services/service.cypher.ts';
import {
  findServiceTemplates,
  findToolTemplates,
  listServiceTemplates,
  listToolTemplates,
} from '../../src/catalog/templates/template.cypher.ts';
import {
  createServiceTemplate,
  createToolTemplate,
  deleteServiceTemplate,
  deleteToolTemplate,
  updateServiceTemplate,
  updateToolTemplate,
} from '../../src/catalog/templates/template.mutations.ts';
import { readWith } from '../testkit/graph.ts';
import { ENDPOINT_SCHEMA, refusals, refuses, world, worldGraph } from '../testkit/world.ts';

const graph = worldGraph();
const { deps, ada, bob } = await world();

const SERVICE = {
  name: 'Web',
  type: 'rest_api',
  protocol: 'http',
  connectionSchema: ENDPOINT_SCHEMA,
  requiresSecret: false,
} as const;
const TOOL = {
  name: 'Get',
  operation: { type: 'rest_call', method: 'GET', path: '/items/{{id}}' },
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  outputSchema: { type: 'object' },
} as const;

describe('a ServiceTemplate', () => {
  it('is checked like a Service (S4-STPL-01)', async () => {
    expect(await createServiceTemplate(deps, ada.viewer, SERVICE)).toMatchObject({
      ...SERVICE,
      ownerId: ada.viewer.userId,
      description: null,
      shared: false,
      archived: false,
    });
    const faulty = { name: '', protocol: 'bolt', connectionSchema: { type: 3 } } as const;
    await refuses(
      createServiceTemplate(deps, ada.viewer, { ...SERVICE, ...faulty }),
      'REQUIRED name',
      'PROTOCOL_MISMATCH protocol',
      'SCHEMA_INVALID connectionSchema.type',
    );
  });

  // S4-STPL-04, S4-STPL-05, S4-STPL-06, S4-SVC-15
  it('is copied whole, and its Services do not change with it', async () => {
    const template = await createServiceTemplate(deps, ada.viewer, SERVICE);
    const service = await ada.createsService({ serviceTemplateId: template.id });
    const { name: _, ...copied } = SERVICE;
    expect(service).toMatchObject({ ...copied, serviceTemplateId: template.id });
    expect(await deleteServiceTemplate(deps, ada.viewer, { id: template.id })).toBe(template.id);
    expect(await readWith(graph, findServices, ada.viewer, [service.id])).toMatchObject([service]);
    const { id: serviceId } = service;
    expect(await ada.createsTool({ serviceId })).toMatchObject({ serviceId });
  });

  it('gives nothing new while archived; a copied field may not be given', async () => {
    const { id } = await createServiceTemplate(deps, ada.viewer, SERVICE);
    await deleteServiceTemplate(deps, ada.viewer, { id });
    await refuses(
      ada.createsService({ serviceTemplateId: id, type: 'rest_api' }),
      'INVALID type',
      'STATE serviceTemplateId',
    );
    await updateServiceTemplate(deps, ada.viewer, { id, archived: false, name: 'Again' });
    expect(await refusals(ada.createsService({ serviceTemplateId: id }))).toEqual(['done']);
  });

  // S4-STPL-02, S4-STPL-03, S4-TTPL-04
  it('is listed unless archived, and seen by others only while shared', async () => {
    const { id } = await createServiceTemplate(deps, ada.viewer, SERVICE);
    const sees = async (viewer = ada.viewer, includeArchived = false) => {
      const given = { first: 200, includeArchived };
      const { items } = await readWith(graph, listServiceTemplates, viewer, given);
      return items.some(({ item }) => item.id === id);
    };
    const gets = async (viewer = ada.viewer) =>
      (await readWith(graph, findServiceTemplates, viewer, [id])).length === 1;
    expect([await sees(), await gets()]).toEqual([true, true]);
    expect([await sees(bob.viewer), await gets(bob.viewer)]).toEqual([false, false]);
    await refuses(bob.createsService({ serviceTemplateId: id }), 'NOT_FOUND serviceTemplateId');
    await updateServiceTemplate(deps, ada.viewer, { id, shared: true });
    expect([await sees(bob.viewer), await gets(bob.viewer)]).toEqual([true, true]);
    const { userId: ownerId } = bob.viewer;
    expect(await bob.createsService({ serviceTemplateId: id })).toMatchObject({ ownerId });
    await refuses(updateServiceTemplate(deps, bob.viewer, { id, name: 'x' }), 'FORBIDDEN id');
    await deleteServiceTemplate(deps, ada.viewer, { id });
    expect([await sees(), await sees(ada.viewer, true), await gets()]).toEqual([false, true, true]);
  });
});

describe('a ToolTemplate', () => {
  it('is checked like a Tool (S4-TTPL-01)', async () => {
    const expected = { ...TOOL, ownerId: ada.viewer.userId, archived: false };
    expect(await createToolTemplate(deps, ada.viewer, TOOL)).toMatchObject(expected);
    const inputSchema = { properties: { other: {} } };
    await refuses(
      createToolTemplate(deps, ada.viewer, { ...TOOL, inputSchema }),
      'UNKNOWN_VARIABLE operation.restCall.path',
      'UNKNOWN_VARIABLE inputSchema.properties.other',
    );
  });

  // S4-TTPL-02, S4-TTPL-03, S4-TOOL-11
  it('is copied whole, and its Tools do not change with it', async () => {
    const { id } = await createToolTemplate(deps, ada.viewer, TOOL);
    const tool = await ada.createsTool({ toolTemplateId: id });
    const { name: _, ...copied } = TOOL;
    expect(tool).toMatchObject({ ...copied, toolTemplateId: id });
    await refuses(bob.createsTool({ toolTemplateId: id }), 'NOT_FOUND toolTemplateId');
    await refuses(
      ada.createsTool({ toolTemplateId: id, outputSchema: {} }),
      'INVALID outputSchema',
    );
    const neo4j = await ada.createsService({ type: 'neo4j_graph', protocol: 'bolt' });
    const onNeo4j = { serviceId: neo4j.id, connectionParams: { endpoint: 'bolt://x.org' } };
    await refuses(
      ada.createsTool({ toolTemplateId: id, ...onNeo4j }),
      'TYPE_MISMATCH toolTemplateId',
    );
    const changes = { name: 'Renamed', shared: true, description: 'd' };
    await updateToolTemplate(deps, ada.viewer, { id, ...changes });
    await deleteToolTemplate(deps, ada.viewer, { id });
    await refuses(ada.createsTool({ toolTemplateId: id }), 'STATE toolTemplateId');
    const [kept] = await readWith(graph, findToolTemplates, bob.viewer, [id]);
    expect(kept).toMatchObject({ name: 'Renamed', archived: true });
    const listed = await readWith(graph, listToolTemplates, ada.viewer, { first: 200 });
    expect(listed.items.map(({ item }) => item.id)).not.toContain(id);
  });
});
