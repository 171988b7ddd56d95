import type {
  CallEdge as CallEdgeModel,
  CallNode as CallNodeModel,
} from '../../src/call-graph/call-node.ts';
import {
  type CallGraph as CallGraphModel,
  findCall,
  findCallGraph,
  findCallNeighbours,
  findCallPayloads,
  findCalls,
  listCalls,
  type Neighbourhood,
} from '../../src/call-graph/call-read.cypher.ts';
import { findOperationNames } from '../../src/call-graph/operation.cypher.ts';
import { operationStats } from '../../src/call-graph/operation-stats.service.ts';
import type { OperationStats as OperationStatsModel } from '../../src/call-graph/stats.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, includeSystemArg, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';
import { listLoader, loader, mapLoader } from '../loader.ts';
import { globalId, keyedNode, Node } from '../nodes.ts';
import { RunOrigin } from '../runs/run-origin.ts';
import { ProcessRun } from '../runs/runs.ts';

const CallStatus = enumOf('CallStatus', 'Status of a call.', {
  pending: 'It was requested.',
  running: 'It was dispatched.',
  completed: 'It ended with an output.',
  failed: 'It ended with an error, such as a timeout.',
  aborted: 'It was cancelled or lost.',
});

const loadPayloads = mapLoader((tx, _viewer, ids) => findCallPayloads(tx, ids), null);
const loadOperationName = loader(async (context: RequestContext, ids: readonly string[]) => {
  const names = await context.graph.read((tx) => findOperationNames(tx, [...new Set(ids)]));
  return ids.map((id) => names.get(id) ?? id);
});
const neighbours = (which: Neighbourhood) =>
  loader((context: RequestContext, ids: readonly string[]) =>
    context.graph.read((tx) => findCallNeighbours(tx, viewerOf(context), which, ids)),
  );
const loadTriggered = neighbours('triggered');
const loadDependencies = neighbours('dependsOn');
const loadRequesters = neighbours('requestedBy');

async function payload(
  { id }: CallNodeModel,
  name: 'input' | 'output' | 'error',
  context: RequestContext,
): Promise<Json> {
  const text = (await loadPayloads(context, id))?.[name] ?? null;
  return text === null ? null : (JSON.parse(text) as Json);
}

const loadCall = listLoader(findCalls, ({ id }) => id);

const CallNodeRef = keyedNode<CallNodeModel>('CallNode', {
  key: ({ id }) => id,
  find: loadCall,
});
CallNodeRef.implement({
  description:
    'One call: a run (requestId is its id), an attempt of a step ' +
    '(`runId/stepId[/index]/attempt`), or a mutation.',
  interfaces: [Node],
  fields: outputFields({
    requestId: ['String', 'Id of the call in `callNode`, `callGraph` and `parentRequestId`.'],
    operationId: [
      'String',
      'Called operation: the id of a Tool or Process, `mutation:<name>`, `call_process`, or ' +
        '`__removed__`.',
    ],
    parentRequestId: ['String?', 'Id of the call that triggered it; null for a top-level call.'],
    callerAccountId: [
      'ID?',
      'The user who made the call; null for the system and for removed users.',
    ],
    status: [CallStatus, 'Status of the call.'],
    startedAt: ['DateTime?', 'Time of dispatch.'],
    completedAt: ['DateTime?', 'Time of the end, for any result.'],
    createdAt: ['DateTime', 'Time of the request.'],
    updatedAt: ['DateTime', 'Time of the last change.'],
    operationName: [
      'String',
      'Name of the Tool, Process or mutation; its id where it has none.',
      ({ operationId }, _args, context) => loadOperationName(context, operationId),
    ],
    origin: [
      RunOrigin,
      'Origin of the run that made the call; USER for each mutation.',
      ({ origin }) => origin ?? 'user',
    ],
    identity: [
      'JSONObject?',
      'Authority of the caller at the time of the call: `{id, scopes, resources?}`.',
      ({ identity }) => (identity === null ? null : (JSON.parse(identity) as JsonObject)),
    ],
    input: [
      'JSON?',
      'Redacted input; above the size threshold `{_truncated, size, preview}`.',
      (call, _args, context) => payload(call, 'input', context),
    ],
    output: [
      'JSON?',
      'Redacted output, truncated like the input; null unless completed.',
      (call, _args, context) => payload(call, 'output', context),
    ],
    error: [
      'JSONObject?',
      'Error of a failed or aborted call: `{code, message, details?}`.',
      async (call, _args, context) => (await payload(call, 'error', context)) as JsonObject | null,
    ],
    metadata: [
      'JSONObject',
      'Metadata of the system: `_retentionExpiresAt`, once the call has ended.',
      ({ retentionExpiresAt }): JsonObject =>
        retentionExpiresAt === null ? {} : { _retentionExpiresAt: retentionExpiresAt },
    ],
    triggered: [
      [CallNodeRef],
      'Calls triggered by this call, oldest first, at most 1,000.',
      ({ id }, _args, context) => loadTriggered(context, id),
    ],
    dependsOn: [
      [CallNodeRef],
      'Calls whose results this call needed.',
      ({ id }, _args, context) => loadDependencies(context, id),
    ],
    requestedBy: [
      [CallNodeRef],
      'Calls that requested this call, other than its parent.',
      ({ id }, _args, context) => loadRequesters(context, id),
    ],
  }),
});
const CallNodeConnection = connectionOf('CallNode', CallNodeRef);

