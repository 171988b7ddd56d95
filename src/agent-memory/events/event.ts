import { z } from 'zod';
import { isUlid } from './ulid.ts';

/** What happened (S2-ENUM-01), as stored. */
export const EVENT_TYPES = [
  'session_start',
  'user_message',
  'assistant_message',
  'tool_result',
  'assistant_stop',
  'subagent_start',
  'subagent_stop',
  'session_end',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Who it came from (S2-ENUM-02). */
export const EVENT_ROLES = ['user', 'assistant', 'system', 'tool'] as const;
export type EventRole = (typeof EVENT_ROLES)[number];

/** Types whose text may be empty; of the others it is what they are about (S2-EVT-05). */
const SAY_SOMETHING: ReadonlySet<EventType> = new Set([
  'user_message',
  'assistant_message',
  'tool_result',
]);

export function needsText(type: EventType): boolean {
  return SAY_SOMETHING.has(type);
}

/** The document's spelling of a name: SessionStart. */
export function documentName(name: EventType | EventRole): string {
  return name.replace(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());
}

/** SESSION_START, SessionStart and session_start are one name; null where it is none. */
export function readName<Name extends string>(names: readonly Name[], text: string): Name | null {
  const plain = text.toLowerCase().replaceAll('_', '');
  return names.find((name) => name.replaceAll('_', '') === plain) ?? null;
}

/** One thing that happened in a conversation with an agent (S2-EVT-01). It never changes (S2-EVT-06). */
export const MemoryEvent = z.object({
  eventId: z.string().refine(isUlid),
  sessionId: z.string().min(1),
  /** When it happened, not when it arrived (S2-EVT-03). */
  timestamp: z.iso.datetime(),
  eventType: z.enum(EVENT_TYPES),
  role: z.enum(EVENT_ROLES),
  text: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** Which agent tells; null where the store has one only. */
  agentId: z.string().nullable(),
});
export type MemoryEvent = Readonly<z.infer<typeof MemoryEvent>>;

/** Its moment in Unix milliseconds. */
export function timestampMs(event: Pick<MemoryEvent, 'timestamp'>): number {
  return Date.parse(event.timestamp);
}

/**
 * About how many tokens a text is, at least 1: a quarter of its ASCII, half of every other letter, each ideograph whole.
 * Close enough to cut conversations, and the same wherever it is counted.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    quarters += unit < 0x80 ? 1 : unit < 0x2e80 ? 2 : 4;
  }
  return Math.max(1, Math.ceil(quarters / 4));
}
