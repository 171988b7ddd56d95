import { type Json, jsonBytes } from '../common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../common/limits.ts';
import type { CallError } from './call.ts';
import { type RedactionSettings, redactorOf } from './redact.ts';

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

/** What the recording of payloads is set to; the part of Settings that says so. */
export interface RecordingRules extends RedactionSettings {
  readonly payloadTruncationThreshold: number;
}

// Of what is larger only a beginning is looked at, for its preview: megabytes would hold up everything behind them.
const REDACTED_BEGINNING_BYTES = 64 * 1_024;

/** Redacted, then cut (S3-RED-04): the one way a payload gets into the record. */
export function recordable(value: Json, rules: RecordingRules): Json {
  const redactor = redactorOf(rules);
  const size = jsonBytes(value);
  if (size > INLINE_PAYLOAD_BYTES_MAX) {
    const start = beginning(JSON.stringify(value), REDACTED_BEGINNING_BYTES);
    return truncated(size, redactor.text(start));
  }
  return truncate(redactor.json(value), rules.payloadTruncationThreshold);
}

/** As `recordable`; code and message stay what they are, a long message loses its end. */
export function recordableError(error: CallError, rules: RecordingRules): CallError {
  const { code, message, details } = error;
  const shown = {
    code,
    message: beginning(redactorOf(rules).text(message), rules.payloadTruncationThreshold),
  };
  return details === undefined ? shown : { ...shown, details: recordable(details, rules) };
}

/** A payload as it is stored: JSON text; null, which says nothing, as nothing. */
export function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
