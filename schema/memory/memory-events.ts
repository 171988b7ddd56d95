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
import { argFields, exposed, nullable, outputFields } from '../fields.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { inputOf, payloadOf, USER_ERRORS, underInput } from '../payload.ts';

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
  fields: outputFields({
    eventId: ['ID', 'ULID of the event.'],
    sessionId: ['ID', 'The conversation that it belongs to.'],
    occurredAt: ['DateTime', 'Time of the event, not of its arrival.', 'timestamp'],
    eventType: [MemoryEventType, 'Type of the event.'],
    role: [EventRole, 'Source of the event.'],
    text: ['String', 'Text of the event; empty for events that mark an end.'],
    metadata: [
      'JSONObject',
      'Metadata: names with string values, such as tools, files and models.',
    ],
    agentId: ['ID?', 'Id of the agent that sent the event; null if none is given.'],
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

const MemoryEventInput = inputOf(
  'MemoryEventInput',
  'Input for one event. Times and names are strings here, so that one invalid event does ' +
    'not fail the whole batch.',
  {
    eventId: ['ID', 'ULID of the event. Default: generated.'],
    sessionId: ['ID!', 'Id of the conversation: any non-empty string.'],
    timestamp: ['String!', 'Time of the event in RFC 3339, not in the future.'],
    eventType: ['String!', 'A MemoryEventType. USER_MESSAGE and UserMessage are equivalent.'],
    role: ['String!', 'An EventRole, in either spelling.'],
    text: ['String!', 'Text of the event, at most 8 MiB. May be empty for types without text.'],
    metadata: ['JSONObject', 'Metadata: names with string values.'],
    agentId: ['ID', 'Id of the agent that sends the event. Default: the agent of the settings.'],
  },
);

interface Ingested {
  readonly event: MemoryEventModel | null;
  readonly created: boolean;
  readonly userErrors: readonly Problem[];
}
const IngestEventPayload = builder.objectRef<Ingested>('IngestEventPayload').implement({
  description: 'Result of recording one event: the event, or the problems.',
  fields: (t) => ({
    ...exposed(t, {
      event: [nullable(MemoryEvent), 'The stored event; null if the input had problems.'],
      created: ['Boolean', 'Whether the event is new; false if it was already stored.'],
    }),
    eventEdge: t.field({
      type: edgeOf(MemoryEventConnection) as never,
      nullable: true,
      description:
        'The event as an edge of memoryEvents, so that clients can add it; null if the input ' +
        'had problems.',
      resolve: ({ event }) => {
        if (event === null) return null as never;
        const key = eventKey.fromParts(Date.parse(event.timestamp), event.eventId);
        return { cursor: encodeCursor([eventKey.text(key)]), node: event } as never;
      },
    }),
    ...exposed(t, { userErrors: USER_ERRORS }),
  }),
});

interface IngestedMany {
  readonly created: number;
  readonly duplicates: number;
  readonly userErrors: readonly Problem[];
}
const IngestEventsPayload = builder.objectRef<IngestedMany>('IngestEventsPayload').implement({
  description: 'Result of a batch. Valid events are stored even if others are invalid.',
  fields: outputFields({
    created: ['Int', 'Number of new events.'],
    duplicates: ['Int', 'Number of events that were already stored.'],
    userErrors: USER_ERRORS,
  }),
});

builder.mutationFields((t) => ({
  ingestEvent: t.field({
    type: IngestEventPayload,
    description:
      'Stores one immutable event. An existing id with the same event changes nothing; with a ' +
      'different event it gives CONFLICT.',
    args: { input: t.arg({ type: MemoryEventInput, required: true, description: 'The event.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<Pick<Ingested, 'event' | 'created'>>({ event: null, created: false }, () =>
        ingestEvent(context, viewerOf(context), input),
      ),
  }),
  ingestEvents: t.field({
    type: IngestEventsPayload,
    description:
      'Stores up to 1,000 immutable events. A problem is reported at the index of its event; ' +
      'the other events are stored.',
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
      return { ...counts, userErrors: [...userErrors, ...problems.map(underInput)] };
    },
  }),
}));

builder.queryField('memoryEvents', (t) =>
  t.field({
    type: MemoryEventConnection,
    description: 'Events within a time range, oldest first.',
    complexity: pageCost,
    args: {
      ...argFields(t, {
        from: ['DateTime!', 'Start of the range, inclusive.'],
        to: ['DateTime!', 'End of the range, exclusive.'],
        sessionId: ['ID', 'Only events of this conversation.'],
        agentId: [
          'ID',
          'Id of the agent. Default: the agent of the settings; if they name none, all agents.',
        ],
      }),
      ...pageArgs(t),
    },
    resolve: (_root, args, context) => listMemoryEvents(context, viewerOf(context), args),
  }),
);
