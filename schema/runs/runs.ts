import type { Json, JsonObject } from '../../src/common/json.ts';
import { addUsage, NO_USAGE } from '../../src/common/tool-fault.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import {
  cancelProcessRun,
  pauseProcessRun,
  raiseRunBudget,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { findRuns, listRuns } from '../../src/runs/run/run.cypher.ts';
import { startProcessRun } from '../../src/runs/run/run.mutations.ts';
import { isOpen, type ProcessRun as RunModel } from '../../src/runs/run/run.ts';
import { listChildRuns } from '../../src/runs/run/run-tree.cypher.ts';
import { listSnapshots } from '../../src/runs/steps/run-variables.cypher.ts';
import { variablesOf } from '../../src/runs/steps/run-variables.ts';
import { listStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepRun as StepRunModel } from '../../src/runs/steps/step-run.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { Owned } from '../operations/users.ts';
import { Worker } from '../operations/workers.ts';
import { payload, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { RunError } from './run-error.ts';
import { RunBudget, Usage } from './usage.ts';

export const RunStatus = enumOf('RunStatus', 'How far a run is.', {
  pending: 'Requested; it starts in a moment.',
  running: 'Its steps execute.',
  waiting: 'It waits for a person, or for more budget.',
  paused: 'Somebody paused it; steps in work end, no other starts.',
  completed: 'It has its output.',
  failed: 'It ended with an error.',
  cancelled: 'Somebody cancelled it.',
  timed_out: 'Its own time was over.',
});

const StepStatus = enumOf('StepStatus', 'How far a step of a run is.', {
  pending: 'It waits for its turn, or for its next attempt.',
  running: 'It executes.',
  waiting: 'It waits for a person.',
  completed: 'It has its output.',
  failed: 'It ended with an error.',
  skipped: 'Its condition or a failed dependency left it out.',
  cancelled: 'The run was cancelled first.',
  timed_out: 'Its time was over.',
});

const loadSteps = loader<string, readonly StepRunModel[]>(async (context, runIds) => {
  const { userId } = viewerOf(context);
  const steps = await context.graph.read((tx) => listStepRuns(tx, userId, runIds));
  const byRun = Map.groupBy(steps, ({ runId }) => runId);
  return runIds.map((id) => byRun.get(id) ?? []);
});

const loadChildRuns = loader<string, readonly RunModel[]>(async (context, runIds) => {
  const { userId } = viewerOf(context);
  const runs = await context.graph.read((tx) => listChildRuns(tx, userId, runIds));
  const byParent = Map.groupBy(runs, ({ parentRunId }) => parentRunId);
  return runIds.map((id) => byParent.get(id) ?? []);
});

const loadSnapshot = loader(async (context, hashes: readonly string[]) => {
  const snapshots = await context.graph.read((tx) => listSnapshots(tx, [...new Set(hashes)]));
  return hashes.map((hash) => snapshots.get(hash) ?? null);
});

/** A value that may lie in a blob. */
export async function valueAt(
  { payloads }: RequestContext,
  inline: Json,
  blob: string | null,
): Promise<Json> {
  return blob === null ? inline : payloads.loadBlob(blob);
}

export async function runVariables(run: RunModel, context: RequestContext): Promise<JsonObject> {
  const [snapshot, steps] = await Promise.all([
    loadSnapshot(context, run.snapshotHash),
    loadSteps(context, run.id),
  ]);
  const definition = snapshot?.processes[run.processId];
  if (definition === undefined) return {};
  const records = await Promise.all(
    steps.map(async (step) => ({
      ...step,
      output: await valueAt(context, step.output, step.outputBlob),
    })),
  );
  return variablesOf(definition, records);
}

export const ProcessRun = nodeType<RunModel>('ProcessRun', {
  label: 'ProcessRun',
  load: (context, ids) => context.graph.read((tx) => findRuns(tx, viewerOf(context).userId, ids)),
});

const StepRun = builder.objectRef<StepRunModel>('StepRun').implement({
  description: 'One execution of a step, or of one item of its forEach.',
  fields: (t) => ({
    stepId: t.exposeID('stepId', { description: 'The id of the step in the definition.' }),
    index: t.exposeInt('index', {
      nullable: true,
      description: 'Which item of its forEach, from 0; null without one.',
    }),
    status: t.expose('status', { type: StepStatus, description: 'How far it is.' }),
    attempt: t.exposeInt('attempt', {
      description: 'Which attempt it is at, or ended with, from 1; 0 before the first.',
    }),
    inputs: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'What it was called with; null before that.',
      resolve: ({ inputs, inputsBlob }, _args, context) =>
        valueAt(context, inputs, inputsBlob) as Promise<JsonObject | null>,
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What came of it.',
      resolve: ({ output, outputBlob }, _args, context) => valueAt(context, output, outputBlob),
    }),
    outputTruncated: t.exposeBoolean('outputTruncated', {
      description: 'Whether its token budget cut the output.',
    }),
    error: t.expose('error', {
      type: RunError,
      nullable: true,
      description: 'Why it failed, or why its last attempt did.',
    }),
    worker: t.field({
      type: Worker,
      nullable: true,
      description: 'Who executed it; null for a sub-process, and when the Worker is long gone.',
      resolve: ({ workerId }) => workerId,
    }),
    childRun: t.field({
      type: ProcessRun,
      nullable: true,
      description: 'The run of the Process it calls.',
      resolve: ({ childRunId }) => childRunId,
    }),
    usage: t.expose('usage', {
      type: Usage,
      nullable: true,
      description: 'What all its attempts cost together.',
    }),
    cached: t.exposeBoolean('cached', {
      description: 'Whether an equal call from before answered it.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its first attempt started.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
    }),
  }),
});

