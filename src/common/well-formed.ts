import type { Json } from './json.ts';

/**
 * Half of a surrogate pair cannot be written as UTF-8. protobuf writes it as bytes that the peer
 * refuses, and that refusal ends a Temporal Worker. Each edge passes its texts through here.
 */
export function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormedJson);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormedJson(one)]),
  );
}

/** The first `charsMax` UTF-16 units of a text, or one less where the last one is half of a pair. */
export function firstChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}
