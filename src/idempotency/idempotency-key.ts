import type { Maybe } from '../common/maybe.ts';
import { type Problem, problem } from '../common/refusal.ts';

const IDEMPOTENCY_KEY_CHARS_MAX = 200;

/** INVALID at `idempotencyKey`; a request without a key is valid. */
export function checkIdempotencyKey(key: Maybe<string>): Problem[] {
  if (key === null || key === undefined) return [];
  if (key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX) return [];
  const message = `An idempotency key has 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} characters.`;
  return [problem('INVALID', ['idempotencyKey'], message)];
}

/** The key of the stored record: an idempotency key is unique by owner and operation. */
export function recordKeyOf(ownerId: string, operation: string, key: string): string {
  return `${ownerId}/${operation}/${key}`;
}