ProcessRun.implement({
  description: 'One execution of a Process; a sub-process is a run of its own, with a parent.',
  interfaces: [Node, Owned],
  fields: (t) => ({
    process: t.field({
      type: Process,
      nullable: true,
      description: 'What it executes, as it is now; null when deleted or no longer visible.',
      resolve: ({ processId }) => processId,
    }),
    processName: t.exposeString('processName', { description: 'Its name at the start.' }),
    processVersion: t.exposeInt('processVersion', {
      description: 'The version that this run executes.',
    }),
    status: t.expose('status', { type: RunStatus, description: 'How far it is.' }),
    context: t.field({
      type: 'JSONObject',
      description: 'What it was started with.',
      resolve: async ({ context: inline, contextBlob }, _args, context) =>
        ((await valueAt(context, inline, contextBlob)) ?? {}) as JsonObject,
    }),
    output: t.string({
      nullable: true,
      description: 'The rendered outputTemplate; null until it has completed.',
      resolve: async ({ output, outputBlob }, _args, context) =>
        (await valueAt(context, output, outputBlob)) as string | null,
    }),
    variables: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'The variables of the steps that have ended.',
      resolve: (run, _args, context) => runVariables(run, context),
    }),
    error: t.expose('error', {
      type: RunError,
      nullable: true,
      description: 'Why it failed, or what it waits for.',
    }),
    steps: t.field({
      type: [StepRun],
      description: 'What is known of its steps, in the order they started.',
      resolve: async ({ id }, _args, context) => [...(await loadSteps(context, id))],
    }),
    parentRun: t.field({
      type: ProcessRun,
      nullable: true,
      description: 'The run whose step it is; null for a root run.',
      resolve: ({ parentRunId }) => parentRunId,
    }),
    parentStepId: t.exposeID('parentStepId', {
      nullable: true,
      description: 'The step of the parent that it is.',
    }),
    childRuns: t.field({
      type: [ProcessRun],
      description: 'The runs of its steps that call Processes, oldest first.',
      resolve: async ({ id }, _args, context) => [...(await loadChildRuns(context, id))],
    }),
    depth: t.exposeInt('depth', { description: '0 for a root run, 1 for its children, ….' }),
    retryOf: t.field({
      type: ProcessRun,
      nullable: true,
      description: 'The run that this one tries again.',
      resolve: ({ retryOfId }) => retryOfId,
    }),
    workflowId: t.exposeString('id', { description: 'Its id in Temporal.' }),
    temporalRunId: t.exposeString('temporalRunId', {
      nullable: true,
      description: "Temporal's id of this execution of the workflow.",
    }),
    usage: t.field({
      type: Usage,
      description: 'What it has cost so far, with the runs below it.',
      resolve: async (run, _args, context) => {
        if (!isOpen(run.status)) return run.usage;
        const steps = await loadSteps(context, run.id);
        return steps.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
      },
    }),
    budget: t.expose('budget', {
      type: RunBudget,
      nullable: true,
      description: 'What it may spend; null without a budget, and below the root run.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it started.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
  }),
});

