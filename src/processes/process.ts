import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import {
  FOR_EACH_ITEMS_MAX,
  RECURSION_DEPTH_DEFAULT,
  RECURSION_DEPTH_MAX,
  STEP_TIMEOUT_SECONDS_MAX,
} from '../common/limits.ts';

const json = z.custom<Json>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');

/** A retry policy as Temporal's, in seconds; absent = 3 attempts for a read-only Tool, 1 for a mutating one. */
export const RetryPolicy = z.object({
  maximumAttempts: z.int().min(1).max(100).default(3),
  initialInterval: z.number().positive().max(86_400).default(1),
  backoffCoefficient: z.number().min(1).max(100).default(2),
  maximumInterval: z.number().positive().max(86_400).nullish(),
  nonRetryableErrors: z.array(z.string()).max(32).default([]),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** One step of a Process (S4-STEP-01). `inputs` hold literals and texts with `{step.x}` / `{context.x}` / `{item}` / `{index}`. */
export const ProcessStep = z.object({
  id: z.string().min(1).max(200),
  description: z.string().nullish(),
  calls: z.union([z.object({ toolId: z.string() }), z.object({ processId: z.string() })]),
  inputs: jsonObject,
  output: z.object({
    variable: z.string(),
    tokenBudget: z.int().positive().nullish(),
    required: z.boolean().default(true),
  }),
  execution: z
    .object({
      mode: z.enum(['parallel', 'sequential']).default('sequential'),
      /** CEL over `step` and `context`; false skips the step. */
      condition: z.string().nullish(),
      /** Seconds, per attempt; absent = 60. */
      timeout: z.number().positive().max(STEP_TIMEOUT_SECONDS_MAX).nullish(),
      interactionMode: z.enum(['auto', 'manual']).default('auto'),
      retry: RetryPolicy.nullish(),
      /** CEL giving a list; the step runs once per item. */
      forEach: z.string().nullish(),
      maxConcurrency: z.int().min(1).max(FOR_EACH_ITEMS_MAX).nullish(),
      onFailure: z.enum(['fail', 'continue', 'fallback']).nullish(),
      fallback: json.nullish(),
      /** Seconds for which an equal call of the same owner answers from the cache. */
      cacheSeconds: z.number().positive().nullish(),
    })
    .prefault({}),
  dependsOn: z.array(z.string()).default([]),
});
export type ProcessStep = z.infer<typeof ProcessStep>;

/** What an author writes down: everything of a Process that a version keeps. */
export const ProcessDefinition = z.object({
  name: z.string(),
  description: z.string().nullish(),
  initialContext: z.array(z.string()),
  steps: z.array(ProcessStep),
  outputTemplate: z.string(),
  tokenBudget: z.int().positive().nullish(),
  maxRecursionDepth: z.int().min(0).max(RECURSION_DEPTH_MAX).default(RECURSION_DEPTH_DEFAULT),
});
export type ProcessDefinition = z.infer<typeof ProcessDefinition>;

export interface Process extends ProcessDefinition {
  readonly id: string;
  readonly ownerId: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly shared: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}
