import { canonicalUlid, isUlid, ulidMs } from './ulid.ts';

// The keys of the specification. Their order as text is the order in time (S2-KEY-01 … S2-KEY-05).

/**
 * Key of an event: `evt:{ms, 13 digits}:{ulid}`. The milliseconds are those of the source; they may
 * differ from the time inside the ULID.
 */
export interface EventKey {
  readonly timestampMs: number;
  readonly ulid: string;
}

const EVENT_KEY = /^evt:(\d{13}):([0-9A-Z]{26})$/;

export const eventKey = {
  fromParts: (timestampMs: number, ulid: string): EventKey => ({
    timestampMs,
    ulid: canonicalUlid(ulid),
  }),
  /** Makes a key from the id alone, with the ULID's time. Null if the id is no ULID. */
  fromEventId: (eventId: string): EventKey | null =>
    isUlid(eventId) ? eventKey.fromParts(ulidMs(eventId), eventId) : null,
  eventId: ({ ulid }: EventKey): string => ulid,
  text: ({ timestampMs, ulid }: EventKey): string => `${eventKey.prefixStart(timestampMs)}${ulid}`,
  /** Null if the text is no event key. */
  fromText(text: string): EventKey | null {
    const [, ms, ulid] = EVENT_KEY.exec(text) ?? [];
    if (ms === undefined || ulid === undefined || !isUlid(ulid)) return null;
    return { timestampMs: Number(ms), ulid };
  },
  toBytes: (key: EventKey): Uint8Array => new TextEncoder().encode(eventKey.text(key)),
  fromBytes: (bytes: Uint8Array): EventKey | null =>
    eventKey.fromText(new TextDecoder().decode(bytes)),
  /** Sorts before every event of this millisecond and after every earlier one. */
  prefixStart: (ms: number): string => `evt:${String(ms).padStart(13, '0')}:`,
  /** Sorts after every event of this millisecond and before every later one. */
  prefixEnd: (ms: number): string => `${eventKey.prefixStart(ms)}~`,
} as const;

/** A text that sorts just before `key`: for exclusive bounds of ranges that include `key`. */
export function justBefore(key: string): string {
  const last = key.charCodeAt(key.length - 1);
  return `${key.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}

/** `checkpoint:{job}` (S2-KEY-03). */
export function checkpointKey(jobName: string): string {
  return `checkpoint:${jobName}`;
}

/** `{nodeId}:v{version, 6 digits}`: toc:day:2024-01-15:v000001 (S2-KEY-04). */
export function tocVersionKey(nodeId: string, version: number): string {
  return `${nodeId}:v${String(version).padStart(6, '0')}`;
}
