/**
 * Half of a surrogate pair cannot be written as UTF-8. protobuf writes it as bytes that the peer
 * refuses, and that refusal ends a Temporal Worker. Each edge passes its texts through here.
 * @param value JSON
 * @returns `value` itself where all its texts and keys are well formed
 */
export function wellFormedJson<T>(value: T): T {
  return isWellFormedJson(value) ? value : (mended(value) as T);
}

function isWellFormedJson(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormedJson);
  return Object.entries(value).every(([key, one]) => key.isWellFormed() && isWellFormedJson(one));
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.toWellFormed(), mended(one)]),
  );
}

/**
 * The first `charsMax` UTF-16 units of a text, or one less where the last one is half of a pair.
 */
export function firstChars(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : withoutHalfAt(text, charsMax);
}

/**
 * The last `charsMax` UTF-16 units of a text, or one less where the first one is half of a pair.
 */
export function lastChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const from = text.length - charsMax;
  const first = text.charCodeAt(from);
  const isHalf = first >= 0xdc00 && first <= 0xdfff;
  return text.slice(isHalf ? from + 1 : from);
}

/** The text before `end`, without a first half of a pair as its last unit. */
function withoutHalfAt(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? end - 1 : end);
}

const MAY_ESCAPE_HALF = /\\u[dD][89a-fA-F]/;
/** An escape sequence of JSON; an escaped pair counts as one. */
const ESCAPE = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)/gs;

/**
 * JSON text in which each escaped half of a surrogate pair is U+FFFD. `JSON.stringify` escapes
 * halves, and strict readers refuse such an escape; `JSON.parse` makes halves of them.
 */
export function wellFormedJsonText(json: string): string {
  if (!MAY_ESCAPE_HALF.test(json)) return json;
  return json.replace(ESCAPE, (found) =>
    found.length === 6 && MAY_ESCAPE_HALF.test(found) ? '\\ufffd' : found,
  );
}

/**
 * Passes a text on in whole characters: half of a surrogate pair at the end of a chunk waits for
 * the next chunk. `flush` passes on a half whose other half never came, as U+FFFD.
 */
export function wholeCharacters(emit: (text: string) => void): {
  push(chunk: string): void;
  /** Drops the half that waits: the text so far is void. */
  reset(): void;
  flush(): void;
} {
  let held = '';
  return {
    push(chunk) {
      const text = held + chunk;
      const whole = withoutHalfAt(text, text.length);
      held = text.slice(whole.length);
      if (whole !== '') emit(whole.toWellFormed());
    },
    reset() {
      held = '';
    },
    flush() {
      const rest = held;
      held = '';
      if (rest !== '') emit(rest.toWellFormed());
    },
  };
}

/**
 * JSON text that each reader takes for one line. `node:readline` and others also end a line at
 * U+2028 and U+2029, which `JSON.stringify` leaves as they are.
 */
export function oneLineJson(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (separator) =>
    separator === '\u2028' ? '\\u2028' : '\\u2029',
  );
}
