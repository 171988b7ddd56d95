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
import { nullable, outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { idPayload, inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from './processes.ts';

const ProcessAdoption = nodeType<ProcessAdoptionModel>('ProcessAdoption', {
  label: 'ProcessAdoption',
  load: (context, ids) =>
    context.graph.read((tx) => findAdoptions(tx, viewerOf(context).userId, ids)),
});
ProcessAdoption.implement({
  description:
    'A Process of another user that you took over by a name, as a tool at /mcp and a model at ' +
    '/v1. It is deleted with the Process.',
  interfaces: [Node],
  fields: outputFields({
    process: [nullable(Process), 'The Process; null if you can no longer see it.', 'processId'],
    name: ['String', 'Name of the tool and of the model.'],
    version: [
      'Int',
      'Version of the Process when you took it over. Clients read the texts of this version.',
    ],
    toolDescription: [
      'String?',
      'Description that clients read: that of this version.',
      'description',
    ],
    createdAt: ['DateTime', 'Creation time.'],
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

builder.objectFields(
  Process,
  outputFields({
    adoption: [
      nullable(ProcessAdoption),
      'Your adoption of this Process of another user; null: you have not taken it over.',
      ({ id }, _args, context) => adoptionOf(context, id),
    ],
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

const AdoptProcessInput = inputOf('AdoptProcessInput', 'Input of adoptProcess.', {
  processId: ['ID!', 'Id of a Process of another user.'],
  name: [
    'String!',
    'Name of the tool and of the model: letters, digits, _ and -, at most 64. No other tool ' +
      'or model of yours has it.',
  ],
  version: [
    'Int',
    'Number of the version that you read. Another current version gives CONFLICT. Default: ' +
      'the current one.',
  ],
});
const DropProcessInput = inputOf('DropProcessInput', 'Input of dropProcess.', {
  processId: ['ID!', 'Id of the Process.'],
});
const DropProcessPayload = idPayload('DropProcessPayload', 'processId', {
  description: 'Result of dropProcess.',
  id: 'Id of the Process',
});

mutation('adoptProcess', {
  description:
    'Takes a Process of another user over by a name, as a tool at /mcp (if it has exposeAsTool) ' +
    'and as a model at /v1 (if it answers messages). Again for the same Process: renews name ' +
    `and texts. At most ${ADOPTIONS_PER_USER_MAX} per user.`,
  input: [AdoptProcessInput, 'The Process and its name for you.'],
  payload: ProcessAdoptionPayload,
  run: adoptProcess,
});
mutation('dropProcess', {
  description: 'Gives up a Process that you took over. The Process itself stays.',
  input: [DropProcessInput, 'The Process.'],
  payload: DropProcessPayload,
  run: dropProcess,
});
