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
import { nullable, outputFields } from '../fields.ts';
import { mapLoader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { idPayload, inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from './processes.ts';

const accessOf = mapLoader(findMemoryAccess, null);

const READS = 'Whether it would read your conversations, memory and records.';
const WRITES = 'Whether it would write into your memory.';

const ProcessMemoryAccess = builder.objectRef<MemoryAccessModel>('ProcessMemoryAccess').implement({
  description:
    "Use of your memory by a Process and all that it calls, through the system's Tools. A " +
    'Process of another user has to be allowed first, each version anew.',
  fields: outputFields({
    reads: ['Boolean', READS],
    writes: ['Boolean', WRITES],
    toolNames: [['String'], "Names of the system's Tools that use your memory.", 'tools'],
    digest: [
      'String?',
      'Digest of the Processes and Tools of other users in it, for allowProcessMemory; null ' +
        'if it does not ask.',
    ],
    isAllowed: [
      'Boolean',
      "Whether its runs use your memory without asking: it is yours or the system's, or you " +
        'allowed it.',
      ({ asking }) => asking.length === 0,
    ],
    askingProcesses: [
      [Process],
      'Processes of other users in it, or itself, that ask you at their first use of your ' +
        'memory. Allow them with allowProcessMemory.',
      ({ asking }) => asking.map(({ processId }) => processId),
    ],
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
    'Your agreement that a version of a Process of another user uses your memory. It is ' +
    'deleted with the Process.',
  interfaces: [Node],
  fields: outputFields({
    process: [nullable(Process), 'The Process; null if you can no longer see it.', 'processId'],
    processName: ['String', 'Name of the Process when you agreed.'],
    version: ['Int', 'Number of the version.'],
    reads: ['Boolean', READS],
    writes: ['Boolean', WRITES],
    createdAt: ['DateTime', 'Time of the agreement.'],
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

const AllowProcessMemoryInput = inputOf('AllowProcessMemoryInput', 'Input of allowProcessMemory.', {
  processId: ['ID!', 'Id of a Process of another user.'],
  version: ['Int!', 'Number of the version that you read. Another current version gives CONFLICT.'],
  digest: [
    'String',
    'The digest of memoryAccess that you read. If it is another one by now, this gives CONFLICT.',
  ],
});

const RevokeProcessMemoryInput = inputOf(
  'RevokeProcessMemoryInput',
  'Input of revokeProcessMemory.',
  {
    processId: ['ID!', 'Id of the Process.'],
  },
);

const RevokeProcessMemoryPayload = idPayload('RevokeProcessMemoryPayload', 'processId', {
  description: 'Result of revokeProcessMemory.',
  id: 'Id of the Process',
});

mutation('allowProcessMemory', {
  description:
    'Allows a version of a Process of another user to use your memory, as memoryAccess says. ' +
    'Steps that wait for this go on. Without it, a run asks at its first use: an approval ' +
    'with a memoryRequest.',
  input: [AllowProcessMemoryInput, 'The Process and its version.'],
  payload: ProcessMemoryAgreementPayload,
  run: allowProcessMemory,
});
mutation('revokeProcessMemory', {
  description:
    'Withdraws your agreements for all versions of a Process. Its runs ask again at their ' +
    'next use of your memory.',
  input: [RevokeProcessMemoryInput, 'The Process.'],
  payload: RevokeProcessMemoryPayload,
  run: revokeProcessMemory,
});
