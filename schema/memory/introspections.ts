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
import { argFields, outputFields } from '../fields.ts';
import { mapLoader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { DeletePayload, idInput, inputOf, mutation, payloadType } from '../payload.ts';
import { ProcessRunPayload } from '../runs/runs.ts';
import { Episode } from './episodes.ts';
import { rebindInput } from './summaries.ts';

export const Introspection = nodeType<IntrospectionModel>('Introspection', {
  label: 'Introspection',
  load: (context, ids) =>
    context.graph.read((tx) => findIntrospections(tx, viewerOf(context).userId, ids)),
});

const loadEpisodes = mapLoader(
  (tx, { userId }, ids) => listIntrospectionEpisodes(tx, userId, ids),
  [],
);

Introspection.implement({
  description: 'A note written by the agent for itself, in your carousel or archived.',
  interfaces: [Node],
  fields: outputFields({
    carouselPosition: [
      'Int',
      'Position in the carousel, from 0. An archived note keeps its former position.',
    ],
    conversationContext: [
      'String?',
      'Cause of the note, such as conversation-<id>, compressions 45-49.',
    ],
    content: ['String', 'Current content.'],
    archived: ['Boolean', 'Whether it was replaced or removed from the carousel.'],
    createdAt: ['DateTime', 'Time of writing.'],
    episode: [
      Episode,
      'Episode of the current content.',
      async ({ id }, _args, context) => {
        const [bound] = await loadEpisodes(context, id);
        if (bound === undefined) throw new Error(`The Introspection ${id} has no Episode.`);
        return bound;
      },
    ],
    previousEpisodes: [
      [Episode],
      'Episodes of earlier contents, newest first.',
      async ({ id }, _args, context) => (await loadEpisodes(context, id)).slice(1),
    ],
  }),
});

const InjectIntrospectionInput = inputOf(
  'InjectIntrospectionInput',
  'Input for a note created by hand.',
  {
    content: ['String!', 'Content, at most 2,000 characters.'],
    carouselPosition: [
      'Int',
      'Position in the carousel. Default: the first free one, else that of the oldest note.',
    ],
    conversationContext: ['String', 'Cause of the note.'],
  },
);
const IntrospectionPayload = payloadType('IntrospectionPayload', 'introspection', Introspection);

builder.queryField('introspections', (t) =>
  t.field({
    type: [Introspection],
    description:
      'Notes of your carousel by position, then optionally the archive, newest first. At most 500.',
    args: argFields(t, {
      includeArchived: ['Boolean', 'Whether to include archived notes.', false],
    }),
    resolve: (_root, { includeArchived }, context) =>
      context.graph.read((tx) =>
        listIntrospections(tx, viewerOf(context).userId, includeArchived === true),
      ),
  }),
);

const TriggerIntrospectionInput = inputOf(
  'TriggerIntrospectionInput',
  'Input of triggerIntrospection.',
  {
    conversationId: ['ID!', 'Id of a conversation of yours.'],
  },
);
const RebindIntrospectionInput = rebindInput('RebindIntrospectionInput');
mutation('injectIntrospection', {
  description: 'Writes a note into your carousel. A note at the same position is archived.',
  input: [InjectIntrospectionInput, 'The note.'],
  payload: IntrospectionPayload,
  run: injectIntrospection,
});
mutation('rebindIntrospection', {
  description: 'Replaces the content of a note. The former content stays in its history.',
  input: [RebindIntrospectionInput, 'The new content.'],
  payload: IntrospectionPayload,
  run: rebindIntrospection,
});
mutation('deleteIntrospection', {
  description: 'Moves a note from the carousel into the archive.',
  input: [idInput('DeleteIntrospectionInput', 'Id of the note.'), 'The note.'],
  payload: DeletePayload,
  run: deleteIntrospection,
});
mutation('triggerIntrospection', {
  description: 'Starts an introspection of a conversation in the background.',
  input: [TriggerIntrospectionInput, 'The conversation.'],
  payload: ProcessRunPayload,
  run: triggerIntrospection,
});
