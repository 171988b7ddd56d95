import {
  createServiceTemplate,
  deleteServiceTemplate,
  updateServiceTemplate,
} from '../../src/catalog/templates/service-template.mutations.ts';
import {
  findServiceTemplates,
  findToolTemplates,
  listServiceTemplates,
  listToolTemplates,
} from '../../src/catalog/templates/template.cypher.ts';
import type {
  ServiceTemplate as ServiceTemplateModel,
  ToolTemplate as ToolTemplateModel,
} from '../../src/catalog/templates/template.ts';
import {
  createToolTemplate,
  deleteToolTemplate,
  updateToolTemplate,
} from '../../src/catalog/templates/tool-template.mutations.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
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
    'A blueprint Services are copied from. Its structure never changes, and its Services never hang on it.',
  interfaces: [Node, Timestamped],
  fields: (t) => ({
    ownerId: t.exposeID('ownerId', { description: 'Whose it is; for good.' }),
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    type: t.expose('type', {
      type: ServiceType,
      description: 'What kind of endpoint its Services are.',
    }),
    protocol: t.expose('protocol', { type: Protocol, description: 'How they are reached.' }),
    connectionSchema: t.expose('connectionSchema', {
      type: 'JSONSchema',
      description: 'What connectionParams on them have to fulfil.',
    }),
    requiresSecret: t.exposeBoolean('requiresSecret', {
      description: 'Whether each Tool on them has to name a Secret.',
    }),
    shared: t.exposeBoolean('shared', { description: 'Whether others find it and may copy it.' }),
    archived: t.exposeBoolean('archived', {
      description: 'Put away: not listed unless asked for, and nothing new is made from it.',
    }),
  }),
});

ToolTemplate.implement({
  description:
    'A blueprint Tools are copied from. Its structure never changes, and its Tools never hang on it.',
  interfaces: [Node, Timestamped],
  fields: (t) => ({
    ownerId: t.exposeID('ownerId', { description: 'Whose it is; for good.' }),
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    operation: t.expose('operation', { type: Operation, description: 'What its Tools do.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONSchema',
      description: 'What their inputs have to fulfil.',
    }),
    outputSchema: t.expose('outputSchema', {
      type: 'JSONSchema',
      description: 'What their output has to fulfil.',
    }),
    shared: t.exposeBoolean('shared', { description: 'Whether others find it and may copy it.' }),
    archived: t.exposeBoolean('archived', {
      description: 'Put away: not listed unless asked for, and nothing new is made from it.',
    }),
  }),
});

const archivedArg = { defaultValue: false, description: 'Whether archived ones are listed too.' };

builder.queryFields((t) => ({
  serviceTemplate: t.field({
    type: ServiceTemplate,
    nullable: true,
    description: 'A ServiceTemplate by its id, archived or not; null when there is none to see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
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
    description: 'A ToolTemplate by its id, archived or not; null when there is none to see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
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
  description: 'A new ServiceTemplate.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    description: t.string({ description: 'What it is for.' }),
    type: t.field({ type: ServiceType, required: true, description: 'What kind of endpoint.' }),
    protocol: t.field({ type: Protocol, required: true, description: 'Has to go with the type.' }),
    connectionSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'The shape of connections.',
    }),
    requiresSecret: t.boolean({ required: true, description: 'Whether Tools need a Secret.' }),
    shared: t.boolean({ description: 'Whether others may find and copy it; false if not said.' }),
  }),
});

const CreateToolTemplateInput = builder.inputType('CreateToolTemplateInput', {
  description: 'A new ToolTemplate.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    description: t.string({ description: 'What it is for.' }),
    operation: t.field({ type: OperationInput, required: true, description: 'What its Tools do.' }),
    inputSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'Its properties are the variables of the operation.',
    }),
    outputSchema: t.field({
      type: 'JSONSchema',
      required: true,
      description: 'What the output has to fulfil.',
    }),
    shared: t.boolean({ description: 'Whether others may find and copy it; false if not said.' }),
  }),
});

const UpdateTemplateInput = builder.inputType('UpdateTemplateInput', {
  description: 'What may change of a template: its label, and whether it is shared or put away.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'How it is called.' }),
    description: t.string({ description: 'What it is for; null takes it away.' }),
    shared: t.boolean({ description: 'Whether others find it and may copy it.' }),
    archived: t.boolean({ description: 'true puts it away, false takes it out again.' }),
  }),
});

const ServiceTemplatePayload = payloadType(
  'ServiceTemplatePayload',
  'serviceTemplate',
  ServiceTemplate,
);
const ToolTemplatePayload = payloadType('ToolTemplatePayload', 'toolTemplate', ToolTemplate);

builder.mutationFields((t) => ({
  createServiceTemplate: t.field({
    type: ServiceTemplatePayload,
    description: 'Makes a ServiceTemplate of your own.',
    args: {
      input: t.arg({
        type: CreateServiceTemplateInput,
        required: true,
        description: 'What it is.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('serviceTemplate', () => createServiceTemplate(context, viewerOf(context), input)),
  }),
  updateServiceTemplate: t.field({
    type: ServiceTemplatePayload,
    description: 'Changes what may change of a ServiceTemplate.',
    args: {
      input: t.arg({ type: UpdateTemplateInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('serviceTemplate', () => updateServiceTemplate(context, viewerOf(context), input)),
  }),
  deleteServiceTemplate: t.field({
    type: DeletePayload,
    description: 'Archives a ServiceTemplate; Services made from it go on.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload(
        'deletedId',
        () => deleteServiceTemplate(context, viewerOf(context), { id }),
        'arguments',
      ),
  }),
  createToolTemplate: t.field({
    type: ToolTemplatePayload,
    description: 'Makes a ToolTemplate of your own.',
    args: {
      input: t.arg({ type: CreateToolTemplateInput, required: true, description: 'What it is.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('toolTemplate', () => {
        const operation = operationOf(input.operation);
        // The schema lets only inputs with exactly one operation through.
        if (operation === null) throw new Error('No operation was given.');
        return createToolTemplate(context, viewerOf(context), { ...input, operation });
      }),
  }),
  updateToolTemplate: t.field({
    type: ToolTemplatePayload,
    description: 'Changes what may change of a ToolTemplate.',
    args: {
      input: t.arg({ type: UpdateTemplateInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('toolTemplate', () => updateToolTemplate(context, viewerOf(context), input)),
  }),
  deleteToolTemplate: t.field({
    type: DeletePayload,
    description: 'Archives a ToolTemplate; Tools made from it go on.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload(
        'deletedId',
        () => deleteToolTemplate(context, viewerOf(context), { id }),
        'arguments',
      ),
  }),
}));
