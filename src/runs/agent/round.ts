import { z } from 'zod';
import type { ModelToolCall } from '../../common/agent-call.ts';
import { canonicalJson, type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { AGENT_ARGUMENTS_BYTES_MAX, AGENT_CALLS_PER_ROUND_MAX } from '../../common/limits.ts';
import { JsonMap, JsonValue } from '../../common/stored.ts';
import { firstChars } from '../../common/well-formed.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import { legalName } from '../../processes/definition/agent-tool-name.ts';
import type { ProcessStep } from '../../processes/process.ts';
import { callId } from './agent-step.ts';
import type { OfferedTool } from './offered-tool.ts';

const RoundCall = z.object({
  /** Unique over all rounds of the step; the model's own id where it is that. */
  id: z.string(),
  name: z.string(),
  /** Null where the model's arguments are no JSON object, or too large. */
  arguments: JsonMap.nullable(),
  /** The beginning of such arguments. */
  raw: z.string().nullable().default(null),
  bytes: z.number().default(0),
  signature: z.string().optional(),
});
export type RoundCall = z.infer<typeof RoundCall>;

/**
 * The output of a round's StepRun. Without calls it is the answer: `value` where the Tool has a
 * responseSchema or the answer was cut, else `text`.
 */
export const RoundRecord = z.object({
  text: z.string(),
  toolCalls: z.array(RoundCall).default([]),
  value: JsonValue.optional(),
  /** The thought before the calls, for servers that want it back with them. */
  thought: z.string().optional(),
});
export type RoundRecord = z.infer<typeof RoundRecord>;

/** The answer of a round; null where it requests calls. */
export function answerOf({ text, toolCalls, value }: RoundRecord): { readonly value: Json } | null {
  if (toolCalls.length > 0) return null;
  return { value: value === undefined ? text : value };
}

const RAW_CHARS_MAX = 500;
// A part of a signature is worth nothing.
const SIGNATURE_CHARS_MAX = 64 * 1024;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The requested calls as they are recorded: at most AGENT_CALLS_PER_ROUND_MAX, each with an id of
 * its own. Arguments that are too large are not kept.
 * @param taken ids of earlier rounds
 */
export function recordCalls(
  requested: readonly ModelToolCall[],
  round: number,
  taken: ReadonlySet<string>,
): RoundCall[] {
  const used = new Set(taken);
  return requested.slice(0, AGENT_CALLS_PER_ROUND_MAX).map((call, index) => {
    const id = ID.test(call.id) && !used.has(call.id) ? call.id : `call_${round}_${index}`;
    used.add(id);
    const bytes = call.arguments === null ? (call.raw ?? '').length : jsonBytes(call.arguments);
    const isKept = call.arguments !== null && bytes <= AGENT_ARGUMENTS_BYTES_MAX;
    const raw = call.raw ?? (isKept ? '' : JSON.stringify(call.arguments));
    const { signature = '' } = call;
    const isSigned = signature !== '' && signature.length <= SIGNATURE_CHARS_MAX;
    return {
      id,
      name: firstChars(call.name, 200),
      arguments: isKept ? call.arguments : null,
      raw: isKept ? null : firstChars(raw, RAW_CHARS_MAX),
      bytes,
      ...(isSigned ? { signature } : {}),
    };
  });
}

/** A requested call as the workflow gets it. */
export interface RequestedCall {
  /** Id of its StepRun. */
  readonly stepId: string;
  readonly index: number;
  /** A legal name, also where the model made up another one. */
  readonly name: string;
  /** Null where no such tool is offered. */
  readonly target: ProcessStep['calls'] | null;
  readonly permission: 'allow' | 'ask';
  /** Why it can't be called, in words for the model; null where it can. */
  readonly fault: string | null;
  /** Equal for calls of one tool with equal arguments. */
  readonly same: string;
  /** The arguments where they are small, so that the call's activity need not read them. */
  readonly inputs: JsonObject | null;
}

// Small enough that the calls of a round fit into a workflow's history.
const INLINE_ARGUMENTS_BYTES_MAX = 2 * 1024;

/**
 * Decides which of the requested calls can be made: the tool is offered and the arguments fit its
 * schema.
 * @param hash of a text, short
 */
export function requestedCalls(
  { toolCalls }: RoundRecord,
  { stepId, round }: { readonly stepId: string; readonly round: number },
  offered: readonly OfferedTool[],
  hash: (text: string) => string,
): RequestedCall[] {
  return toolCalls.map((call, index) => {
    const name = legalName(call.name);
    // Some models write a blank around a name; no name has one.
    const wanted = call.name.trim();
    const tool = offered.find((one) => one.name === wanted) ?? null;
    const fault = faultOf(call, tool, offered);
    return {
      stepId: callId(stepId, round, index, name),
      index,
      name,
      target: tool?.target ?? null,
      permission: tool?.permission ?? 'ask',
      fault,
      same: hash(`${call.name} ${canonicalJson(call.arguments ?? call.raw)}`),
      inputs: fault === null && call.bytes <= INLINE_ARGUMENTS_BYTES_MAX ? call.arguments : null,
    };
  });
}

function faultOf(
  call: RoundCall,
  tool: OfferedTool | null,
  offered: readonly OfferedTool[],
): string | null {
  if (tool === null) {
    const names = offered.map(({ name }) => name).join(', ');
    const reason =
      call.name.trim() === '' ? 'A call names no tool.' : `There is no tool "${call.name}".`;
    return `${reason} The tools are: ${names || 'none'}.`;
  }
  if (call.bytes > AGENT_ARGUMENTS_BYTES_MAX)
    return `The arguments have ${call.bytes} bytes; at most ${AGENT_ARGUMENTS_BYTES_MAX} are read.`;
  if (call.arguments === null) return `The arguments of ${call.name} are no JSON object.`;
  const { problems } = validateJson(tool.schema, call.arguments, []);
  if (problems.length === 0) return null;
  const listed = problems
    .slice(0, 20)
    .map(({ message, path }) => `${path.join('.') || 'arguments'}: ${message}`);
  return `The arguments do not fit ${call.name}: ${listed.join(' ')}`;
}
