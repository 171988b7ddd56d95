import { GraphQLError } from 'graphql';
import { findProcesses, listProcesses } from '../../src/processes/process.cypher.ts';
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
      description: 'What it is for.',
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
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
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
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
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
      id: t.arg.id({ required: true, description: 'Its id.' }),
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
        description: 'Whether those of others are listed too.',
      }),
      query: t.arg.string({ description: 'Found in name or description, without regard to case.' }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listProcesses(tx, viewerOf(context), args)),
  }),
}));
