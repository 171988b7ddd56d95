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
import { ENDPOINT_SCHEMA, refusals, world, worldGraph } from '../testkit/world.ts';

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
    const { deps, ada } = await world();
    expect(await createServiceTemplate(deps, ada.viewer, SERVICE)).toMatchObject({
      ...SERVICE,
      ownerId: ada.viewer.userId,
      description: null,
      shared: false,
      archived: false,
    });
    expect(
      await refusals(
        createServiceTemplate(deps, ada.viewer, {
          ...SERVICE,
          name: '',
          protocol: 'bolt',
          connectionSchema: { type: 3 },
        }),
      ),
    ).toEqual([
      'REQUIRED name',
      'PROTOCOL_MISMATCH protocol',
      'SCHEMA_INVALID connectionSchema.type',
    ]);
  });

  it('is copied whole, and its Services never notice what becomes of it (S4-STPL-04, S4-STPL-05, S4-STPL-06, S4-SVC-15)', async () => {
    const { deps, ada } = await world();
    const template = await createServiceTemplate(deps, ada.viewer, SERVICE);
    const service = await ada.createsService({ serviceTemplateId: template.id });
    expect(service).toMatchObject({
      type: 'rest_api',
      protocol: 'http',
      connectionSchema: ENDPOINT_SCHEMA,
      requiresSecret: false,
      serviceTemplateId: template.id,
    });
    expect(await deleteServiceTemplate(deps, ada.viewer, { id: template.id })).toBe(template.id);
    expect(
      (await worldGraph().read((tx) => findServices(tx, ada.viewer, [service.id])))[0],
    ).toMatchObject({ ...service, updatedAt: service.updatedAt });
    expect(await ada.createsTool({ serviceId: service.id })).toMatchObject({
      serviceId: service.id,
    });
  });

  it('gives nothing new once archived, until it is taken out again; what is copied may not be given', async () => {
    const { deps, ada } = await world();
    const { id } = await createServiceTemplate(deps, ada.viewer, SERVICE);
    await deleteServiceTemplate(deps, ada.viewer, { id });
    expect(await refusals(ada.createsService({ serviceTemplateId: id, type: 'rest_api' }))).toEqual(
      ['INVALID type', 'STATE serviceTemplateId'],
    );
    await updateServiceTemplate(deps, ada.viewer, { id, archived: false, name: 'Again' });
    expect(await refusals(ada.createsService({ serviceTemplateId: id }))).toEqual(['done']);
  });

  it('is listed unless archived, found by id always, and by others only while shared (S4-STPL-02, S4-STPL-03, S4-TTPL-04)', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await createServiceTemplate(deps, ada.viewer, SERVICE);
    const sees = async (viewer = ada.viewer, includeArchived = false) =>
      (
        await worldGraph().read((tx) =>
          listServiceTemplates(tx, viewer, { first: 200, includeArchived }),
        )
      ).items.some(({ item }) => item.id === id);
    const gets = async (viewer = ada.viewer) =>
      (await worldGraph().read((tx) => findServiceTemplates(tx, viewer, [id]))).length === 1;
    expect([await sees(), await gets(), await sees(bob.viewer), await gets(bob.viewer)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await refusals(bob.createsService({ serviceTemplateId: id }))).toEqual([
      'NOT_FOUND serviceTemplateId',
    ]);
    await updateServiceTemplate(deps, ada.viewer, { id, shared: true });
    expect([await sees(bob.viewer), await gets(bob.viewer)]).toEqual([true, true]);
    expect(await bob.createsService({ serviceTemplateId: id })).toMatchObject({
      ownerId: bob.viewer.userId,
    });
    expect(await refusals(updateServiceTemplate(deps, bob.viewer, { id, name: 'x' }))).toEqual([
      'FORBIDDEN id',
    ]);
    await deleteServiceTemplate(deps, ada.viewer, { id });
    expect([await sees(), await sees(ada.viewer, true), await gets()]).toEqual([false, true, true]);
  });
});

describe('a ToolTemplate', () => {
  it('is checked like a Tool (S4-TTPL-01)', async () => {
    const { deps, ada } = await world();
    expect(await createToolTemplate(deps, ada.viewer, TOOL)).toMatchObject({
      ...TOOL,
      ownerId: ada.viewer.userId,
      archived: false,
    });
    expect(
      await refusals(
        createToolTemplate(deps, ada.viewer, {
          ...TOOL,
          inputSchema: { properties: { other: {} } },
        }),
      ),
    ).toEqual([
      'UNKNOWN_VARIABLE operation.restCall.path',
      'UNKNOWN_VARIABLE inputSchema.properties.other',
    ]);
  });

  it('is copied whole, and its Tools never notice what becomes of it (S4-TTPL-02, S4-TTPL-03, S4-TOOL-11)', async () => {
    const { deps, ada, bob } = await world();
    const { id } = await createToolTemplate(deps, ada.viewer, TOOL);
    const tool = await ada.createsTool({ toolTemplateId: id });
    expect(tool).toMatchObject({
      operation: TOOL.operation,
      inputSchema: TOOL.inputSchema,
      outputSchema: TOOL.outputSchema,
      toolTemplateId: id,
    });
    expect(await refusals(bob.createsTool({ toolTemplateId: id }))).toEqual([
      'NOT_FOUND toolTemplateId',
    ]);
    expect(await refusals(ada.createsTool({ toolTemplateId: id, outputSchema: {} }))).toEqual([
      'INVALID outputSchema',
    ]);
    const neo4j = await ada.createsService({ type: 'neo4j_graph', protocol: 'bolt' });
    expect(
      await refusals(
        ada.createsTool({
          toolTemplateId: id,
          serviceId: neo4j.id,
          connectionParams: { endpoint: 'bolt://x.org' },
        }),
      ),
    ).toEqual(['TYPE_MISMATCH toolTemplateId']);
    await updateToolTemplate(deps, ada.viewer, {
      id,
      name: 'Renamed',
      shared: true,
      description: 'd',
    });
    await deleteToolTemplate(deps, ada.viewer, { id });
    expect(await refusals(ada.createsTool({ toolTemplateId: id }))).toEqual([
      'STATE toolTemplateId',
    ]);
    const [kept] = await worldGraph().read((tx) => findToolTemplates(tx, bob.viewer, [id]));
    expect(kept).toMatchObject({ name: 'Renamed', archived: true });
    const listed = await worldGraph().read((tx) =>
      listToolTemplates(tx, ada.viewer, { first: 200 }),
    );
    expect(listed.items.map(({ item }) => item.id)).not.toContain(id);
  });
});
