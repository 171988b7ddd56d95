import { GraphQLError } from 'graphql';
import { STEP_PAGES_DEFAULT } from '../../src/common/limits.ts';
import type { Problem } from '../../src/common/refusal.ts';
import {
  type BoundedPlan as ProcessPlanModel,
  validateProcess,
} from '../../src/processes/definition/validate.service.ts';
import type { WorstCase as WorstCaseModel } from '../../src/processes/definition/worst-case.ts';
import { findProcesses, listProcesses } from '../../src/processes/process.cypher.ts';
import {
  createProcess,
  deleteProcess,
  restoreProcessVersion,
  updateProcess,
} from '../../src/processes/process.mutations.ts';
import {
  type AgentLimits as AgentLimitsModel,
  AgentLimits as AgentLimitsSchema,
  type AgentTool as AgentToolModel,
  type Process as ProcessModel,
  type ProcessStep as ProcessStepModel,
  readStep,
  writtenStep,
} from '../../src/processes/process.ts';
import {
  findProcessVersion,
  findProcessVersions,
  listProcessVersions,
  type ProcessVersion as ProcessVersionModel,
  type VersionRef,
} from '../../src/processes/process-version.cypher.ts';
import { failurePolicy } from '../../src/runs/steps/step-run.ts';
import { builder, enumOf } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { connectionOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, exposed, inputFields, nullable, outputFields, required } from '../fields.ts';
import { loader } from '../loader.ts';
import {
  asType,
  isVersionNumber,
  joinKey,
  keyedNode,
  Node,
  nodeType,
  splitKey,
  Timestamped,
  typeNameOf,
} from '../nodes.ts';
import {
  DeletePayload,
  idInput,
  inputOf,
  mutation,
  payloadType,
  USER_ERRORS,
  underInput,
} from '../payload.ts';
import { Owned, User } from '../users/users.ts';

const FAILED_ITEMS =
  'Number of forEach items that may fail; the step fails with the next one. Their values are ' +
  'null, or the fallback. With failedShareMax the smaller number counts. Default: none where ' +
  'onFailure is FAIL, else all.';
const FAILED_SHARE =
  'Share of the forEach items that may fail, from 0 to 1, rounded down. As failedItemsMax.';

export const ExecutionMode = enumOf(
  'ExecutionMode',
  'Whether a step runs in parallel with its neighbours.',
  {
    parallel: 'Runs at the same time as adjacent parallel steps.',
    sequential: 'Runs after every earlier step has ended.',
  },
);
export const InteractionMode = enumOf(
  'InteractionMode',
  "Whether a step needs a user's decision.",
  {
    auto: 'Runs without a decision.',
    manual: 'Waits until a user approves, rejects or substitutes it.',
  },
);
export const FailurePolicy = enumOf('FailurePolicy', 'Effect of a failed step on its run.', {
  fail: 'The run fails.',
  continue: 'The run continues; the variable is null.',
  fallback: 'The run continues; the variable is the fallback.',
});

const ToolPermission = enumOf(
  'ToolPermission',
  'Effect of a request by a model to call an offered tool.',
  {
    allow: 'The tool is called.',
    ask: 'The call waits for your decision, as an approval.',
    deny: 'The tool is not offered.',
  },
);
const ToolChoice = enumOf('ToolChoice', 'Whether a model may or has to call tools.', {
  auto: 'The model decides.',
  none: 'The model calls no tool.',
  required: 'The first round has to call a tool. Later rounds may.',
});

const PAGES =
  'The step calls its Tool page after page, until a page names no next one. Its variable is the ' +
  'list of the items of all pages; inputs name the cursor of a page as {item}.';
const PAGES_LIST = 'Path of the list of items in a page, such as data.rows.';
const PAGES_NEXT =
  "Path of the cursor of the next page. Null, false and '' are no cursor: the page is the last.";
const PAGES_FIRST = 'Cursor of the first page. Default null.';
const PAGES_MAX = 'Pages at most, 1 to 1000, default 100; the step fails where there are more.';
const AS_FILE =
  'Only with forEach: the variable is {file, items}, the URI of a file with the list as JSON and ' +
  'the number of its items, in place of the list.';

