import { notFound, Refusal } from '../../src/common/refusal.ts';
import { findAlternativesOfRuns } from '../../src/conversations/alternative.cypher.ts';
import { findConversations } from '../../src/conversations/conversation.cypher.ts';
import { getCursor } from '../../src/outbox/cursor.service.ts';
import {
  type ConversationEvent as Event,
  type FindAnswer,
  watchConversation,
} from '../../src/working-memory/conversation-stream.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { Alternative, ConversationTurn } from '../conversations/conversations.ts';
import { argFields, outputFields } from '../fields.ts';
import { live } from '../live.ts';
import { Episode, loadEpisode } from './episodes.ts';
import { MemoryKind } from './forgetting.ts';
import { Introspection } from './introspections.ts';
import { loadOnceAdded, Summary } from './summaries.ts';

const TYPE_NAMES = {
  'turn.added': 'TurnAdded',
  'alternative.added': 'AlternativeAdded',
  'alternative.activated': 'AlternativeActivated',
  'alternative.completed': 'AlternativeCompleted',
  'episode.bound': 'EpisodeBound',
  'summary.added': 'SummaryAdded',
  'introspection.added': 'IntrospectionAdded',
  'memory.forgotten': 'MemoryForgotten',
  'text.added': 'AlternativeTextAdded',
} as const satisfies Record<Event['kind'], string>;
type Of<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

const ConversationEvent = builder.interfaceRef<Event>('ConversationEvent').implement({
  description: 'An event of a conversation.',
  fields: (t) => ({
    cursor: t.expose('cursor', {
      type: 'Cursor',
      description: 'Cursor of this event. Subscribe with it as `after` to continue without a gap.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the event.' }),
  }),
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

builder.objectRef<Of<'turn.added'>>('TurnAdded').implement({
  description: 'A turn was added, with its first alternative.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    turn: [ConversationTurn, 'The turn with its current data.', 'turnId'],
  }),
});
builder.objectRef<Of<'alternative.added'>>('AlternativeAdded').implement({
  description: 'An alternative of a turn was added.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    alternative: [Alternative, 'The alternative with its current data.', 'alternativeId'],
  }),
});
builder.objectRef<Of<'alternative.activated'>>('AlternativeActivated').implement({
  description: 'Another alternative of a turn became active, or came on screen with its turn.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    alternative: [Alternative, 'The active alternative with its current data.', 'alternativeId'],
    staleAlternativeIds: [
      ['ID'],
      'Alternatives that answer the formerly active one, at any distance below it. They are ' +
        'stale now. The nearest first, at most 2,000.',
    ],
  }),
});
builder.objectRef<Of<'alternative.completed'>>('AlternativeCompleted').implement({
  description: 'The run that writes an alternative ended. Its status gives the result.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    alternative: [Alternative, 'The alternative, with its content.', 'alternativeId'],
  }),
});

builder.objectRef<Of<'episode.bound'>>('EpisodeBound').implement({
  description: 'The content of an alternative was stored in the memory graph.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    alternativeId: ['ID', 'Id of the alternative.'],
    episode: [
      Episode,
      'The Episode with its current data.',
      async ({ episodeUuid }, _args, context) => {
        const episode = await loadEpisode(context, episodeUuid);
        if (episode === null) throw new Error(`The Episode ${episodeUuid} is gone.`);
        return episode;
      },
    ],
  }),
});

builder.objectRef<Of<'summary.added'>>('SummaryAdded').implement({
  description: 'Turns were summarized.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    summary: [
      Summary,
      'The summary with its current data; for a deleted one, its last data.',
      ({ summaryId }, _args, context) => loadOnceAdded(context, summaryId),
    ],
  }),
});
builder.objectRef<Of<'introspection.added'>>('IntrospectionAdded').implement({
  description: 'The agent reflected on the conversation and wrote an introspection.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    introspection: [Introspection, 'The introspection with its current data.', 'introspectionId'],
  }),
});

builder.objectRef<Of<'memory.forgotten'>>('MemoryForgotten').implement({
  description: 'A fact or an entity of the conversation was forgotten.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    memory: [MemoryKind, 'Fact or entity.'],
    uuid: ['ID', 'Uuid of the forgotten fact or entity.'],
    factUuids: [['ID'], 'Uuids of all facts that were deleted with it, or of the fact itself.'],
  }),
});

builder.objectRef<Of<'text.added'>>('AlternativeTextAdded').implement({
  description:
    'A piece of the text of an answer, while a model writes it. AlternativeCompleted has the ' +
    'whole content.',
  interfaces: [ConversationEvent],
  fields: outputFields({
    alternativeId: ['ID', 'Id of the alternative that is written.'],
    runId: ['ID', 'Id of the run that writes it.'],
    textId: [
      'ID',
      'Id of the text, as in TextEvent. Pieces with the same textId are concatenated. A ' +
        'repeated attempt has another textId; then the pieces of the failed one are void.',
    ],
    content: ['String', 'The next piece of text.'],
    restarts: [
      'Boolean',
      'Whether the model starts again: earlier pieces with this textId are void, and ' +
        '`content` is empty.',
    ],
  }),
});

builder.subscriptionField('conversationEvents', (t) =>
  t.field({
    type: ConversationEvent,
    description:
      'Events of a conversation: its history after the cursor, then live. Each event is sent once.',
    args: argFields(t, {
      conversationId: ['ID!', 'Id of a conversation of yours.'],
      after: ['Cursor', 'Only events after this cursor. Default: all.'],
      includeText: [
        'Boolean',
        'Whether to send the text of answers while it is written, as AlternativeTextAdded.',
        true,
      ],
    }),
    subscribe: async (_root, { conversationId, after, includeText }, context) => {
      const from = await getCursor(context, after);
      const { userId } = viewerOf(context);
      const found = await context.graph.read((tx) =>
        findConversations(tx, userId, [conversationId]),
      );
      if (found.length === 0) throw new Refusal([notFound('conversation', ['conversationId'])]);
      const findAnswer: FindAnswer = async (runId) => {
        const [answer] = await context.graph.read((tx) =>
          findAlternativesOfRuns(tx, userId, [runId]),
        );
        return answer ?? null;
      };
      const watch = {
        conversationId,
        after: from,
        ...(includeText === false ? {} : { findAnswer }),
      };
      return live(context, (signal) => watchConversation(context, watch, signal));
    },
    resolve: (event) => event,
  }),
);