export const ProcessRunConnection = connectionOf('ProcessRun', ProcessRun);

builder.objectField(Process, 'runs', (t) =>
  t.field({
    type: ProcessRunConnection,
    description: 'Your runs of it, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      status: t.arg({ type: [RunStatus], description: 'Only these.' }),
    },
    resolve: ({ id }, { status, ...page }, context) =>
      context.graph.read((tx) =>
        listRuns(tx, viewerOf(context).userId, { processId: id, status: status ?? null }, page),
      ),
  }),
);

builder.queryFields((t) => ({
  processRun: t.field({
    type: ProcessRun,
    nullable: true,
    description: 'A run by its id; null when there is none or it is not yours.',
    args: { id: t.arg.id({ required: true, description: 'Id of the object.' }) },
    resolve: (_root, { id }) => id,
  }),
  processRuns: t.field({
    type: ProcessRunConnection,
    description: 'Your runs, sub-runs included, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      processId: t.arg.id({ description: 'Only of this Process.' }),
      conversationId: t.arg.id({ description: 'Only events of this conversation.' }),
      status: t.arg({ type: [RunStatus], description: 'Only these.' }),
    },
    resolve: (_root, { processId, conversationId, status, ...page }, context) =>
      context.graph.read((tx) =>
        listRuns(tx, viewerOf(context).userId, { processId, conversationId, status }, page),
      ),
  }),
}));

export const ProcessRunPayload = payloadType('ProcessRunPayload', 'run', ProcessRun);

const RunBudgetInput = builder.inputType('RunBudgetInput', {
  description:
    'What a run and all runs below it may spend. Reserved before each call of a model, so it is never overshot.',
  fields: (t) => ({
    tokens: t.int({ description: 'Tokens, sent and received; null = no bound.' }),
    costUsd: t.float({ description: 'US dollars; every model called has to have a price.' }),
  }),
});

const StartProcessRunInput = builder.inputType('StartProcessRunInput', {
  description: 'A run to start.',
  fields: (t) => ({
    processId: t.id({ required: true, description: 'The Process to execute.' }),
    context: t.field({
      type: 'JSONObject',
      required: true,
      description: 'A value for each variable of its initialContext.',
    }),
    conversationId: t.id({ description: 'The conversation that it belongs to.' }),
    idempotencyKey: t.string({
      description: 'Starts at most one run under this key; the same input again gives that run.',
    }),
    timeout: t.float({ description: 'Seconds after which it ends as TIMED_OUT; absent = never.' }),
    budget: t.field({ type: RunBudgetInput, description: 'What it may spend; absent = no bound.' }),
  }),
});

const StepDecision = enumOf('StepDecision', 'What becomes of a step that waits.', {
  approve: 'It calls its target, with other inputs if they are given.',
  reject: 'It fails with REJECTED.',
  substitute: 'It takes `output` instead of calling its target.',
});

