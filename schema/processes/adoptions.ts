import {
  findAdoptions,
  findAdoptionsOf,
  listAdoptions,
  type ProcessAdoption as ProcessAdoptionModel,
} from '../../src/processes/adoption.cypher.ts';
import {
  ADOPTIONS_PER_USER_MAX,
  adoptProcess,
  dropProcess,
} from '../../src/processes/adoption.mutations.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { type Payload, payload, payloadType, userErrorsField } from '../payload.ts';
import { Process } from './processes.ts';

const ProcessAdoption = nodeType<ProcessAdoptionModel>('ProcessAdoption', {
  label: 'ProcessAdoption',
  load: (context, ids) =>
    context.graph.read((tx) => findAdoptions(tx, viewerOf(context).userId, ids)),
});
ProcessAdoption.implement({
  description:
    'A Process of another user that you took over by a name, as a tool at /mcp and a model at /v1. It is deleted with the Process.',
  interfaces: [Node],
  fields: (t) => ({
    process: t.field({
      type: Process,
      nullable: true,
      description: 'The Process; null if you can no longer see it.',
      resolve: ({ processId }) => processId,
    }),
    name: t.exposeString('name', { description: 'Name of the tool and of the model.' }),
    version: t.exposeInt('version', {
      description:
        'Version of the Process when you took it over. Clients read the texts of this version.',
    }),
    toolDescription: t.exposeString('description', {
      nullable: true,
      description: 'Description that clients read: that of this version.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  }),
});
const ProcessAdoptionConnection = connectionOf('ProcessAdoption', ProcessAdoption);
const ProcessAdoptionPayload = payloadType('ProcessAdoptionPayload', 'adoption', ProcessAdoption, {
  connection: ProcessAdoptionConnection,
  key: ({ name, id }) => [name, id],
});

const adoptionOf = loader<string, ProcessAdoptionModel | null>(async (context, ids) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findAdoptionsOf(tx, userId, ids));
  return ids.map((id) => found.find(({ processId }) => processId === id) ?? null);
});

builder.objectField(Process, 'adoption', (t) =>
  t.field({
    type: ProcessAdoption,
    nullable: true,
    description: 'Your adoption of this Process of another user; null: you have not taken it over.',
    resolve: ({ id }, _args, context) => adoptionOf(context, id),
  }),
);

builder.queryField('processAdoptions', (t) =>
  t.field({
    type: ProcessAdoptionConnection,
    description: 'Processes of other users that you took over, by name.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: (_root, page, context) =>
      context.graph.read((tx) => listAdoptions(tx, viewerOf(context).userId, page)),
  }),
);

const AdoptProcessInput = builder.inputType('AdoptProcessInput', {
  description: 'Input of adoptProcess.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'Id of a Process of another user.' }),
    name: t.string({
      required: true,
      description:
        'Name of the tool and of the model: letters, digits, _ and -, at most 64. No other tool or model of yours has it.',
    }),
    version: t.int({
      description:
        'Number of the version that you read. Another current version gives CONFLICT. Default: the current one.',
    }),
  }),
});
const DropProcessInput = builder.inputType('DropProcessInput', {
  description: 'Input of dropProcess.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'Id of the Process.' }),
  }),
});
const DropProcessPayload = builder
  .objectRef<Payload<'processId', string>>('DropProcessPayload')
  .implement({
    description: 'Result of dropProcess.',
    fields: (t) => ({
      processId: t.exposeID('processId', {
        nullable: true,
        description: 'Id of the Process; null if the input had problems.',
      }),
      userErrors: userErrorsField(t),
    }),
  });

builder.mutationFields((t) => ({
  adoptProcess: t.field({
    type: ProcessAdoptionPayload,
    description: `Takes a Process of another user over by a name, as a tool at /mcp (if it has exposeAsTool) and as a model at /v1 (if it answers messages). Again for the same Process: renews name and texts. At most ${ADOPTIONS_PER_USER_MAX} per user.`,
    args: {
      input: t.arg({
        type: AdoptProcessInput,
        required: true,
        description: 'The Process and its name for you.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('adoption', () => adoptProcess(context, viewerOf(context), input)),
  }),
  dropProcess: t.field({
    type: DropProcessPayload,
    description: 'Gives up a Process that you took over. The Process itself stays.',
    args: {
      input: t.arg({ type: DropProcessInput, required: true, description: 'The Process.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('processId', () => dropProcess(context, viewerOf(context), input)),
  }),
}));
