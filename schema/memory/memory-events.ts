import { findEvents } from '../../src/agent-memory/events/event.cypher.ts';
import { ingestEvent, ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import type { MemoryEvent as MemoryEventModel } from '../../src/agent-memory/events/event.ts';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { realmOf } from '../../src/agent-memory/store.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { payloadOf, userErrorsField } from '../payload.ts';

export const MemoryEventType = enumOf('MemoryEventType', 'What happened in a conversation.', {
  session_start: 'A conversation with an agent began.',
  user_message: 'A person said something.',
  assistant_message: 'The agent said something.',
  tool_result: 'A Tool was called and answered.',
  assistant_stop: 'The agent was done with its turn.',
  subagent_start: 'A sub-agent was given a task.',
  subagent_stop: 'A sub-agent ended its task.',
  session_end: 'The conversation ended.',
});
export const EventRole = enumOf('EventRole', 'Who an event came from.', {
  user: 'A person.',
  assistant: 'The agent.',
  system: 'What runs the agent.',
  tool: 'A Tool.',
});

export const MemoryEvent = builder.objectRef<MemoryEventModel>('MemoryEvent').implement({
  description: 'Something that happened in a conversation with an agent. It never changes.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'Its ULID.' }),
    sessionId: t.exposeString('sessionId', { description: 'The conversation it belongs to.' }),
    timestamp: t.expose('timestamp', {
      type: 'DateTime',
      description: 'When it happened, not when it arrived.',
    }),
    eventType: t.expose('eventType', { type: MemoryEventType, description: 'What happened.' }),
    role: t.expose('role', { type: EventRole, description: 'Who it came from.' }),
    text: t.exposeString('text', { description: 'What was said; empty at the ends of things.' }),
    metadata: t.field({
      type: 'JSONObject',
      description: 'Names with a text each: tools, files, models.',
      resolve: ({ metadata }) => metadata,
    }),
    agentId: t.exposeString('agentId', {
      nullable: true,
      description: 'Which agent told of it; null where none is named.',
    }),
  }),
});
/** Of the viewer's, by id; null where there is none. */
export const loadMemoryEvent = loader(async (context, eventIds: readonly string[]) => {
  const realm = realmOf(viewerOf(context), context.memoryMode);
  const found = await context.graph.read((tx) => findEvents(tx, realm, eventIds));
  const byId = new Map(found.map((event) => [event.eventId, event]));
  return eventIds.map((eventId) => byId.get(eventId) ?? null);
});
export const MemoryEventConnection = connectionOf('MemoryEvent', MemoryEvent);

const MemoryEventInput = builder.inputType('MemoryEventInput', {
  description:
    'Something that happened. Times and names are text here, so that one bad event does not fail the whole batch.',
  fields: (t) => ({
    eventId: t.id({ description: 'A ULID; made here where there is none.' }),
    sessionId: t.string({ required: true, description: 'The conversation; any text, not empty.' }),
    timestamp: t.string({
      required: true,
      description: 'When it happened, in RFC 3339; not in the future.',
    }),
    eventType: t.string({
      required: true,
      description: 'A MemoryEventType; USER_MESSAGE and UserMessage are the same.',
    }),
    role: t.string({ required: true, description: 'An EventRole, in either spelling.' }),
    text: t.string({
      required: true,
      description: 'What was said; may be empty where nobody speaks. At most 8 MiB.',
    }),
    metadata: t.field({ type: 'JSONObject', description: 'Names with a text each.' }),
    agentId: t.string({ description: 'Which agent tells; by default the one of the settings.' }),
  }),
});

interface Ingested {
  readonly event: MemoryEventModel | null;
  readonly created: boolean;
  readonly userErrors: readonly Problem[];
}
const IngestEventPayload = builder.objectRef<Ingested>('IngestEventPayload').implement({
  description: 'What came of it: the event, or what to put right.',
  fields: (t) => ({
    event: t.field({
      type: MemoryEvent,
      nullable: true,
      description: 'The event as it is kept; null when anything was wrong.',
      resolve: ({ event }) => event,
    }),
    created: t.exposeBoolean('created', {
      description: 'Whether it is new; false also where it was known already.',
    }),
    userErrors: userErrorsField(t),
  }),
});

interface IngestedMany {
  readonly created: number;
  readonly duplicates: number;
  readonly userErrors: readonly Problem[];
}
const IngestEventsPayload = builder.objectRef<IngestedMany>('IngestEventsPayload').implement({
  description:
    'What came of a batch. Events without a problem are kept, whatever is wrong with others.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'How many are new.' }),
    duplicates: t.exposeInt('duplicates', { description: 'How many were known already.' }),
    userErrors: userErrorsField(t),
  }),
});

builder.mutationFields((t) => ({
  ingestEvent: t.field({
    type: IngestEventPayload,
    description:
      'Keeps one event for good. Under an id that is known, the same event changes nothing and another one is a CONFLICT.',
    args: { input: t.arg({ type: MemoryEventInput, required: true, description: 'The event.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<Pick<Ingested, 'event' | 'created'>>({ event: null, created: false }, () =>
        ingestEvent(context, viewerOf(context), input),
      ),
  }),
  ingestEvents: t.field({
    type: IngestEventsPayload,
    description:
      'Keeps up to 1,000 events for good. What is wrong with one is told at its index; the others go through.',
    args: {
      input: t.arg({ type: [MemoryEventInput], required: true, description: 'The events.' }),
    },
    resolve: async (_root, { input }, context) => {
      const refused = { created: 0, duplicates: 0, problems: [] as readonly Problem[] };
      const { problems, userErrors, ...counts } = await payloadOf(refused, async () => {
        const { events, problems } = await ingestEvents(context, viewerOf(context), input);
        const of = (wanted: string) => events.filter((one) => one?.outcome === wanted).length;
        return { created: of('created'), duplicates: of('duplicate'), problems };
      });
      const told = problems.map((one) => ({ ...one, path: ['input', ...one.path] }));
      return { ...counts, userErrors: [...userErrors, ...told] };
    },
  }),
}));

builder.queryField('memoryEvents', (t) =>
  t.field({
    type: MemoryEventConnection,
    description: 'What happened in a time, oldest first.',
    complexity: pageCost,
    args: {
      from: t.arg({ type: 'DateTime', required: true, description: 'From this moment on …' }),
      to: t.arg({ type: 'DateTime', required: true, description: '… up to, not including, this.' }),
      sessionId: t.arg.string({ description: 'Only of this conversation.' }),
      agentId: t.arg.string({ description: 'Of this agent; by default the one of the settings.' }),
      ...pageArgs(t),
    },
    resolve: (_root, args, context) => listMemoryEvents(context, viewerOf(context), args),
  }),
);
