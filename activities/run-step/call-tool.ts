import type { Json } from '../../src/common/json.ts';
import { STEP_TIMEOUT_SECONDS_DEFAULT } from '../../src/common/limits.ts';
import { fitToBudget } from '../../src/common/token-budget.ts';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import { namesType } from '../../src/json-schema/schema-fit.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { DriverTarget } from '../../src/platform/drivers/driver.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure } from '../failure.ts';
import { type Attempt, Elsewhere } from './attempt.ts';
import { inCallSpan } from './call-span.ts';
import { openGate } from './gate.ts';
import { answerOutput, roundOutput } from './round-job.ts';
import type { ClaimedAttempt } from './step-claim.ts';
import { problemDetails, problemText, type StepJob, type ToolResult } from './step-job.ts';
import { openStepStream, type StepStream } from './step-stream.ts';

/**
 * Calls the Tool once, where it and its Secret may be used now, and tells the circuits.
 * @throws ToolFault of the gate and the driver; STEP_TIMEOUT, CANCELLED, OUTPUT_INVALID
 */
export async function callTool(
  deps: RunContext,
  job: StepJob,
  { tool, record }: ClaimedAttempt,
  attempt: Attempt,
): Promise<ToolResult> {
  try {
    const target = await openGate(deps, job, tool, attempt);
    const stream = openStepStream(deps, job, record);
    // The text has to be in the log before the end of the step is.
    const result = await invokeTool(deps, job, target, stream, attempt).finally(stream.close);
    deps.circuits.ended(job, null);
    return result;
  } catch (error) {
    const isOfTarget = !isInfrastructure(error) && !(error instanceof Elsewhere);
    if (isOfTarget) deps.circuits.ended(job, error);
    throw error;
  }
}

/** One call within the step's timeout; its output is checked. */
async function invokeTool(
  { drivers, payloads, quickTools }: Pick<RunContext, 'drivers' | 'payloads' | 'quickTools'>,
  job: StepJob,
  target: DriverTarget,
  stream: StepStream,
  attempt: Attempt,
): Promise<ToolResult> {
  const { call, tool, step, inputs, key } = job;
  const seconds = call.timeoutSeconds ?? step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT;
  const timeoutMs = Math.ceil(seconds * 1_000);
  const driver = drivers[tool.operation.type];
  const invoke = driver.invoke as (
    call: Parameters<typeof driver.invoke>[0] & { operation: Operation },
  ) => ReturnType<typeof driver.invoke>;
  const { round } = job;
  const startedMs = performance.now();
  const mayRequest = round !== null && round.call.last === null;
  const { output, usage, isCut, toolCalls, thought } = await inCallSpan(job, () =>
    attempt.within(timeoutMs, (signal) =>
      invoke.call(driver, {
        target,
        operation: tool.operation as never,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        inputs,
        ownerId: call.run.ownerId,
        workspace: call.run.workspace,
        rootRunId: call.run.rootRunId,
        conversationId: call.run.conversationId,
        idempotencyKey: key,
        // The budget is that of the answer. Requested calls must not be cut off by it.
        maxOutputTokens: mayRequest ? null : (step.output.tokenBudget ?? null),
        ...(round === null ? {} : { agent: round.call }),
        timeoutMs,
        signal,
        onProgress: stream.progress,
        storeFile: (name, bytes) => payloads.storeFile(call.run, fileName(call, name), bytes),
        ...(job.speaks
          ? { onText: stream.text, onReasoning: stream.reasoning, onReset: stream.reset }
          : {}),
      }),
    ),
  ).finally(() => quickTools.ended(tool.id, performance.now() - startedMs));
  const checked = (): ToolResult => {
    const result = checkOutput(job, output, usage);
    return { ...result, truncated: result.truncated || isCut === true };
  };
  if (round === null) return checked();
  if (toolCalls !== undefined) {
    const text = String(output);
    // The text before a call is no part of the answer, so the run's stream voids it.
    if (job.speaks && text !== '') stream.reset();
    return { output: roundOutput(round, text, toolCalls, thought), usage, truncated: false };
  }
  const answer = checked();
  return { ...answer, output: answerOutput(answer.output) };
}

/** Each attempt replaces the files of the former one. */
const fileName = ({ stepId, index }: StepJob['call'], name: string): string =>
  [stepId, ...(index === null ? [] : [index]), name].join('.');

function checkOutput(job: StepJob, output: Json, usage: Usage): ToolResult {
  const { tool, step, call } = job;
  if (output === null && step.output.required && !mayBeNull(job))
    throw new ToolFault(
      'OUTPUT_INVALID',
      `${tool.name} gave no output, but step ${call.stepId} requires one.`,
      { usage },
    );
  const { value, problems } =
    output === null
      ? { value: null, problems: [] }
      : validateJson(tool.outputSchema, output, ['output']);
  if (problems.length > 0)
    throw new ToolFault(
      'OUTPUT_INVALID',
      `The output of ${tool.name} breaks its outputSchema: ${problemText(problems)}`,
      { usage, details: problemDetails(problems) },
    );
  const fitted = fitToBudget(value, step.output.tokenBudget);
  return { output: fitted.output, usage, truncated: fitted.truncated };
}

/** Whether null is an output of the Tool, as its schemas say. Else it is the lack of one. */
function mayBeNull({ tool: { operation, outputSchema } }: StepJob): boolean {
  // The driver has checked the answer of a model against its responseSchema.
  const isAnswer = operation.type === 'llm_call' && operation.responseSchema != null;
  if (!isAnswer && !namesType(outputSchema, 'null')) return false;
  return validateJson(outputSchema, null, []).problems.length === 0;
}
