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
import { DeletePayload, idInput, payload, payloadType } from '../payload.ts';
import { ProcessRunPayload } from '../runs/runs.ts';
import { Episode } from './episodes.ts';
import { rebindInput } from './summaries.ts';

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
  description: 'A note written by the agent for itself, in your carousel or archived.',
  interfaces: [Node],
  fields: (t) => ({
    carouselPosition: t.exposeInt('carouselPosition', {
      description: 'Position in the carousel, from 0. An archived note keeps its former position.',
    }),
    conversationContext: t.exposeString('conversationContext', {
      nullable: true,
      description: 'Cause of the note, such as conversation-<id>, compressions 45-49.',
    }),
    content: t.exposeString('content', { description: 'Current content.' }),
    episode: t.field({
      type: Episode,
      description: 'Episode of the current content.',
      resolve: async ({ id }, _args, context) => {
        const [bound] = await loadEpisodes(context, id);
        if (bound === undefined) throw new Error(`The Introspection ${id} has no Episode.`);
        return bound;
      },
    }),
    previousEpisodes: t.field({
      type: [Episode],
      description: 'Episodes of earlier contents, newest first.',
      resolve: async ({ id }, _args, context) => (await loadEpisodes(context, id)).slice(1),
    }),
    archived: t.exposeBoolean('archived', {
      description: 'Whether it was replaced or removed from the carousel.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of writing.' }),
  }),
});

const InjectIntrospectionInput = builder.inputType('InjectIntrospectionInput', {
  description: 'Input for a note created by hand.',
  fields: (t) => ({
    content: t.string({ required: true, description: 'Content, at most 2,000 characters.' }),
    carouselPosition: t.int({
      description:
        'Position in the carousel. Default: the first free one, else that of the oldest note.',
    }),
    conversationContext: t.string({ description: 'Cause of the note.' }),
  }),
});
const IntrospectionPayload = payloadType('IntrospectionPayload', 'introspection', Introspection);

builder.queryField('introspections', (t) =>
  t.field({
    type: [Introspection],
    description:
      'Notes of your carousel by position, then optionally the archive, newest first. At most 500.',
    args: {
      includeArchived: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include archived notes.',
      }),
    },
    resolve: (_root, { includeArchived }, context) =>
      context.graph.read((tx) =>
        listIntrospections(tx, viewerOf(context).userId, includeArchived === true),
      ),
  }),
);

const TriggerIntrospectionInput = builder.inputType('TriggerIntrospectionInput', {
  description: 'Input of triggerIntrospection.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Id of a conversation of yours.' }),
  }),
});
const RebindIntrospectionInput = rebindInput('RebindIntrospectionInput');
const DeleteIntrospectionInput = idInput('DeleteIntrospectionInput', 'Id of the note.');
builder.mutationFields((t) => ({
  injectIntrospection: t.field({
    type: IntrospectionPayload,
    description: 'Writes a note into your carousel. A note at the same position is archived.',
    args: {
      input: t.arg({ type: InjectIntrospectionInput, required: true, description: 'The note.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('introspection', () => injectIntrospection(context, viewerOf(context), input)),
  }),
  rebindIntrospection: t.field({
    type: IntrospectionPayload,
    description: 'Replaces the content of a note. The former content stays in its history.',
    args: {
      input: t.arg({
        type: RebindIntrospectionInput,
        required: true,
        description: 'The new content.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('introspection', () => rebindIntrospection(context, viewerOf(context), input)),
  }),
  deleteIntrospection: t.field({
    type: DeletePayload,
    description: 'Moves a note from the carousel into the archive.',
    args: {
      input: t.arg({ type: DeleteIntrospectionInput, required: true, description: 'The note.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteIntrospection(context, viewerOf(context), input)),
  }),
  triggerIntrospection: t.field({
    type: ProcessRunPayload,
    description: 'Starts an introspection of a conversation in the background.',
    args: {
      input: t.arg({
        type: TriggerIntrospectionInput,
        required: true,
        description: 'The conversation.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('run', () => triggerIntrospection(context, viewerOf(context), input)),
  }),
}));
