import { GraphQLError } from 'graphql';
import type { Problem } from '../../src/common/refusal.ts';
import type { ProcessPlan as ProcessPlanModel } from '../../src/processes/definition/plan.ts';
import { validateProcess } from '../../src/processes/definition/validate.service.ts';
import { findProcesses, listProcesses } from '../../src/processes/process.cypher.ts';
import {
  createProcess,
  deleteProcess,
  restoreProcessVersion,
  updateProcess,
} from '../../src/processes/process.mutations.ts';
import type {
  Process as ProcessModel,
  ProcessStep as ProcessStepModel,
} from '../../src/processes/process.ts';
import {
  findProcessVersion,
  listProcessVersions,
  type ProcessVersion as ProcessVersionModel,
} from '../../src/processes/process-version.cypher.ts';
import { failurePolicy } from '../../src/runs/steps/step-run.ts';
import { builder, enumOf } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { asType, Node, nodeType, Timestamped, typeNameOf } from '../nodes.ts';
import { Owned, User } from '../operations/users.ts';
import { DeletePayload, payload, payloadType, userErrorsField } from '../payload.ts';

export const ExecutionMode = enumOf('ExecutionMode', 'Whether a step waits for its neighbours.', {
  parallel: 'At once with the parallel steps next to it.',
  sequential: 'When every earlier step has ended.',
});
export const InteractionMode = enumOf('InteractionMode', 'Whether a step waits for a person.', {
  auto: 'It runs by itself.',
  manual: 'It waits until somebody approves, rejects or substitutes it.',
});
export const FailurePolicy = enumOf('FailurePolicy', 'What a failed step means for its run.', {
  fail: 'The run fails.',
  continue: 'The run goes on, the variable is null.',
  fallback: 'The run goes on, the variable is the fallback.',
});

export const Process = nodeType<ProcessModel>('Process', {
  label: 'Process',
  load: (context, ids) => context.graph.read((tx) => findProcesses(tx, viewerOf(context), ids)),
});
export const ProcessConnection = connectionOf('Process', Process);

const RetryPolicy = builder
  .objectRef<NonNullable<ProcessStepModel['execution']['retry']>>('RetryPolicy')
  .implement({
    description: 'How often and when a failed attempt is repeated; times in seconds.',
    fields: (t) => ({
      maximumAttempts: t.exposeInt('maximumAttempts', { description: 'Attempts in all.' }),
      initialInterval: t.exposeFloat('initialInterval', {
        description: 'Before the second attempt.',
      }),
      backoffCoefficient: t.exposeFloat('backoffCoefficient', {
        description: 'By how much each wait is longer than the one before.',
      }),
      maximumInterval: t.float({
        description: 'No wait is longer.',
        resolve: ({ maximumInterval, initialInterval }) =>
          maximumInterval ?? Math.max(100, initialInterval),
      }),
      nonRetryableErrors: t.exposeStringList('nonRetryableErrors', {
        description: 'Codes of run errors after which there is no other attempt.',
      }),
    }),
  });

const StepOutput = builder.objectRef<ProcessStepModel['output']>('StepOutput').implement({
  description: "What becomes of a step's result.",
  fields: (t) => ({
    variable: t.exposeString('variable', { description: 'The name later steps read it by.' }),
    tokenBudget: t.int({
      nullable: true,
      description: 'Tokens it may have; what is longer is cut.',
      resolve: ({ tokenBudget }) => tokenBudget ?? null,
    }),
    required: t.exposeBoolean('required', { description: 'Whether the run fails without it.' }),
  }),
});

