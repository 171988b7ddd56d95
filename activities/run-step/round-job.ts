import { createHash } from 'node:crypto';
import type { AgentCall } from '../../src/common/agent-call.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { parseStored } from '../../src/common/stored.ts';
import { firstChars } from '../../src/common/well-formed.ts';
import { findAgentParts } from '../../src/runs/agent/agent.cypher.ts';
import { type LoopCounts, planCalls } from '../../src/runs/agent/agent-loop.ts';
import { limitsOf, readPart, roundId } from '../../src/runs/agent/agent-step.ts';
import type { OfferedTool } from '../../src/runs/agent/offered-tool.ts';
import { answerOf, RoundRecord, recordCalls, requestedCalls } from '../../src/runs/agent/round.ts';
import { buildTranscript, readRound } from '../../src/runs/agent/transcript.ts';
import { loadObject, loadOutputs } from '../../src/runs/run/payloads.service.ts';
import { findStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { KeptRounds, RoundAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { toValueOrRef } from '../value-or-ref.ts';

/** One round of a step that offers tools (docs/decisions/0065). */
export interface Round {
  /** Id of the step that offers the tools. */
  readonly stepId: string;
  readonly round: number;
  readonly offered: readonly OfferedTool[];
  /** For the driver. */
  readonly call: AgentCall;
  /** Ids of the calls of earlier rounds. */
  readonly callIds: ReadonlySet<string>;
  /** The inputs of the step that offers the tools. */
  readonly inputs: JsonObject;
}

/** Reads the rounds before this one from the record. @returns null where the step is no round */
export async function prepareRound(
  deps: RunContext,
  { run, index, last, ...call }: StepCall,
): Promise<Round | null> {
  const part = readPart(call.stepId);
  if (part === null || part.call !== null) return null;
  const { stepId, round } = part;
  const known = await deps.snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null) throw new Error(`No step ${stepId} offers tools.`);
  const key = stepKey(run.runId, stepId, index);
  const { owners, parts } = await deps.graph.read(async (tx) => ({
    owners: await findStepRuns(tx, run.ownerId, [key]),
    parts: round === 1 ? [] : await findAgentParts(tx, { run, stepId, index }),
  }));
  const [owner] = owners;
  if (owner === undefined) throw new Error(`Step ${stepId} was not begun.`);
  const inputs =
    owner.inputsBlob === null
      ? (owner.inputs ?? {})
      : await loadObject(deps.payloads, owner.inputsBlob);
  const { messages, callIds } = buildTranscript(
    stepId,
    round,
    await loadOutputs(deps.payloads, parts),
  );
  const { toolChoice } = limitsOf(step);
  const offered = toolChoice === 'none' ? [] : known.offered(run.processId, stepId);
  const choice = toolChoice === 'required' && round > 1 ? 'auto' : toolChoice;
  const tools = offered.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  const agent: AgentCall = { tools, choice, transcript: messages, last: last ?? null };
  return { stepId, round, offered, call: agent, callIds, inputs };
}

// Later rounds send it again, cut where the transcript is long.
const THOUGHT_CHARS_MAX = 20_000;

/** The output of a round as it is recorded: the calls that it requests, or its answer. */
export function roundOutput(
  { round, callIds }: Round,
  text: string,
  toolCalls: Parameters<typeof recordCalls>[0],
  thought = '',
): Json {
  return {
    text,
    toolCalls: recordCalls(toolCalls, round, callIds),
    ...(thought === '' ? {} : { thought: firstChars(thought, THOUGHT_CHARS_MAX) }),
  };
}

/** The answer of a round as it is recorded. */
export function answerOutput(output: Json): Json {
  return typeof output === 'string' ? { text: output } : { text: '', value: output };
}

/** The result of a round for the workflow, made from the recorded output alone. */
export function roundAnswer(
  round: Round,
  output: Json,
  inlineBytesMax: number,
): { readonly inline: Json } {
  const record = parseStored(RoundRecord, output, () => `Round ${round.stepId}~${round.round}`);
  const answer = answerOf(record);
  const bytes = answer === null ? 0 : Buffer.byteLength(JSON.stringify(answer.value));
  const result: RoundAnswer = {
    calls: requestedCalls(record, round, round.offered, shortHash),
    answer: answer === null ? null : toValueOrRef(answer.value, bytes, inlineBytesMax),
  };
  return { inline: result as unknown as Json };
}

/**
 * The rounds of a step that a retry copied into its run; null where there are none, as in any other
 * run.
 */
export async function keptRounds(
  deps: RunContext,
  { run, stepId, index }: Pick<StepCall, 'run' | 'stepId' | 'index'>,
): Promise<KeptRounds | null> {
  const parts = await deps.graph.read((tx) => findAgentParts(tx, { run, stepId, index }));
  if (parts.length === 0) return null;
  const known = await deps.snapshots.get(run.snapshotHash);
  const step = known.findStep(run.processId, stepId);
  if (step === null) throw new Error(`No step ${stepId} offers tools.`);
  const offered = known.offered(run.processId, stepId);
  const loaded = await loadOutputs(deps.payloads, parts);
  const byId = new Map(loaded.map((record) => [record.stepId, record]));
  let counts: LoopCounts = { made: 0, seen: {} };
  for (let round = 1; ; round++) {
    const ended = loaded.flatMap((record) =>
      readPart(record.stepId)?.round === round && record.stepId !== roundId(stepId, round)
        ? [record.stepId]
        : [],
    );
    const kept = { rounds: round - 1, made: counts.made, seen: counts.seen, ended };
    if (!byId.has(roundId(stepId, round))) return { ...kept, ended: [] };
    const record = readRound(stepId, round, byId);
    const calls = requestedCalls(record, { stepId, round }, offered, shortHash);
    if (calls.length === 0 || calls.some((call) => !byId.has(call.stepId))) return kept;
    const { made, seen } = planCalls(counts, calls, limitsOf(step));
    counts = { made, seen };
  }
}

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