export const Process = nodeType<ProcessModel>('Process', {
  label: 'Process',
  load: (context, ids) => context.graph.read((tx) => findProcesses(tx, viewerOf(context), ids)),
});
export const ProcessConnection = connectionOf('Process', Process);
/** Fields of a figure of one Process, which may be deleted since. */
export const ITS_PROCESS = {
  processId: ['ID', 'Id of the Process.'],
  process: [
    nullable(Process),
    'The Process; null if it is deleted or you cannot see it.',
    'processId',
  ],
} as const;

const RetryPolicy = builder
  .objectRef<NonNullable<ProcessStepModel['execution']['retry']>>('RetryPolicy')
  .implement({
    description: 'Retry policy for failed attempts. Times are in seconds.',
    fields: outputFields({
      maximumAttempts: ['Int', 'Total number of attempts.'],
      initialInterval: ['Float', 'Wait before the second attempt, in seconds.'],
      backoffCoefficient: ['Float', 'Factor by which each wait is longer than the previous one.'],
      nonRetryableErrors: [['String'], 'Codes of run errors that are not retried.'],
      maximumInterval: [
        'Float',
        'Maximum wait, in seconds.',
        ({ maximumInterval, initialInterval }) => maximumInterval ?? Math.max(100, initialInterval),
      ],
    }),
  });

const StepOutput = builder.objectRef<ProcessStepModel['output']>('StepOutput').implement({
  description: "Handling of a step's output.",
  fields: outputFields({
    variable: ['String', 'Name of the variable for later steps.'],
    tokenBudget: ['Int?', 'Token budget of the output. Longer output is truncated.'],
    required: ['Boolean', 'Whether the run fails without this output.'],
    asFile: ['Boolean', AS_FILE, ({ asFile }) => asFile === true],
  }),
});

const StepPages = builder
  .objectRef<NonNullable<ProcessStepModel['execution']['pages']>>('StepPages')
  .implement({
    description: PAGES,
    fields: outputFields({
      list: ['String', PAGES_LIST],
      next: ['String', PAGES_NEXT],
      first: ['JSON?', PAGES_FIRST, ({ first }) => first ?? null],
      maxPages: ['Int', PAGES_MAX],
    }),
  });

const StepExecution = builder.objectRef<ProcessStepModel>('StepExecution').implement({
  description: 'Execution options of a step.',
  fields: outputFields({
    mode: [
      ExecutionMode,
      'Whether it runs in parallel with its neighbours.',
      ({ execution }) => execution.mode,
    ],
    condition: [
      'String?',
      'CEL expression over step and context. If false, the step is skipped.',
      ({ execution }) => execution.condition ?? null,
    ],
    timeout: [
      'Float?',
      'Timeout per attempt in seconds; null: 60.',
      ({ execution }) => execution.timeout ?? null,
    ],
    interactionMode: [
      InteractionMode,
      "Whether it needs a user's decision.",
      ({ execution }) => execution.interactionMode,
    ],
    retry: [
      nullable(RetryPolicy),
      'Retry policy; null: 3 attempts for read-only targets, 1 for targets that may change data.',
      ({ execution }) => execution.retry ?? null,
    ],
    pages: [nullable(StepPages), PAGES, ({ execution }) => execution.pages ?? null],
    forEach: [
      'String?',
      'CEL expression that gives a list. The step runs once for each item.',
      ({ execution }) => execution.forEach ?? null,
    ],
    maxConcurrency: [
      'Int?',
      'Number of forEach items in parallel; null: 10.',
      ({ execution }) => execution.maxConcurrency ?? null,
    ],
    failedItemsMax: ['Int?', FAILED_ITEMS, ({ execution }) => execution.failedItemsMax ?? null],
    failedShareMax: ['Float?', FAILED_SHARE, ({ execution }) => execution.failedShareMax ?? null],
    onFailure: [
      FailurePolicy,
      'Effect of a failure. Default: FAIL if the output is required, else CONTINUE.',
      (step) => failurePolicy(step),
    ],
    fallback: [
      'JSON?',
      'Value of the variable after a failure with FALLBACK.',
      ({ execution }) => execution.fallback ?? null,
    ],
    cacheSeconds: [
      'Float?',
      'Seconds for which an equal call of the same owner is answered from the cache.',
      ({ execution }) => execution.cacheSeconds ?? null,
    ],
  }),
});