const CallEdge = builder.objectRef<CallEdgeModel>('CallEdge').implement({
  description: 'A relation between two calls.',
  fields: outputFields({
    edgeId: ['ID', 'Id of the edge.', 'id'],
    edgeType: ['String', 'triggered, depends_on, requested_by, or another snake_case name.'],
    createdAt: ['DateTime', 'Creation time.'],
    source: [
      'ID',
      '`id` of the call at the start of the edge.',
      ({ source }) => globalId('CallNode', source),
    ],
    target: [
      'ID',
      '`id` of the call at the end of the edge.',
      ({ target }) => globalId('CallNode', target),
    ],
  }),
});

const CallGraph = builder.objectRef<CallGraphModel>('CallGraph').implement({
  description: 'A call with all calls below it, and the edges between them.',
  fields: outputFields({
    nodes: [[CallNodeRef], 'Calls, starting with the root call.'],
    edges: [[CallEdge], 'Edges between the calls.'],
  }),
});

const OperationStats = builder.objectRef<OperationStatsModel>('OperationStats').implement({
  description: 'Call statistics of an operation.',
  fields: outputFields({
    operationId: ['String', 'Id of the operation.'],
    name: ['String', 'Name of the Tool, Process or mutation; its id where it has none.'],
    calls: ['Int', 'Number of calls.'],
    errorRate: ['Float', 'Share of failed calls among the ended ones, from 0 to 1.'],
    averageMs: ['Float', 'Average duration of a call in milliseconds.'],
    p50Ms: ['Float', 'Median duration of a call in milliseconds.'],
    p99Ms: ['Float', '99th percentile of the duration in milliseconds.'],
  }),
});

builder.objectFields(
  ProcessRun,
  outputFields({
    callGraph: [
      CallGraph,
      'Call graph of the run: the run, its steps and the runs below it. The record is up to ' +
        'date within a second.',
      async ({ id }, _args, context) =>
        (await context.graph.read((tx) => findCallGraph(tx, viewerOf(context), id))) ?? {
          nodes: [],
          edges: [],
        },
    ],
  }),
);

builder.queryFields((t) => ({
  callNode: t.field({
    type: CallNodeRef,
    nullable: true,
    description: 'A call by requestId; null if it does not exist or is not yours.',
    args: argFields(t, { requestId: ['String!', 'requestId of the call.'] }),
    resolve: (_root, { requestId }, context) =>
      context.graph.read((tx) => findCall(tx, viewerOf(context), requestId)),
  }),
  callNodes: t.field({
    type: CallNodeConnection,
    description:
      'Your calls, newest first; without those of the background runs of the product. Admins ' +
      'see the calls of all users.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        operationId: ['String', 'Only calls of this operation.'],
        status: [[CallStatus], 'Only calls with one of these statuses.'],
        callerAccountId: ['ID', 'Only calls made by this user.'],
        from: ['DateTime', 'Only calls requested at or after this time.'],
        to: ['DateTime', 'Only calls requested before this time.'],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listCalls(tx, viewerOf(context), filterOf(args), args)),
  }),
  callGraph: t.field({
    type: CallGraph,
    nullable: true,
    description: 'A call with all calls below it; null if it does not exist or is not yours.',
    args: argFields(t, { requestId: ['String!', 'requestId of the root call.'] }),
    resolve: (_root, { requestId }, context) =>
      context.graph.read((tx) => findCallGraph(tx, viewerOf(context), requestId)),
  }),
  operationStats: t.field({
    type: [OperationStats],
    description:
      'Statistics of your calls by operation, most called first; without those of the ' +
      'background runs of the product. Admins see the calls of all users. Deleted calls are ' +
      'counted too, by whole days.',
    args: {
      ...argFields(t, {
        from: ['DateTime', 'Only calls requested at or after this time.'],
        to: ['DateTime', 'Only calls requested before this time.'],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, args, context) => operationStats(context, viewerOf(context), args),
  }),
}));

function filterOf({
  operationId,
  status,
  callerAccountId,
  from,
  to,
  includeSystem,
}: Parameters<typeof listCalls>[2]) {
  return { operationId, status, callerAccountId, from, to, includeSystem };
}
