import { z } from 'zod';
import { JsonValue, numberOrNull, textOrNull } from '../../common/stored.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { parsePayload } from '../../outbox/entry-payload.ts';
import type { MemoryDemand } from '../memory/memory-question.ts';
import { RUN_STATUSES, STEP_DECISIONS } from '../run/run.ts';
import { MessagePart, RunError, Usage } from '../run/stored.ts';
import { STEP_STATUSES } from '../steps/step-run.ts';

/**
 * A value inside an entry; only its size where it would make the entry too large. Then the StepRun
 * holds the value.
 */
const EntryValue = z.union([z.object({ value: JsonValue }), z.object({ bytes: z.number() })]);
export type EntryValue = z.infer<typeof EntryValue>;

/** The step, item and attempt: part of every step entry. */
const PLACE = { stepId: z.string(), index: numberOrNull, attempt: z.number() };

/** Caller, target and start of a Tool's call, for the metrics of the attempt. */
const ToolCallFacts = z.object({
  targetId: z.string(),
  serviceId: z.string(),
  processId: z.string(),
  workerId: textOrNull,
  startedAt: z.string(),
});
export type ToolCallFacts = z.infer<typeof ToolCallFacts>;

/** The model that an LLM call names, and the API that serves it: `openai` or `anthropic`. */
const CalledModel = z.object({ name: textOrNull, provider: textOrNull });
export type CalledModel = z.infer<typeof CalledModel>;

export const MemoryDemandPayload: z.ZodType<MemoryDemand> = z.object({
  processId: z.string(),
  processName: z.string(),
  ownerId: z.string(),
  version: z.int(),
  reads: z.boolean(),
  writes: z.boolean(),
  digest: z.string(),
});

/**
 * The facts of runs in the event log, one payload per kind. Every projection (run events, call
 * graph, raw stream, agent memory) starts from these and from nothing else. Entries stay for good:
 * a field that is added later is optional or has a default.
 */
export const RunPayloads = {
  'run.requested': z.object({
    processId: z.string(),
    processName: z.string(),
    processVersion: z.number(),
    /** Number of its steps. Absent in older entries, as in `run.started`. */
    steps: z.number().optional(),
    retryOfId: textOrNull,
    /** The call of the mutation that requested it, and the roles of its caller at that time. */
    callId: z.string().nullish(),
    scopes: z.array(z.string()).optional(),
    /**
     * The message that it answers, as a node of the conversation graph; `said` holds the text of a
     * user, cut at 32 Ki characters, or its parts. Absent in entries of older versions.
     */
    answers: z
      .object({
        nodeId: z.string(),
        said: z
          .object({
            alternativeId: z.string(),
            content: z.union([z.string(), z.array(MessagePart).readonly()]),
            parentId: textOrNull,
          })
          .nullable(),
      })
      .nullish(),
  }),
  /** `parent` names the step that called this run, for a sub-process. */
  'run.started': z.object({
    processId: z.string(),
    processName: z.string(),
    processVersion: z.number(),
    steps: z.number().optional(),
    depth: z.number(),
    context: EntryValue,
    parent: z
      .object({ ...PLACE, runId: z.string(), parallelGroupId: z.string().nullish() })
      .nullable()
      .default(null),
  }),
  'run.waiting': z.object({
    status: z.enum(RUN_STATUSES),
    error: RunError.nullable().default(null),
  }),
  'run.ended': z.object({
    processId: z.string(),
    status: z.enum(RUN_STATUSES),
    output: EntryValue,
    outputTruncated: z.boolean(),
    error: RunError.nullable().default(null),
    usage: Usage,
    /** null where the run ended before its start. */
    startedAt: textOrNull,
  }),
  /** `name`: of the Tool or Process. `speaks`: the step's text streams as the run's own answer. */
  'step.started': z.object({
    ...PLACE,
    name: z.string(),
    type: z.string(),
    targetId: z.string(),
    inputs: EntryValue,
    speaks: z.boolean(),
    /** Ids of the steps that this step waited for. */
    dependsOn: z.array(z.string()).readonly().optional(),
    /** Of an LLM call. Absent in older entries, as in `step.ended`. */
    model: CalledModel.nullish(),
    /** The same for steps that run beside each other. Absent in older entries. */
    parallelGroupId: z.string().nullish(),
  }),
  'step.text': z.object({ ...PLACE, text: z.string(), channel: z.enum(['text', 'reasoning']) }),
  /**
   * Content `{reset: true}` voids the text that this attempt streamed before: a repair round starts
   * again.
   */
  'step.progress': z.object({ ...PLACE, content: JsonValue }),
  /** The end of an attempt. `willRetry`: another one follows. */
  'step.ended': z.object({
    ...PLACE,
    name: z.string(),
    type: z.string(),
    /** As in `step.started`; entries of the first version have none. */
    targetId: z.string().optional(),
    status: z.enum(STEP_STATUSES),
    output: EntryValue,
    outputTruncated: z.boolean(),
    error: RunError.nullable().default(null),
    usage: Usage,
    cached: z.boolean(),
    willRetry: z.boolean(),
    speaks: z.boolean(),
    childRunId: textOrNull,
    /**
     * The Tool's call; null for a sub-process and for a decision, absent in entries of the first
     * version.
     */
    call: ToolCallFacts.nullable().default(null),
    model: CalledModel.nullish(),
  }),
  'step.skipped': z.object({ ...PLACE, reason: z.string() }),
  'step.waiting': z.object({
    ...PLACE,
    approvalId: z.string(),
    name: z.string(),
    targetId: z.string(),
    inputs: EntryValue,
    /** Set where the step asks for the runner's memory. Absent in older entries. */
    memory: MemoryDemandPayload.nullish(),
  }),
  'step.decided': z.object({
    ...PLACE,
    approvalId: z.string(),
    decision: z.enum(STEP_DECISIONS),
    decidedBy: z.string(),
    note: textOrNull,
  }),
} as const;
export type RunEntryKind = keyof typeof RunPayloads;
export type RunEntryPayloads = { [K in RunEntryKind]: z.infer<(typeof RunPayloads)[K]> };

const SCHEMAS: { readonly [K in RunEntryKind]: z.ZodType<RunEntryPayloads[K]> } = RunPayloads;

export function isRunEntryKind(kind: string): kind is RunEntryKind {
  return Object.hasOwn(RunPayloads, kind);
}

/** The payload of an entry of this kind. @throws DamagedRow that names the entry and the path */
export function runPayload<K extends RunEntryKind>(
  kind: K,
  entry: Pick<OutboxEntry, 'id' | 'payload'>,
): RunEntryPayloads[K] {
  return parsePayload(SCHEMAS[kind], kind, entry);
}
