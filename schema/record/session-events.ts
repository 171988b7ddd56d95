import type { Problem } from '../../src/common/refusal.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { outputFields } from '../fields.ts';
import { inputOf, payloadOf, USER_ERRORS, underInput } from '../payload.ts';

const SessionEventInput = inputOf('SessionEventInput', 'Input for an event of another system.', {
  name: ['String!', 'Name of the event: only letters, digits and _ : . -'],
  sessionId: ['ID!', 'Id of the session.'],
  timestamp: ['String!', 'Time of the event: ISO 8601 with an offset.'],
  data: ['JSONObject!', 'Full payload.'],
});

interface Recorded {
  readonly recorded: number;
  readonly duplicates: number;
  readonly userErrors: readonly Problem[];
}
const RecordSessionEventsPayload = builder
  .objectRef<Recorded>('RecordSessionEventsPayload')
  .implement({
    description: 'Result of a batch. Valid events are stored even if others are invalid.',
    fields: outputFields({
      recorded: ['Int', 'Number of new events.'],
      duplicates: ['Int', 'Number of events that were already recorded.'],
      userErrors: USER_ERRORS,
    }),
  });

builder.mutationField('recordSessionEvents', (t) =>
  t.field({
    type: RecordSessionEventsPayload,
    description:
      'Records events of another system, at most 1,000 at once. Recording the same event ' +
      'again changes nothing.',
    args: {
      input: t.arg({ type: [SessionEventInput], required: true, description: 'The events.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { problems = [], ...rest } = await payloadOf(
        { recorded: 0, duplicates: 0, problems: undefined as readonly Problem[] | undefined },
        () => recordSessionEvents(context, viewerOf(context), input),
      );
      return { ...rest, userErrors: [...rest.userErrors, ...problems.map(underInput)] };
    },
  }),
);