const StepExecution = builder.objectRef<ProcessStepModel>('StepExecution').implement({
  description: 'How a step is executed.',
  fields: (t) => ({
    mode: t.field({
      type: ExecutionMode,
      description: 'Whether it waits for its neighbours.',
      resolve: ({ execution }) => execution.mode,
    }),
    condition: t.string({
      nullable: true,
      description: 'CEL over step and context; false skips the step.',
      resolve: ({ execution }) => execution.condition ?? null,
    }),
    timeout: t.float({
      nullable: true,
      description: 'Seconds, per attempt; null is 60.',
      resolve: ({ execution }) => execution.timeout ?? null,
    }),
    interactionMode: t.field({
      type: InteractionMode,
      description: 'Whether it waits for a person.',
      resolve: ({ execution }) => execution.interactionMode,
    }),
    retry: t.field({
      type: RetryPolicy,
      nullable: true,
      description: 'Null: 3 attempts for what only reads, 1 for what may change something.',
      resolve: ({ execution }) => execution.retry ?? null,
    }),
    forEach: t.string({
      nullable: true,
      description: 'CEL giving a list; the step runs once for each item.',
      resolve: ({ execution }) => execution.forEach ?? null,
    }),
    maxConcurrency: t.int({
      nullable: true,
      description: 'How many items of forEach at once; null is 10.',
      resolve: ({ execution }) => execution.maxConcurrency ?? null,
    }),
    onFailure: t.field({
      type: FailurePolicy,
      description:
        'What its failure means; unset it is FAIL if the output is required, else CONTINUE.',
      resolve: (step) => failurePolicy(step),
    }),
    fallback: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The value of the variable where it failed (FALLBACK).',
      resolve: ({ execution }) => execution.fallback ?? null,
    }),
    cacheSeconds: t.float({
      nullable: true,
      description: 'For how long an equal call of the same owner answers from the cache.',
      resolve: ({ execution }) => execution.cacheSeconds ?? null,
    }),
  }),
});

const StepTarget = builder.unionType('StepTarget', {
  description: 'What a step calls.',
  types: [Tool, Process],
  resolveType: (model) => typeNameOf(model),
});

