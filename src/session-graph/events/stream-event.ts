import { isJsonObject, type JsonObject, jsonBytes } from '../../common/json.ts';
import { SESSION_EVENT_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';

/** One event of the raw stream, checked: what a node of the graph is made of. */
export interface RawEvent {
  /** `tool:pre`, `session:start`, … or any other name of `[A-Za-z0-9_:.-]`. */
  readonly name: string;
  readonly sessionId: string;
  /** Unix milliseconds; what the node's id holds (S0-ID-04). */
  readonly atMs: number;
  /** The payload as it came, and all that `data` keeps (S0-LIFT-10). */
  readonly data: JsonObject;
  /** What tells it from others of its name and millisecond, where the sender knows; null = by its payload. */
  readonly disambiguator: string | null;
}

/** As a caller sends it. */
export interface SessionEventInput {
  readonly name: string;
  readonly sessionId: string;
  /** ISO 8601 with an offset. */
  readonly timestamp: string;
  readonly data: JsonObject;
}

/** Labels are made of names, so a name may hold nothing that a label could be misled by. */
const NAME = /^[A-Za-z0-9_:.-]{1,128}$/;
/** `/` parts a blob's URI; white space and control characters are nobody's id. */
const SESSION_ID = /^[^\s/\p{C}]{1,256}$/u;
const TOOL_CALL_ID = /^[^\s\p{C}]{1,400}$/u;
const TOOL_NAME_CHARS_MAX = 400;

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/**
 * Unix milliseconds of an ISO 8601 moment with an offset; digits beyond the millisecond are cut (S0-ID-04).
 * Null for anything else, days that no month has included.
 */
export function epochMs(timestamp: string): number | null {
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = ''] =
    TIMESTAMP.exec(timestamp) ?? [];
  if (year === undefined) return null;
  const plain = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${plain}.${`${fraction}000`.slice(0, 3)}Z`);
  // The parser takes February 30th for March 2nd, and 24:00 for the next day.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== plain) return null;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms - (sign === '-' ? -offsetMs : offsetMs);
}

/** All that is wrong with an event, its path relative to it; the event where nothing is. */
export function checkEvent(
  input: SessionEventInput,
): { readonly event: RawEvent } | { readonly problems: readonly Problem[] } {
  const { name, sessionId, timestamp, data } = input;
  const problems: Problem[] = [];
  if (!NAME.test(name)) {
    const message =
      'A name has 1 to 128 letters, digits and the characters _ : . - and nothing else, because labels are made of it.';
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
    const message = `The data of one event may have ${SESSION_EVENT_BYTES_MAX} bytes as JSON; these are ${bytes}.`;
    problems.push(problem('TOO_LARGE', ['data'], message));
  }
  problems.push(...checkData(name, sessionId, data));
  if (problems.length > 0 || atMs === null) return { problems };
  return { event: { name, sessionId, atMs, data, disambiguator: null } };
}

/** What is looked up by has to be text that an index can hold. */
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

/** The session that spawned this one, as `session:*` events name it; null = none is named. */
export function parentOf(data: JsonObject): string | null {
  const named = data['parent'] ?? data['parent_id'];
  return typeof named === 'string' && named !== '' ? named : null;
}

const LIFECYCLE = ['tool:pre', 'tool:post', 'tool:error'];

/** The provider's id of the call that a tool:pre, tool:post or tool:error belongs to; null for all else. */
export function toolCallIdOf({ name, data }: Pick<RawEvent, 'name' | 'data'>): string | null {
  const callId = data['tool_call_id'];
  return LIFECYCLE.includes(name) && typeof callId === 'string' ? callId : null;
}

/** S0-ID-03, S0-ID-05: `{session_id}__{event_name_underscored}__{epoch_ms}`, and `__{tool_call_id}` in a tool's lifecycle. */
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

/** A value of `data` that is an object; an empty one where it is anything else. */
export function objectIn(data: JsonObject, key: string): JsonObject {
  const value = data[key];
  return isJsonObject(value) ? value : {};
}
