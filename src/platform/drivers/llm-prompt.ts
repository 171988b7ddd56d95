import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { OwnerRenderer } from '../renderer/renderer.ts';
import { templateInputs } from './template-inputs.ts';
import { withoutThoughts } from './thoughts.ts';

type LlmOperation = OperationOf<'llm_call'>;

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Texts, images and files as the input has them, by address; null: text only. */
  readonly parts: Json | null;
}

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
    ...history.flatMap(({ role, content }) => (role === 'system' ? [content] : [])),
  ];
  const messages = history.flatMap(({ role, content, parts }) =>
    role === 'system' ? [] : [{ role, content, parts }],
  );
  return {
    system: systems.filter((text) => text.trim() !== '').join('\n\n') || null,
    messages:
      prompt === '' ? messages : [...messages, { role: 'user', content: prompt, parts: null }],
  };
}

function readMessages(
  value: Json,
  name: string,
): { role: 'system' | 'user' | 'assistant'; content: string; parts: Json | null }[] {
  if (value === null) return [];
  const refused = new ToolFault(
    'INPUT_INVALID',
    `"${name}" has to be a list of {role, content} with the roles system, user and assistant.`,
  );
  if (!Array.isArray(value)) throw refused;
  return value.flatMap((message) => {
    if (!isJsonObject(message) || typeof message['content'] !== 'string') throw refused;
    const role = message['role'] === 'agent' ? 'assistant' : message['role'];
    if (role !== 'system' && role !== 'user' && role !== 'assistant') throw refused;
    // Answers of before, and those that a client sends, may hold the model's thoughts.
    const content = role === 'assistant' ? withoutThoughts(message['content']) : message['content'];
    // Providers refuse empty messages; the answer of a failed turn is empty.
    return content === '' ? [] : [{ role, content, parts: message['parts'] ?? null }];
  });
}