const ResolveStepInput = builder.inputType('ResolveStepInput', {
  description: "A person's word on a step that waits.",
  fields: (t) => ({
    runId: t.id({ required: true, description: 'The run that waits, at whatever depth.' }),
    stepId: t.id({ required: true, description: 'The step of it.' }),
    index: t.int({ description: 'Which item of its forEach, from 0.' }),
    decision: t.field({
      type: StepDecision,
      required: true,
      description: 'What becomes of it.',
    }),
    inputs: t.field({ type: 'JSONObject', description: 'To call it with instead; for APPROVE.' }),
    output: t.field({ type: 'JSON', description: 'What stands for its output; for SUBSTITUTE.' }),
    note: t.string({ description: 'Why; kept with the decision.' }),
  }),
});

const RetryRunInput = builder.inputType('RetryRunInput', {
  description: 'A run that is over, to be tried again on the definition as it is now.',
  fields: (t) => ({
    runId: t.id({ required: true, description: 'The run.' }),
    fromStepId: t.id({
      description:
        'The step to go on from; completed steps before it keep their outputs. Absent: the first that did not complete.',
    }),
  }),
});

const runId = 'The run.';

builder.mutationFields((t) => ({
  startProcessRun: t.field({
    type: ProcessRunPayload,
    description: 'Accepts a run and returns at once; it starts within a moment.',
    args: {
      input: t.arg({ type: StartProcessRunInput, required: true, description: 'What to run.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('run', () => startProcessRun(context, viewerOf(context), input)),
  }),
  cancelProcessRun: t.field({
    type: ProcessRunPayload,
    description: 'Ends a run and the runs below it; what they execute is stopped.',
    args: {
      id: t.arg.id({ required: true, description: runId }),
      reason: t.arg.string({ description: 'Why; kept in its error.' }),
    },
    resolve: (_root, input, context) =>
      payload('run', () => cancelProcessRun(context, viewerOf(context), input), 'arguments'),
  }),
  pauseProcessRun: t.field({
    type: ProcessRunPayload,
    description: 'Lets the steps in work end and starts no other, in this run and below it.',
    args: { id: t.arg.id({ required: true, description: runId }) },
    resolve: (_root, input, context) =>
      payload('run', () => pauseProcessRun(context, viewerOf(context), input), 'arguments'),
  }),
  resumeProcessRun: t.field({
    type: ProcessRunPayload,
    description: 'Lets a paused run go on.',
    args: { id: t.arg.id({ required: true, description: runId }) },
    resolve: (_root, input, context) =>
      payload('run', () => resumeProcessRun(context, viewerOf(context), input), 'arguments'),
  }),
  retryProcessRun: t.field({
    type: ProcessRunPayload,
    description:
      'Starts a new run that goes on where one that is over did not succeed. Where that one answered in a conversation, the new one writes another alternative of the same turn.',
    args: {
      input: t.arg({ type: RetryRunInput, required: true, description: 'Which, from where.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('run', () => retryProcessRun(context, viewerOf(context), input)),
  }),
  resolveStep: t.field({
    type: ProcessRunPayload,
    description: 'Decides a step that waits for a person.',
    args: {
      input: t.arg({ type: ResolveStepInput, required: true, description: 'The decision.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('run', () => resolveStep(context, viewerOf(context), input)),
  }),
  raiseRunBudget: t.field({
    type: ProcessRunPayload,
    description: 'Sets the budget of the whole tree anew; runs that waited for it go on.',
    args: {
      runId: t.arg.id({ required: true, description: 'Any run of the tree.' }),
      budget: t.arg({
        type: RunBudgetInput,
        required: true,
        description: 'The new bounds; one that is not given stays as it is.',
      }),
    },
    resolve: (_root, input, context) =>
      payload('run', () => raiseRunBudget(context, viewerOf(context), input), 'arguments'),
  }),
}));
