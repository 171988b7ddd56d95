import type { KnowledgeEntryPayloads } from '../knowledge/knowledge-entry.ts';
import type { MemoryEntryPayloads } from '../memory/memory-entry.ts';
import type { Bus } from '../outbox/bus.ts';
import { encodeCursor, type LogCursor } from '../outbox/cursor.ts';
import type { ConversationEntryPayloads } from './conversation-entry.ts';

const KINDS = [
  'turn.added',
  'alternative.added',
  'alternative.activated',
  'alternative.completed',
  'episode.bound',
  'summary.added',
  'introspection.added',
] as const satisfies (keyof Payloads)[];
type Payloads = ConversationEntryPayloads & KnowledgeEntryPayloads & MemoryEntryPayloads;
type Kind = (typeof KINDS)[number];

/** One event of a conversation, with the cursor that continues after it. */
export type ConversationEvent = {
  readonly [K in Kind]: {
    readonly kind: K;
    readonly cursor: string;
  } & Payloads[K];
}[Kind];

/**
 * A conversation's events: those of the past after the cursor (null = all), then live ones, each once. It does not end by
 * itself. The caller has seen to it that the reader may see the conversation.
 */
export async function* watchConversation(
  { bus }: { readonly bus: Bus },
  { conversationId, after }: { readonly conversationId: string; readonly after: LogCursor | null },
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, void, void> {
  const filter = { conversationId, kinds: KINDS };
  for await (const { seq, kind, payload } of bus.subscribe(filter, after?.seq ?? 0, signal)) {
    const cursor = encodeCursor({ seq, index: 0 });
    yield { ...payload, kind, cursor } as unknown as ConversationEvent;
  }
}
