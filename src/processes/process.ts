import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import {
  AGENT_ROUNDS_DEFAULT,
  AGENT_TOOL_CALLS_DEFAULT,
  RECURSION_DEPTH_DEFAULT,
  STEP_PAGES_DEFAULT,
} from '../common/limits.ts';
import { withNumericLimits } from '../json-schema/numeric-limits.ts';

const json = z.custom<Json>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');

/** An optional field. Absent becomes null, so that equal definitions are equal as JSON texts. */
function optional<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> {
  const orNull = schema.nullish().transform((given) => given ?? null);
  // Cast to zod's optional type, so that the input type allows an absent field.
  return orNull as unknown as z.ZodOptional<z.ZodNullable<T>>;
}

function withDefault<T extends z.ZodType>(schema: T, value: z.output<T>): z.ZodDefault<T> {
  const orDefault = schema.nullish().transform((given) => given ?? value);
  return orDefault as unknown as z.ZodDefault<T>;
}

// These schemas check types only. step-checks.ts checks values, so that one bad number does not
// hide other problems.

/**
 * A retry policy with Temporal's fields, in seconds. Absent: 3 attempts for a read-only Tool, 1 for
 * a mutating one.
 */
export const RetryPolicy = z.object({
  maximumAttempts: withDefault(z.number(), 3),
  initialInterval: withDefault(z.number(), 1),
  backoffCoefficient: withDefault(z.number(), 2),
  maximumInterval: optional(z.number()),
  nonRetryableErrors: withDefault(z.array(z.string()), []),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** How a Tool's answer tells its items and the next page. Both are paths, such as `data.rows`. */
const StepPages = z.object({
  list: z.string(),
  next: z.string(),
  /** `{item}` for the first page; for a later one it is the cursor that the page before gave. */
  first: optional(json),
  maxPages: withDefault(z.number(), STEP_PAGES_DEFAULT),
});
export type StepPages = z.infer<typeof StepPages>;

const StepExecution = z.object({
  mode: withDefault(z.enum(['parallel', 'sequential']), 'sequential'),
  /** CEL over `step` and `context`. False skips the step. */
  condition: optional(z.string()),
  /** Seconds per attempt. Absent: 60. */
  timeout: optional(z.number()),
  interactionMode: withDefault(z.enum(['auto', 'manual']), 'auto'),
  retry: optional(RetryPolicy),
  /** The step runs once per page of its Tool, one after another. */
  pages: optional(StepPages),
  /** CEL with a list as result. The step runs once per item. */
  forEach: optional(z.string()),
  maxConcurrency: optional(z.number()),
  /** Items of a forEach that may fail, in number and as a share from 0 to 1; the smaller counts. */
  failedItemsMax: optional(z.number()),
  failedShareMax: optional(z.number()),
  onFailure: optional(z.enum(['fail', 'continue', 'fallback'])),
  fallback: optional(json),
  /** Seconds for which the cache answers an equal call of the same owner. Absent: no cache. */
  cacheSeconds: optional(z.number()),
});

/**
 * Effect of a model's request to call a tool. Absent: a mutating target asks, any other is allowed.
 */
const TOOL_PERMISSIONS = ['allow', 'ask', 'deny'] as const;
const TOOL_CHOICES = ['auto', 'none', 'required'] as const;

const agentToolFields = {
  /** Name for the model. Absent: made from the target's name. */
  name: optional(z.string()),
  /** Description for the model. Absent: the target's. */
  description: optional(z.string()),
  permission: optional(z.enum(TOOL_PERMISSIONS)),
};
/** Fields of a tool that a step offers, without its target. */
export const AgentToolFields = z.object(agentToolFields);

/** A Tool or Process that a step offers to its model (docs/decisions/0065). */
export const AgentTool = z
  .object({ toolId: z.string().nullish(), processId: z.string().nullish(), ...agentToolFields })
  .transform(({ toolId, processId, ...tool }, context) => {
    if (toolId != null && processId == null) return { toolId, ...tool };
    if (processId != null && toolId == null) return { processId, ...tool };
    context.addIssue({ code: 'custom', message: 'has to have a toolId or a processId' });
    return z.NEVER;
  });
export type AgentTool = z.infer<typeof AgentTool>;

/** Limits of a step that offers tools. */
export const AgentLimits = z.object({
  /** Calls of the model. The last one may call no tool. */
  maxRounds: withDefault(z.number(), AGENT_ROUNDS_DEFAULT),
  maxToolCalls: withDefault(z.number(), AGENT_TOOL_CALLS_DEFAULT),
  /** `required` holds for the first round only, or no round could answer. */
  toolChoice: withDefault(z.enum(TOOL_CHOICES), 'auto'),
  /** Seconds until a request for permission counts as rejected. Absent: no limit. */
  approvalTimeout: optional(z.number()),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

/**
 * One step of a Process (S4-STEP-01). `inputs` contain literals, and texts with `{step.x}`,
 * `{context.x}`, `{item}` or `{index}`.
 */
export const ProcessStep = z.object({
  id: z.string(),
  description: optional(z.string()),
  calls: z.union([z.object({ toolId: z.string() }), z.object({ processId: z.string() })]),
  inputs: jsonObject,
  output: z.object({
    variable: z.string(),
    tokenBudget: optional(z.number()),
    required: withDefault(z.boolean(), true),
    /** The variable names a file with the list, in place of the list. */
    asFile: optional(z.boolean()),
  }),
  execution: withDefault(StepExecution, StepExecution.parse({})),
  dependsOn: withDefault(z.array(z.string()), []),
  /** Only for a step that calls an LLM Tool. */
  tools: optional(z.array(AgentTool)),
  agent: optional(AgentLimits),
});
export type ProcessStep = z.infer<typeof ProcessStep>;

/** Whether inputs of the step may name `{item}` and `{index}`. */
export function hasItems({ execution }: Pick<ProcessStep, 'execution'>): boolean {
  return execution.forEach != null || execution.pages != null;
}

/**
 * A step as the API and bundles spell it: with `stepId`, because `id` is a global id there. The
 * graph, snapshots and histories keep `id`.
 */
export function writtenStep({ id: stepId, ...step }: ProcessStep) {
  return { stepId, ...step };
}

/** The step that the API or a bundle wrote, as the graph keeps it. */
export function readStep<Step extends { readonly stepId: string }>({ stepId, ...step }: Step) {
  return { id: stepId, ...step };
}

/** The definition of a Process: the fields that an author writes and a version keeps. */
export const ProcessDefinition = z.object({
  name: z.string(),
  description: optional(z.string()),
  initialContext: z.array(z.string()),
  /** JSON Schema of the initial context (docs/decisions/0057). Null: any values. */
  contextSchema: optional(jsonObject.transform(withNumericLimits)),
  steps: z.array(ProcessStep),
  outputTemplate: z.string(),
  tokenBudget: optional(z.number()),
  maxRecursionDepth: withDefault(z.number(), RECURSION_DEPTH_DEFAULT),
});
export type ProcessDefinition = z.infer<typeof ProcessDefinition>;

export interface Process extends ProcessDefinition {
  readonly id: string;
  readonly ownerId: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly shared: boolean;
  /**
   * Whether MCP clients of its owner may call it as a tool; where it is shared, also those of users
   * who took it over.
   */
  readonly exposeAsTool: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}
