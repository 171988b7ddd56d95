import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { isJsonObject } from '../../src/common/json.ts';
import { countTokens } from '../../src/common/token-budget.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { recordStart } from '../../src/runs/start/record-start.service.ts';
import {
  type ClaimedStep,
  claimStep,
  type LiveTool,
} from '../../src/runs/steps/step-claim.cypher.ts';
import { reserveBudget } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepAnswer } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure } from '../failure.ts';
import { toValueOrRef } from '../value-or-ref.ts';
import { roundAnswer } from './round-job.ts';
import type { StepJob } from './step-job.ts';

/**
 * `claimed`: this activity has to end the attempt. With a `fault` it ends as failed and the Tool is
 * not called. `answered`: there is nothing to do, and `answer` is the activity's result.
 */
export type StepClaim = ClaimedAttempt | { readonly kind: 'answered'; readonly answer: StepAnswer };

export interface ClaimedAttempt {
  readonly kind: 'claimed';
  readonly attempt: number;
  readonly tool: LiveTool | null;
  readonly fault: ToolFault | null;
}

/** Rolls the claim back: the call does not fit the budget as of `version`. */
class Unaffordable extends Error {
  readonly version: number;
  constructor(version: number) {
    super('The budget does not hold this call.');
    this.version = version;
  }
}

/**
 * Claims the next attempt of the step, in one transaction with its entry. For an LLM call under a
 * budget, the transaction also reserves the call's estimated cost.
 * @throws the recorded failure where the step failed for good; CANCELLED where the run is over or
 * gone
 */
export async function claimAttempt(deps: RunContext, job: StepJob): Promise<StepClaim> {
  const { call, key, step, tool, retry, workerId, round } = job;
  const { run, stepId, index } = call;
  // The step that offers the tools records the inputs of all its rounds.
  const inputs = round === null ? job.inputs : { round: round.round };
  const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/inputs`, inputs);
  const now = instant(deps.clock);
  const reserves = run.budgeted && tool.operation.type === 'llm_call' && job.invalid === null;

  const startedEntry = (attempt: number) =>
    runEntry(deps, run, 'step.started', {
      stepId,
      index,
      attempt,
      name: tool.name,
      type: tool.operation.type,
      targetId: tool.id,
      inputs: entryValue(inputs, stored.bytes),
      speaks: job.speaks,
      dependsOn: step.dependsOn,
    });
  // Differs from the record's where an attempt ended without a record.
  const expectedAttempt = activityInfo().attempt;

  async function claimIn(tx: WriteTx): Promise<ClaimedStep | null> {
    const claim = await claimStep(tx, {
      runId: run.runId,
      rootRunId: run.rootRunId,
      ownerId: run.ownerId,
      key,
      stepId,
      index,
      toolId: tool.id,
      definitionKey: `${run.processId}/${stepId}`,
      workerId,
      attemptsMax: retry.maximumAttempts,
      inputs: stored.text,
      inputsBlob: stored.blob,
      now,
      expectedAttempt,
      entry: startedEntry(expectedAttempt),
    });
    if (claim === null || !claim.isClaimed) return claim;
    if (reserves) {
      const estimate = estimateCall(job);
      const reserve = { key, rootRunId: run.rootRunId, ...estimate, now };
      const { fits, budgetVersion } = await reserveBudget(tx, reserve);
      if (!fits) throw new Unaffordable(budgetVersion);
    }
    // The workflow was faster than the run starter, or the starter was killed
    // (docs/decisions/0010).
    const pending = claim.isRunPending ? await findRunById(tx, run.runId) : null;
    if (pending !== null) {
      const temporalRunId = activityInfo().workflowExecution?.runId ?? null;
      await recordStart(tx, deps, pending, temporalRunId);
    }
    if (!claim.isRecorded) await appendEntries(tx, [startedEntry(claim.attempt)]);
    return claim;
  }

  let claim: ClaimedStep | null;
  try {
    claim = await deps.writeInTurn(run.ownerId, claimIn);
  } catch (error) {
    if (!(error instanceof Unaffordable)) throw error;
    const answer: StepAnswer = { status: 'unaffordable', budgetVersion: error.version };
    return { kind: 'answered', answer };
  }
  if (claim === null) throw cancelled('The run is gone.', stepId);
  const { attempt, isClaimed, statusBefore, isRunOpen, record } = claim;
  if (isClaimed) {
    deps.wake();
    return { kind: 'claimed', attempt, tool: claim.tool, fault: job.invalid };
  }
  if (statusBefore === 'completed') {
    const { outputBytes: bytes, outputBlob: blob } = record;
    const isInline = round !== null || bytes <= call.inlineBytesMax;
    const text = JSON.stringify(record.output);
    const value = isInline ? await deps.payloads.load({ text, blob }) : null;
    const output =
      round === null
        ? toValueOrRef(value, bytes, call.inlineBytesMax)
        : roundAnswer(round, value, call.inlineBytesMax);
    return { kind: 'answered', answer: { status: 'completed', output } };
  }
  if (record.error !== null && statusBefore !== 'running' && statusBefore !== 'pending')
    throw stepFailure(record.error, 'final');
  if (!isRunOpen || statusBefore === 'cancelled') throw cancelled('The run is over.', stepId);
  // The step's last attempt was lost with its worker. This activity takes that attempt over, to end
  // it.
  if (statusBefore === 'running')
    return { kind: 'claimed', attempt, tool: null, fault: lostFault(tool) };
  throw new Error(`Step ${key} is ${statusBefore} and can't be run.`);
}