const StepTarget = builder.unionType('StepTarget', {
  description: 'Target of a step: the Tool or Process that it calls.',
  types: [Tool, Process],
  resolveType: (model) => typeNameOf(model),
});

/** Loads Tools and Processes in one batch each, for any number of steps per page. */
async function loadTarget(
  context: RequestContext,
  { id, calls }: Pick<ProcessStepModel, 'id' | 'calls'>,
) {
  // The loader may have cached the object from a list, without its type name for the union.
  if ('toolId' in calls) {
    const tool = await Tool.getDataloader(context).load(calls.toolId);
    if (tool != null) return asType('Tool', tool);
  } else {
    const process = await Process.getDataloader(context).load(calls.processId);
    if (process != null) return asType('Process', process);
  }
  // An old version may call a deleted object. The definition of the version still has its id.
  throw new GraphQLError(`What the step ${id} calls is not there any more.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

const AgentTool = builder
  .objectRef<AgentToolModel & { readonly stepId: string }>('AgentTool')
  .implement({
    description: 'A Tool or Process that a step offers to its model.',
    fields: outputFields({
      target: [
        StepTarget,
        'The Tool or Process.',
        ({ stepId, ...calls }, _args, context) => loadTarget(context, { id: stepId, calls }),
      ],
      name: ['String?', "Name for the model; null: made from the target's name."],
      description: ['String?', "Description for the model; null: the target's description."],
      permission: [
        nullable(ToolPermission),
        'Effect of a request to call it; null: ASK for a target that may change data, else ALLOW.',
      ],
    }),
  });

const AgentLimits = builder.objectRef<AgentLimitsModel>('AgentLimits').implement({
  description: 'Limits of a step that offers tools.',
  fields: outputFields({
    maxRounds: ['Int', 'Maximum number of calls of the model. The last one may call no tool.'],
    maxToolCalls: ['Int', 'Maximum number of calls of tools.'],
    toolChoice: [ToolChoice, 'Whether the model may or has to call tools.'],
    approvalTimeout: ['Int?', 'Seconds until a waiting call counts as rejected; null: no limit.'],
  }),
});

const ProcessStep = builder.objectRef<ProcessStepModel>('ProcessStep').implement({
  description: 'One step of a Process: its target, its inputs and the handling of its output.',
  fields: outputFields({
    stepId: ['ID', 'Id of the step, unique within its Process.', 'id'],
    description: ['String?', 'Free-text description.'],
    inputs: [
      'JSONObject',
      'For each input a literal, or text with {step.variable.path}, ' +
        '{context.variable.path}, {item}, {index}.',
    ],
    output: [StepOutput, 'Handling of its output.'],
    dependsOn: [
      ['ID'],
      'Ids of earlier steps. If one of them is skipped or failed, this step is skipped.',
    ],
    target: [
      StepTarget,
      'The Tool or Process that it calls.',
      (step, _args, context) => loadTarget(context, step),
    ],
    execution: [StepExecution, 'Execution options.', (step) => step],
    tools: [
      [AgentTool],
      'Tools and Processes that the step offers to its model, in order.',
      ({ id: stepId, tools }) => (tools ?? []).map((tool) => ({ ...tool, stepId })),
    ],
    agent: [
      nullable(AgentLimits),
      'Limits of the calls of tools; null for a step that offers none.',
      ({ tools, agent }) => (tools == null ? null : (agent ?? AgentLimitsSchema.parse({}))),
    ],
  }),
});

const loadVersion = loader(async (context, refs: readonly VersionRef[]) => {
  const found = await context.graph.read((tx) => findProcessVersions(tx, viewerOf(context), refs));
  const byKey = new Map(found.map((one) => [versionKey(one), one]));
  return refs.map((ref) => byKey.get(versionKey(ref)) ?? null);
});
const versionKey = ({ processId, version }: VersionRef) => joinKey(processId, version);

const ProcessVersion = keyedNode<ProcessVersionModel>('ProcessVersion', {
  key: versionKey,
  find: async (context, key) => {
    const [processId, version] = splitKey(key, 2) ?? [];
    if (processId === undefined || !isVersionNumber(version)) return null;
    return loadVersion(context, { processId, version: Number(version) });
  },
});
ProcessVersion.implement({
  description: 'A version of a Process. Immutable.',
  interfaces: [Node],
  fields: outputFields({
    version: ['Int', 'Number of the version, from 1.'],
    createdAt: ['DateTime', 'Creation time.'],
    createdBy: [nullable(User), 'Author of the version.'],
    definition: [
      'JSONObject',
      'The full definition, in the format of bundles.',
      ({ definition }) => ({ ...definition, steps: definition.steps.map(writtenStep) }),
    ],
  }),
});
const ProcessVersionConnection = connectionOf('ProcessVersion', ProcessVersion);

Process.implement({
  description:
    'A workflow defined as data: steps that call Tools and Processes, and a template for the ' +
    'result.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    ...exposed(t, {
      name: ['String', 'Display name.'],
      description: ['String?', 'Free-text description.'],
      version: ['Int', 'Number of the version. Each change of the definition adds 1.'],
      enabled: ['Boolean', 'Whether runs may be started.'],
      shared: [
        'Boolean',
        'Whether other users see it and may run it. Their memory it uses only with their ' +
          'agreement.',
      ],
      contextSchema: [
        'JSONObject?',
        'JSON Schema of the initial context, also usable for forms. A variable with a default ' +
          'may be left out. Null: any values.',
      ],
      exposeAsTool: [
        'Boolean',
        'Whether MCP clients may call it as a tool, at /mcp: yours, and those of users who ' +
          'took it over.',
      ],
      initialContext: [['String'], 'Variables that each run must be given.'],
      steps: [[ProcessStep], 'Steps, in order.'],
      outputTemplate: [
        'String',
        'Handlebars template over context and outputs. It renders the result of a run.',
      ],
      tokenBudget: ['Int?', 'Token budget of the result.'],
      maxRecursionDepth: [
        'Int',
        'Maximum depth of runs below a run of this Process. 0: it may call no Process.',
      ],
    }),
    versions: t.field({
      type: ProcessVersionConnection,
      description: 'All versions, newest first.',
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
    description: 'Processes that call it and that you can see, newest first.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: ({ id }, args, context) =>
      context.graph.read((tx) => listProcesses(tx, viewerOf(context), { ...args, toolId: id })),
  }),
);

/** A Process with the definition of an earlier version. Its other fields are current. */
async function findAtVersion(
  context: RequestContext,
  id: string,
  version: number,
): Promise<ProcessModel | null> {
  // Cache the current Process first; otherwise the old version would replace it in this request.
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
    description: 'A Process by id; null if it does not exist or you cannot see it.',
    args: argFields(t, {
      id: ['ID!', 'Id of the Process.'],
      version: ['Int', 'Number of a version. Default: the current one.'],
    }),
    resolve: (_root, { id, version }, context) =>
      version == null ? id : findAtVersion(context, id, version),
  }),
  processes: t.field({
    type: ProcessConnection,
    description: 'Your Processes and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        includeShared: ['Boolean', 'Whether to include objects that other users share.', true],
        name: [
          'String',
          'Only Processes with exactly this name: your own, and those that others share under it.',
        ],
        query: ['String', 'Substring of the name or description, case-insensitive.'],
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listProcesses(tx, viewerOf(context), args)),
  }),
}));

const StepTargetInput = builder.inputType('StepTargetInput', {
  description: 'Target of a step: exactly one of these fields.',
  isOneOf: true,
  fields: inputFields({
    toolId: ['ID', 'Id of a Tool that is yours or shared with you.'],
    processId: [
      'ID',
      'Id of a Process that is yours or shared with you. A Process may call itself.',
    ],
  }),
});

const StepOutputInput = inputOf('StepOutputInput', "Handling of a step's output.", {
  variable: [
    'String!',
    'Name of the variable for later steps: a letter or _, then letters, digits or _.',
  ],
  tokenBudget: ['Int', 'Token budget of the output. Longer output is truncated.'],
  required: ['Boolean', 'Whether the run fails without this output.', true],
  asFile: ['Boolean', AS_FILE, false],
});

const StepPagesInput = inputOf('StepPagesInput', PAGES, {
  list: ['String!', PAGES_LIST],
  next: ['String!', PAGES_NEXT],
  first: ['JSON', PAGES_FIRST],
  maxPages: ['Int', PAGES_MAX, STEP_PAGES_DEFAULT],
});

const RetryPolicyInput = inputOf(
  'RetryPolicyInput',
  'Retry policy for failed attempts. Times are in seconds.',
  {
    maximumAttempts: ['Int', 'Total number of attempts, 1 to 100.', 3],
    initialInterval: ['Float', 'Wait before the second attempt, in seconds.', 1],
    backoffCoefficient: ['Float', 'Factor by which each wait is longer than the previous one.', 2],
    maximumInterval: ['Float', 'Maximum wait, in seconds.'],
    nonRetryableErrors: [['String'], 'Codes of run errors that are not retried.'],
  },
);

const StepExecutionInput = inputOf('StepExecutionInput', 'Execution options of a step.', {
  mode: [ExecutionMode, 'Whether it runs in parallel with its neighbours.', 'sequential'],
  condition: ['String', 'CEL expression over step and context. If false, the step is skipped.'],
  timeout: ['Float', 'Timeout per attempt in seconds, at most one day. Default 60.'],
  interactionMode: [InteractionMode, "Whether it needs a user's decision.", 'auto'],
  retry: [
    RetryPolicyInput,
    'Retry policy. Default: 3 attempts for read-only targets, 1 for targets that may change data.',
  ],
  pages: [StepPagesInput, PAGES],
  forEach: ['String', 'CEL expression that gives a list. The step runs once for each item.'],
  maxConcurrency: ['Int', 'Number of forEach items in parallel. Default 10.'],
  failedItemsMax: ['Int', FAILED_ITEMS],
  failedShareMax: ['Float', FAILED_SHARE],
  onFailure: [
    FailurePolicy,
    'Effect of a failure. Default: FAIL if the output is required, else CONTINUE.',
  ],
  fallback: ['JSON', 'Value of the variable for FALLBACK.'],
  cacheSeconds: [
    'Float',
    'Seconds for which an equal call of yours is answered from the cache. Only for ' +
      'read-only Tools.',
  ],
});

const AgentToolInput = inputOf(
  'AgentToolInput',
  'A Tool or Process that a step offers to its model: exactly one of the ids.',
  {
    toolId: ['ID', 'Id of a Tool that is yours or shared with you.'],
    processId: [
      'ID',
      'Id of a Process that is yours or shared with you. The model gives it its initialContext.',
    ],
    name: [
      'String',
      'Name for the model: letters, digits, _ and -, at most 64. Default: made from the ' +
        "target's name.",
    ],
    description: ['String', "Description for the model. Default: the target's description."],
    permission: [
      ToolPermission,
      'Effect of a request to call it. Default: ASK for a target that may change data, else ALLOW.',
    ],
  },
);

const AgentLimitsInput = inputOf(
  'AgentLimitsInput',
  'Limits of a step that offers tools. Its timeout holds for all rounds together.',
  {
    maxRounds: [
      'Int',
      'Maximum number of calls of the model, 1 to 500. The last one may call no tool.',
      8,
    ],
    maxToolCalls: ['Int', 'Maximum number of calls of tools, 0 to 1000.', 32],
    toolChoice: [ToolChoice, 'Whether the model may or has to call tools.', 'auto'],
    approvalTimeout: ['Int', 'Seconds until a waiting call counts as rejected. Default: no limit.'],
  },
);

const ProcessStepInput = inputOf('ProcessStepInput', 'Input for one step of a Process.', {
  stepId: ['ID!', 'Id of the step, unique within its Process.'],
  description: ['String', 'Free-text description.'],
  calls: [required(StepTargetInput), 'The Tool or Process that the step calls.'],
  inputs: [
    'JSONObject!',
    'For each input a literal, or text with {step.variable.path}, {context.variable.path}, ' +
      '{item}, {index}.',
  ],
  output: [required(StepOutputInput), 'Handling of its output.'],
  execution: [StepExecutionInput, 'Execution options.'],
  dependsOn: [
    ['ID'],
    'Ids of earlier steps. If one of them is skipped or failed, this step is skipped.',
  ],
  tools: [
    [AgentToolInput],
    'Tools and Processes that the model may call, at most 64. Only for a step that calls an ' +
      'LLM Tool.',
  ],
  agent: [AgentLimitsInput, 'Limits of the calls of tools.'],
});

const CreateProcessInput = inputOf('CreateProcessInput', 'Input for a new Process.', {
  name: ['String!', 'Display name, up to 200 characters.'],
  description: ['String', 'Free-text description.'],
  initialContext: [required(['String']), 'Variables that each run must be given.'],
  contextSchema: [
    'JSONObject',
    'JSON Schema of the initial context. Its properties are in initialContext; one with a ' +
      'default may be left out.',
  ],
  steps: [required([ProcessStepInput]), 'Steps, in order; 1 to 500.'],
  outputTemplate: [
    'String!',
    'Handlebars template over context and outputs. It renders the result of a run.',
  ],
  tokenBudget: ['Int', 'Token budget of the result.'],
  maxRecursionDepth: ['Int', 'Maximum depth of runs below a run of this Process, 0 to 50.', 5],
  enabled: ['Boolean', 'Whether runs may be started.', true],
  shared: [
    'Boolean',
    'Whether other users see it and may run it. A shared Process may call only shared objects.',
    false,
  ],
  exposeAsTool: [
    'Boolean',
    'Whether MCP clients may call it as a tool, at /mcp: yours, and, if it is shared, those ' +
      'of users who took it over.',
    false,
  ],
});

const UpdateProcessInput = inputOf(
  'UpdateProcessInput',
  'Changes to a Process. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the Process.'],
    expectedVersion: [
      'Int',
      'Number of the version that you edited. If it is not the current one, the update gives ' +
        'CONFLICT.',
    ],
    name: ['String', 'Display name.'],
    description: ['String', 'Free-text description; null removes it.'],
    initialContext: [['String'], 'Variables that each run must be given.'],
    contextSchema: ['JSONObject', 'JSON Schema of the initial context; null removes it.'],
    steps: [[ProcessStepInput], 'All steps. They replace the existing steps.'],
    outputTemplate: ['String', 'Handlebars template that renders the result.'],
    tokenBudget: ['Int', 'Token budget of the result; null: no limit.'],
    maxRecursionDepth: ['Int', 'Maximum depth of runs below a run of this Process.'],
    enabled: ['Boolean', 'If false, no runs can be started.'],
    shared: ['Boolean', 'Setting false gives IN_USE while other users need it.'],
    exposeAsTool: ['Boolean', 'Whether MCP clients may call it as a tool.'],
  },
);

const ProcessWorstCase = builder.objectRef<WorstCaseModel>('ProcessWorstCase').implement({
  description:
    'The most that one run may do, with all runs below it: conditions true, lists and loops ' +
    'of agents as long as allowed, all retries used. Tokens that are sent and money have no ' +
    'bound in a definition; the budget of a run bounds them.',
  fields: outputFields({
    stepExecutions: [
      'Int?',
      'Most step executions, rounds and calls of agents included; null where they may ' +
        'exceed stepExecutionsLimit.',
    ],
    toolAttempts: [
      'Int?',
      'Most attempts to call Tools, retries included; null where stepExecutions is.',
    ],
    answerTokens: [
      'Float?',
      'Most tokens that models may write, by maxTokens of their Tools and the token budgets ' +
        'of steps; null: no bound.',
    ],
    unboundedStepIds: [
      ['ID'],
      'Ids of steps of the definition that run, or call a Process that runs, a forEach ' +
        'without a bound. A bound is maxItems of the variable in contextSchema.',
    ],
    stepExecutionsLimit: [
      'Int',
      'Limit of step executions of a run with all runs below it (setting stepsPerRunMax). No ' +
        'run exceeds it.',
    ],
    itemsLimit: [
      'Int',
      'Limit of items of each forEach (setting forEachItemsMax). It applies to unboundedStepIds.',
    ],
  }),
});

const ProcessPlan = builder.objectRef<ProcessPlanModel>('ProcessPlan').implement({
  description: 'Execution plan of a Process.',
  fields: (t) => ({
    ...exposed(t, {
      maxDepth: ['Int', 'Depth of runs below a run of the definition; 0 if it calls no Process.'],
      estimatedSteps: [
        'Int',
        'Number of step executions, with one item per forEach and all conditions true.',
      ],
      worstCase: [ProcessWorstCase, 'The most that one run may do.'],
      tools: [
        [Tool],
        'All Tools that could be called, those of called Processes included.',
        async ({ toolIds }, _args, context) => {
          const tools = await Tool.getDataloader(context).loadMany([...toolIds]);
          return tools.filter((tool) => tool != null && !(tool instanceof Error)) as never;
        },
      ],
    }),
    stages: t.field({
      type: t.listRef(t.listRef('ID')),
      description:
        'Ids of steps. The steps of a stage run in parallel; the next stage starts when all ' +
        'have ended.',
      resolve: ({ stages }) => stages.map((stage) => [...stage]),
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
    description: 'Result of a validation: the execution plan, or the problems.',
    fields: outputFields({
      plan: [
        nullable(ProcessPlan),
        'Execution plan; null if the input had problems.',
        ({ plan }) => plan,
      ],
      userErrors: USER_ERRORS,
    }),
  });

builder.queryField('validateProcess', (t) =>
  t.field({
    type: ValidateProcessPayload,
    description: 'Validates a definition like createProcess, and writes nothing.',
    args: {
      input: t.arg({ type: CreateProcessInput, required: true, description: 'The new Process.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { problems, plan } = await validateProcess(context, viewerOf(context), {
        ...input,
        steps: input.steps.map(readStep),
      });
      return {
        plan,
        userErrors: problems.map(underInput),
      };
    },
  }),
);

const ProcessPayload = payloadType('ProcessPayload', 'process', Process, {
  connection: ProcessConnection,
  key: newestKey,
});

const RestoreProcessVersionInput = inputOf(
  'RestoreProcessVersionInput',
  'Input of restoreProcessVersion.',
  {
    id: ['ID!', 'Id of the Process.'],
    version: ['Int!', 'Number of the version.'],
  },
);
mutation('createProcess', {
  description: 'Creates a Process of your own with its first version.',
  input: [CreateProcessInput, 'The new Process.'],
  payload: ProcessPayload,
  run: (context, viewer, input) =>
    createProcess(context, viewer, { ...input, steps: input.steps.map(readStep) }),
});
mutation('updateProcess', {
  description:
    'Changes a Process. A changed definition becomes a new version. Runs keep the version ' +
    'that they started with.',
  input: [UpdateProcessInput, 'The changes.'],
  payload: ProcessPayload,
  run: (context, viewer, input) => {
    const steps = input.steps?.map(readStep) ?? null;
    return updateProcess(context, viewer, { ...input, steps });
  },
});
mutation('deleteProcess', {
  description: 'Deletes a Process without references. Its finished runs are kept.',
  input: [idInput('DeleteProcessInput', 'Id of the Process.'), 'The Process.'],
  payload: DeletePayload,
  run: deleteProcess,
});
mutation('restoreProcessVersion', {
  description: 'Makes the definition of an old version the newest version.',
  input: [RestoreProcessVersionInput, 'The version.'],
  payload: ProcessPayload,
  run: restoreProcessVersion,
});
