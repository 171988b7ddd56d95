import type { JsonObject } from '../../src/common/json.ts';
import { findApprovals, listApprovals } from '../../src/runs/control/approval.cypher.ts';
import type { Approval as ApprovalModel } from '../../src/runs/control/approval.ts';
import type { ProcessRun as ProcessRunModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType } from '../nodes.ts';
import { ProcessRun, runVariables, valueAt } from './runs.ts';

const Approval = nodeType<ApprovalModel>('Approval', {
  label: 'Approval',
  load: (context, ids) =>
    context.graph.read((tx) => findApprovals(tx, viewerOf(context).userId, ids)),
});
Approval.implement({
  description: "A step that waits for a user's decision, at any depth of a run.",
  interfaces: [Node],
  fields: (t) => ({
    run: t.field({
      type: ProcessRun,
      description: 'The waiting run. Pass its id to resolveStep.',
      resolve: ({ runId }) => runId,
    }),
    rootRun: t.field({
      type: ProcessRun,
      description: 'The root run.',
      resolve: ({ rootRunId }) => rootRunId,
    }),
    stepId: t.exposeID('stepId', { description: 'Id of the waiting step.' }),
    index: t.exposeInt('index', {
      nullable: true,
      description: 'Index of the forEach item, from 0; null without forEach.',
    }),
    tool: t.field({
      type: Tool,
      nullable: true,
      description:
        'The Tool to be called; null for a sub-process, or if you can no longer see the Tool.',
      resolve: ({ toolId }) => toolId,
    }),
    inputs: t.field({
      type: 'JSONObject',
      description: 'Inputs of the call.',
      resolve: async ({ inputs, inputsBlob }, _args, context) =>
        ((await valueAt(context, inputs, inputsBlob)) ?? {}) as JsonObject,
    }),
    variables: t.field({
      type: 'JSONObject',
      description: 'Variables of the run so far, as context for the decision.',
      resolve: async ({ runId }, _args, context) => {
        const run = await ProcessRun.getDataloader(context).load(runId);
        return run === null ? {} : runVariables(run as ProcessRunModel, context);
      },
    }),
    requestedAt: t.expose('requestedAt', {
      type: 'DateTime',
      description: 'Time since which it waits.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Deadline of the decision: that of the call or of the run; null: none.',
    }),
  }),
});
const ApprovalConnection = connectionOf('Approval', Approval);

builder.queryFields((t) => ({
  approvals: t.field({
    type: ApprovalConnection,
    description: 'Steps that wait for your decision, at any depth of your runs, oldest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      runId: t.arg.id({ description: 'Only steps of this run and of the runs below it.' }),
    },
    resolve: (_root, { runId, ...page }, context) =>
      context.graph.read((tx) => listApprovals(tx, viewerOf(context).userId, { runId }, page)),
  }),
}));
