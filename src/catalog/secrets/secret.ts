import { z } from 'zod';
import { SECRET_CHARS_MIN } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { storedInstant, storedInstantOrNull } from '../stored.ts';

export const SECRET_TYPES = ['api_key', 'oauth_token', 'password', 'certificate'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** A certificate with its chain is the largest credential. */
export const SECRET_BYTES_MAX = 64 * 1024;

/** All readable fields of a Secret. Its value never leaves storage (S4-SEC-03). */
export const Secret = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  type: z.enum(SECRET_TYPES),
  /** Visible to the owner only. Sharing gives other users nothing (S4-OWN-06). */
  shared: z.boolean(),
  /** Id of the key that encrypts the value. */
  keyVersion: z.int(),
  /** When the value was last replaced; null until the first replacement. */
  rotatedAt: storedInstantOrNull,
  allowedOrigins: z.array(z.string()),
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Secret = z.infer<typeof Secret>;

/** @param isOfSystem the operator's key of a model on this machine may be any word */
export function checkSecretValue(value: string, isOfSystem: boolean): Problem[] {
  const path = ['value'];
  if (value === '') return [problem('REQUIRED', path, 'The value of a Secret is required.')];
  if (value.length < SECRET_CHARS_MIN && !isOfSystem)
    return [
      problem(
        'INVALID',
        path,
        `The value of a Secret has at least ${SECRET_CHARS_MIN} characters: a shorter one ` +
          'could not be removed from answers and records.',
      ),
    ];
  if (Buffer.byteLength(value) > SECRET_BYTES_MAX)
    return [
      problem('TOO_LARGE', path, `The value of a Secret has at most ${SECRET_BYTES_MAX} bytes.`),
    ];
  return [];
}
