import { CHANGES_BEHIND_MAX } from '../../src/common/limits.ts';
import {
  type ConversationChange as ConversationChangeModel,
  watchConversationChanges,
} from '../../src/conversations/conversation-changes.service.ts';
import { startOfChanges } from '../../src/outbox/changes.service.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { live } from '../live.ts';
import { Conversation } from './conversations.ts';

const ConversationChange = builder
  .objectRef<ConversationChangeModel>('ConversationChange')
  .implement({
    description: 'A change of a conversation, for lists of conversations.',
    fields: outputFields({
      cursor: [
        'Cursor',
        'Cursor of this change. Subscribe with it as `after` to continue without a gap.',
      ],
      conversation: [
        nullable(Conversation),
        'The conversation with its current data; null on the first event of a subscription ' +
          'without `after`.',
      ],
    }),
  });

builder.subscriptionField('conversationChanges', (t) =>
  t.field({
    type: ConversationChange,
    description:
      'Sends your conversations, each at the changes of itself, its turns and its path on ' +
      'screen: those after the cursor, then live. Without a cursor, the first event has no ' +
      'conversation; a list that is read after it misses no change. Changes of a conversation ' +
      'within 250 ms are sent once. It does not end by itself.',
    args: argFields(t, {
      after: [
        'Cursor',
        `Only changes after this cursor, at most ${CHANGES_BEHIND_MAX} entries of the log ` +
          'back. Default: from now on.',
      ],
    }),
    subscribe: async (_root, { after }, context) => {
      const watch = {
        ownerId: viewerOf(context).userId,
        start: await startOfChanges(context, after),
      };
      return live(context, (signal) => watchConversationChanges(context, watch, signal));
    },
    resolve: (change) => change,
  }),
);
