import type { Problem } from '../../src/common/refusal.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { payloadOf, userErrorsField } from '../payload.ts';

const SessionEventInput = builder.inputType('SessionEventInput', {
  description: 'An event of another system.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Its raw name: letters, digits and _ : . - only.',
    }),
    sessionId: t.string({ required: true, description: 'The session it happened in.' }),
    timestamp: t.string({
      required: true,
      description: 'When: ISO 8601 with an offset.',
    }),
    data: t.field({ type: 'JSONObject', required: true, description: 'The whole payload.' }),
  }),
});

interface Recorded {
  readonly recorded: number;
  readonly duplicates: number;
  readonly userErrors: readonly Problem[];
}
const RecordSessionEventsPayload = builder
  .objectRef<Recorded>('RecordSessionEventsPayload')
  .implement({
    description: 'What came of a batch. Each event stands alone: the good ones are written.',
    fields: (t) => ({
      recorded: t.exposeInt('recorded', { description: 'How many are new.' }),
      duplicates: t.exposeInt('duplicates', {
        description: 'How many were recorded before and changed nothing.',
      }),
      userErrors: userErrorsField(t),
    }),
  });

builder.mutationField('recordSessionEvents', (t) =>
  t.field({
    type: RecordSessionEventsPayload,
    description:
      'Records events of another system, at most 1,000 at once; the same again changes nothing.',
    args: {
      input: t.arg({ type: [SessionEventInput], required: true, description: 'The events.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { problems = [], ...rest } = await payloadOf(
        { recorded: 0, duplicates: 0, problems: undefined as readonly Problem[] | undefined },
        () => recordSessionEvents(context, viewerOf(context), input),
      );
      const found = problems.map((one) => ({ ...one, path: ['input', ...one.path] }));
      return { ...rest, userErrors: [...rest.userErrors, ...found] };
    },
  }),
);
