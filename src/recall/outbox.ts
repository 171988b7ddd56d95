import { z } from 'zod';
import { jsonCodec } from './codec.ts';

/** What has to follow an event: it becomes searchable, and the table of contents takes it in (S2-OUT-01). */
export const OUTBOX_ACTIONS = ['IndexEvent', 'UpdateToc'] as const;
export type OutboxAction = (typeof OUTBOX_ACTIONS)[number];

/** The document's outbox entry: one per event and action. */
export const MemoryOutboxEntry = z.object({
  eventId: z.string(),
  /** Of the event's source. */
  timestampMs: z.number().int(),
  action: z.enum(OUTBOX_ACTIONS),
});
export type MemoryOutboxEntry = Readonly<z.infer<typeof MemoryOutboxEntry>>;

export const outboxCodec = jsonCodec<MemoryOutboxEntry>(MemoryOutboxEntry);

export function outboxForIndex(eventId: string, timestampMs: number): MemoryOutboxEntry {
  return { eventId, timestampMs, action: 'IndexEvent' };
}

export function outboxForToc(eventId: string, timestampMs: number): MemoryOutboxEntry {
  return { eventId, timestampMs, action: 'UpdateToc' };
}

/** Kind of the entry of the event log that stands for the entries of all events of one commit. */
export const MEMORY_INGESTED = 'memory.ingested';

/** Its payload: the new events of one store, in the order in which they came. */
export const Ingested = z.object({
  store: z.string(),
  /** Each: its id and source time in milliseconds. */
  events: z.array(z.tuple([z.string(), z.number()])),
});
export type Ingested = z.infer<typeof Ingested>;

/** The entries it stands for, in their order: each event's IndexEvent before its UpdateToc. */
export function outboxEntriesOf({ events }: Ingested): MemoryOutboxEntry[] {
  return events.flatMap(([eventId, ms]) => [
    outboxForIndex(eventId, ms),
    outboxForToc(eventId, ms),
  ]);
}
