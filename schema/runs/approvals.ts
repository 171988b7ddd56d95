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
  description: 'A step that waits for a person, at any depth of a run.',
  interfaces: [Node],
  fields: (t) => ({
    run: t.field({
      type: ProcessRun,
      description: 'The run that waits; resolveStep names this one.',
      resolve: ({ runId }) => runId,
    }),
    rootRun: t.field({
      type: ProcessRun,
      description: 'The run that somebody started.',
      resolve: ({ rootRunId }) => rootRunId,
    }),
    stepId: t.exposeID('stepId', { description: 'The step that waits.' }),
    index: t.exposeInt('index', {
      nullable: true,
      description: 'Which item of its forEach, from 0; null without one.',
    }),
    tool: t.field({
      type: Tool,
      nullable: true,
      description: 'What would be called; null for a sub-process, or when no longer visible.',
      resolve: ({ toolId }) => toolId,
    }),
    inputs: t.field({
      type: 'JSONObject',
      description: 'What it would be called with.',
      resolve: async ({ inputs, inputsBlob }, _args, context) =>
        ((await valueAt(context, inputs, inputsBlob)) ?? {}) as JsonObject,
    }),
    variables: t.field({
      type: 'JSONObject',
      description: 'The variables of the run so far, to decide by.',
      resolve: async ({ runId }, _args, context) => {
        const run = await ProcessRun.getDataloader(context).load(runId);
        return run === null ? {} : runVariables(run as ProcessRunModel, context);
      },
    }),
    requestedAt: t.expose('requestedAt', {
      type: 'DateTime',
      description: 'Since when it waits.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: "When the run's own time is over; null = never.",
    }),
  }),
});
const ApprovalConnection = connectionOf('Approval', Approval);

builder.queryFields((t) => ({
  approvals: t.field({
    type: ApprovalConnection,
    description: 'The steps that wait for you, at any depth of any of your runs, oldest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      runId: t.arg.id({ description: 'Only of this run and the runs below it.' }),
    },
    resolve: (_root, { runId, ...page }, context) =>
      context.graph.read((tx) => listApprovals(tx, viewerOf(context).userId, { runId }, page)),
  }),
}));
