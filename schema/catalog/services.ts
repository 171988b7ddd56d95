import { findServiceHealth, listServices } from '../../src/catalog/services/service.cypher.ts';
import {
  createService,
  deleteService,
  updateService,
} from '../../src/catalog/services/service.mutations.ts';
import type { ServiceHealth } from '../../src/catalog/services/service.ts';
import { checkServiceHealth } from '../../src/catalog/tools/tool-health.service.ts';
import { builder } from '../builder.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, exposed, nullable } from '../fields.ts';
import { loader } from '../loader.ts';
import { Node, Timestamped } from '../nodes.ts';
import { DeletePayload, idInput, inputOf, mutation, payloadType } from '../payload.ts';
import { Owned } from '../users/users.ts';
import {
  EXPECTED_UPDATED_AT,
  HealthStatus,
  Protocol,
  pageOfTools,
  Service,
  ServiceType,
  ToolConnection,
} from './catalog.ts';
import { ServiceTemplate } from './templates.ts';

const ServiceConnection = connectionOf('Service', Service);

/** Health of a Service that the viewer already reached, by id. */
const healthOfService = loader<string, ServiceHealth>(async (context, ids) => {
  const found = await context.graph.read((tx) => findServiceHealth(tx, ids));
  return ids.map((id) => {
    const health = found.get(id);
    if (health === undefined) throw new Error(`The health of the Service ${id} is not there.`);
    return health;
  });
});

Service.implement({
  description: 'An infrastructure endpoint. It defines the connection parameters of its Tools.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    ...exposed(t, {
      name: ['String', 'Display name.'],
      description: ['String?', 'Free-text description.'],
      type: [ServiceType, 'Kind of endpoint. Immutable.'],
      protocol: [Protocol, 'Protocol of the endpoint. Immutable.'],
      connectionSchema: ['JSONSchema', 'JSON Schema for the connectionParams of a Tool.'],
      schemaVersion: [
        'Int',
        'Version of connectionSchema, from 1. Each change of the schema adds 1.',
      ],
      requiresSecret: ['Boolean', 'Whether each of its Tools needs a Secret. Immutable.'],
      enabled: ['Boolean', 'Whether its Tools may be called.'],
      shared: ['Boolean', 'Whether other users see it and may create Tools on it.'],
      serviceTemplateId: [
        'ID?',
        'Id of the template that it was copied from. Later changes of the template have no effect.',
      ],
      serviceTemplate: [
        nullable(ServiceTemplate),
        'The template that it was copied from, archived or not; null if there is none or you ' +
          'cannot see it.',
        'serviceTemplateId',
      ],
      status: [
        HealthStatus,
        "Summary of the health probes of the owner's Tools; down while the Service is disabled.",
        async ({ id }, _args, context) => (await healthOfService(context, id)).status,
      ],
      lastHealthCheckAt: [
        'DateTime?',
        'Time of the latest of these probes.',
        async ({ id }, _args, context) => (await healthOfService(context, id)).lastHealthCheck,
      ],
      errorMessage: [
        'String?',
        'Reason for an unhealthy status; null if healthy.',
        async ({ id }, _args, context) => (await healthOfService(context, id)).errorMessage,
      ],
    }),
    tools: t.field({
      type: ToolConnection,
      description: 'The Tools on this Service that you can see, newest first.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: (service, args, context) => pageOfTools(context, { ...args, serviceId: service.id }),
    }),
  }),
});

builder.queryFields((t) => ({
  service: t.field({
    type: Service,
    nullable: true,
    description: 'A Service by id; null if it does not exist or you cannot see it.',
    args: argFields(t, { id: ['ID!', 'Id of the Service.'] }),
    resolve: (_root, { id }) => id,
  }),
  services: t.field({
    type: ServiceConnection,
    description: 'Your Services and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        type: [ServiceType, 'Only Services of this type.'],
        includeShared: ['Boolean', 'Whether to include objects that other users share.', true],
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listServices(tx, viewerOf(context), args)),
  }),
}));

const CreateServiceInput = inputOf(
  'CreateServiceInput',
  'Input for a new Service, defined in full or copied from a template.',
  {
    name: ['String!', 'Display name, up to 200 characters.'],
    description: ['String', 'Free-text description.'],
    type: [ServiceType, 'Required without a template.'],
    protocol: [Protocol, 'Required without a template. Must match the type.'],
    connectionSchema: ['JSONSchema', 'Required without a template.'],
    requiresSecret: ['Boolean', 'Whether its Tools need a Secret. Default false.'],
    shared: ['Boolean', 'Whether other users may see and use it. Default false.'],
    enabled: ['Boolean', 'Whether its Tools may be called. Default true.'],
    serviceTemplateId: [
      'ID',
      'Id of the template to copy type, protocol, connectionSchema and requiresSecret from. ' +
        'Then these fields must be omitted.',
    ],
  },
);

const UpdateServiceInput = inputOf(
  'UpdateServiceInput',
  'Changes to a Service. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the Service.'],
    name: ['String', 'Display name.'],
    description: ['String', 'Free-text description; null removes it.'],
    enabled: ['Boolean', 'If false, every Tool on it stops at the next step.'],
    shared: ['Boolean', 'Setting false gives IN_USE while Tools of other users need it.'],
    connectionSchema: [
      'JSONSchema',
      'Gives IN_USE if existing Tools would not be valid against it. Tools keep the defaults ' +
        'they were written with until their connectionParams are given again.',
    ],
    expectedUpdatedAt: EXPECTED_UPDATED_AT,
  },
);

const ServicePayload = payloadType('ServicePayload', 'service', Service, {
  connection: ServiceConnection,
  key: newestKey,
});

mutation('createService', {
  description: 'Creates a Service of your own.',
  input: [CreateServiceInput, 'The new Service.'],
  payload: ServicePayload,
  run: createService,
});
mutation('updateService', {
  description: 'Changes the name, description, schema, sharing or enabled state of a Service.',
  input: [UpdateServiceInput, 'The changes.'],
  payload: ServicePayload,
  run: updateService,
});
mutation('deleteService', {
  description: 'Deletes a Service that no Tool uses.',
  input: [idInput('DeleteServiceInput', 'Id of the Service.'), 'The Service.'],
  payload: DeletePayload,
  run: deleteService,
});
mutation('checkServiceHealth', {
  description: 'Probes your Tools on a Service now and returns the Service with its new status.',
  input: [idInput('CheckServiceHealthInput', 'Id of the Service.'), 'The Service.'],
  payload: ServicePayload,
  run: checkServiceHealth,
});
