import { encodeCursor, pageWindow, type SortField } from '../../src/common/page.ts';
import {
  checkStoredPage,
  type InvalidThing,
  type StoredCheckPage,
} from '../../src/processes/stored-check.service.ts';
import { builder, enumOf } from '../builder.ts';
import { pageCost } from '../connection.ts';
import { argFields, exposed, outputFields, required } from '../fields.ts';
import { UserError } from '../payload.ts';

const ORDER: readonly SortField[] = [{ cypher: 'n.id', type: 'text', order: 'ascending' }];

const StoredKind = enumOf('StoredKind', 'A kind of stored object that is checked.', {
  Tool: 'Tools.',
  Process: 'Processes.',
});

const InvalidObject = builder.objectRef<InvalidThing>('InvalidObject').implement({
  description: 'A stored Tool or Process that the version of this API would refuse.',
  fields: outputFields({
    kind: [StoredKind, 'Whether it is a Tool or a Process.'],
    objectId: ['ID', 'Id of the Tool or Process.', 'id'],
    name: ['String', 'Display name.'],
    ownerName: ['String', 'Name of its owner.', 'owner'],
    problems: [
      [UserError],
      'All problems. Paths begin at the fields of the object: ["steps", "0", "inputs", "page"].',
    ],
  }),
});

const StoredCheck = builder.objectRef<StoredCheckPage>('StoredCheck').implement({
  description: 'The check of one page of stored Tools or Processes.',
  fields: (t) => ({
    ...exposed(t, {
      checked: ['Int', 'Number of objects that this page checked, valid ones included.'],
      endCursor: [
        'Cursor?',
        'Cursor for `after` of the next page; null: there are no more.',
        ({ last }) => (last === null ? null : encodeCursor([last])),
      ],
    }),
    invalid: t.field({
      type: [InvalidObject],
      description: 'The objects of this page with problems, by id.',
      // The field above counts each object already.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ invalid }) => invalid,
    }),
  }),
});

builder.queryField('storedCheck', (t) =>
  t.field({
    type: StoredCheck,
    nullable: true,
    description:
      'Checks the stored Tools or Processes of all users by the rules of the version that ' +
      'answers, and changes nothing. Before an upgrade, ask an API of the new version that runs ' +
      'beside the older one, or run `aiden check-upgrade`. Only for admins.',
    authScopes: { admin: true },
    complexity: pageCost,
    args: argFields(t, {
      kind: [required(StoredKind), 'What to check.'],
      first: ['Int', 'Number of objects to check. Default 50, at most 200.'],
      after: ['String', 'Only objects after this cursor.'],
    }),
    resolve: (_root, { kind, first, after }, context) => {
      const { limit, cursor } = pageWindow({ first, after }, ORDER);
      return checkStoredPage(context, kind, { after: String(cursor?.[0] ?? ''), limit });
    },
  }),
);
