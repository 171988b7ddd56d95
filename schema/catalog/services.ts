import { findServiceHealth, listServices } from '../../src/catalog/services/service.cypher.ts';
import {
  createService,
  deleteService,
  updateService,
} from '../../src/catalog/services/service.mutations.ts';
import type { ServiceHealth } from '../../src/catalog/services/service.ts';
import { checkServiceHealth } from '../../src/catalog/tools/tool-health.service.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { Node, Timestamped } from '../nodes.ts';
import { HealthStatus } from '../operations/health.ts';
import { Owned } from '../operations/users.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import { Protocol, pageOfTools, Service, ServiceType, ToolConnection } from './catalog.ts';
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
  description:
    'An infrastructure endpoint of one kind, and the shape of the connections Tools make to it.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    type: t.expose('type', {
      type: ServiceType,
      description: 'What kind of endpoint it is; for good.',
    }),
    protocol: t.expose('protocol', { type: Protocol, description: 'How it is reached; for good.' }),
    connectionSchema: t.expose('connectionSchema', {
      type: 'JSONSchema',
      description: "What a Tool's connectionParams have to fulfil.",
    }),
    schemaVersion: t.exposeInt('schemaVersion', {
      description: 'From 1; one more with each change of connectionSchema.',
    }),
    requiresSecret: t.exposeBoolean('requiresSecret', {
      description: 'Whether each of its Tools has to name a Secret; for good.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether its Tools may be called at all.' }),
    shared: t.exposeBoolean('shared', {
      description: 'Whether others find it and may bind Tools of their own to it.',
    }),
    status: t.field({
      type: HealthStatus,
      resolve: async ({ id }, _args, context) => (await healthOfService(context, id)).status,
      description: "Sums up the probes of its owner's own Tools; down while it is disabled.",
    }),
    lastHealthCheck: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: async ({ id }, _args, context) =>
        (await healthOfService(context, id)).lastHealthCheck,
      description: 'When the last of those probes was.',
    }),
    errorMessage: t.string({
      nullable: true,
      resolve: async ({ id }, _args, context) => (await healthOfService(context, id)).errorMessage,
      description: 'Why it is not healthy; null where it is.',
    }),
    serviceTemplateId: t.exposeID('serviceTemplateId', {
      nullable: true,
      description: 'The template it was copied from; tells where it comes from and nothing more.',
    }),
    serviceTemplate: t.field({
      type: ServiceTemplate,
      nullable: true,
      description: 'That template, archived or not; null where there is none to see.',
      resolve: ({ serviceTemplateId }) => serviceTemplateId,
    }),
    tools: t.field({
      type: ToolConnection,
      description: 'The Tools on it that you see, newest first.',
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
    description: 'A Service by its id; null when there is none or it is not yours to see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
  services: t.field({
    type: ServiceConnection,
    description: 'Your Services and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      type: t.arg({ type: ServiceType, description: 'Only of this kind.' }),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether those of others are listed too.',
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listServices(tx, viewerOf(context), args)),
  }),
}));

const CreateServiceInput = builder.inputType('CreateServiceInput', {
  description: 'A new Service, written out or copied from a template.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    description: t.string({ description: 'What it is for.' }),
    type: t.field({ type: ServiceType, description: 'Required without a template.' }),
    protocol: t.field({
      type: Protocol,
      description: 'Required without a template; has to go with the type.',
    }),
    connectionSchema: t.field({ type: 'JSONSchema', description: 'Required without a template.' }),
    requiresSecret: t.boolean({
      description: 'Whether its Tools need a Secret; false if not said.',
    }),
    shared: t.boolean({ description: 'Whether others may find and use it; false if not said.' }),
    enabled: t.boolean({ description: 'Whether its Tools may be called; true if not said.' }),
    serviceTemplateId: t.id({
      description:
        'The template to copy type, protocol, connectionSchema and requiresSecret from; then they may not be given.',
    }),
  }),
});

const UpdateServiceInput = builder.inputType('UpdateServiceInput', {
  description: 'What to change of a Service; what is left out stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'How it is called.' }),
    description: t.string({ description: 'What it is for; null takes it away.' }),
    enabled: t.boolean({ description: 'false stops every Tool on it at the next step.' }),
    shared: t.boolean({ description: 'IN_USE while Tools of others need it shared.' }),
    connectionSchema: t.field({
      type: 'JSONSchema',
      description: 'IN_USE where Tools there are would not fit it.',
    }),
  }),
});

const ServicePayload = payloadType('ServicePayload', 'service', Service);

builder.mutationFields((t) => ({
  createService: t.field({
    type: ServicePayload,
    description: 'Makes a Service of your own.',
    args: {
      input: t.arg({ type: CreateServiceInput, required: true, description: 'What it is.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('service', () => createService(context, viewerOf(context), input)),
  }),
  updateService: t.field({
    type: ServicePayload,
    description: 'Changes name, description, sharing, schema, or whether it is enabled.',
    args: {
      input: t.arg({ type: UpdateServiceInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('service', () => updateService(context, viewerOf(context), input)),
  }),
  deleteService: t.field({
    type: DeletePayload,
    description: 'Deletes a Service no Tool uses.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload('deletedId', () => deleteService(context, viewerOf(context), { id }), 'arguments'),
  }),
  checkServiceHealth: t.field({
    type: ServicePayload,
    description: 'Probes your Tools on a Service now and gives back its new summary.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload('service', () => checkServiceHealth(context, viewerOf(context), { id }), 'arguments'),
  }),
}));
