import { entryOf } from '../../src/common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/common/json.ts';
import { addUsage, NO_USAGE, ToolFault } from '../../src/common/tool-fault.ts';
import type { LlmPrompt } from '../../src/platform/drivers/llm-prompt.ts';
import { RoundRecord } from '../../src/runs/agent/round.ts';
import {
  type AgentRound as AgentRoundModel,
  definedSteps,
  roundsOf,
  usageOf,
} from '../../src/runs/agent/rounds.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import {
  cancelProcessRun,
  pauseProcessRun,
  raiseRunBudget,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { setStepConcurrency } from '../../src/runs/control/step-concurrency.mutations.ts';
import { tryStep } from '../../src/runs/control/try-step.mutations.ts';
import { listRuns } from '../../src/runs/run/run.cypher.ts';
import {
  type ConcurrencyChange,
  isOpen,
  type ProcessRun as RunModel,
} from '../../src/runs/run/run.ts';
import { listChildRuns } from '../../src/runs/run/run-tree.cypher.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { listSnapshots } from '../../src/runs/steps/run-variables.cypher.ts';
import { variablesOf } from '../../src/runs/steps/run-variables.ts';
import { findStepRuns, listStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { type StepRun as StepRunModel, stepKey } from '../../src/runs/steps/step-run.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, includeSystemArg, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, nullable, outputFields, required } from '../fields.ts';
import { groupLoader, listLoader, mapLoader } from '../loader.ts';
import { keyedNode, Node, nodeType } from '../nodes.ts';
import { Worker } from '../operations/workers.ts';
import { idInput, inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { RunError } from '../run-error.ts';
import { Owned } from '../users/users.ts';
import { MessageRole } from './message-role.ts';
import { RunOrigin, RunWork } from './run-origin.ts';
import { RunBudget, Usage } from './usage.ts';

export const RunStatus = enumOf('RunStatus', 'Status of a run.', {
  pending: 'Requested. It starts shortly.',
  running: 'Its steps are executed.',
  waiting: "It waits for a user's decision, or for more budget.",
  paused: 'A user paused it. Steps in progress end, and no other step starts.',
  completed: 'It ended with an output.',
  failed: 'It ended with an error.',
  cancelled: 'A user cancelled it.',
  timed_out: 'It exceeded its timeout.',
});

const StepStatus = enumOf('StepStatus', 'Status of a step of a run.', {
  pending: 'It waits for its start or for its next attempt.',
  running: 'It is executed.',
  waiting: "It waits for a user's decision.",
  completed: 'It ended with an output.',
  failed: 'It ended with an error.',
  skipped: 'Its condition was false, or a dependency was skipped or failed.',
  cancelled: 'The run was cancelled before the step ended.',
  timed_out: 'It exceeded its timeout.',
});

const loadSteps = groupLoader(
  (tx, { userId }, runIds) => listStepRuns(tx, userId, runIds),
  ({ runId }) => runId,
);

const loadChildRuns = groupLoader(
  (tx, { userId }, runIds) => listChildRuns(tx, userId, runIds),
  ({ parentRunId }) => parentRunId,
);

const loadSnapshot = mapLoader(
  (tx, _viewer, hashes) => listSnapshots(tx, [...new Set(hashes)]),
  null,
);

/** Reads a value that may be stored in a blob. */
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
  const definition = entryOf(snapshot?.processes ?? {}, run.processId);
  if (definition === undefined) return {};
  const records = await Promise.all(
    steps.map(async (step) => ({
      ...step,
      output: await valueAt(context, step.output, step.outputBlob),
    })),
  );
  return variablesOf(definition, records, { rootRunId: run.rootRunId, runId: run.id });
}

export const ProcessRun = nodeType<RunModel>('ProcessRun', {
  label: 'ProcessRun',
  load: (context, ids) => context.readRuns(viewerOf(context).userId, ids),
});

const keyOf = ({ runId, stepId, index }: StepRunModel) => stepKey(runId, stepId, index);
const loadStep = listLoader((tx, { userId }, keys) => findStepRuns(tx, userId, keys), keyOf);

const StepRun = keyedNode<StepRunModel>('StepRun', {
  key: keyOf,
  find: loadStep,
  domainIdOf: (key) => key.split('/')[1] ?? '',
});
const AgentRound = builder.objectRef<AgentRoundModel>('AgentRound').implement({
  description:
    'One call of the model by a step that offers tools, and the calls that it requested.',
  fields: outputFields({
    index: ['Int', 'Number of the round, from 1.'],
    toolCalls: [
      [StepRun],
      'Requested calls, in order. Their stepId is made from the step, the round and the tool.',
    ],
    text: [
      'String?',
      'Text of the model; JSON for a structured answer; null until it has ended.',
      async ({ round }, _args, context) =>
        roundText(await valueAt(context, round.output, round.outputBlob)),
    ],
    usage: [Usage, 'Usage of the call of the model.', ({ round }) => round.usage],
    startedAt: ['DateTime?', 'Start of the first attempt.', ({ round }) => round.startedAt],
    completedAt: ['DateTime?', 'Time of the end.', ({ round }) => round.completedAt],
  }),
});

/** The text of a round's recorded output. */
function roundText(output: Json): string | null {
  const parsed = RoundRecord.safeParse(output);
  if (!parsed.success) return null;
  const { text, value } = parsed.data;
  if (value === undefined) return text;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const StepMessage = builder
  .objectRef<{ readonly role: 'user' | 'assistant' | 'system'; readonly content: string }>(
    'StepMessage',
  )
  .implement({
    description: 'A message that a step sent to a model.',
    fields: outputFields({
      role: [MessageRole, 'Role of its author.'],
      content: ['String', 'The content as text.'],
    }),
  });

/** A message as text: calls of tools and their results are lines of the assistant. */
function shownMessage(message: LlmPrompt['messages'][number]) {
  if (message.role === 'tool') {
    const content = message.results.map(({ name, text }) => `${name}: ${text}`).join('\n');
    return { role: 'assistant' as const, content };
  }
  const { role, content } = message;
  if (!('calls' in message)) return { role, content };
  const calls = message.calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`);
  return { role, content: [content, ...calls].filter((line) => line !== '').join('\n') };
}

/** The messages of a step that calls a model, rendered again from the record of its run. */
async function promptOf(step: StepRunModel, _args: object, context: RequestContext) {
  const { userId } = viewerOf(context);
  const [run, inputs] = await Promise.all([
    ProcessRun.getDataloader(context).load(step.runId),
    valueAt(context, step.inputs, step.inputsBlob),
  ]);
  if (run == null || !isJsonObject(inputs)) return null;
  const snapshot = await loadSnapshot(context, run.snapshotHash);
  const defined = entryOf(snapshot?.processes ?? {}, run.processId)?.steps.find(
    ({ id }) => id === step.stepId,
  );
  if (defined === undefined || !('toolId' in defined.calls)) return null;
  const operation = entryOf(snapshot?.tools ?? {}, defined.calls.toolId)?.operation;
  if (operation?.type !== 'llm_call') return null;
  try {
    const { system, messages } = await context.promptOf(userId, operation, inputs);
    return [
      ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.map(shownMessage),
    ];
  } catch (error) {
    // The record of the inputs may be redacted or cut, so that they no longer fit the template.
    if (error instanceof ToolFault) return null;
    throw error;
  }
}

StepRun.implement({
  description: 'One execution of a step, or of one item of its forEach.',
  interfaces: [Node],
  fields: outputFields({
    stepId: ['ID', "Id of the step in the definition; made from it for a model's call of a tool."],
    index: ['Int?', 'Index of the forEach item, from 0; null without forEach.'],
    status: [StepStatus, 'Status of the call.'],
    attempt: ['Int', 'Number of the current or last attempt, from 1; 0 before the first.'],
    outputTruncated: [
      'Boolean',
      'Whether the output was cut to its token budget, or the model was stopped before the ' +
        'end of its answer.',
    ],
    error: [nullable(RunError), 'Error of the step, or of its last attempt.'],
    worker: [
      nullable(Worker),
      'The Worker that executed it; null for a sub-process, and if the Worker no longer exists.',
      'workerId',
    ],
    childRun: [nullable(ProcessRun), 'The run of the Process that it calls.', 'childRunId'],
    cached: ['Boolean', 'Whether the output came from the cache.'],
    startedAt: ['DateTime?', 'Start of the first attempt.'],
    completedAt: ['DateTime?', 'Time of the end.'],
    inputs: [
      'JSONObject?',
      'Inputs of the call; null before the first attempt.',
      ({ inputs, inputsBlob }, _args, context) =>
        valueAt(context, inputs, inputsBlob) as Promise<JsonObject | null>,
    ],
    output: [
      'JSON?',
      'Output of the call.',
      ({ output, outputBlob }, _args, context) => valueAt(context, output, outputBlob),
    ],
    usage: [
      nullable(Usage),
      'Usage of all attempts, and of all rounds and calls of a step that offers tools.',
      async (step, _args, context) => usageOf(step, await loadSteps(context, step.runId)),
    ],
    rounds: [
      [AgentRound],
      'Calls of the model by a step that offers tools, in order; else empty.',
      async (step, _args, context) => roundsOf(step, await loadSteps(context, step.runId)),
    ],
    prompt: [
      nullable([StepMessage]),
      'Messages that the step sent to its model in its first round, rendered from its ' +
        'inputs and the Tool as the run has it; null for other steps, before the first ' +
        'attempt, and where they cannot be rendered.',
      promptOf,
    ],
  }),
});

const StepConcurrency = builder.objectRef<ConcurrencyChange>('StepConcurrency').implement({
  description: 'How many items of a forEach step run at once.',
  fields: outputFields({
    stepId: ['ID', 'Id of the step, as in the definition.'],
    maxConcurrency: ['Int', 'Items at once.'],
  }),
});

ProcessRun.implement({
  description: 'One execution of a Process. A sub-process is a run of its own, with a parent.',
  interfaces: [Node, Owned],
  fields: outputFields({
    process: [
      nullable(Process),
      'The Process with its current data; null if it was deleted or you can no longer see it.',
      'processId',
    ],
    processName: ['String', 'Name of the Process when the run started.'],
    processVersion: ['Int', 'Version of the Process that this run executes.'],
    status: [RunStatus, 'Status of the call.'],
    origin: [
      RunOrigin,
      'Whether a user or the product started the run. A sub-run has the origin of its root run.',
    ],
    workFor: [
      nullable(RunWork),
      'The thing that a SYSTEM run works for; null for a USER run, and where an older ' +
        'version did not record it.',
    ],
    outputTruncated: [
      'Boolean',
      'Whether the output was cut to a token budget, or holds a text whose model was ' +
        'stopped before its end.',
    ],
    error: [nullable(RunError), 'Error of a failed run, or the reason why it waits.'],
    parentRun: [nullable(ProcessRun), 'The parent run; null for a root run.', 'parentRunId'],
    parentStepId: ['ID?', 'Id of the step in the parent run that started this run.'],
    depth: ['Int', 'Depth: 0 for a root run, 1 for its children, ….'],
    retryOf: [nullable(ProcessRun), 'The run that this run retries.', 'retryOfId'],
    workflowId: [
      'String',
      'Id of the Temporal workflow: the id of the run, with `/` and the index for an item ' +
        'of a forEach.',
    ],
    temporalRunId: ['String?', 'Run id of the Temporal workflow execution.'],
    budget: [
      nullable(RunBudget),
      'Budget of the run; null without a budget, and for runs below the root run.',
    ],
    stepConcurrency: [
      [StepConcurrency],
      'The forEach steps whose number of items at once was changed in this run by ' +
        'setStepConcurrency, with the number in force. The others have that of the definition.',
      ({ stepConcurrency }) =>
        Object.entries(stepConcurrency).map(([stepId, { maxConcurrency }]) => ({
          stepId,
          maxConcurrency,
        })),
    ],
    startedAt: ['DateTime?', 'Time of the start.'],
    completedAt: ['DateTime?', 'Time of the end.'],
    createdAt: ['DateTime', 'Time of the request.'],
    context: [
      'JSONObject',
      'Context that the run started with.',
      async ({ context: inline, contextBlob }, _args, context) =>
        ((await valueAt(context, inline, contextBlob)) ?? {}) as JsonObject,
    ],
    output: [
      'String?',
      'Result, rendered by outputTemplate; null until the run has completed.',
      async ({ output, outputBlob }, _args, context) =>
        (await valueAt(context, output, outputBlob)) as string | null,
    ],
    variables: [
      'JSONObject?',
      'Variables of the ended steps.',
      (run, _args, context) => runVariables(run, context),
    ],
    steps: [
      [StepRun],
      'Steps started so far, in order of their start. Rounds and calls of tools are in the ' +
        'rounds of their step.',
      async ({ id }, _args, context) => definedSteps(await loadSteps(context, id)),
    ],
    childRuns: [
      [ProcessRun],
      'Runs started by steps of this run, oldest first.',
      async ({ id }, _args, context) => [...(await loadChildRuns(context, id))],
    ],
    temporalUrl: [
      'String?',
      'Address of the workflow execution in the web UI of Temporal; null before its start, ' +
        'or if no web UI is configured (setting temporalUi).',
      ({ workflowId, temporalRunId }, _args, { temporalUi }) =>
        temporalUi === undefined || temporalRunId === null
          ? null
          : `${temporalUi}/workflows/${encodeURIComponent(workflowId)}/${temporalRunId}/history`,
    ],
    usage: [
      Usage,
      'Usage of this run and the runs below it, so far.',
      async (run, _args, context) => {
        if (!isOpen(run.status)) return run.usage;
        const steps = await loadSteps(context, run.id);
        return steps.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
      },
    ],
  }),
});

export const ProcessRunConnection = connectionOf('ProcessRun', ProcessRun);

builder.objectField(Process, 'runs', (t) =>
  t.field({
    type: ProcessRunConnection,
    description:
      'Your runs of this Process, newest first; without the background runs of the product.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      status: t.arg({ type: [RunStatus], description: 'Only runs with one of these statuses.' }),
      includeSystem: includeSystemArg(t),
    },
    resolve: ({ id }, { status, includeSystem, ...page }, context) =>
      context.graph.read((tx) =>
        listRuns(tx, viewerOf(context).userId, { processId: id, status, includeSystem }, page),
      ),
  }),
);

builder.queryFields((t) => ({
  processRun: t.field({
    type: ProcessRun,
    nullable: true,
    description: 'A run by id; null if it does not exist or is not yours.',
    args: argFields(t, { id: ['ID!', 'Id of the run.'] }),
    resolve: (_root, { id }) => id,
  }),
  processRuns: t.field({
    type: ProcessRunConnection,
    description:
      'Your runs, sub-runs included, newest first; without the background runs of the product.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        processId: ['ID', 'Only runs of this Process.'],
        conversationId: ['ID', 'Only runs of this conversation.'],
        status: [[RunStatus], 'Only runs with one of these statuses.'],
        rootsOnly: ['Boolean', 'Whether to leave out sub-runs.', false],
        query: [
          'String',
          'Only runs where the name of the Process, the context, the error or the id has each of ' +
            'these words, in any case. A large context that is stored apart is not searched.',
        ],
        from: ['DateTime', 'Only runs created at this time or later.'],
        to: ['DateTime', 'Only runs created before this time.'],
      }),
      includeSystem: includeSystemArg(t),
    },
    resolve: (_root, { first, after, last, before, rootsOnly, ...filter }, context) =>
      context.graph.read((tx) =>
        listRuns(
          tx,
          viewerOf(context).userId,
          { ...filter, depth: rootsOnly === true ? 'roots' : 'all' },
          { first, after, last, before },
        ),
      ),
  }),
}));

export const ProcessRunPayload = payloadType('ProcessRunPayload', 'run', ProcessRun, {
  connection: ProcessRunConnection,
  key: ({ id }) => [id],
});

const RunBudgetInput = inputOf(
  'RunBudgetInput',
  'Budget of a run and all runs below it. It is reserved before each call of a model and is ' +
    'never exceeded.',
  {
    tokens: ['Int', 'Maximum number of tokens, sent and received; null: no limit.'],
    costUsd: ['Float', 'Maximum cost in US dollars. Every called model must have a price.'],
  },
);

const StartProcessRunInput = inputOf('StartProcessRunInput', 'Input for a new run.', {
  processId: ['ID!', 'Id of the Process to run.'],
  context: ['JSONObject!', "Value for each variable of the Process's initialContext."],
  conversationId: ['ID', 'The conversation that it belongs to.'],
  idempotencyKey: [
    'String',
    'Idempotency key. The same input under the same key returns the first run.',
  ],
  timeout: ['Float', 'Timeout in seconds; then the run ends as TIMED_OUT. Default: none.'],
  budget: [RunBudgetInput, 'Budget. Default: no limit.'],
});

const StepDecision = enumOf('StepDecision', 'Decision on a waiting step.', {
  approve: 'The step calls its target, with other inputs if given.',
  reject: 'The step fails with REJECTED.',
  substitute: 'The step uses `output` instead of calling its target.',
});

const ResolveStepInput = inputOf('ResolveStepInput', 'Input for a decision on a waiting step.', {
  runId: ['ID!', 'Id of the waiting run, at any depth.'],
  stepId: ['ID!', 'Id of the waiting step.'],
  index: ['Int', 'Index of the forEach item, from 0.'],
  decision: [required(StepDecision), 'The decision.'],
  inputs: ['JSONObject', "Inputs that replace the step's inputs. Only for APPROVE."],
  output: ['JSON', 'Output of the step. Only for SUBSTITUTE.'],
  note: ['String', 'Reason for the decision. It is stored with the decision.'],
  allowForRun: [
    'Boolean',
    'Whether later calls of the same tool in this run need no decision. Only for APPROVE of ' +
      "a model's call.",
  ],
});

const RetryProcessRunInput = inputOf(
  'RetryProcessRunInput',
  'Input for the retry of an ended run, with the current definition.',
  {
    runId: ['ID!', 'Id of the run.'],
    fromStepId: [
      'ID',
      'Id of the step to start from. Completed steps before it keep their outputs. Default: ' +
        'the first step that did not complete.',
    ],
    keepRounds: [
      'Boolean',
      'Whether a step that offers tools keeps its finished rounds and calls. Default: false, ' +
        'it begins anew.',
    ],
    keepItems: [
      'Boolean',
      'Whether the first step that runs again keeps its completed forEach items, so that only ' +
        'the others are called. A step that was changed since begins anew. Default: false.',
    ],
  },
);

const TryStepInput = inputOf('TryStepInput', 'Input of tryStep.', {
  runId: ['ID!', 'Id of an ended run, for its context and the outputs of its steps.'],
  stepId: ['ID!', 'Id of the step to run, as in the definition.'],
  processId: [
    'ID',
    'Id of a Process of yours that defines the step, such as a draft. Default: the Process ' +
      'of the run.',
  ],
});

const CancelProcessRunInput = inputOf('CancelProcessRunInput', 'Input of cancelProcessRun.', {
  id: ['ID!', 'Id of the run.'],
  reason: ['String', "Reason. It is stored in the run's error."],
});
const RaiseRunBudgetInput = inputOf('RaiseRunBudgetInput', 'Input of raiseRunBudget.', {
  runId: ['ID!', 'Id of any run of the tree.'],
  budget: [required(RunBudgetInput), 'The new limits. Omitted limits stay unchanged.'],
});
const SetStepConcurrencyInput = inputOf('SetStepConcurrencyInput', 'Input of setStepConcurrency.', {
  runId: ['ID!', 'Id of a run that has begun; of a sub-run where the step is in one.'],
  stepId: ['ID!', 'Id of a step with a forEach, as in the definition.'],
  maxConcurrency: ['Int!', 'Items at once, from 1 to 1000. A run makes at most 100 calls at once.'],
});

mutation('startProcessRun', {
  description: 'Accepts a run and returns at once. The run starts shortly.',
  input: [StartProcessRunInput, 'The run to start.'],
  payload: ProcessRunPayload,
  run: startProcessRun,
});
mutation('cancelProcessRun', {
  description: 'Cancels a run and the runs below it. Steps in progress are stopped.',
  input: [CancelProcessRunInput, 'The run.'],
  payload: ProcessRunPayload,
  run: cancelProcessRun,
});
mutation('pauseProcessRun', {
  description:
    'Pauses a run and the runs below it. Steps in progress end, and no other step starts.',
  input: [idInput('PauseProcessRunInput', 'Id of the run.'), 'The run.'],
  payload: ProcessRunPayload,
  run: pauseProcessRun,
});
mutation('resumeProcessRun', {
  description: 'Resumes a paused run.',
  input: [idInput('ResumeProcessRunInput', 'Id of the run.'), 'The run.'],
  payload: ProcessRunPayload,
  run: resumeProcessRun,
});
mutation('retryProcessRun', {
  description:
    'Starts a new run that continues an ended, unsuccessful run. If that run answered in a ' +
    'conversation, the new one writes another alternative of the same turn.',
  input: [RetryProcessRunInput, 'The run to retry, and the first step.'],
  payload: ProcessRunPayload,
  run: retryProcessRun,
});
mutation('tryStep', {
  description:
    'Starts a run of one step alone, as it is defined now, with the values that an ended run ' +
    'recorded. Its output is that of the step; it writes to no conversation.',
  input: [TryStepInput, 'The run, and the step to run.'],
  payload: ProcessRunPayload,
  run: tryStep,
});
mutation('resolveStep', {
  description: "Decides a step that waits for a user's decision.",
  input: [ResolveStepInput, 'The decision.'],
  payload: ProcessRunPayload,
  run: resolveStep,
});
mutation('raiseRunBudget', {
  description:
    'Sets the budget of the root run and of all runs below it. Runs that waited for budget ' +
    'continue.',
  input: [RaiseRunBudgetInput, 'The run and its new limits.'],
  payload: ProcessRunPayload,
  run: raiseRunBudget,
});
mutation('setStepConcurrency', {
  description:
    'Changes how many items of a forEach step run at once, for this run alone. More begin at ' +
    'once; where there are fewer now, items under way end first. The number is kept until the ' +
    'run ends; stepConcurrency of the run tells it.',
  input: [SetStepConcurrencyInput, 'The step and its number.'],
  payload: ProcessRunPayload,
  run: setStepConcurrency,
});
