import { z } from 'zod';
import { instantOf } from '../../common/clock.ts';
import { isJsonObject, type JsonObject, jsonBytes } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { canonicalUlid, isUlid, type NewUlid } from './ulid.ts';

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

/** An event as a caller sends it, unchecked. */
export interface GivenEvent {
  /** A ULID; when absent, ingestion makes one. */
  readonly eventId?: string | null | undefined;
  readonly sessionId: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly eventType: string;
  readonly role: string;
  readonly text: string;
  readonly metadata?: JsonObject | null | undefined;
  readonly agentId?: string | null | undefined;
}

/** Bytes of text and metadata of one event, as JSON. */
export const EVENT_BYTES_MAX = 8 * 1024 * 1024;
/** An index of Neo4j has to be able to hold the value. */
export const SESSION_ID_CHARS_MAX = 500;
export const AGENT_ID_CHARS_MAX = 200;
export const METADATA_NAMES_MAX = 100;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** A valid event, or all problems of an invalid one; never both. */
export interface CheckedEvent {
  readonly event: MemoryEvent | null;
  readonly problems: readonly Problem[];
}

/**
 * Checks an event by the specification (S2-EVT-02, S2-EVT-03, S2-EVT-04, S2-EVT-05, S2-ENUM-01,
 * S2-ENUM-02).
 * @param at path of the event in the input; the paths of problems begin with it
 * @param nowMs Unix milliseconds of the arrival; a later timestamp is refused, without tolerance
 */
export function checkEvent(
  given: GivenEvent,
  at: readonly (string | number)[],
  { nowMs, newUlid }: { readonly nowMs: number; readonly newUlid: NewUlid },
): CheckedEvent {
  const problems: Problem[] = [];
  const wrong = (code: Problem['code'], field: string, message: string) =>
    void problems.push(problem(code, [...at, field], message));

  const { eventId, sessionId, timestamp, text, metadata, agentId } = given;
  if (eventId != null && !isUlid(eventId))
    wrong('INVALID', 'eventId', 'An event id is a ULID: 26 letters and digits without I, L, O, U.');
  if (sessionId.trim() === '') wrong('REQUIRED', 'sessionId', 'An event belongs to a session.');
  else if (sessionId.length > SESSION_ID_CHARS_MAX)
    wrong('TOO_LARGE', 'sessionId', `At most ${SESSION_ID_CHARS_MAX} characters.`);
  const ms = RFC_3339.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(ms) || ms < 0)
    wrong('INVALID', 'timestamp', 'A time is RFC 3339 from 1970 on, such as 2026-11-21T09:30:00Z.');
  else if (ms > nowMs) wrong('INVALID', 'timestamp', 'This moment lies in the future.');
  const type = readName(EVENT_TYPES, given.eventType);
  if (type === null)
    wrong('INVALID', 'eventType', `An event type is one of ${EVENT_TYPES.join(', ')}.`);
  const role = readName(EVENT_ROLES, given.role);
  if (role === null) wrong('INVALID', 'role', `A role is one of ${EVENT_ROLES.join(', ')}.`);
  if (type !== null && needsText(type) && text.trim() === '')
    wrong('REQUIRED', 'text', 'A message and a result of a tool say something.');
  if (agentId != null && (agentId.trim() === '' || agentId.length > AGENT_ID_CHARS_MAX))
    wrong('INVALID', 'agentId', `An agent's id has 1 to ${AGENT_ID_CHARS_MAX} characters.`);
  problems.push(...checkMetadata(metadata, at));
  if (jsonBytes(text) + jsonBytes(metadata ?? {}) > EVENT_BYTES_MAX)
    wrong('TOO_LARGE', 'text', `An event has at most ${EVENT_BYTES_MAX / 1024 ** 2} MiB.`);

  if (problems.length > 0 || type === null || role === null) return { event: null, problems };
  const event: MemoryEvent = {
    eventId: eventId == null ? newUlid(ms) : canonicalUlid(eventId),
    sessionId,
    timestamp: instantOf(ms),
    eventType: type,
    role,
    text,
    metadata: (metadata ?? {}) as Record<string, string>,
    agentId: agentId ?? null,
  };
  return { event, problems };
}

function checkMetadata(metadata: unknown, at: readonly (string | number)[]): Problem[] {
  if (metadata == null) return [];
  if (!isJsonObject(metadata))
    return [problem('INVALID', [...at, 'metadata'], 'Metadata are names with a text each.')];
  const entries = Object.entries(metadata);
  const count =
    entries.length > METADATA_NAMES_MAX
      ? [problem('TOO_LARGE', [...at, 'metadata'], `At most ${METADATA_NAMES_MAX} names.`)]
      : [];
  const types = entries
    .filter(([, value]) => typeof value !== 'string')
    .map(([name]) => problem('INVALID', [...at, 'metadata', name], 'Each of metadata is a text.'));
  return [...count, ...types.slice(0, METADATA_NAMES_MAX)];
}

/** Whether two events have equal bodies; events of one id must (S2-EVT-06). */
export function sameEvent(one: MemoryEvent, other: MemoryEvent): boolean {
  return eventBody(one) === eventBody(other);
}

/** All fields of an event but its id, as one text; metadata are sorted by name. */
export function eventBody(event: MemoryEvent): string {
  const { sessionId, timestamp, eventType, role, text, metadata, agentId } = event;
  const names = Object.keys(metadata).sort();
  const pairs = names.map((name) => [name, metadata[name]]);
  return JSON.stringify([sessionId, timestamp, eventType, role, text, pairs, agentId]);
}

/** Kind of the outbox entry for the events of one store that one transaction inserted. */
export const MEMORY_INGESTED = 'memory.ingested';

/**
 * Payload of a `memory.ingested` entry: the new events of one store, in order of arrival. Each
 * event stands for two entries of the specification, IndexEvent and UpdateToc (S2-OUT-01): the
 * indexer and the segmenter both read the entries, each from its own checkpoint.
 */
export const Ingested = z.object({
  store: z.string(),
  /** Id and timestamp (Unix milliseconds) of each event. */
  events: z.array(z.tuple([z.string(), z.number()])),
});
export type Ingested = z.infer<typeof Ingested>;
