import { findEvents } from '../../src/agent-memory/events/event.cypher.ts';
import { ingestEvent, ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import type { MemoryEvent as MemoryEventModel } from '../../src/agent-memory/events/event.ts';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { eventKey } from '../../src/agent-memory/events/key.ts';
import { isUlid } from '../../src/agent-memory/events/ulid.ts';
import { realmOf } from '../../src/agent-memory/store.ts';
import { encodeCursor } from '../../src/common/page.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, edgeOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { payloadOf, userErrorsField } from '../payload.ts';

export const MemoryEventType = enumOf('MemoryEventType', 'Type of a memory event.', {
  session_start: 'A conversation with an agent started.',
  user_message: 'A user wrote a message.',
  assistant_message: 'The agent wrote a message.',
  tool_result: 'A Tool was called and returned.',
  assistant_stop: 'The agent ended its turn.',
  subagent_start: 'A sub-agent received a task.',
  subagent_stop: 'A sub-agent ended its task.',
  session_end: 'The conversation ended.',
});
export const EventRole = enumOf('EventRole', 'Source of an event.', {
  user: 'A user.',
  assistant: 'The agent.',
  system: 'The program that runs the agent.',
  tool: 'A Tool.',
});

export const MemoryEvent = keyedNode<MemoryEventModel>('MemoryEvent', {
  key: ({ eventId }) => eventId,
  find: (context, eventId) => loadMemoryEvent(context, eventId),
  isDomainId: isUlid,
});
MemoryEvent.implement({
  description: 'An event of a conversation with an agent. Immutable.',
  interfaces: [Node],
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'ULID of the event.' }),
    sessionId: t.exposeID('sessionId', { description: 'The conversation that it belongs to.' }),
    occurredAt: t.expose('timestamp', {
      type: 'DateTime',
      description: 'Time of the event, not of its arrival.',
    }),
    eventType: t.expose('eventType', { type: MemoryEventType, description: 'Type of the event.' }),
    role: t.expose('role', { type: EventRole, description: 'Source of the event.' }),
    text: t.exposeString('text', {
      description: 'Text of the event; empty for events that mark an end.',
    }),
    metadata: t.field({
      type: 'JSONObject',
      description: 'Metadata: names with string values, such as tools, files and models.',
      resolve: ({ metadata }) => metadata,
    }),
    agentId: t.exposeID('agentId', {
      nullable: true,
      description: 'Id of the agent that sent the event; null if none is given.',
    }),
  }),
});
/** The viewer's event by id; null if it does not exist. */
export const loadMemoryEvent = loader(async (context, eventIds: readonly string[]) => {
  const realm = realmOf(viewerOf(context), context.memoryMode);
  const found = await context.graph.read((tx) => findEvents(tx, realm, eventIds));
  const byId = new Map(found.map((event) => [event.eventId, event]));
  return eventIds.map((eventId) => byId.get(eventId) ?? null);
});
export const MemoryEventConnection = connectionOf('MemoryEvent', MemoryEvent);

const MemoryEventInput = builder.inputType('MemoryEventInput', {
  description:
    'Input for one event. Times and names are strings here, so that one invalid event does not fail the whole batch.',
  fields: (t) => ({
    eventId: t.id({ description: 'ULID of the event. Default: generated.' }),
    sessionId: t.id({
      required: true,
      description: 'Id of the conversation: any non-empty string.',
    }),
    timestamp: t.string({
      required: true,
      description: 'Time of the event in RFC 3339, not in the future.',
    }),
    eventType: t.string({
      required: true,
      description: 'A MemoryEventType. USER_MESSAGE and UserMessage are equivalent.',
    }),
    role: t.string({ required: true, description: 'An EventRole, in either spelling.' }),
    text: t.string({
      required: true,
      description: 'Text of the event, at most 8 MiB. May be empty for types without text.',
    }),
    metadata: t.field({ type: 'JSONObject', description: 'Metadata: names with string values.' }),
    agentId: t.id({
      description: 'Id of the agent that sends the event. Default: the agent of the settings.',
    }),
  }),
});

interface Ingested {
  readonly event: MemoryEventModel | null;
  readonly created: boolean;
  readonly userErrors: readonly Problem[];
}
const IngestEventPayload = builder.objectRef<Ingested>('IngestEventPayload').implement({
  description: 'Result of recording one event: the event, or the problems.',
  fields: (t) => ({
    event: t.field({
      type: MemoryEvent,
      nullable: true,
      description: 'The stored event; null if the input had problems.',
      resolve: ({ event }) => event,
    }),
    eventEdge: t.field({
      type: edgeOf(MemoryEventConnection) as never,
      nullable: true,
      description:
        'The event as an edge of memoryEvents, so that clients can add it; null if the input had problems.',
      resolve: ({ event }) => {
        if (event === null) return null as never;
        const key = eventKey.fromParts(Date.parse(event.timestamp), event.eventId);
        return { cursor: encodeCursor([eventKey.text(key)]), node: event } as never;
      },
    }),
    created: t.exposeBoolean('created', {
      description: 'Whether the event is new; false if it was already stored.',
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
  description: 'Result of a batch. Valid events are stored even if others are invalid.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Number of new events.' }),
    duplicates: t.exposeInt('duplicates', {
      description: 'Number of events that were already stored.',
    }),
    userErrors: userErrorsField(t),
  }),
});

builder.mutationFields((t) => ({
  ingestEvent: t.field({
    type: IngestEventPayload,
    description:
      'Stores one immutable event. An existing id with the same event changes nothing; with a different event it gives CONFLICT.',
    args: { input: t.arg({ type: MemoryEventInput, required: true, description: 'The event.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<Pick<Ingested, 'event' | 'created'>>({ event: null, created: false }, () =>
        ingestEvent(context, viewerOf(context), input),
      ),
  }),
  ingestEvents: t.field({
    type: IngestEventsPayload,
    description:
      'Stores up to 1,000 immutable events. A problem is reported at the index of its event; the other events are stored.',
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
    description: 'Events within a time range, oldest first.',
    complexity: pageCost,
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Start of the range, inclusive.',
      }),
      to: t.arg({ type: 'DateTime', required: true, description: 'End of the range, exclusive.' }),
      sessionId: t.arg.id({ description: 'Only events of this conversation.' }),
      agentId: t.arg.id({
        description:
          'Id of the agent. Default: the agent of the settings; if they name none, all agents.',
      }),
      ...pageArgs(t),
    },
    resolve: (_root, args, context) => listMemoryEvents(context, viewerOf(context), args),
  }),
);
