import type { Attributes } from '@opentelemetry/api';
import type { AgentMessage, ModelToolCall } from '../../common/agent-call.ts';
import { withEllipsis } from '../../common/ellipsis.ts';
import { TRACED_CHARS_MAX, TRACED_MESSAGES_MAX } from '../../common/limits.ts';
import type { ChatMessage, ModelMessages } from './message-parts.ts';

// Texts of spans, in the shapes of OpenTelemetry's conventions for generative AI. Images and files
// are left out.

interface Asked {
  readonly system: string | null;
  readonly messages: ModelMessages;
}

interface Said {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: string;
}

/** The instructions and the last messages of a request. */
export function askedTexts({ system, messages }: Asked): Attributes {
  const input = messages.slice(-TRACED_MESSAGES_MAX).flatMap(toMessages);
  return {
    ...(system === null
      ? {}
      : { 'gen_ai.system_instructions': JSON.stringify([textPart(system)]) }),
    'gen_ai.input.messages': JSON.stringify(input),
  };
}

/** An answer: its text, and the calls that it requests. */
export function saidTexts({ text, toolCalls, finish }: Said): Attributes {
  const calls = toolCalls.map((call) => ({ ...call, arguments: call.arguments ?? call.raw }));
  const parts = [...(text === '' ? [] : [textPart(text)]), ...calls.map(callPart)];
  return outputOf(parts, finish);
}

/** The answer of an agent. */
export function answerTexts(answer: string): Attributes {
  return outputOf([textPart(answer)], 'stop');
}

function outputOf(parts: readonly object[], finish: string): Attributes {
  const reason = finish === 'tool-calls' ? 'tool_call' : finish.replace('-', '_');
  const message = { role: 'assistant', parts, finish_reason: reason };
  return { 'gen_ai.output.messages': JSON.stringify([message]) };
}

/** One message, or one for each result: some receivers read a single result of a message. */
function toMessages(message: ChatMessage | AgentMessage): object[] {
  if (message.role === 'tool')
    return message.results.map(({ id, text }) => ({
      role: 'tool',
      parts: [{ type: 'tool_call_response', id, response: short(text) }],
    }));
  const calls = 'calls' in message ? message.calls.map(callPart) : [];
  const parts = [...(message.content === '' ? [] : [textPart(message.content)]), ...calls];
  return [{ role: message.role, parts }];
}

function callPart(call: { id: string; name: string; arguments: unknown }) {
  const { id, name, arguments: given } = call;
  const text = JSON.stringify(given);
  const fits = text.length <= TRACED_CHARS_MAX;
  return { type: 'tool_call', id, name, arguments: fits ? given : short(text) };
}

const textPart = (text: string) => ({ type: 'text', content: short(text) });

/** A text that fits a span. */
export function short(text: string): string {
  return withEllipsis(text, TRACED_CHARS_MAX);
}