/** Both kinds in one batch each, however many steps of a page ask. */
async function loadTarget(context: RequestContext, { id, calls }: ProcessStepModel) {
  // The loader may know a thing from a list, which did not say which type of the union it is.
  if ('toolId' in calls) {
    const tool = await Tool.getDataloader(context).load(calls.toolId);
    if (tool != null) return asType('Tool', tool);
  } else {
    const process = await Process.getDataloader(context).load(calls.processId);
    if (process != null) return asType('Process', process);
  }
  // An old version may call what was deleted since; then its definition (versions) still tells the id.
  throw new GraphQLError(`What the step ${id} calls is not there any more.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

const ProcessStep = builder.objectRef<ProcessStepModel>('ProcessStep').implement({
  description: 'One step of a Process: what it calls, with what, and what becomes of the result.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique within its Process.' }),
    description: t.string({
      nullable: true,
      description: 'Free-text description.',
      resolve: ({ description }) => description ?? null,
    }),
    target: t.field({
      type: StepTarget,
      description: 'The Tool or Process it calls.',
      resolve: (step, _args, context) => loadTarget(context, step),
    }),
    inputs: t.expose('inputs', {
      type: 'JSONObject',
      description:
        'Parameter by parameter a literal, or text with {step.variable.path}, {context.variable.path}, {item}, {index}.',
    }),
    output: t.expose('output', { type: StepOutput, description: 'What becomes of its result.' }),
    execution: t.field({
      type: StepExecution,
      description: 'How it is executed.',
      resolve: (step) => step,
    }),
    dependsOn: t.exposeIDList('dependsOn', {
      description: 'Earlier steps without which it is skipped.',
    }),
  }),
});

const ProcessVersion = builder.objectRef<ProcessVersionModel>('ProcessVersion').implement({
  description: 'A Process as it once was; versions are never changed.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Its number, from 1.' }),
    definition: t.field({
      type: 'JSONObject',
      description: 'All of the definition, as bundles spell it.',
      resolve: ({ definition }) => definition,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'Who made it.',
      resolve: ({ createdBy }) => createdBy,
    }),
  }),
});
const ProcessVersionConnection = connectionOf('ProcessVersion', ProcessVersion);

Process.implement({
  description:
    'A workflow written as data: steps that call Tools and Processes, and a template for the result.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.string({
      nullable: true,
      description: 'Free-text description.',
      resolve: ({ description }) => description ?? null,
    }),
    version: t.exposeInt('version', { description: 'Rises with each change of the definition.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it may be executed.' }),
    shared: t.exposeBoolean('shared', { description: 'Whether others find it and may run it.' }),
    initialContext: t.exposeStringList('initialContext', {
      description: 'The variables a run has to be given.',
    }),
    steps: t.field({
      type: [ProcessStep],
      description: 'Its steps, in order.',
      resolve: ({ steps }) => steps,
    }),
    outputTemplate: t.exposeString('outputTemplate', {
      description: 'Handlebars over context and outputs; what it renders is the result of a run.',
    }),
    tokenBudget: t.int({
      nullable: true,
      description: 'Tokens the result may have.',
      resolve: ({ tokenBudget }) => tokenBudget ?? null,
    }),
    maxRecursionDepth: t.exposeInt('maxRecursionDepth', {
      description: 'How deep runs may nest below a run of it; 0: it may call no Process.',
    }),
    versions: t.field({
      type: ProcessVersionConnection,
      description: 'All its versions, newest first.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: ({ id }, args, context) =>
        context.graph.read((tx) =>
          listProcessVersions(tx, viewerOf(context), { ...args, processId: id }),
        ),
    }),
  }),
});

builder.objectField(Tool, 'usedBy', (t) =>
  t.field({
    type: ProcessConnection,
    description: 'The Processes you see that call it, newest first.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: ({ id }, args, context) =>
      context.graph.read((tx) => listProcesses(tx, viewerOf(context), { ...args, toolId: id })),
  }),
);

/** A Process as a version of it was; everything a version does not keep is as it is now. */
async function findAtVersion(
  context: RequestContext,
  id: string,
  version: number,
): Promise<ProcessModel | null> {
  // The loader gets to know today's Process first, so that the old one does not take its place for this request.
  const current = await Process.getDataloader(context).load(id);
  if (current == null || current.version === version) return current ?? null;
  const old = await context.graph.read((tx) =>
    findProcessVersion(tx, viewerOf(context), { processId: id, version }),
  );
  if (old === null) return null;
  return asType('Process', { ...current, ...old.definition, version, updatedAt: old.createdAt });
}

builder.queryFields((t) => ({
  process: t.field({
    type: Process,
    nullable: true,
    description: 'A Process by its id; null when there is none or it is not yours to see.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the object.' }),
      version: t.arg.int({ description: 'As it was then; left out: as it is now.' }),
    },
    resolve: (_root, { id, version }, context) =>
      version == null ? id : findAtVersion(context, id, version),
  }),
  processes: t.field({
    type: ProcessConnection,
    description: 'Your Processes and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether to include objects that other users share.',
      }),
      query: t.arg.string({ description: 'Substring of the name or description, case-insensitive.' }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listProcesses(tx, viewerOf(context), args)),
  }),
}));

const StepTargetInput = builder.inputType('StepTargetInput', {
  description: 'What a step calls: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    toolId: t.id({ description: 'A Tool of yours, or one shared with you.' }),
    processId: t.id({ description: 'A Process of yours, or one shared with you; itself too.' }),
  }),
});

const StepOutputInput = builder.inputType('StepOutputInput', {
  description: "What becomes of a step's result.",
  fields: (t) => ({
    variable: t.string({
      required: true,
      description: 'The name later steps read it by: a letter or _, then letters, digits, _.',
    }),
    tokenBudget: t.int({ description: 'Tokens it may have; what is longer is cut.' }),
    required: t.boolean({ defaultValue: true, description: 'Whether the run fails without it.' }),
  }),
});

const RetryPolicyInput = builder.inputType('RetryPolicyInput', {
  description: 'How often and when a failed attempt is repeated; times in seconds.',
  fields: (t) => ({
    maximumAttempts: t.int({ defaultValue: 3, description: 'Attempts in all, 1 to 100.' }),
    initialInterval: t.float({ defaultValue: 1, description: 'Before the second attempt.' }),
    backoffCoefficient: t.float({
      defaultValue: 2,
      description: 'By how much each wait is longer than the one before.',
    }),
    maximumInterval: t.float({ description: 'No wait is longer.' }),
    nonRetryableErrors: t.stringList({
      description: 'Codes of run errors after which there is no other attempt.',
    }),
  }),
});

const StepExecutionInput = builder.inputType('StepExecutionInput', {
  description: 'How a step is executed.',
  fields: (t) => ({
    mode: t.field({
      type: ExecutionMode,
      defaultValue: 'sequential',
      description: 'Whether it waits for its neighbours.',
    }),
    condition: t.string({ description: 'CEL over step and context; false skips the step.' }),
    timeout: t.float({ description: 'Seconds, per attempt; 60 if not said, at most a day.' }),
    interactionMode: t.field({
      type: InteractionMode,
      defaultValue: 'auto',
      description: 'Whether it waits for a person.',
    }),
    retry: t.field({
      type: RetryPolicyInput,
      description: 'If not said: 3 attempts for what only reads, 1 for what may change something.',
    }),
    forEach: t.string({ description: 'CEL giving a list; the step runs once for each item.' }),
    maxConcurrency: t.int({ description: 'How many items of forEach at once; 10 if not said.' }),
    onFailure: t.field({
      type: FailurePolicy,
      description: 'If not said: FAIL where the output is required, else CONTINUE.',
    }),
    fallback: t.field({ type: 'JSON', description: 'The value of the variable for FALLBACK.' }),
    cacheSeconds: t.float({
      description: 'For how long an equal call of yours answers from the cache; read-only Tools.',
    }),
  }),
});

const ProcessStepInput = builder.inputType('ProcessStepInput', {
  description: 'One step of a Process.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Unique within its Process.' }),
    description: t.string({ description: 'Free-text description.' }),
    calls: t.field({ type: StepTargetInput, required: true, description: 'What it calls.' }),
    inputs: t.field({
      type: 'JSONObject',
      required: true,
      description:
        'Parameter by parameter a literal, or text with {step.variable.path}, {context.variable.path}, {item}, {index}.',
    }),
    output: t.field({
      type: StepOutputInput,
      required: true,
      description: 'What becomes of its result.',
    }),
    execution: t.field({ type: StepExecutionInput, description: 'How it is executed.' }),
    dependsOn: t.idList({ description: 'Earlier steps without which it is skipped.' }),
  }),
});

const CreateProcessInput = builder.inputType('CreateProcessInput', {
  description: 'A new Process.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    description: t.string({ description: 'Free-text description.' }),
    initialContext: t.stringList({
      required: true,
      description: 'The variables a run has to be given.',
    }),
    steps: t.field({
      type: [ProcessStepInput],
      required: true,
      description: 'Its steps, in order; 1 to 500.',
    }),
    outputTemplate: t.string({
      required: true,
      description: 'Handlebars over context and outputs; what it renders is the result of a run.',
    }),
    tokenBudget: t.int({ description: 'Tokens the result may have.' }),
    maxRecursionDepth: t.int({
      defaultValue: 5,
      description: 'How deep runs may nest below a run of it, 0 to 50.',
    }),
    enabled: t.boolean({ defaultValue: true, description: 'Whether it may be executed.' }),
    shared: t.boolean({
      defaultValue: false,
      description: 'Whether others find it and may run it; then it calls only what is shared.',
    }),
  }),
});

const UpdateProcessInput = builder.inputType('UpdateProcessInput', {
  description: 'What to change of a Process; what is left out stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the object.' }),
    expectedVersion: t.int({ description: 'Given and not current: CONFLICT.' }),
    name: t.string({ description: 'Display name.' }),
    description: t.string({ description: 'Free-text description; null removes it.' }),
    initialContext: t.stringList({ description: 'The variables a run has to be given.' }),
    steps: t.field({
      type: [ProcessStepInput],
      description: 'All its steps; they replace the old.',
    }),
    outputTemplate: t.string({ description: 'What renders the result.' }),
    tokenBudget: t.int({ description: 'Tokens the result may have; null: as many as it has.' }),
    maxRecursionDepth: t.int({ description: 'How deep runs may nest below a run of it.' }),
    enabled: t.boolean({ description: 'false: it starts no more.' }),
    shared: t.boolean({ description: 'IN_USE while others need it shared.' }),
  }),
});

const ProcessPlan = builder.objectRef<ProcessPlanModel>('ProcessPlan').implement({
  description: 'What would run, in which order.',
  fields: (t) => ({
    stages: t.field({
      type: t.listRef(t.listRef('ID')),
      description: 'Step ids; those of one stage run at once, the next stage when it has ended.',
      resolve: ({ stages }) => stages.map((stage) => [...stage]),
    }),
    maxDepth: t.exposeInt('maxDepth', {
      description: 'How deep runs would nest; 0 where no Process is called.',
    }),
    tools: t.field({
      type: [Tool],
      description: 'Every Tool that could be called, in the called Processes too.',
      resolve: async ({ toolIds }, _args, context) => {
        const tools = await Tool.getDataloader(context).loadMany([...toolIds]);
        return tools.filter((tool) => tool != null && !(tool instanceof Error)) as never;
      },
    }),
    estimatedSteps: t.exposeInt('estimatedSteps', {
      description: 'Step executions, with one item for each forEach and all conditions true.',
    }),
  }),
});

interface ValidatePayload {
  readonly userErrors: readonly Problem[];
  readonly plan: ProcessPlanModel | null;
}
const ValidateProcessPayload = builder
  .objectRef<ValidatePayload>('ValidateProcessPayload')
  .implement({
    description: 'What is wrong with a definition, or what it would do.',
    fields: (t) => ({
      userErrors: userErrorsField(t as never),
      plan: t.field({
        type: ProcessPlan,
        nullable: true,
        description: 'What would run; null when anything was wrong.',
        resolve: ({ plan }) => plan,
      }),
    }),
  });

builder.queryField('validateProcess', (t) =>
  t.field({
    type: ValidateProcessPayload,
    description: 'Checks a definition as createProcess would, and writes nothing.',
    args: {
      input: t.arg({ type: CreateProcessInput, required: true, description: 'The new object.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { problems, plan } = await validateProcess(context, viewerOf(context), input);
      return {
        plan,
        userErrors: problems.map((found) => ({ ...found, path: ['input', ...found.path] })),
      };
    },
  }),
);

const ProcessPayload = payloadType('ProcessPayload', 'process', Process);

builder.mutationFields((t) => ({
  createProcess: t.field({
    type: ProcessPayload,
    description: 'Makes a Process of your own, its first version.',
    args: {
      input: t.arg({ type: CreateProcessInput, required: true, description: 'The new object.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('process', () => createProcess(context, viewerOf(context), input)),
  }),
  updateProcess: t.field({
    type: ProcessPayload,
    description:
      'Changes a Process; a changed definition is a new version. Runs keep the version they started with.',
    args: {
      input: t.arg({ type: UpdateProcessInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('process', () => updateProcess(context, viewerOf(context), input)),
  }),
  deleteProcess: t.field({
    type: DeletePayload,
    description: 'Deletes a Process nothing refers to; its finished runs stay.',
    args: { id: t.arg.id({ required: true, description: 'Id of the object.' }) },
    resolve: (_root, { id }, context) =>
      payload('deletedId', () => deleteProcess(context, viewerOf(context), { id }), 'arguments'),
  }),
  restoreProcessVersion: t.field({
    type: ProcessPayload,
    description: 'Makes an old definition the newest version.',
    args: {
      id: t.arg.id({ required: true, description: 'Which Process.' }),
      version: t.arg.int({ required: true, description: 'Which version of it.' }),
    },
    resolve: (_root, input, context) =>
      payload(
        'process',
        () => restoreProcessVersion(context, viewerOf(context), input),
        'arguments',
      ),
  }),
}));
