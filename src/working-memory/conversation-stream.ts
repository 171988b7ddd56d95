import type { z } from 'zod';
import {
  type ConversationEntryPayloads,
  ConversationPayloads,
} from '../conversations/conversation-entry.ts';
import {
  type MemoryGraphEntryPayloads,
  MemoryGraphPayloads,
} from '../memory-graph/memory-graph-payloads.ts';
import type { Bus } from '../outbox/bus.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { encodeCursor, type LogCursor } from '../outbox/entry.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import { type WorkingMemoryEntryPayloads, WorkingMemoryPayloads } from './working-memory-entry.ts';

const KINDS = [
  'turn.added',
  'alternative.added',
  'alternative.activated',
  'alternative.completed',
  'episode.bound',
  'summary.added',
  'introspection.added',
] as const satisfies (keyof Payloads)[];
type Payloads = ConversationEntryPayloads & MemoryGraphEntryPayloads & WorkingMemoryEntryPayloads;
type Kind = (typeof KINDS)[number];

const SCHEMAS: { readonly [K in Kind]: z.ZodType<Payloads[K]> } = {
  ...ConversationPayloads,
  ...MemoryGraphPayloads,
  ...WorkingMemoryPayloads,
};
/** Parses the payload of an entry of one kind. */
const readerOf =
  <K extends Kind>(kind: K) =>
  (entry: OutboxEntry, cursor: string): EventOf<K> => ({
    ...parsePayload(SCHEMAS[kind], kind, entry),
    kind,
    cursor,
  });
type EventOf<K extends Kind> = Payloads[K] & { readonly kind: K; readonly cursor: string };

/** One event of a conversation. A subscription with its `cursor` continues after it. */
export type ConversationEvent = { readonly [K in Kind]: EventOf<K> }[Kind];

const READERS: Readonly<Record<Kind, (entry: OutboxEntry, cursor: string) => ConversationEvent>> = {
  'turn.added': readerOf('turn.added'),
  'alternative.added': readerOf('alternative.added'),
  'alternative.activated': readerOf('alternative.activated'),
  'alternative.completed': readerOf('alternative.completed'),
  'episode.bound': readerOf('episode.bound'),
  'summary.added': readerOf('summary.added'),
  'introspection.added': readerOf('introspection.added'),
};

/**
 * The events of a conversation: those of the room conversations, of the memory graph and of working
 * memory, merged in the order of the event log. It stands in working memory because this is the
 * highest of the three rooms: it may import the other two.
 *
 * First the past events after the cursor (null: all), then live ones, each once. It ends with
 * `signal` only. The caller has checked that the viewer may see the conversation.
 */
export async function* watchConversation(
  { bus }: { readonly bus: Bus },
  { conversationId, after }: { readonly conversationId: string; readonly after: LogCursor | null },
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, void, void> {
  const filter = { conversationId, kinds: KINDS };
  for await (const entry of bus.subscribe(filter, after?.seq ?? 0, signal)) {
    const cursor = encodeCursor({ seq: entry.seq, index: 0 });
    const kind = KINDS.find((one) => one === entry.kind);
    if (kind !== undefined) yield READERS[kind](entry, cursor);
  }
}
