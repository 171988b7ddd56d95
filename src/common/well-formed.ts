import type { Json } from './json.ts';

/**
 * Half of a surrogate pair cannot be written as UTF-8. protobuf writes it as bytes that the peer
 * refuses, and that refusal ends a Temporal Worker. Each edge passes its texts through here.
 * @returns `value` itself where all its texts and keys are well formed
 */
export function wellFormedJson(value: Json): Json {
  return isWellFormedJson(value) ? value : mended(value);
}

function isWellFormedJson(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormedJson);
  return Object.keys(value).every(
    (key) => key.isWellFormed() && isWellFormedJson(value[key] ?? null),
  );
}

function mended(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.toWellFormed(), mended(one)]),
  );
}

/** The first `charsMax` UTF-16 units of a text, or one less where the last one is half of a pair. */
export function firstChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}
