import { PAGE_MAX } from '../../src/common/limits.ts';
import { EMPTY_PAGE, type Page } from '../../src/common/page.ts';
import { refuse } from '../../src/common/refusal.ts';
import {
  findSessionEvents,
  findSessions,
  findSessionTitles,
  findToolCalls,
  listEventsOfCalls,
  listForkedSessions,
} from '../../src/session-graph/events/session.cypher.ts';
import {
  type AgentSession,
  type ToolCall as CallModel,
  checkEventFilter,
  type SessionEvent as EventModel,
} from '../../src/session-graph/events/session.ts';
import {
  listCallsOfSessions,
  listEventsOfSessions,
  listSessionEvents,
  listSessions,
  type SessionPageArgs,
} from '../../src/session-graph/events/session-lists.cypher.ts';
import { listRunsOfSessions } from '../../src/session-graph/layers/layers.cypher.ts';
import { builder } from '../builder.ts';
import { connectionOf, includeSystemArg, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, exposed, nullable, outputFields } from '../fields.ts';
import { listLoader, loader, mapLoader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { RunOrigin } from '../runs/run-origin.ts';

const Session = keyedNode<AgentSession>('Session', {
  key: ({ nodeId }) => nodeId,
  find: (context, nodeId) => loadSession(context, nodeId),
});
const SessionEvent = keyedNode<EventModel>('SessionEvent', {
  key: ({ nodeId }) => nodeId,
  find: (context, nodeId) => loadEvent(context, nodeId),
});
const ToolCall = keyedNode<CallModel>('ToolCall', {
  key: ({ nodeId }) => nodeId,
  find: (context, nodeId) => loadCall(context, nodeId),
});
const SessionConnection = connectionOf('Session', Session);
const SessionEventConnection = connectionOf('SessionEvent', SessionEvent);
const ToolCallConnection = connectionOf('ToolCall', ToolCall);

const loadSession = listLoader(findSessions, ({ nodeId }) => nodeId);
const loadEvent = listLoader(findSessionEvents, ({ nodeId }) => nodeId);
const loadCall = listLoader(findToolCalls, ({ nodeId }) => nodeId);
const loadTitle = mapLoader(findSessionTitles, null);
const loadForks = loader(async (context, ids: readonly string[]) => {
  const limit = PAGE_MAX;
  const forks = await context.graph.read((tx) =>
    listForkedSessions(tx, viewerOf(context), { ids, limit }),
  );
  return ids.map((id) => forks.get(id) ?? []);
});
const loadCallEvents = loader(async (context, ids: readonly string[]) => {
  const limit = PAGE_MAX;
  const events = await context.graph.read((tx) =>
    listEventsOfCalls(tx, viewerOf(context), { ids, limit }),
  );
  return ids.map((id) => events.get(id) ?? []);
});
const loadRuns = mapLoader(
  (tx, viewer, ids) => listRunsOfSessions(tx, viewer, { ids, limit: PAGE_MAX }),
  [],
);

interface Under {
  readonly id: string;
  readonly args: SessionPageArgs;
}
type ListPages<T> = (
  context: RequestContext,
  ids: readonly string[],
  args: SessionPageArgs,
) => Promise<Map<string, Page<T>>>;
/** Loads pages of many sessions: one statement for all keys with the same page arguments. */
const pages = <T>(list: ListPages<T>) =>
  loader(async (context, keys: readonly Under[]) => {
    const alike = Map.groupBy(keys, ({ args }) => JSON.stringify(args));
    const found = new Map<Under, Page<T>>();
    for (const group of alike.values()) {
      const ids = [...new Set(group.map(({ id }) => id))];
      const lists = await list(context, ids, group[0]?.args ?? {});
      for (const key of group) found.set(key, lists.get(key.id) ?? EMPTY_PAGE);
    }
    return keys.map((key) => found.get(key) ?? EMPTY_PAGE);
  });
const loadEvents = pages((context, ids, args) =>
  context.graph.read((tx) => listEventsOfSessions(tx, viewerOf(context), ids, args)),
);
const loadCalls = pages((context, ids, args) =>
  context.graph.read((tx) => listCallsOfSessions(tx, viewerOf(context), ids, args)),
);

Session.implement({
  description: 'An agent session: a root session, or one forked by another session.',
  interfaces: [Node],
  fields: (t) => ({
    ...exposed(t, {
      nodeId: ['ID', 'Id: a UUID, or {hex}-{hex}_{agent} for a forked session.'],
      origin: [RunOrigin, 'SYSTEM: the session of a background run of the product.'],
      workspace: ['String', 'Workspace of the session.'],
      labels: [['String'], 'Labels: Session, and RootSession or ForkedSession.'],
      startedAt: [
        'DateTime?',
        'Time of its first event; null if only a fork has mentioned the session.',
      ],
      endedAt: ['DateTime?', 'Time of its end; null if it is active or was resumed.'],
      status: ['String?', 'active, or the status given by its end event.'],
      properties: ['JSONObject', 'All properties of its node.'],
      title: [
        'String?',
        'Title of the conversation, or name of the Process of the run; null for a session of ' +
          'another system and an untitled conversation.',
        ({ nodeId }, _args, context) => loadTitle(context, nodeId),
      ],
      parent: [
        nullable(Session),
        'The session that forked it; null for a root session.',
        ({ parentId }, _args, context) =>
          parentId === null ? null : loadSession(context, parentId),
      ],
      forks: [
        [Session],
        'Sessions forked by this one, in order of their start, at most 200.',
        ({ nodeId }, _args, context) => loadForks(context, nodeId),
      ],
      runs: [
        'JSON',
        'OrchestratorRuns of the kernel layer, oldest first, at most 200: nodeId, times, ' +
          'status, prompt and iterations.',
        ({ nodeId }, _args, context) => loadRuns(context, nodeId),
      ],
    }),
    events: t.field({
      type: SessionEventConnection,
      description: 'Events, oldest first.',
      complexity: pageCost,
      args: {
        ...pageArgs(t),
        names: t.arg.stringList({ description: 'Only events with these names, such as tool:pre.' }),
      },
      resolve: ({ nodeId: id }, args, context) => loadEvents(context, { id, args }),
    }),
    toolCalls: t.field({
      type: ToolCallConnection,
      description: 'Tool calls, in order of their start.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: ({ nodeId: id }, args, context) => loadCalls(context, { id, args }),
    }),
  }),
});

SessionEvent.implement({
  description: 'One event of the raw stream.',
  interfaces: [Node],
  fields: outputFields({
    nodeId: ['ID', 'Id of the form {session}__{event_name}__{epoch_ms}.'],
    name: ['String', 'Name of the event, such as tool:pre.'],
    labels: [['String'], 'Labels: Event, its category and its own label.'],
    occurredAt: ['DateTime', 'Time of the event.'],
    properties: [
      'JSONObject',
      'All properties of its node except data. Lifted objects are JSON text.',
    ],
    data: [
      'JSON?',
      'Full payload. Above 64 KiB it is {"$blob_ref", "preview"}, and `blob` reads the rest.',
    ],
  }),
});

ToolCall.implement({
  description: 'One tool invocation, from tool:pre to tool:post or tool:error.',
  interfaces: [Node],
  fields: outputFields({
    nodeId: ['ID', 'Id of the form {session}__tool_call__{tool_call_id}.'],
    toolCallId: ['ID', 'Id of the call at the provider.'],
    toolName: ['String', 'Name of the tool.'],
    sessionId: ['ID', 'The session of the call.'],
    parallelGroupId: ['ID?', 'Id of the group of calls that ran in parallel.'],
    startedAt: ['DateTime?', 'Time of tool:pre.'],
    endedAt: ['DateTime?', 'Time of tool:post or tool:error; null while it runs.'],
    durationMs: ['Float?', 'Duration in milliseconds; null while it runs.'],
    events: [
      [SessionEvent],
      'Events of the call, oldest first, at most 200.',
      ({ nodeId }, _args, context) => loadCallEvents(context, nodeId),
    ],
  }),
});

builder.queryFields((t) => ({
  session: t.field({
    type: Session,
    nullable: true,
    description: 'A session of yours in your workspace; null if it does not exist.',
    args: argFields(t, { nodeId: ['ID!', 'Id of the session.'] }),
    resolve: (_root, { nodeId }, context) => loadSession(context, nodeId),
  }),
  sessions: t.field({
    type: SessionConnection,
    description:
      'Your sessions, newest first; without those of the background runs of the product.',
    complexity: pageCost,
    args: { ...pageArgs(t), includeSystem: includeSystemArg(t) },
    resolve: (_root, page, context) =>
      context.graph.read((tx) => listSessions(tx, viewerOf(context), page)),
  }),
  sessionEvents: t.field({
    type: SessionEventConnection,
    description: 'Events of all your sessions, oldest first. All given filters apply.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        names: [['String'], 'Only events with these names, at most 100 names.'],
        label: ['String', 'Only events with this label, such as ToolEvent.'],
        toolName: ['String', 'Only events of this tool.'],
        from: ['DateTime', 'Start of the time range, inclusive.'],
        to: ['DateTime', 'End of the time range, exclusive.'],
      }),
    },
    resolve: (_root, filter, context) => {
      refuse(checkEventFilter(filter));
      return context.graph.read((tx) => listSessionEvents(tx, viewerOf(context), filter));
    },
  }),
  toolCall: t.field({
    type: ToolCall,
    nullable: true,
    description: 'A tool call of yours; null if it does not exist.',
    args: argFields(t, { nodeId: ['ID!', 'Id of the tool call.'] }),
    resolve: (_root, { nodeId }, context) => loadCall(context, nodeId),
  }),
}));
