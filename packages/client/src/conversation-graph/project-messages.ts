import { type Active, activePath } from './active.ts';
import type { Chunk, Conversation } from './conversation.ts';
import { callIdOf } from './project-thread.ts';
import type { ContentPart } from './run-event.ts';

export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A message as harnesses take it: `invoke({ model, messages })` (S1-PROJ-02). */
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
 * The conversation on screen as a model would be given it. Left out: reasoning, what subagents said among themselves
 * (their tool result speaks for them), and calls without an answer, which models refuse.
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
  // A step: what was said, what was called, and then all answers, in this order whatever came first.
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
      // Said after an answer, or while calls are open: the next step, once the open calls are answered.
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
