import { type Json, jsonBytes } from './json.ts';

/** S3-TRUNC-02: number of bytes of a large payload that stay readable. */
export const PREVIEW_BYTES = 1_024;

/** Replaces a payload that was too large (S3-TRUNC-01). `size` is its size in bytes as JSON. */
export type Truncated = {
  readonly _truncated: true;
  readonly size: number;
  readonly preview: string;
};

/** The value if its JSON has at most `thresholdBytes`, else its size and its beginning. */
export function truncate(value: Json, thresholdBytes: number): Json {
  const size = jsonBytes(value);
  return size <= thresholdBytes ? value : truncated(size, JSON.stringify(value));
}

export function truncated(size: number, json: string): Truncated & { [name: string]: Json } {
  return { _truncated: true, size, preview: beginning(json, PREVIEW_BYTES) };
}

/** The longest prefix with at most `bytesMax` UTF-8 bytes. No character is cut in two. */
export function beginning(text: string, bytesMax: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code > 0xffff ? 4 : code > 0x7ff ? 3 : code > 0x7f ? 2 : 1;
    if (bytes > bytesMax) break;
    end += character.length;
  }
  return text.slice(0, end);
}
