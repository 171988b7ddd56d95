import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';
import { entryOf } from '../../src/common/entry-of.ts';

/** An event as input of `ingestEvents`. */
export interface ImportedEvent {
  readonly eventId: string | null;
  readonly sessionId: string;
  readonly timestamp: string;
  readonly eventType: string;
  readonly role: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly agentId?: string;
}

export interface ImportOptions {
  /** Session for lines that name none. */
  readonly session: string;
  readonly agent?: string | undefined;
}

type Line = Readonly<Record<string, unknown>>;

/**
 * The events of one line of a transcript. A line is an event of the agent memory, or a line of a
 * coding agent's log (`type`, `message`, `sessionId`, `timestamp`). Any other line gives no events.
 * Ids derive from the content, so importing a file again changes nothing.
 * @throws Error if the line is no JSON object
 */
export function eventsOfLine(text: string, options: ImportOptions): ImportedEvent[] {
  const line = JSON.parse(text) as unknown;
  if (typeof line !== 'object' || line === null || Array.isArray(line))
    throw new Error('is no JSON object');
  const own = line as Line;
  const events =
    'event_type' in own || 'eventType' in own ? [eventOf(own, options)] : told(own, options);
  const agent = options.agent === undefined ? {} : { agentId: options.agent };
  return events.map((event, index) => ({
    ...event,
    ...agent,
    eventId: event.eventId ?? idOf(event, textOf(own['uuid']), index),
  }));
}

function eventOf(line: Line, { session }: ImportOptions): ImportedEvent {
  const of = (snake: string, camel: string) => line[snake] ?? line[camel];
  const id = of('event_id', 'eventId');
  return {
    eventId: typeof id === 'string' && id !== '' ? id : null,
    sessionId: textOf(of('session_id', 'sessionId')) || session,
    timestamp: momentOf(line['timestamp'] ?? of('timestamp_ms', 'timestampMs')),
    eventType: textOf(of('event_type', 'eventType')),
    role: textOf(line['role']),
    text: textOf(line['text']),
    metadata: pairsOf(line['metadata']),
  };
}

const ROLES: Readonly<Record<string, readonly [string, string]>> = {
  user: ['USER_MESSAGE', 'USER'],
  human: ['USER_MESSAGE', 'USER'],
  assistant: ['ASSISTANT_MESSAGE', 'ASSISTANT'],
};

/**
 * Events of a coding agent's line: a message of the user or the agent, with tool calls and results
 * as parts.
 */
function told(line: Line, { session }: ImportOptions): ImportedEvent[] {
  const message = (typeof line['message'] === 'object' ? line['message'] : line) as Line | null;
  const speaker = entryOf(ROLES, textOf(line['type'])) ?? entryOf(ROLES, textOf(message?.['role']));
  const at = line['timestamp'] ?? message?.['timestamp'];
  if (message === null || speaker === undefined || at === undefined) return [];
  const base = {
    eventId: null,
    sessionId: textOf(line['sessionId'] ?? line['session_id']) || session,
    timestamp: momentOf(at),
  };
  const content = message['content'];
  const parts: readonly Line[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content
        : [];
  const model = textOf(message['model']);
  const metadata: Record<string, string> = model === '' ? {} : { model };
  const [eventType, role] = speaker;
  return parts.flatMap((part): ImportedEvent[] => {
    if (part['type'] === 'text' && textOf(part['text']).trim() !== '')
      return [{ ...base, eventType, role, text: textOf(part['text']), metadata }];
    const call = { eventType: 'TOOL_RESULT', role: 'TOOL' };
    if (part['type'] === 'tool_use') {
      const name = textOf(part['name']);
      const text = `${name}(${JSON.stringify(part['input'] ?? {})})`;
      return [{ ...base, ...call, text, metadata: { tool: name, call: textOf(part['id']) } }];
    }
    if (part['type'] === 'tool_result') {
      const text = resultOf(part['content']);
      if (text.trim() === '') return [];
      return [{ ...base, ...call, text, metadata: { call: textOf(part['tool_use_id']) } }];
    }
    return [];
  });
}

function resultOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part: Line) => textOf(part?.['text'])).join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns RFC 3339 text unchanged; converts milliseconds to RFC 3339. */
function momentOf(value: unknown): string {
  const ms = Number(value);
  if (typeof value === 'string' && Number.isNaN(ms)) return value;
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : '';
}

function pairsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  );
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A ULID derived from the event and its position; null if its time is invalid, which the API then
 * reports.
 */
function idOf(event: ImportedEvent, line: string, index: number): string | null {
  const ms = Date.parse(event.timestamp);
  if (!(ms >= 0)) return null;
  const { eventId: _none, ...said } = event;
  const digest = createHash('sha256')
    .update(JSON.stringify([line, index, said]))
    .digest();
  const letters = Array.from({ length: 13 }, (_, at) => ALPHABET[(digest[at] ?? 0) % 32]);
  // Parts of one line have the same time; the first three letters keep their order.
  const place = Array.from(
    { length: 3 },
    (_, at) => ALPHABET[Math.floor(index / 32 ** (2 - at)) % 32],
  );
  return `${encodeTime(ms)}${place.join('')}${letters.join('')}`;
}
