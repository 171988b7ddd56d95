import { findUsers } from '../../src/users/user.cypher.ts';
import type { User as UserModel } from '../../src/users/user.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { exposed } from '../fields.ts';
import { Node, nodeType, typeNameOf } from '../nodes.ts';

const Role = enumOf('Role', 'Role of a user.', {
  user: 'May create objects, and run those that are theirs or shared.',
  admin: 'May also change settings, jobs and objects of the system.',
});

export const User = nodeType<UserModel>('User', {
  label: 'User',
  load: (context, ids) => context.graph.read((tx) => findUsers(tx, ids)),
  // Other users are visible as owners of shared objects, but not by their ids.
  mayFind: (context, id) => id === viewerOf(context).userId || isAdmin(viewerOf(context)),
});
User.implement({
  description:
    'A user who has signed in, or `system`, the owner of the objects that ship with the product.',
  interfaces: [Node],
  fields: (t) => ({
    ...exposed(t, {
      name: ['String', 'Display name.'],
      workspace: ['String', "Workspace of the user's raw sessions."],
      createdAt: ['DateTime', 'Time of the first sign-in.'],
    }),
    roles: t.field({
      type: [Role],
      description: 'Roles of the user; your own are those of the token you sent.',
      // The stored roles are those of the last sign-in, which may have been with another token.
      resolve: ({ id, roles }, _args, { viewer }) => [
        ...(id === viewer?.userId ? viewer.roles : roles),
      ],
    }),
  }),
});

export const Owned = builder.interfaceRef<{ readonly ownerId: string }>('Owned').implement({
  description: 'An object with an owner.',
  fields: (t) => ({
    owner: t.expose('ownerId', { type: User, description: 'Owner of the object.' }),
  }),
  resolveType: (model) => typeNameOf(model),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    description: 'The user you are signed in as.',
    resolve: (_root, _args, context) => viewerOf(context).userId,
  }),
);
