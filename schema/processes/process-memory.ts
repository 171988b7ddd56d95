import {
  findAgreements,
  listAgreements,
  type MemoryAgreement as MemoryAgreementModel,
} from '../../src/runs/memory/agreement.cypher.ts';
import {
  allowProcessMemory,
  findMemoryAccess,
  type MemoryAccess as MemoryAccessModel,
  revokeProcessMemory,
} from '../../src/runs/memory/agreement.mutations.ts';
import { builder } from '../builder.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { type Payload, payload, payloadType, userErrorsField } from '../payload.ts';
import { Process } from './processes.ts';

const accessOf = loader<string, MemoryAccessModel | null>(async (context, ids) => {
  const found = await context.graph.read((tx) => findMemoryAccess(tx, viewerOf(context), ids));
  return ids.map((id) => found.get(id) ?? null);
});

const READS = 'Whether it would read your conversations, memory and records.';
const WRITES = 'Whether it would write into your memory.';

const ProcessMemoryAccess = builder.objectRef<MemoryAccessModel>('ProcessMemoryAccess').implement({
  description:
    "Use of your memory by a Process and all that it calls, through the system's Tools. A Process of another user has to be allowed first, each version anew.",
  fields: (t) => ({
    reads: t.exposeBoolean('reads', { description: READS }),
    writes: t.exposeBoolean('writes', { description: WRITES }),
    toolNames: t.stringList({
      description: "Names of the system's Tools that use your memory.",
      resolve: ({ tools }) => [...tools],
    }),
    isAllowed: t.boolean({
      description:
        "Whether its runs use your memory without asking: it is yours or the system's, or you allowed it.",
      resolve: ({ asking }) => asking.length === 0,
    }),
    askingProcesses: t.field({
      type: [Process],
      description:
        'Processes of other users in it, or itself, that ask you at their first use of your memory. Allow them with allowProcessMemory.',
      resolve: ({ asking }) => asking.map(({ processId }) => processId),
    }),
    digest: t.exposeString('digest', {
      nullable: true,
      description:
        'Digest of the Processes and Tools of other users in it, for allowProcessMemory; null if it does not ask.',
    }),
  }),
});

builder.objectField(Process, 'memoryAccess', (t) =>
  t.field({
    type: ProcessMemoryAccess,
    nullable: true,
    description: 'Use of your memory by its current version and all that it calls; null: none.',
    complexity: 5,
    resolve: async ({ id }, _args, context) => {
      const access = await accessOf(context, id);
      return access !== null && (access.reads || access.writes) ? access : null;
    },
  }),
);

const ProcessMemoryAgreement = nodeType<MemoryAgreementModel>('ProcessMemoryAgreement', {
  label: 'MemoryAgreement',
  load: (context, ids) =>
    context.graph.read((tx) => findAgreements(tx, viewerOf(context).userId, ids)),
});
ProcessMemoryAgreement.implement({
  description:
    'Your agreement that a version of a Process of another user uses your memory. It is deleted with the Process.',
  interfaces: [Node],
  fields: (t) => ({
    process: t.field({
      type: Process,
      nullable: true,
      description: 'The Process; null if you can no longer see it.',
      resolve: ({ processId }) => processId,
    }),
    processName: t.exposeString('processName', {
      description: 'Name of the Process when you agreed.',
    }),
    version: t.exposeInt('version', { description: 'Number of the version.' }),
    reads: t.exposeBoolean('reads', { description: READS }),
    writes: t.exposeBoolean('writes', { description: WRITES }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the agreement.' }),
  }),
});
const ProcessMemoryAgreementConnection = connectionOf(
  'ProcessMemoryAgreement',
  ProcessMemoryAgreement,
);
const ProcessMemoryAgreementPayload = payloadType(
  'ProcessMemoryAgreementPayload',
  'agreement',
  ProcessMemoryAgreement,
  { connection: ProcessMemoryAgreementConnection, key: newestKey },
);

builder.queryField('processMemoryAgreements', (t) =>
  t.field({
    type: ProcessMemoryAgreementConnection,
    description: 'Your agreements that Processes of other users use your memory, newest first.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: (_root, page, context) =>
      context.graph.read((tx) => listAgreements(tx, viewerOf(context).userId, page)),
  }),
);

const AllowProcessMemoryInput = builder.inputType('AllowProcessMemoryInput', {
  description: 'Input of allowProcessMemory.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'Id of a Process of another user.' }),
    version: t.int({
      required: true,
      description: 'Number of the version that you read. Another current version gives CONFLICT.',
    }),
    digest: t.string({
      description:
        'The digest of memoryAccess that you read. If it is another one by now, this gives CONFLICT.',
    }),
  }),
});

const RevokeProcessMemoryInput = builder.inputType('RevokeProcessMemoryInput', {
  description: 'Input of revokeProcessMemory.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'Id of the Process.' }),
  }),
});

const RevokeProcessMemoryPayload = builder
  .objectRef<Payload<'processId', string>>('RevokeProcessMemoryPayload')
  .implement({
    description: 'Result of revokeProcessMemory.',
    fields: (t) => ({
      processId: t.exposeID('processId', {
        nullable: true,
        description: 'Id of the Process; null if the input had problems.',
      }),
      userErrors: userErrorsField(t),
    }),
  });

builder.mutationFields((t) => ({
  allowProcessMemory: t.field({
    type: ProcessMemoryAgreementPayload,
    description:
      'Allows a version of a Process of another user to use your memory, as memoryAccess says. Steps that wait for this go on. Without it, a run asks at its first use: an approval with a memoryRequest.',
    args: {
      input: t.arg({
        type: AllowProcessMemoryInput,
        required: true,
        description: 'The Process and its version.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('agreement', () => allowProcessMemory(context, viewerOf(context), input)),
  }),
  revokeProcessMemory: t.field({
    type: RevokeProcessMemoryPayload,
    description:
      'Withdraws your agreements for all versions of a Process. Its runs ask again at their next use of your memory.',
    args: {
      input: t.arg({
        type: RevokeProcessMemoryInput,
        required: true,
        description: 'The Process.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('processId', () => revokeProcessMemory(context, viewerOf(context), input)),
  }),
}));
