import { type Json, jsonBytes } from '../common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../common/limits.ts';
import { type RedactionSettings, redactorOf } from '../common/redact.ts';
import { beginning, truncate, truncated } from '../common/truncate.ts';
import type { CallError } from './call.ts';

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
