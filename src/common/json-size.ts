import { isJsonObject, type Json, jsonBytes } from './json.ts';

const INDENT_MAX = 10;

/**
 * The length of `JSON.stringify(value, null, indent)`, without building it.
 * @param charsMax counting stops soon after this many
 */
export function jsonChars(value: Json, charsMax: number, indent = 0): number {
  const step = Math.min(Math.max(Math.trunc(indent), 0), INDENT_MAX);
  let chars = 0;

  function count(inner: Json | undefined, depth: number): void {
    if (typeof inner === 'string') chars += quotedChars(inner);
    else if (Array.isArray(inner)) {
      const between = brackets(inner.length, depth);
      for (const item of inner) {
        chars += between;
        count(item, depth + 1);
        if (chars > charsMax) return;
      }
    } else if (isJsonObject(inner)) {
      const keys = Object.keys(inner);
      const between = brackets(keys.length, depth) + (step === 0 ? 1 : 2);
      for (const key of keys) {
        chars += between + quotedChars(key);
        count(inner[key], depth + 1);
        if (chars > charsMax) return;
      }
    } else chars += String(inner).length;
  }
  /**
   * Counts both brackets. Returns the characters before each item: its comma and its line's indent.
   */
  function brackets(size: number, depth: number): number {
    chars += 2;
    if (size === 0) return 0;
    // The first item has no comma.
    chars += (step === 0 ? 0 : 1 + step * depth) - 1;
    return 1 + (step === 0 ? 0 : 1 + step * (depth + 1));
  }

  count(value, 0);
  return chars;
}

/** The length of a string as JSON. */
function quotedChars(text: string): number {
  let chars = text.length + 2;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) chars += SHORT_ESCAPES.has(unit) ? 1 : 5;
    else if (unit === 0x22 || unit === 0x5c) chars += 1;
    else if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = text.charCodeAt(at + 1);
      const isPair = unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
      if (isPair) at++;
      else chars += 5;
    }
  }
  return chars;
}
/** \b, \t, \n, \f and \r; JSON writes the other control characters as \u00XX. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

/**
 * Whether `jsonBytes(value)` is at most `bytesMax`. A large value is not written out to count it.
 */
export function fitsInBytes(value: Json, bytesMax: number): boolean {
  // A character has at least one byte.
  return jsonChars(value, bytesMax) <= bytesMax && jsonBytes(value) <= bytesMax;
}
