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
  listCalls,
  type Neighbourhood,
} from '../../src/call-graph/call-read.cypher.ts';
import { operationStats } from '../../src/call-graph/operation-stats.service.ts';
import type { OperationStats as OperationStatsModel } from '../../src/call-graph/stats.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { ProcessRun } from '../runs/runs.ts';

const CallStatus = enumOf('CallStatus', 'How far a call is.', {
  pending: 'It was requested.',
  running: 'It was dispatched.',
  completed: 'It has its output.',
  failed: 'It ended with an error; a timeout is one.',
  aborted: 'It was cancelled, or lost.',
});

const loadPayloads = loader(async (context: RequestContext, ids: readonly string[]) => {
  const found = await context.graph.read((tx) => findCallPayloads(tx, ids));
  return ids.map((id) => found.get(id) ?? null);
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

const CallNodeRef = builder.objectRef<CallNodeModel>('CallNode');
CallNodeRef.implement({
  description:
    'One call: a run (requestId is its id), an attempt of a step (`runId/stepId[/index]/attempt`), or a mutation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'What its edges name it by.' }),
    requestId: t.exposeString('requestId', { description: 'What it is known by everywhere else.' }),
    operationId: t.exposeString('operationId', {
      description:
        'What was called: the id of a Tool or Process, `mutation:<name>`, `call_process`, or `__removed__`.',
    }),
    parentRequestId: t.exposeString('parentRequestId', {
      nullable: true,
      description: 'The call that triggered it; null for a top-level call.',
    }),
    identity: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'On whose authority, as it was then: `{id, scopes, resources?}`.',
      resolve: ({ identity }) => (identity === null ? null : (JSON.parse(identity) as JsonObject)),
    }),
    callerAccountId: t.exposeID('callerAccountId', {
      nullable: true,
      description: 'Who made it; null for the system, and for an account that is gone.',
    }),
    status: t.expose('status', { type: CallStatus, description: 'How far it is.' }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What it was given: redacted, and above the threshold `{_truncated, size, preview}`.',
      resolve: (call, _args, context) => payload(call, 'input', context),
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What came of it, likewise; null unless completed.',
      resolve: (call, _args, context) => payload(call, 'output', context),
    }),
    error: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Why it failed or was aborted: `{code, message, details?}`.',
      resolve: async (call, _args, context) =>
        (await payload(call, 'error', context)) as JsonObject | null,
    }),
    metadata: t.field({
      type: 'JSONObject',
      description: 'Of the system: `_retentionExpiresAt`, once it has ended.',
      resolve: ({ retentionExpiresAt }): JsonObject =>
        retentionExpiresAt === null ? {} : { _retentionExpiresAt: retentionExpiresAt },
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was dispatched.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, however it did.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last went on.' }),
    triggered: t.field({
      type: [CallNodeRef],
      description: 'What it called itself, oldest first; at most 1,000.',
      resolve: ({ id }, _args, context) => loadTriggered(context, id),
    }),
    dependsOn: t.field({
      type: [CallNodeRef],
      description: 'The calls whose results it needed.',
      resolve: ({ id }, _args, context) => loadDependencies(context, id),
    }),
    requestedBy: t.field({
      type: [CallNodeRef],
      description: 'The calls on whose behalf it was made, where that is not its parent.',
      resolve: ({ id }, _args, context) => loadRequesters(context, id),
    }),
  }),
});
const CallNodeConnection = connectionOf('CallNode', CallNodeRef);

const CallEdge = builder.objectRef<CallEdgeModel>('CallEdge').implement({
  description: 'How two calls belong together.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the object.' }),
    source: t.exposeID('source', { description: 'The id of the node it goes out from.' }),
    target: t.exposeID('target', { description: 'The id of the node it leads to.' }),
    edgeType: t.exposeString('edgeType', {
      description: 'triggered, depends_on, requested_by, or another snake_case name.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  }),
});

const CallGraph = builder.objectRef<CallGraphModel>('CallGraph').implement({
  description: 'A call with everything it triggered, and all edges among them.',
  fields: (t) => ({
    nodes: t.field({
      type: [CallNodeRef],
      description: 'The calls, the outermost first.',
      resolve: ({ nodes }) => [...nodes],
    }),
    edges: t.field({
      type: [CallEdge],
      description: 'The edges among them.',
      resolve: ({ edges }) => [...edges],
    }),
  }),
});

const OperationStats = builder.objectRef<OperationStatsModel>('OperationStats').implement({
  description: 'What an operation has been like.',
  fields: (t) => ({
    operationId: t.exposeString('operationId', { description: 'Id of the object.' }),
    calls: t.exposeInt('calls', { description: 'How often it was called.' }),
    errorRate: t.exposeFloat('errorRate', {
      description: 'The share that failed, of the calls that have ended.',
    }),
    averageMs: t.exposeFloat('averageMs', { description: 'How long a call took on average.' }),
    p50Ms: t.exposeFloat('p50Ms', { description: 'Half of the calls took no longer.' }),
    p99Ms: t.exposeFloat('p99Ms', { description: '99 of 100 calls took no longer.' }),
  }),
});

builder.objectField(ProcessRun, 'callGraph', (t) =>
  t.field({
    type: CallGraph,
    description:
      'Its calls: the run itself, its steps and the runs below. The record follows what happens within a second.',
    resolve: async ({ id }, _args, context) =>
      (await context.graph.read((tx) => findCallGraph(tx, viewerOf(context), id))) ?? {
        nodes: [],
        edges: [],
      },
  }),
);

builder.queryFields((t) => ({
  callNode: t.field({
    type: CallNodeRef,
    nullable: true,
    description: 'A call by its requestId; null when there is none or it is not yours.',
    args: { requestId: t.arg.string({ required: true, description: 'Id of the object.' }) },
    resolve: (_root, { requestId }, context) =>
      context.graph.read((tx) => findCall(tx, viewerOf(context), requestId)),
  }),
  callNodes: t.field({
    type: CallNodeConnection,
    description: 'Your calls, newest first; an admin sees all.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      operationId: t.arg.string({ description: 'Only of this operation.' }),
      status: t.arg({ type: [CallStatus], description: 'Only these.' }),
      callerAccountId: t.arg.id({ description: 'Only made by this account.' }),
      from: t.arg({ type: 'DateTime', description: 'Only requested at or after this.' }),
      to: t.arg({ type: 'DateTime', description: 'Only requested before this.' }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listCalls(tx, viewerOf(context), filterOf(args), args)),
  }),
  callGraph: t.field({
    type: CallGraph,
    nullable: true,
    description: 'A call with everything it triggered; null when there is none or it is not yours.',
    args: { requestId: t.arg.string({ required: true, description: 'The outermost call.' }) },
    resolve: (_root, { requestId }, context) =>
      context.graph.read((tx) => findCallGraph(tx, viewerOf(context), requestId)),
  }),
  operationStats: t.field({
    type: [OperationStats],
    description:
      'What each operation has been like for you (for an admin: for all), the most called first. Calls that retention has taken away still count, by whole days.',
    args: {
      from: t.arg({ type: 'DateTime', description: 'Calls requested at or after this.' }),
      to: t.arg({ type: 'DateTime', description: 'Calls requested before this.' }),
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
}: Parameters<typeof listCalls>[2]) {
  return { operationId, status, callerAccountId, from, to };
}
