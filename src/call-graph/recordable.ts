import { type Json, jsonBytes } from '../common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../common/limits.ts';
import { type RedactionSettings, redactorOf } from '../common/redact.ts';
import { beginning, truncate, truncated } from '../common/truncate.ts';
import type { CallError } from './call.ts';

/** The part of Settings that controls the recording of payloads. */
export interface RecordingRules extends RedactionSettings {
  readonly payloadTruncationThreshold: number;
}

// Of larger payloads only the beginning is redacted, for the preview: megabytes would block the
// queue.
const REDACTED_BEGINNING_BYTES = 64 * 1_024;

/** Redacts, then cuts a payload (S3-RED-04). Every recorded payload goes through this function. */
export function recordable(value: Json, rules: RecordingRules): Json {
  const redactor = redactorOf(rules);
  const size = jsonBytes(value);
  if (size > INLINE_PAYLOAD_BYTES_MAX) {
    const start = beginning(JSON.stringify(value), REDACTED_BEGINNING_BYTES);
    return truncated(size, redactor.text(start));
  }
  return truncate(redactor.json(value), rules.payloadTruncationThreshold);
}

/** As `recordable`, for errors: the code stays, the message is redacted and cut at its end. */
export function recordableError(error: CallError, rules: RecordingRules): CallError {
  const { code, message, details } = error;
  const shown = {
    code,
    message: beginning(redactorOf(rules).text(message), rules.payloadTruncationThreshold),
  };
  return details === undefined ? shown : { ...shown, details: recordable(details, rules) };
}

/** A payload as stored: JSON text, or null for JSON null. */
export function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
