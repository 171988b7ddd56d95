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
import { loader } from '../loader.ts';
import { Node, Timestamped } from '../nodes.ts';
import { DeletePayload, idInput, payload, payloadType } from '../payload.ts';
import { Owned } from '../users/users.ts';
import {
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
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free-text description.',
    }),
    type: t.expose('type', {
      type: ServiceType,
      description: 'Kind of endpoint. Immutable.',
    }),
    protocol: t.expose('protocol', {
      type: Protocol,
      description: 'Protocol of the endpoint. Immutable.',
    }),
    connectionSchema: t.expose('connectionSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the connectionParams of a Tool.',
    }),
    schemaVersion: t.exposeInt('schemaVersion', {
      description: 'Version of connectionSchema, from 1. Each change of the schema adds 1.',
    }),
    requiresSecret: t.exposeBoolean('requiresSecret', {
      description: 'Whether each of its Tools needs a Secret. Immutable.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether its Tools may be called.' }),
    shared: t.exposeBoolean('shared', {
      description: 'Whether other users see it and may create Tools on it.',
    }),
    status: t.field({
      type: HealthStatus,
      resolve: async ({ id }, _args, context) => (await healthOfService(context, id)).status,
      description:
        "Summary of the health probes of the owner's Tools; down while the Service is disabled.",
    }),
    lastHealthCheckAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: async ({ id }, _args, context) =>
        (await healthOfService(context, id)).lastHealthCheck,
      description: 'Time of the latest of these probes.',
    }),
    errorMessage: t.string({
      nullable: true,
      resolve: async ({ id }, _args, context) => (await healthOfService(context, id)).errorMessage,
      description: 'Reason for an unhealthy status; null if healthy.',
    }),
    serviceTemplateId: t.exposeID('serviceTemplateId', {
      nullable: true,
      description:
        'Id of the template that it was copied from. Later changes of the template have no effect.',
    }),
    serviceTemplate: t.field({
      type: ServiceTemplate,
      nullable: true,
      description:
        'The template that it was copied from, archived or not; null if there is none or you cannot see it.',
      resolve: ({ serviceTemplateId }) => serviceTemplateId,
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
    args: { id: t.arg.id({ required: true, description: 'Id of the Service.' }) },
    resolve: (_root, { id }) => id,
  }),
  services: t.field({
    type: ServiceConnection,
    description: 'Your Services and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      type: t.arg({ type: ServiceType, description: 'Only Services of this type.' }),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether to include objects that other users share.',
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listServices(tx, viewerOf(context), args)),
  }),
}));

const CreateServiceInput = builder.inputType('CreateServiceInput', {
  description: 'Input for a new Service, defined in full or copied from a template.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    description: t.string({ description: 'Free-text description.' }),
    type: t.field({ type: ServiceType, description: 'Required without a template.' }),
    protocol: t.field({
      type: Protocol,
      description: 'Required without a template. Must match the type.',
    }),
    connectionSchema: t.field({ type: 'JSONSchema', description: 'Required without a template.' }),
    requiresSecret: t.boolean({
      description: 'Whether its Tools need a Secret. Default false.',
    }),
    shared: t.boolean({ description: 'Whether other users may see and use it. Default false.' }),
    enabled: t.boolean({ description: 'Whether its Tools may be called. Default true.' }),
    serviceTemplateId: t.id({
      description:
        'Id of the template to copy type, protocol, connectionSchema and requiresSecret from. Then these fields must be omitted.',
    }),
  }),
});

const UpdateServiceInput = builder.inputType('UpdateServiceInput', {
  description: 'Changes to a Service. Omitted fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the Service.' }),
    name: t.string({ description: 'Display name.' }),
    description: t.string({ description: 'Free-text description; null removes it.' }),
    enabled: t.boolean({ description: 'If false, every Tool on it stops at the next step.' }),
    shared: t.boolean({
      description: 'Setting false gives IN_USE while Tools of other users need it.',
    }),
    connectionSchema: t.field({
      type: 'JSONSchema',
      description:
        'Gives IN_USE if existing Tools would not be valid against it. Tools keep the defaults they were written with until their connectionParams are given again.',
    }),
  }),
});

const ServicePayload = payloadType('ServicePayload', 'service', Service, {
  connection: ServiceConnection,
  key: newestKey,
});

const DeleteServiceInput = idInput('DeleteServiceInput', 'Id of the Service.');
const CheckServiceHealthInput = idInput('CheckServiceHealthInput', 'Id of the Service.');
builder.mutationFields((t) => ({
  createService: t.field({
    type: ServicePayload,
    description: 'Creates a Service of your own.',
    args: {
      input: t.arg({ type: CreateServiceInput, required: true, description: 'The new Service.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('service', () => createService(context, viewerOf(context), input)),
  }),
  updateService: t.field({
    type: ServicePayload,
    description: 'Changes the name, description, schema, sharing or enabled state of a Service.',
    args: {
      input: t.arg({ type: UpdateServiceInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('service', () => updateService(context, viewerOf(context), input)),
  }),
  deleteService: t.field({
    type: DeletePayload,
    description: 'Deletes a Service that no Tool uses.',
    args: {
      input: t.arg({ type: DeleteServiceInput, required: true, description: 'The Service.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteService(context, viewerOf(context), input)),
  }),
  checkServiceHealth: t.field({
    type: ServicePayload,
    description: 'Probes your Tools on a Service now and returns the Service with its new status.',
    args: {
      input: t.arg({ type: CheckServiceHealthInput, required: true, description: 'The Service.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('service', () => checkServiceHealth(context, viewerOf(context), input)),
  }),
}));
