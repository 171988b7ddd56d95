import {
  findIntrospections,
  listIntrospectionEpisodes,
  listIntrospections,
} from '../../src/working-memory/introspections/introspection.cypher.ts';
import {
  deleteIntrospection,
  injectIntrospection,
  rebindIntrospection,
  triggerIntrospection,
} from '../../src/working-memory/introspections/introspection.mutations.ts';
import type { Introspection as IntrospectionModel } from '../../src/working-memory/introspections/introspection.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
import { ProcessRunPayload } from '../runs/runs.ts';
import { Episode } from './episodes.ts';
import { RebindContentInput } from './summaries.ts';

export const Introspection = nodeType<IntrospectionModel>('Introspection', {
  label: 'Introspection',
  load: (context, ids) =>
    context.graph.read((tx) => findIntrospections(tx, viewerOf(context).userId, ids)),
});

const loadEpisodes = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listIntrospectionEpisodes(tx, userId, ids));
  return ids.map((id) => found.get(id) ?? []);
});

Introspection.implement({
  description: 'A note of the agent to itself: one of your carousel, or archived.',
  interfaces: [Node],
  fields: (t) => ({
    carouselPosition: t.exposeInt('carouselPosition', {
      description: 'Its place in the carousel, from 0; where it is archived, the place it had.',
    }),
    conversationContext: t.exposeString('conversationContext', {
      nullable: true,
      description: 'What led to it, such as conversation-<id>, compressions 45-49.',
    }),
    content: t.exposeString('content', { description: 'What it says now.' }),
    episode: t.field({
      type: Episode,
      description: 'The Episode it is bound to now.',
      resolve: async ({ id }, _args, context) => {
        const [bound] = await loadEpisodes(context, id);
        if (bound === undefined) throw new Error(`The Introspection ${id} has no Episode.`);
        return bound;
      },
    }),
    previousEpisodes: t.field({
      type: [Episode],
      description: 'What it was bound to before, the newest first.',
      resolve: async ({ id }, _args, context) => (await loadEpisodes(context, id)).slice(1),
    }),
    archived: t.exposeBoolean('archived', {
      description: 'Whether it was replaced or taken out of the carousel.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const InjectIntrospectionInput = builder.inputType('InjectIntrospectionInput', {
  description: 'A note by hand.',
  fields: (t) => ({
    content: t.string({ required: true, description: 'What it says; at most 2,000 characters.' }),
    carouselPosition: t.int({
      description: 'Where it goes; absent = the first free place, else that of the oldest note.',
    }),
    conversationContext: t.string({ description: 'What led to it.' }),
  }),
});
const IntrospectionPayload = payloadType('IntrospectionPayload', 'introspection', Introspection);

builder.queryField('introspections', (t) =>
  t.field({
    type: [Introspection],
    description:
      'Your carousel by position; then, if wanted, the archive, the newest first. 500 at most.',
    args: {
      includeArchived: t.arg.boolean({
        defaultValue: false,
        description: 'Whether archived notes are listed too.',
      }),
    },
    resolve: (_root, { includeArchived }, context) =>
      context.graph.read((tx) =>
        listIntrospections(tx, viewerOf(context).userId, includeArchived === true),
      ),
  }),
);

builder.mutationFields((t) => ({
  injectIntrospection: t.field({
    type: IntrospectionPayload,
    description: 'Writes a note into your carousel; what stood in its place is archived.',
    args: {
      input: t.arg({ type: InjectIntrospectionInput, required: true, description: 'What.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('introspection', () => injectIntrospection(context, viewerOf(context), input)),
  }),
  rebindIntrospection: t.field({
    type: IntrospectionPayload,
    description: 'Puts another text in the place of a note and keeps the one before.',
    args: { input: t.arg({ type: RebindContentInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('introspection', () => rebindIntrospection(context, viewerOf(context), input)),
  }),
  deleteIntrospection: t.field({
    type: DeletePayload,
    description: 'Takes a note out of the carousel into the archive.',
    args: { id: t.arg.id({ required: true, description: 'The note.' }) },
    resolve: (_root, input, context) =>
      payload(
        'deletedId',
        () => deleteIntrospection(context, viewerOf(context), input),
        'arguments',
      ),
  }),
  triggerIntrospection: t.field({
    type: ProcessRunPayload,
    description: 'Has the agent reflect on a conversation now, in the background.',
    args: {
      conversationId: t.arg.id({ required: true, description: 'A conversation of yours.' }),
    },
    resolve: (_root, input, context) =>
      payload('run', () => triggerIntrospection(context, viewerOf(context), input), 'arguments'),
  }),
}));
