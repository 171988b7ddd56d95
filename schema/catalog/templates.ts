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
import { argFields, inputFields, outputFields, required } from '../fields.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { DeletePayload, idInput, inputOf, mutation, payloadType } from '../payload.ts';
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

const LABEL = {
  ownerId: ['ID', 'Id of the owner. Immutable.'],
  name: ['String', 'Display name.'],
  description: ['String?', 'Free-text description.'],
  shared: ['Boolean', 'Whether other users see it and may copy it.'],
  archived: [
    'Boolean',
    'Whether it is archived: listed only on request, and not available for copies.',
  ],
} as const;

ServiceTemplate.implement({
  description:
    'A blueprint for Services. Its structure is immutable, and Services copied from it do not ' +
    'depend on it.',
  interfaces: [Node, Timestamped],
  fields: outputFields({
    ...LABEL,
    type: [ServiceType, 'Kind of endpoint of its Services.'],
    protocol: [Protocol, 'Protocol of its Services.'],
    connectionSchema: [
      'JSONSchema',
      'JSON Schema for the connectionParams of Tools on its Services.',
    ],
    requiresSecret: ['Boolean', 'Whether each Tool on its Services needs a Secret.'],
  }),
});

ToolTemplate.implement({
  description:
    'A blueprint for Tools. Its structure is immutable, and Tools copied from it do not ' +
    'depend on it.',
  interfaces: [Node, Timestamped],
  fields: outputFields({
    ...LABEL,
    operation: [Operation, 'Operation of its Tools.'],
    inputSchema: ['JSONSchema', 'JSON Schema for the inputs of its Tools.'],
    outputSchema: ['JSONSchema', 'JSON Schema for the output of its Tools.'],
  }),
});

const archivedArg = { defaultValue: false, description: 'Whether to include archived templates.' };

builder.queryFields((t) => ({
  serviceTemplate: t.field({
    type: ServiceTemplate,
    nullable: true,
    description:
      'A ServiceTemplate by id, archived or not; null if it does not exist or you cannot see it.',
    args: argFields(t, { id: ['ID!', 'Id of the template.'] }),
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
    args: argFields(t, { id: ['ID!', 'Id of the template.'] }),
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

const CreateServiceTemplateInput = inputOf(
  'CreateServiceTemplateInput',
  'Input for a new ServiceTemplate.',
  {
    name: ['String!', 'Display name, up to 200 characters.'],
    description: ['String', 'Free-text description.'],
    type: [required(ServiceType), 'Kind of endpoint.'],
    protocol: [required(Protocol), 'Protocol. Must match the type.'],
    connectionSchema: ['JSONSchema!', 'JSON Schema for the connectionParams of Tools.'],
    requiresSecret: ['Boolean!', 'Whether Tools need a Secret.'],
    shared: ['Boolean', 'Whether other users may see and copy it. Default false.'],
  },
);

const CreateToolTemplateInput = inputOf(
  'CreateToolTemplateInput',
  'Input for a new ToolTemplate.',
  {
    name: ['String!', 'Display name, up to 200 characters.'],
    description: ['String', 'Free-text description.'],
    operation: [required(OperationInput), 'Operation of its Tools.'],
    inputSchema: [
      'JSONSchema!',
      'JSON Schema for the inputs. Its properties are the variables of the operation.',
    ],
    outputSchema: ['JSONSchema!', 'JSON Schema for the output.'],
    shared: ['Boolean', 'Whether other users may see and copy it. Default false.'],
  },
);

const updateInput = (name: 'UpdateServiceTemplateInput' | 'UpdateToolTemplateInput') =>
  builder.inputType(name, {
    description: 'Changes to a template. Omitted fields stay unchanged.',
    fields: inputFields({
      id: ['ID!', 'Id of the template.'],
      name: ['String', 'Display name.'],
      description: ['String', 'Free-text description; null removes it.'],
      shared: ['Boolean', 'Whether other users see it and may copy it.'],
      archived: ['Boolean', 'true archives the template, false restores it.'],
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

mutation('createServiceTemplate', {
  description: 'Creates a ServiceTemplate of your own.',
  input: [CreateServiceTemplateInput, 'The new template.'],
  payload: ServiceTemplatePayload,
  run: createServiceTemplate,
});
mutation('updateServiceTemplate', {
  description: 'Changes the name, description, sharing or archived state of a ServiceTemplate.',
  input: [UpdateServiceTemplateInput, 'The changes.'],
  payload: ServiceTemplatePayload,
  run: updateServiceTemplate,
});
mutation('deleteServiceTemplate', {
  description: 'Archives a ServiceTemplate. Services copied from it keep working.',
  input: [idInput('DeleteServiceTemplateInput', 'Id of the template.'), 'The template.'],
  payload: DeletePayload,
  run: deleteServiceTemplate,
});
mutation('createToolTemplate', {
  description: 'Creates a ToolTemplate of your own.',
  input: [CreateToolTemplateInput, 'The new template.'],
  payload: ToolTemplatePayload,
  run: (context, viewer, input) => {
    const operation = operationOf(input.operation);
    // The schema guarantees exactly one operation.
    if (operation === null) throw new Error('No operation was given.');
    return createToolTemplate(context, viewer, { ...input, operation });
  },
});
mutation('updateToolTemplate', {
  description: 'Changes the name, description, sharing or archived state of a ToolTemplate.',
  input: [UpdateToolTemplateInput, 'The changes.'],
  payload: ToolTemplatePayload,
  run: updateToolTemplate,
});
mutation('deleteToolTemplate', {
  description: 'Archives a ToolTemplate. Tools copied from it keep working.',
  input: [idInput('DeleteToolTemplateInput', 'Id of the template.'), 'The template.'],
  payload: DeletePayload,
  run: deleteToolTemplate,
});
