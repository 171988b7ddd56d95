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
import type {
  ServiceTemplate as ServiceTemplateModel,
  ToolTemplate as ToolTemplateModel,
} from '../../src/catalog/templates/template.ts';
import { builder } from '../builder.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { DeletePayload, idInput, payload, payloadType } from '../payload.ts';
import { Protocol, ServiceType } from './catalog.ts';
import { Operation, OperationInput, operationOf } from './operations.ts';

export const ServiceTemplate = nodeType<ServiceTemplateModel>('ServiceTemplate', {
  label: 'ServiceTemplate',
  load: (context, ids) =>
    context.graph.read((tx) => findServiceTemplates(tx, viewerOf(context), ids)),
});
export const ToolTemplate = nodeType<ToolTemplateModel>('ToolTemplate', {
  label: 'ToolTemplate',
  load: (context, ids) => context.graph.read((tx) => findToolTemplates(tx, viewerOf(context), ids)),
});

const ServiceTemplateConnection = connectionOf('ServiceTemplate', ServiceTemplate);
const ToolTemplateConnection = connectionOf('ToolTemplate', ToolTemplate);

ServiceTemplate.implement({
  description:
    'A blueprint for Services. Its structure is immutable, and Services copied from it do not depend on it.',
  interfaces: [Node, Timestamped],
  fields: (t) => ({
    ownerId: t.exposeID('ownerId', { description: 'Id of the owner. Immutable.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free-text description.',
    }),
    type: t.expose('type', {
      type: ServiceType,
      description: 'Kind of endpoint of its Services.',
    }),
    protocol: t.expose('protocol', { type: Protocol, description: 'Protocol of its Services.' }),
    connectionSchema: t.expose('connectionSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the connectionParams of Tools on its Services.',
    }),
    requiresSecret: t.exposeBoolean('requiresSecret', {
      description: 'Whether each Tool on its Services needs a Secret.',
    }),
    shared: t.exposeBoolean('shared', {
      description: 'Whether other users see it and may copy it.',
    }),
    archived: t.exposeBoolean('archived', {
      description: 'Whether it is archived: listed only on request, and not available for copies.',
    }),
  }),
});

ToolTemplate.implement({
  description:
    'A blueprint for Tools. Its structure is immutable, and Tools copied from it do not depend on it.',
  interfaces: [Node, Timestamped],
  fields: (t) => ({
    ownerId: t.exposeID('ownerId', { description: 'Id of the owner. Immutable.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free-text description.',
    }),
    operation: t.expose('operation', { type: Operation, description: 'Operation of its Tools.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the inputs of its Tools.',
    }),
    outputSchema: t.expose('outputSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the output of its Tools.',
    }),
    shared: t.exposeBoolean('shared', {
      description: 'Whether other users see it and may copy it.',
    }),
    archived: t.exposeBoolean('archived', {
      description: 'Whether it is archived: listed only on request, and not available for copies.',
    }),
  }),
});

const archivedArg = { defaultValue: false, description: 'Whether to include archived templates.' };

builder.queryFields((t) => ({
  serviceTemplate: t.field({
    type: ServiceTemplate,
    nullable: true,
    description:
      'A ServiceTemplate by id, archived or not; null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'Id of the template.' }) },
    resolve: (_root, { id }) => id,
  }),
  serviceTemplates: t.field({
    type: ServiceTemplateConnection,
    description: 'Your ServiceTemplates and those shared with you, newest first.',
    complexity: pageCost,
    args: { ...pageArgs(t), includeArchived: t.arg.boolean(archivedArg) },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listServiceTemplates(tx, viewerOf(context), args)),
  }),
  toolTemplate: t.field({
    type: ToolTemplate,
    nullable: true,
    description:
      'A ToolTemplate by id, archived or not; null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'Id of the template.' }) },
    resolve: (_root, { id }) => id,
  }),
  toolTemplates: t.field({
    type: ToolTemplateConnection,
    description: 'Your ToolTemplates and those shared with you, newest first.',
    complexity: pageCost,
    args: { ...pageArgs(t), includeArchived: t.arg.boolean(archivedArg) },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listToolTemplates(tx, viewerOf(context), args)),
  }),
}));

