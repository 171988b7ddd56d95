import { type Active, activePath } from './active.ts';
import type { Chunk, Conversation } from './conversation.ts';
import { callIdOf } from './project-thread.ts';
import type { ContentPart } from './run-event.ts';

export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A message in the format of harnesses: `invoke({ model, messages })` (S1-PROJ-02). */
export type HarnessMessage =
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly MessageToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly name: string;
      readonly content: unknown;
    };

/**
 * The active path as messages for a model. Excluded are reasoning, the messages of subagents (their
 * tool result represents them), and calls without a result, which models refuse.
 */
export function projectMessages(conversation: Conversation, active: Active): HarnessMessage[] {
  return activePath(conversation, active).flatMap((id) => {
    const chunkIds = conversation.blocks.get(id)?.chunkIds ?? [];
    return messagesOf(chunkIds.flatMap((chunkId) => conversation.chunks.get(chunkId) ?? []));
  });
}

function messagesOf(chunks: readonly Chunk[]): HarnessMessage[] {
  const answered = new Set(
    chunks.flatMap((chunk) => (chunk.kind === 'tool_result' ? [callIdOf(chunk)] : [])),
  );
  const messages: HarnessMessage[] = [];
  let text = '';
  let calls: MessageToolCall[] = [];
  let results: HarnessMessage[] = [];
  // A step has its text, then its calls, then all results, independent of the order of arrival.
  const finishStep = (): void => {
    if (text !== '' || calls.length > 0) {
      messages.push({
        role: 'assistant',
        content: text,
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
      });
    }
    messages.push(...results);
    text = '';
    calls = [];
    results = [];
  };
  for (const chunk of chunks) {
    if (chunk.kind === 'user') messages.push({ role: 'user', content: chunk.content });
    if (chunk.kind === 'text') {
      // Text after a result, or during open calls, starts the next step once all calls have
      // results.
      if (results.length > 0 && results.length === calls.length) finishStep();
      text += chunk.content;
    }
    if (chunk.kind === 'tool_call' && answered.has(chunk.id)) {
      if (results.length > 0 && results.length === calls.length) finishStep();
      calls.push({ id: chunk.id, name: chunk.name, input: chunk.input });
    }
    if (chunk.kind === 'tool_result') {
      const id = callIdOf(chunk);
      if (calls.some((call) => call.id === id)) {
        results.push({ role: 'tool', toolCallId: id, name: chunk.name, content: chunk.output });
      }
    }
  }
  finishStep();
  return messages;
}
