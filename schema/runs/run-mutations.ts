import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import {
  cancelProcessRun,
  pauseProcessRun,
  raiseRunBudget,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { startProcessRun } from '../../src/runs/run/run.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { payload, payloadType } from '../payload.ts';
import { ProcessRun } from './runs.ts';

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
    conversationId: t.id({ description: 'The conversation it belongs to.' }),
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
