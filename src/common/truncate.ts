import { type Json, jsonBytes } from './json.ts';

/** S3-TRUNC-02: how much of a large payload stays readable. */
export const PREVIEW_BYTES = 1_024;

/** What stands for a payload that was too large (S3-TRUNC-01). `size` is its bytes as JSON. */
export type Truncated = {
  readonly _truncated: true;
  readonly size: number;
  readonly preview: string;
};

/** The value itself up to `thresholdBytes` of JSON, beyond it its size and beginning. */
export function truncate(value: Json, thresholdBytes: number): Json {
  const size = jsonBytes(value);
  return size <= thresholdBytes ? value : truncated(size, JSON.stringify(value));
}

export function truncated(size: number, json: string): Truncated & { [name: string]: Json } {
  return { _truncated: true, size, preview: beginning(json, PREVIEW_BYTES) };
}

/** The longest beginning that has at most `bytesMax` bytes as UTF-8; no character is cut in two. */
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
