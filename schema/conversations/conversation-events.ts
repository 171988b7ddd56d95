import { notFound, Refusal } from '../../src/common/refusal.ts';
import { findConversations } from '../../src/conversations/conversation.cypher.ts';
import { decodeCursor } from '../../src/outbox/entry.ts';
import {
  type ConversationEvent as Event,
  watchConversation,
} from '../../src/working-memory/conversation-stream.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { live } from '../live.ts';
import { Episode, loadEpisode } from '../memory/episodes.ts';
import { Introspection } from '../memory/introspections.ts';
import { loadOnceAdded, Summary } from '../memory/summaries.ts';
import { Alternative, ConversationTurn } from './conversations.ts';

const TYPE_NAMES = {
  'turn.added': 'TurnAdded',
  'alternative.added': 'AlternativeAdded',
  'alternative.activated': 'AlternativeActivated',
  'alternative.completed': 'AlternativeCompleted',
  'episode.bound': 'EpisodeBound',
  'summary.added': 'SummaryAdded',
  'introspection.added': 'IntrospectionAdded',
} as const satisfies Record<Event['kind'], string>;
type Of<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

const CURSOR = 'Cursor of this event. Subscribe with it as `after` to continue without a gap.';

const TurnAdded = builder.objectRef<Of<'turn.added'>>('TurnAdded').implement({
  description: 'A turn was added, with its first alternative.',
  fields: (t) => ({
    cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
    turn: t.field({
      type: ConversationTurn,
      description: 'The turn with its current data.',
      resolve: ({ turnId }) => turnId,
    }),
  }),
});
const AlternativeAdded = builder.objectRef<Of<'alternative.added'>>('AlternativeAdded').implement({
  description: 'An alternative of a turn was added.',
  fields: (t) => ({
    cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
    alternative: t.field({
      type: Alternative,
      description: 'The alternative with its current data.',
      resolve: ({ alternativeId }) => alternativeId,
    }),
  }),
});
const AlternativeActivated = builder
  .objectRef<Of<'alternative.activated'>>('AlternativeActivated')
  .implement({
    description: 'Another alternative of a turn became active.',
    fields: (t) => ({
      cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
      alternative: t.field({
        type: Alternative,
        description: 'The active alternative with its current data.',
        resolve: ({ alternativeId }) => alternativeId,
      }),
      staleAlternativeIds: t.field({
        type: ['ID'],
        description: 'Alternatives that answer the formerly active one. They are stale now.',
        resolve: ({ staleAlternativeIds }) => [...staleAlternativeIds],
      }),
    }),
  });
const AlternativeCompleted = builder
  .objectRef<Of<'alternative.completed'>>('AlternativeCompleted')
  .implement({
    description: 'The run that writes an alternative ended. Its status gives the result.',
    fields: (t) => ({
      cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
      alternative: t.field({
        type: Alternative,
        description: 'The alternative, with its content.',
        resolve: ({ alternativeId }) => alternativeId,
      }),
    }),
  });

const EpisodeBound = builder.objectRef<Of<'episode.bound'>>('EpisodeBound').implement({
  description: 'The content of an alternative was stored in the memory graph.',
  fields: (t) => ({
    cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
    alternativeId: t.exposeID('alternativeId', { description: 'Id of the alternative.' }),
    episode: t.field({
      type: Episode,
      description: 'The Episode with its current data.',
      resolve: async ({ episodeUuid }, _args, context) => {
        const episode = await loadEpisode(context, episodeUuid);
        if (episode === null) throw new Error(`The Episode ${episodeUuid} is gone.`);
        return episode;
      },
    }),
  }),
});

const SummaryAdded = builder.objectRef<Of<'summary.added'>>('SummaryAdded').implement({
  description: 'Turns were summarized.',
  fields: (t) => ({
    cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
    summary: t.field({
      type: Summary,
      description: 'The summary with its current data; for a deleted one, its last data.',
      resolve: ({ summaryId }, _args, context) => loadOnceAdded(context, summaryId),
    }),
  }),
});
const IntrospectionAdded = builder
  .objectRef<Of<'introspection.added'>>('IntrospectionAdded')
  .implement({
    description: 'The agent reflected on the conversation and wrote an introspection.',
    fields: (t) => ({
      cursor: t.expose('cursor', { type: 'Cursor', description: CURSOR }),
      introspection: t.field({
        type: Introspection,
        description: 'The introspection with its current data.',
        resolve: ({ introspectionId }) => introspectionId,
      }),
    }),
  });

const ConversationEvent = builder.unionType('ConversationEvent', {
  description: 'An event of a conversation.',
  types: [
    TurnAdded,
    AlternativeAdded,
    AlternativeActivated,
    AlternativeCompleted,
    EpisodeBound,
    SummaryAdded,
    IntrospectionAdded,
  ],
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

builder.subscriptionField('conversationEvents', (t) =>
  t.field({
    type: ConversationEvent,
    description:
      'Events of a conversation: its history after the cursor, then live. Each event is sent once.',
    args: {
      conversationId: t.arg.id({ required: true, description: 'Id of a conversation of yours.' }),
      after: t.arg({ type: 'Cursor', description: 'Only events after this cursor. Default: all.' }),
    },
    subscribe: async (_root, { conversationId, after }, context) => {
      const from = after === null || after === undefined ? null : decodeCursor(after);
      const { userId } = viewerOf(context);
      const found = await context.graph.read((tx) =>
        findConversations(tx, userId, [conversationId]),
      );
      if (found.length === 0) throw new Refusal([notFound('conversation', ['conversationId'])]);
      return live(context, (signal) =>
        watchConversation(context, { conversationId, after: from }, signal),
      );
    },
    resolve: (event) => event,
  }),
);
