import { findDataRequests, listDataRequests } from '../../src/personal-data/data-request.cypher.ts';
import {
  deleteMyData,
  deleteUser,
  exportMyData,
} from '../../src/personal-data/data-request.mutations.ts';
import {
  ARCHIVE_DAYS,
  type DataRequest as DataRequestModel,
  DELETE_MY_DATA,
} from '../../src/personal-data/data-request.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { inputOf, mutation, payload, payloadType } from '../payload.ts';

const Kind = enumOf('DataRequestKind', 'Kind of a data request.', {
  export: 'An archive of all data of a user.',
  deletion: 'The deletion of everything of a user.',
});
const Status = enumOf('DataRequestStatus', 'Status of a data request.', {
  waiting: 'It begins soon; a deletion about a minute after it was asked for.',
  working: 'Work is in progress. After a crash it goes on by itself.',
  done: 'It is complete.',
  failed: 'An export failed; ask for another one.',
});

const loadRequest = loader(async (context, ids: readonly string[]) => {
  const viewer = viewerOf(context);
  const found = await context.graph.read((tx) =>
    findDataRequests(tx, isAdmin(viewer) ? null : viewer.userId, ids),
  );
  const byId = new Map(found.map((request) => [request.id, request]));
  return ids.map((id) => byId.get(id) ?? null);
});

const DataRequest = keyedNode<DataRequestModel>('DataRequest', {
  key: ({ id }) => id,
  find: loadRequest,
});
DataRequest.implement({
  description: 'An export or deletion of all data of a user, done in the background.',
  interfaces: [Node],
  fields: outputFields({
    kind: [Kind, 'Kind of the request.'],
    status: [Status, 'Status of the request.'],
    userId: ['ID?', 'Id of the user; null after a deletion.'],
    phase: ['String?', 'Kind of record that is worked on; null before and after the work.'],
    records: ['Int', 'Number of records exported or deleted until now. A retry counts again.'],
    archive: [
      'String?',
      `URI of the finished archive for the query \`blob\`: gzipped JSON lines \`{kind, ` +
        `record}\`, and blobs as \`{kind: "blob", key, base64}\`. Only its owner can read it. ` +
        `Null before, and after ${ARCHIVE_DAYS} days.`,
    ],
    error: ['String?', 'Why an export failed.'],
    createdAt: ['DateTime', 'Time of the request.'],
    completedAt: ['DateTime?', 'Time of the end; null before.'],
    expiresAt: ['DateTime?', 'Time at which the archive is deleted; null without one.'],
  }),
});
const DataRequestPayload = payloadType('DataRequestPayload', 'request', DataRequest);

builder.queryFields((t) => ({
  myDataRequests: t.field({
    type: [DataRequest],
    description: 'Your data requests, newest first; at most 100.',
    resolve: (_root, _args, context) =>
      context.graph.read((tx) => listDataRequests(tx, viewerOf(context).userId)),
  }),
  dataRequests: t.field({
    type: [DataRequest],
    nullable: true,
    description: 'Data requests of all users, newest first; at most 100. Only for admins.',
    authScopes: { admin: true },
    resolve: (_root, _args, context) => context.graph.read((tx) => listDataRequests(tx, null)),
  }),
}));

const DeleteMyDataInput = inputOf('DeleteMyDataInput', 'Input of deleteMyData.', {
  confirm: ['String!', `Exactly \`${DELETE_MY_DATA}\`; otherwise INVALID.`],
});
const DeleteUserInput = inputOf('DeleteUserInput', 'Input of deleteUser.', {
  userId: ['ID!', 'Id of the user.'],
  confirm: [
    'String!',
    'Exactly `delete` and the id of the user, with one space; otherwise INVALID.',
  ],
});

mutation('deleteMyData', {
  description:
    'Deletes everything of yours: catalog, Processes, runs, conversations, memories, records, ' +
    'blobs, schedules and your user. It can not be undone. Sign-in is refused ' +
    '(ACCOUNT_DELETION) until it is done. IN_USE while things of others rest on what you ' +
    'share; STATE while another request of yours is open.',
  input: [DeleteMyDataInput, 'The confirmation.'],
  payload: DataRequestPayload,
  run: deleteMyData,
});
mutation('deleteUser', {
  description: 'As `deleteMyData`, for any user. Only for admins.',
  admin: true,
  input: [DeleteUserInput, 'The user and the confirmation.'],
  payload: DataRequestPayload,
  run: deleteUser,
});

builder.mutationFields((t) => ({
  exportMyData: t.field({
    type: DataRequestPayload,
    description:
      'Asks for an archive of everything of yours. `myDataRequests` shows its progress and ' +
      'its URI. STATE while another request of yours is open.',
    resolve: (_root, _args, context) =>
      payload('request', () => exportMyData(context, viewerOf(context))),
  }),
}));
