import { isJsonObject, type Json } from '../../common/json.ts';
import { SECRET_CHARS_MIN } from '../../common/limits.ts';
import { openEnd } from '../../common/open-end.ts';
import { REDACTED } from '../../common/redaction.ts';

/** Removes the exact values of a call's Secrets from all its outputs. */
export interface SecretRedactor {
  text(text: string): string;
  /** Redacts texts and keys at every depth. */
  json<T extends Json>(value: T): T;
  /** Redacts streamed text. Text that may start a secret is buffered; `flush` emits it. */
  stream(emit: (text: string) => void): { push(delta: string): void; flush(): void };
}

/** @param values the Secret and texts derived from it (`user:password`) */
export function redactSecret(...values: readonly (string | null | undefined)[]): SecretRedactor {
  const forms = [...new Set(values.flatMap((value) => (value ? formsOf(value) : [])))].sort(
    (left, right) => right.length - left.length,
  );

  const text = (given: string): string =>
    forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), given);

  function json(value: Json): Json {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [text(key), json(inner)]),
    );
  }

  return {
    text,
    json: <T extends Json>(value: T) => (forms.length === 0 ? value : (json(value) as T)),
    stream(emit) {
      let held = '';
      const give = (given: string) => {
        if (given !== '') emit(given);
      };
      return {
        push(delta) {
          const all = text(held + delta);
          const keep = openEnd(all, forms);
          held = keep === 0 ? '' : all.slice(-keep);
          give(keep === 0 ? all : all.slice(0, -keep));
        },
        flush() {
          give(held);
          held = '';
        },
      };
    },
  };
}

function formsOf(value: string): string[] {
  if (value.length < SECRET_CHARS_MIN) return [];
  const base64 = Buffer.from(value).toString('base64');
  const uri = encodeURIComponent(value);
  const quoted = JSON.stringify(value).slice(1, -1);
  // Base64 without padding, so that it is also found in unpadded or longer text.
  const unpadded = base64.replace(/=+$/, '');
  return [
    value,
    base64,
    unpadded,
    Buffer.from(value).toString('base64url'),
    uri,
    uri.replaceAll('%20', '+'),
    quoted,
  ].filter((form) => form.length >= SECRET_CHARS_MIN);
}
