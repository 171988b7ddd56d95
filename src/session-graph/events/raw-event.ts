import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type JsonObject, jsonBytes } from '../../common/json.ts';
import { SESSION_EVENT_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';

/** A checked event, from which an Event node is written. */
export interface RawEvent {
  /** `tool:pre`, `session:start`, … or any other name of `[A-Za-z0-9_:.-]`. */
  readonly name: string;
  readonly sessionId: string;
  /** Unix milliseconds; part of the node's id (S0-ID-04). */
  readonly atMs: number;
  /** The whole payload, unchanged (S0-LIFT-10). */
  readonly data: JsonObject;
  /** Distinguishes events of one name and millisecond; null = the payload does. */
  readonly disambiguator: string | null;
}

/** An event as a caller sends it, unchecked. */
export interface SessionEventInput {
  readonly name: string;
  readonly sessionId: string;
  /** ISO 8601 with an offset. */
  readonly timestamp: string;
  readonly data: JsonObject;
}

/** Labels are derived from names, so the characters of names are limited. */
const NAME = /^[A-Za-z0-9_:.-]{1,128}$/;
/** No `/`, because it separates the parts of a blob's URI; no white space or control characters. */
const SESSION_ID = /^[^\s/\p{C}]{1,256}$/u;
const TOOL_CALL_ID = /^[^\s\p{C}]{1,400}$/u;
const TOOL_NAME_CHARS_MAX = 400;

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/**
 * Parses an ISO 8601 time with an offset to Unix milliseconds; further digits are cut (S0-ID-04).
 * Null for any other text, and for days that do not exist.
 */
export function epochMs(timestamp: string): number | null {
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = ''] =
    TIMESTAMP.exec(timestamp) ?? [];
  if (year === undefined) return null;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${plain}.${`${fraction}000`.slice(0, 3)}Z`);
  // Date.parse reads February 30th as March 2nd, and 24:00 as the next day.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== plain) return null;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms - (sign === '-' ? -offsetMs : offsetMs);
}

/** Returns the checked event, or all of its problems with paths relative to the event. */
export function checkEvent(
  input: SessionEventInput,
): { readonly event: RawEvent } | { readonly problems: readonly Problem[] } {
  const { name, sessionId, timestamp, data } = input;
  const problems: Problem[] = [];
  if (!NAME.test(name)) {
    const message =
      'A name has 1 to 128 characters: letters, digits and _ : . - only, because labels ' +
      'derive from it.';
    problems.push(problem('INVALID', ['name'], message));
  }
  if (!SESSION_ID.test(sessionId)) {
    const message = 'A session id has 1 to 256 characters, no white space and no /.';
    problems.push(problem('INVALID', ['sessionId'], message));
  }
  const atMs = epochMs(timestamp);
  if (atMs === null) {
    const message =
      'A timestamp is an ISO 8601 moment with an offset, such as 2025-03-15T06:02:25.123Z.';
    problems.push(problem('INVALID', ['timestamp'], message));
  }
  const bytes = jsonBytes(data);
  if (bytes > SESSION_EVENT_BYTES_MAX) {
    const message =
      `The data of one event may have ${SESSION_EVENT_BYTES_MAX} bytes as JSON; these are ` +
      `${bytes}.`;
    problems.push(problem('TOO_LARGE', ['data'], message));
  }
  problems.push(...checkData(name, sessionId, data));
  if (problems.length > 0 || atMs === null) return { problems };
  return { event: { name, sessionId, atMs, data, disambiguator: null } };
}

/** Fields that queries look up have to be text that an index can hold. */
function checkData(name: string, sessionId: string, data: JsonObject): Problem[] {
  const problems: Problem[] = [];
  if (name.startsWith('tool:')) {
    const { tool_call_id: callId, tool_name: toolName } = data;
    if (callId != null && !(typeof callId === 'string' && TOOL_CALL_ID.test(callId))) {
      const message = 'A tool_call_id is text of 1 to 400 characters without white space.';
      problems.push(problem('INVALID', ['data', 'tool_call_id'], message));
    }
    if (
      toolName != null &&
      !(typeof toolName === 'string' && toolName.length <= TOOL_NAME_CHARS_MAX)
    ) {
      const message = `A tool_name is text of at most ${TOOL_NAME_CHARS_MAX} characters.`;
      problems.push(problem('INVALID', ['data', 'tool_name'], message));
    }
  }
  if (name === 'session:fork') {
    const parent = parentOf(data);
    const key = data['parent'] == null ? 'parent_id' : 'parent';
    if (parent === null)
      problems.push(
        problem('REQUIRED', ['data', 'parent'], 'A fork names the session it was spawned by.'),
      );
    else if (!SESSION_ID.test(parent) || parent === sessionId)
      problems.push(
        problem('INVALID', ['data', key], 'The parent of a fork is the id of another session.'),
      );
  }
  return problems;
}

/** The parent session that the data of a `session:*` event name; null if they name none. */
export function parentOf(data: JsonObject): string | null {
  const named = data['parent'] ?? data['parent_id'];
  return typeof named === 'string' && named !== '' ? named : null;
}

const LIFECYCLE = ['tool:pre', 'tool:post', 'tool:error'];

/** The provider's call id of a tool:pre, tool:post or tool:error; null for other events. */
export function toolCallIdOf({ name, data }: Pick<RawEvent, 'name' | 'data'>): string | null {
  const callId = data['tool_call_id'];
  return LIFECYCLE.includes(name) && typeof callId === 'string' ? callId : null;
}

/**
 * `{session_id}__{event_name_underscored}__{epoch_ms}` (S0-ID-03). Lifecycle events of a tool have
 * the suffix `__{tool_call_id}` (S0-ID-05).
 */
export function eventNodeId(event: RawEvent): string {
  const { sessionId, name, atMs } = event;
  const last = toolCallIdOf(event) ?? event.disambiguator;
  const plain = `${sessionId}__${name.replaceAll(':', '_')}__${atMs}`;
  return last === null ? plain : `${plain}__${last}`;
}

/** S0-ID-06. */
export function toolCallNodeId(sessionId: string, toolCallId: string): string {
  return `${sessionId}__tool_call__${toolCallId}`;
}

/** Returns the object under a key of `data`; an empty object if the value is none. */
export function objectIn(data: JsonObject, key: string): JsonObject {
  const value = entryOf(data, key);
  return isJsonObject(value) ? value : {};
}