function cancelled(message: string, stepId: string): Error {
  return stepFailure({ code: 'CANCELLED', message, stepId, details: null }, 'final');
}

function lostFault({ mutating }: ToolSnapshot): ToolFault {
  return new ToolFault(
    'TOOL_FAILED',
    mutating
      ? 'The worker was lost while the Tool was called: outcome unknown. Check the target ' +
          'before running it again.'
      : 'The worker was lost while the Tool was called, in every attempt.',
  );
}

// Tokens that a provider adds around the messages.
const OVERHEAD_TOKENS = 64;
// The provider's tokenizer may count more tokens than ours.
const COUNT_MARGIN = 1.2;
const OUTPUT_TOKENS_DEFAULT = 4_096;

/**
 * The most that one LLM call may cost, in tokens and US dollars: all of its input and the longest
 * output.
 */
function estimateCall({ tool, inputs, step, round }: StepJob): { tokens: number; cost: number } {
  const { operation, connectionParams } = tool;
  const mayRequest = round !== null && round.call.last === null;
  const outputMax = mayRequest ? null : (step.output.tokenBudget ?? null);
  if (operation.type !== 'llm_call') return { tokens: 0, cost: 0 };
  const texts = [
    operation.systemPrompt ?? '',
    operation.promptTemplate,
    JSON.stringify(inputs),
    JSON.stringify(operation.responseSchema ?? ''),
    ...(round === null ? [] : [JSON.stringify([round.call.tools, round.call.transcript])]),
  ];
  const inputTokens = Math.ceil(countTokens(texts.join('\n')) * COUNT_MARGIN) + OVERHEAD_TOKENS;
  const limits = [outputMax, numberOf(connectionParams['maxTokens'])].filter(
    (limit) => limit !== null,
  );
  const outputTokens = limits.length === 0 ? OUTPUT_TOKENS_DEFAULT : Math.min(...limits);
  // A structured output that breaks its schema gets one repair round, which sends everything again.
  const rounds = operation.responseSchema ? 2 : 1;
  const pricing = isJsonObject(connectionParams['pricing']) ? connectionParams['pricing'] : {};
  const cost =
    (inputTokens * (numberOf(pricing['inputPerMillion']) ?? 0) +
      outputTokens * (numberOf(pricing['outputPerMillion']) ?? 0)) /
    1_000_000;
  return { tokens: rounds * (inputTokens + outputTokens), cost: rounds * cost };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
