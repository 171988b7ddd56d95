import type { AgentMessage } from '../../common/agent-call.ts';
import type { Json } from '../../common/json.ts';
import {
  AGENT_OLD_RESULT_TOKENS_MAX,
  AGENT_RESULT_TOKENS_MAX,
  AGENT_RESULTS_TOKENS_MAX,
} from '../../common/limits.ts';
import { parseStored } from '../../common/stored.ts';
import { cutText } from '../../common/token-budget.ts';
import type { RunError } from '../../common/tool-fault.ts';
import { firstChars } from '../../common/well-formed.ts';
import { legalName } from '../../processes/definition/agent-tool-name.ts';
import type { StepStatus } from '../steps/step-run.ts';
import { callId, roundId } from './agent-step.ts';
import { RoundRecord } from './round.ts';

/** A StepRun of a round or of one of its calls, with its output loaded. */
export interface PartRecord {
  readonly stepId: string;
  readonly status: StepStatus;
  readonly output: Json;
  readonly error: RunError | null;
}

/** The rounds of a step before a round, with the results of their calls. */
export interface Transcript {
  readonly messages: readonly AgentMessage[];
  readonly callIds: ReadonlySet<string>;
}

/**
 * Builds the messages of all rounds before `round` from the record. Results are cut to
 * AGENT_RESULT_TOKENS_MAX tokens each; where all together with the thoughts exceed
 * AGENT_RESULTS_TOKENS_MAX, the oldest are cut to AGENT_OLD_RESULT_TOKENS_MAX and their thoughts to
 * a sentence.
 */
export function buildTranscript(
  stepId: string,
  round: number,
  records: readonly PartRecord[],
): Transcript {
  const byId = new Map(records.map((record) => [record.stepId, record]));
  const rounds: RoundRecord[] = [];
  for (let n = 1; n < round; n++) rounds.push(readRound(stepId, n, byId));
  const results = rounds.map(({ toolCalls }, at) =>
    toolCalls.map(({ name }, index) =>
      resultOf(byId.get(callId(stepId, at + 1, index, legalName(name)))),
    ),
  );
  const thoughts = rounds.map(({ thought = '' }) => thought);
  shorten(results, thoughts);
  const messages = rounds.flatMap(({ text, toolCalls }, at): AgentMessage[] => [
    {
      role: 'assistant',
      content: text,
      calls: toolCalls.map(({ id, name, arguments: given, signature }) => ({
        id,
        name: legalName(name),
        arguments: given ?? {},
        ...(signature === undefined ? {} : { signature }),
      })),
      ...(thoughts[at] ? { thought: thoughts[at] } : {}),
    },
    {
      role: 'tool',
      results: toolCalls.map(({ id, name }, index) => ({
        id,
        name: legalName(name),
        ...(results[at]?.[index] ?? NO_RESULT),
      })),
    },
  ]);
  return {
    messages,
    callIds: new Set(rounds.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id))),
  };
}

export function readRound(
  stepId: string,
  round: number,
  byId: ReadonlyMap<string, PartRecord>,
): RoundRecord {
  const id = roundId(stepId, round);
  return parseStored(RoundRecord, byId.get(id)?.output ?? null, () => `Round ${id}`);
}

interface Result {
  readonly text: string;
  readonly isError: boolean;
}
const NO_RESULT: Result = { text: 'There is no result.', isError: true };

function resultOf(record: PartRecord | undefined): Result {
  if (record === undefined) return NO_RESULT;
  if (record.status !== 'completed') {
    const message = record.error?.message ?? `The call ended as ${record.status}.`;
    return { text: cut(message, AGENT_OLD_RESULT_TOKENS_MAX), isError: true };
  }
  const { output } = record;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { text: cut(text, AGENT_RESULT_TOKENS_MAX), isError: false };
}

function cut(text: string, tokens: number): string {
  const { text: kept, truncated } = cutText(text, tokens);
  return truncated ? `${kept}\n[The result is longer; it was cut here.]` : kept;
}

// A token has about four characters. An estimate is enough: providers count in their own way.
const CHARS_PER_TOKEN = 4;

// Servers check only that the thought of an older round is there.
const OLD_THOUGHT_CHARS_MAX = 200;

/** Cuts the thoughts and results of the oldest rounds until all fit, but not of the newest. */
function shorten(results: Result[][], thoughts: string[]): void {
  const texts = [...thoughts, ...results.flat().map(({ text }) => text)];
  let left = texts.reduce((sum, text) => sum + text.length, 0);
  const most = AGENT_RESULTS_TOKENS_MAX * CHARS_PER_TOKEN;
  for (const [at, round] of results.slice(0, -1).entries()) {
    if (left <= most) return;
    const whole = thoughts[at] ?? '';
    const thought = firstChars(whole, OLD_THOUGHT_CHARS_MAX);
    left -= whole.length - thought.length;
    thoughts[at] = thought;
    for (const [index, result] of round.entries()) {
      const text = cut(result.text, AGENT_OLD_RESULT_TOKENS_MAX);
      left -= result.text.length - text.length;
      round[index] = { ...result, text };
    }
  }
}