const CreateServiceTemplateInput = builder.inputType('CreateServiceTemplateInput', {
  description: 'Input for a new ServiceTemplate.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    description: t.string({ description: 'Free-text description.' }),
    type: t.field({ type: ServiceType, required: true, description: 'Kind of endpoint.' }),
    protocol: t.field({
      type: Protocol,
      required: true,
      description: 'Protocol. Must match the type.',
    }),
    connectionSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'JSON Schema for the connectionParams of Tools.',
    }),
    requiresSecret: t.boolean({ required: true, description: 'Whether Tools need a Secret.' }),
    shared: t.boolean({ description: 'Whether other users may see and copy it. Default false.' }),
  }),
});

const CreateToolTemplateInput = builder.inputType('CreateToolTemplateInput', {
  description: 'Input for a new ToolTemplate.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    description: t.string({ description: 'Free-text description.' }),
    operation: t.field({
      type: OperationInput,
      required: true,
      description: 'Operation of its Tools.',
    }),
    inputSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'JSON Schema for the inputs. Its properties are the variables of the operation.',
    }),
    outputSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'JSON Schema for the output.',
    }),
    shared: t.boolean({ description: 'Whether other users may see and copy it. Default false.' }),
  }),
});

const updateInput = (name: 'UpdateServiceTemplateInput' | 'UpdateToolTemplateInput') =>
  builder.inputType(name, {
    description: 'Changes to a template. Omitted fields stay unchanged.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'Id of the template.' }),
      name: t.string({ description: 'Display name.' }),
      description: t.string({ description: 'Free-text description; null removes it.' }),
      shared: t.boolean({ description: 'Whether other users see it and may copy it.' }),
      archived: t.boolean({ description: 'true archives the template, false restores it.' }),
    }),
  });
const UpdateServiceTemplateInput = updateInput('UpdateServiceTemplateInput');
const UpdateToolTemplateInput = updateInput('UpdateToolTemplateInput');

const ServiceTemplatePayload = payloadType(
  'ServiceTemplatePayload',
  'serviceTemplate',
  ServiceTemplate,
  { connection: ServiceTemplateConnection, key: newestKey },
);
const ToolTemplatePayload = payloadType('ToolTemplatePayload', 'toolTemplate', ToolTemplate, {
  connection: ToolTemplateConnection,
  key: newestKey,
});

const DeleteServiceTemplateInput = idInput('DeleteServiceTemplateInput', 'Id of the template.');
const DeleteToolTemplateInput = idInput('DeleteToolTemplateInput', 'Id of the template.');
builder.mutationFields((t) => ({
  createServiceTemplate: t.field({
    type: ServiceTemplatePayload,
    description: 'Creates a ServiceTemplate of your own.',
    args: {
      input: t.arg({
        type: CreateServiceTemplateInput,
        required: true,
        description: 'The new template.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('serviceTemplate', () => createServiceTemplate(context, viewerOf(context), input)),
  }),
  updateServiceTemplate: t.field({
    type: ServiceTemplatePayload,
    description: 'Changes the name, description, sharing or archived state of a ServiceTemplate.',
    args: {
      input: t.arg({
        type: UpdateServiceTemplateInput,
        required: true,
        description: 'The changes.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('serviceTemplate', () => updateServiceTemplate(context, viewerOf(context), input)),
  }),
  deleteServiceTemplate: t.field({
    type: DeletePayload,
    description: 'Archives a ServiceTemplate. Services copied from it keep working.',
    args: {
      input: t.arg({
        type: DeleteServiceTemplateInput,
        required: true,
        description: 'The template.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteServiceTemplate(context, viewerOf(context), input)),
  }),
  createToolTemplate: t.field({
    type: ToolTemplatePayload,
    description: 'Creates a ToolTemplate of your own.',
    args: {
      input: t.arg({
        type: CreateToolTemplateInput,
        required: true,
        description: 'The new template.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('toolTemplate', () => {
        const operation = operationOf(input.operation);
        // The schema guarantees exactly one operation.
        if (operation === null) throw new Error('No operation was given.');
        return createToolTemplate(context, viewerOf(context), { ...input, operation });
      }),
  }),
  updateToolTemplate: t.field({
    type: ToolTemplatePayload,
    description: 'Changes the name, description, sharing or archived state of a ToolTemplate.',
    args: {
      input: t.arg({ type: UpdateToolTemplateInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('toolTemplate', () => updateToolTemplate(context, viewerOf(context), input)),
  }),
  deleteToolTemplate: t.field({
    type: DeletePayload,
    description: 'Archives a ToolTemplate. Tools copied from it keep working.',
    args: {
      input: t.arg({ type: DeleteToolTemplateInput, required: true, description: 'The template.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteToolTemplate(context, viewerOf(context), input)),
  }),
}));
