import type { JsonObject } from '../../src/common/json.ts';
import { findApprovals, listApprovals } from '../../src/runs/control/approval.cypher.ts';
import type { Approval as ApprovalModel } from '../../src/runs/control/approval.ts';
import { type MemoryDemand, questionOf } from '../../src/runs/memory/memory-question.ts';
import type { ProcessRun as ProcessRunModel } from '../../src/runs/run/run.ts';
import { builder } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { nullable, outputFields } from '../fields.ts';
import { Node, nodeType } from '../nodes.ts';
import { Process } from '../processes/processes.ts';
import { User } from '../users/users.ts';
import { ProcessRun, runVariables, valueAt } from './runs.ts';

const MemoryRequest = builder.objectRef<MemoryDemand>('MemoryRequest').implement({
  description: 'Request of a Process of another user for the use of your memory.',
  fields: outputFields({
    process: [
      nullable(Process),
      'The Process that asks; null if you can no longer see it.',
      'processId',
    ],
    processName: ['String', 'Name of the Process.'],
    owner: [nullable(User), 'Owner of the Process; null if the owner was deleted.', 'ownerId'],
    version: ['Int', 'Number of the version of the Process.'],
    reads: ['Boolean', 'Whether it would read your conversations, memory and records.'],
    writes: ['Boolean', 'Whether it would write into your memory.'],
    question: ['String', 'The question as a sentence.', (demand) => questionOf(demand)],
  }),
});

const Approval = nodeType<ApprovalModel>('Approval', {
  label: 'Approval',
  load: (context, ids) =>
    context.graph.read((tx) => findApprovals(tx, viewerOf(context).userId, ids)),
});
Approval.implement({
  description: "A step that waits for a user's decision, at any depth of a run.",
  interfaces: [Node],
  fields: outputFields({
    run: [ProcessRun, 'The waiting run. Pass its id to resolveStep.', 'runId'],
    rootRun: [ProcessRun, 'The root run.', 'rootRunId'],
    stepId: ['ID', 'Id of the waiting step.'],
    index: ['Int?', 'Index of the forEach item, from 0; null without forEach.'],
    tool: [
      nullable(Tool),
      'The Tool to be called; null for a sub-process, or if you can no longer see the Tool.',
      'toolId',
    ],
    memoryRequest: [
      nullable(MemoryRequest),
      'Set if the step asks to use your memory for a Process of another user; null: it asks ' +
        'for its call. To approve it allows this version of the Process in all runs.',
      'memory',
    ],
    requestedAt: ['DateTime', 'Time since which it waits.'],
    expiresAt: [
      'DateTime?',
      'Deadline of the decision: that of the call or of the run; null: none.',
    ],
    inputs: [
      'JSONObject',
      'Inputs of the call.',
      async ({ inputs, inputsBlob }, _args, context) =>
        ((await valueAt(context, inputs, inputsBlob)) ?? {}) as JsonObject,
    ],
    variables: [
      'JSONObject',
      'Variables of the run so far, as context for the decision.',
      async ({ runId }, _args, context) => {
        const run = await ProcessRun.getDataloader(context).load(runId);
        return run === null ? {} : runVariables(run as ProcessRunModel, context);
      },
    ],
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
