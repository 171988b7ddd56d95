import { findUsers } from '../../src/users/user.cypher.ts';
import type { User as UserModel } from '../../src/users/user.ts';
import { isAdmin } from '../../src/users/user.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType, typeNameOf } from '../nodes.ts';

const Role = enumOf('Role', 'What somebody may do.', {
  user: 'May author and run what is theirs or shared.',
  admin: 'May also change settings, jobs and what belongs to the system.',
});

export const User = nodeType<UserModel>('User', {
  label: 'User',
  load: (context, ids) => context.graph.read((tx) => findUsers(tx, ids)),
  // Others are seen as owners of what is shared, not by guessing their ids.
  mayFind: (context, id) => id === viewerOf(context).userId || isAdmin(viewerOf(context)),
});
User.implement({
  description: 'Somebody who has signed in, or `system`, which owns what ships with the product.',
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How they are called.' }),
    roles: t.expose('roles', { type: [Role], description: 'What they may do.' }),
    workspace: t.exposeString('workspace', {
      description: 'The tenancy their raw streams lie in.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When they were first seen.',
    }),
  }),
});

export const Owned = builder.interfaceRef<{ readonly ownerId: string }>('Owned').implement({
  description: 'A thing that belongs to somebody.',
  fields: (t) => ({
    owner: t.field({ type: User, description: 'Whose it is.', resolve: ({ ownerId }) => ownerId }),
  }),
  resolveType: (model) => typeNameOf(model),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: User,
    description: 'Who you are signed in as.',
    resolve: (_root, _args, context) => viewerOf(context).userId,
  }),
);
