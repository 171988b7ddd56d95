import type { AgentMessage, PastCall } from '../../common/agent-call.ts';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { textOfParts } from '../../common/parts-text.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { OwnerRenderer } from '../renderer/renderer.ts';
import { templateInputs } from './template-inputs.ts';
import { withoutThoughts } from './thoughts.ts';

type LlmOperation = OperationOf<'llm_call'>;

export interface SaidMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Texts, images and files as the input has them, by address; null: text only. */
  readonly parts: Json | null;
}
export type PromptMessage = SaidMessage | AgentMessage;

/** The messages of a call, before the images and files in them are read. */
export interface LlmPrompt {
  /** Null where there is none. */
  readonly system: string | null;
  readonly messages: readonly PromptMessage[];
}

/**
 * Renders the prompts of a Tool with the inputs of a call, after the messages of its history.
 * @throws ToolFault TEMPLATE_FAILED, INPUT_INVALID
 */
export async function promptOf(
  operation: LlmOperation,
  inputs: JsonObject,
  templates: Pick<OwnerRenderer, 'render'>,
): Promise<LlmPrompt> {
  const data = templateInputs([operation.systemPrompt ?? null, operation.promptTemplate], inputs);
  const [system, prompt] = await Promise.all([
    templates.render(operation.systemPrompt ?? '', data),
    templates.render(operation.promptTemplate, data),
  ]);
  const history = operation.messages
    ? readMessages(entryOf(inputs, operation.messages) ?? null, operation.messages)
    : [];
  const systems = [
    system,
    ...history.flatMap((message) => (message.role === 'system' ? [message.content] : [])),
  ];
  const messages = withAnsweredCalls(
    history.flatMap((message) => (message.role === 'system' ? [] : [message])),
  );
  return {
    system: systems.filter((text) => text.trim() !== '').join('\n\n') || null,
    messages:
      prompt === '' ? messages : [...messages, { role: 'user', content: prompt, parts: null }],
  };
}

type ReadMessage = PromptMessage | { readonly role: 'system'; readonly content: string };

/**
 * Messages as `projectMessages` of @aiden/client gives them (S1-PROJ-02): beside a text, a user's
 * content may be a list of parts; an assistant's message may have `toolCalls`, and one of the role
 * tool answers a call by `toolCallId`.
 */
function readMessages(value: Json, name: string): ReadMessage[] {
  if (value === null) return [];
  const refuse = (at: number | null, what: string) => {
    const place = at === null ? `"${name}"` : `"${name}.${at}"`;
    return new ToolFault('INPUT_INVALID', `${place} ${what}`);
  };
  if (!Array.isArray(value)) throw refuse(null, 'has to be a list of messages.');
  return value.flatMap((message, at) => {
    if (!isJsonObject(message)) throw refuse(at, 'has to be an object with role and content.');
    const read = message['role'] === 'tool' ? readResult(message) : readSaid(message);
    if (typeof read === 'string') throw refuse(at, read);
    return read;
  });
}

/** The messages of one entry, or the words for its fault. */
function readSaid(message: JsonObject): ReadMessage[] | string {
  const role = message['role'] === 'agent' ? 'assistant' : message['role'];
  if (role !== 'system' && role !== 'user' && role !== 'assistant')
    return 'has to have the role system, user, assistant or tool.';
  const given = message['content'];
  const listed = role === 'user' && Array.isArray(given) ? given : null;
  if (typeof given !== 'string' && listed === null)
    return 'has to have a text as content; of a user also a list of parts.';
  const content = typeof given === 'string' ? given : textOfParts(listed ?? []);
  const calls = readCalls(message['toolCalls'] ?? null);
  if (calls === null || (calls.length > 0 && role !== 'assistant'))
    return 'has toolCalls that are no list of {id, name, input} of an assistant.';
  if (role === 'system') return content === '' ? [] : [{ role, content }];
  // Answers of before, and those that a client sends, may hold the model's thoughts.
  const told = role === 'assistant' ? withoutThoughts(content) : content;
  if (role === 'assistant' && calls.length > 0) return [{ role, content: told, calls }];
  const parts = listed ?? message['parts'] ?? null;
  // Providers refuse empty messages; the answer of a failed turn is empty.
  return told === '' && listed === null ? [] : [{ role, content: told, parts }];
}

function readResult({ toolCallId, name, content = null }: JsonObject): AgentMessage[] | string {
  if (typeof toolCallId !== 'string' || typeof name !== 'string')
    return 'has to have toolCallId and name: it is the result of a call.';
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return [{ role: 'tool', results: [{ id: toolCallId, name, text, isError: false }] }];
}

/** Null where it is no list of calls. */
function readCalls(value: Json): PastCall[] | null {
  if (value === null) return [];
  if (!Array.isArray(value)) return null;
  const calls = value.map((call) => {
    if (!isJsonObject(call)) return null;
    const { id, name, input = null } = call;
    if (typeof id !== 'string' || typeof name !== 'string') return null;
    return { id, name, arguments: isJsonObject(input) ? input : { input } };
  });
  return calls.includes(null) ? null : calls.filter((call) => call !== null);
}

/** Providers refuse a result without its call before it, and a call without its result. */
function withAnsweredCalls(messages: readonly PromptMessage[]): PromptMessage[] {
  const called = new Set<string>();
  const answered = new Set(
    messages.flatMap((one) => (one.role === 'tool' ? one.results.map(({ id }) => id) : [])),
  );
  return messages.flatMap((message): PromptMessage[] => {
    if (message.role === 'tool') {
      const results = message.results.filter(({ id }) => called.has(id));
      return results.length === 0 ? [] : [{ ...message, results }];
    }
    if (!('calls' in message)) return [message];
    const calls = message.calls.filter(({ id }) => answered.has(id));
    for (const { id } of calls) called.add(id);
    if (calls.length > 0) return [{ ...message, calls }];
    return message.content === ''
      ? []
      : [{ role: message.role, content: message.content, parts: null }];
  });
}
