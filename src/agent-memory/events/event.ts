import { z } from 'zod';
import { isUlid } from './ulid.ts';

/** Types of events (S2-ENUM-01), as stored. */
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

/** Roles of the sender (S2-ENUM-02), as stored. */
export const EVENT_ROLES = ['user', 'assistant', 'system', 'tool'] as const;
export type EventRole = (typeof EVENT_ROLES)[number];

/** Types whose text must not be empty (S2-EVT-05). */
const TYPES_WITH_TEXT: ReadonlySet<EventType> = new Set([
  'user_message',
  'assistant_message',
  'tool_result',
]);

export function needsText(type: EventType): boolean {
  return TYPES_WITH_TEXT.has(type);
}

/** The specification's spelling of a name: SessionStart. */
export function documentName(name: EventType | EventRole): string {
  return name.replace(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());
}

/** Parses SESSION_START, SessionStart or session_start; null if the text is none of `names`. */
export function readName<Name extends string>(names: readonly Name[], text: string): Name | null {
  const plain = text.toLowerCase().replaceAll('_', '');
  return names.find((name) => name.replaceAll('_', '') === plain) ?? null;
}

/** One event of a conversation with an agent (S2-EVT-01). Immutable (S2-EVT-06). */
export const MemoryEvent = z.object({
  eventId: z.string().refine(isUlid),
  sessionId: z.string().min(1),
  /** Time at the source, not the time of arrival (S2-EVT-03). */
  timestamp: z.iso.datetime(),
  eventType: z.enum(EVENT_TYPES),
  role: z.enum(EVENT_ROLES),
  text: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** The agent that recorded the event; null if the store belongs to no agent in particular. */
  agentId: z.string().nullable(),
});
export type MemoryEvent = Readonly<z.infer<typeof MemoryEvent>>;

/** The timestamp in Unix milliseconds. */
export function timestampMs(event: Pick<MemoryEvent, 'timestamp'>): number {
  return Date.parse(event.timestamp);
}

/**
 * Estimates the tokens of a text, at least 1: an ASCII character counts 1/4, a letter below U+2E80
 * 1/2, an ideograph 1. Accurate enough to cut conversations, and independent of the model.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    quarters += unit < 0x80 ? 1 : unit < 0x2e80 ? 2 : 4;
  }
  return Math.max(1, Math.ceil(quarters / 4));
}
