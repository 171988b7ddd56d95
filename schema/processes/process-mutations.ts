import type { Problem } from '../../src/common/refusal.ts';
import type { ProcessPlan as ProcessPlanModel } from '../../src/processes/definition/plan.ts';
import { validateProcess } from '../../src/processes/definition/validate.service.ts';
import {
  createProcess,
  deleteProcess,
  restoreProcessVersion,
  updateProcess,
} from '../../src/processes/process.mutations.ts';
import { builder } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { viewerOf } from '../context.ts';
import { DeletePayload, payload, payloadType, userErrorsField } from '../payload.ts';
import { ExecutionMode, FailurePolicy, InteractionMode, Process } from './processes.ts';

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
    description: t.string({ description: 'What it is for.' }),
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
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    description: t.string({ description: 'What it is for.' }),
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
    id: t.id({ required: true, description: 'Which one.' }),
    expectedVersion: t.int({ description: 'Given and not current: CONFLICT.' }),
    name: t.string({ description: 'How it is called.' }),
    description: t.string({ description: 'What it is for; null takes it away.' }),
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
      input: t.arg({ type: CreateProcessInput, required: true, description: 'What it is.' }),
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
      input: t.arg({ type: CreateProcessInput, required: true, description: 'What it is.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('process', () => createProcess(context, viewerOf(context), input)),
  }),
  updateProcess: t.field({
    type: ProcessPayload,
    description:
      'Changes a Process; a changed definition is a new version. Runs keep the version they started with.',
    args: {
      input: t.arg({ type: UpdateProcessInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('process', () => updateProcess(context, viewerOf(context), input)),
  }),
  deleteProcess: t.field({
    type: DeletePayload,
    description: 'Deletes a Process nothing refers to; its finished runs stay.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
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
