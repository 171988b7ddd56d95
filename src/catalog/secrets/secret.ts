import { z } from 'zod';
import { type Problem, problem } from '../../common/refusal.ts';
import { storedInstant, storedInstantOrNull } from '../stored.ts';

export const SECRET_TYPES = ['api_key', 'oauth_token', 'password', 'certificate'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** Certificates with their chains are the largest; anything beyond is no credential. */
export const SECRET_BYTES_MAX = 64 * 1024;

/** What may be known of a Secret: everything but its value, which never leaves storage (S4-SEC-03). */
export const Secret = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  type: z.enum(SECRET_TYPES),
  /** Shown to its owner only, and gives nobody else anything (S4-OWN-06). */
  shared: z.boolean(),
  /** Id of the key it is encrypted with. */
  keyVersion: z.int(),
  /** When its value was last replaced; null while it is the first. */
  rotatedAt: storedInstantOrNull,
  allowedOrigins: z.array(z.string()),
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Secret = z.infer<typeof Secret>;

export function checkSecretValue(value: string, path: readonly string[] = ['value']): Problem[] {
  if (value === '') return [problem('REQUIRED', path, 'The value of a Secret is required.')];
  if (Buffer.byteLength(value) > SECRET_BYTES_MAX) {
    return [
      problem('TOO_LARGE', path, `The value of a Secret has at most ${SECRET_BYTES_MAX} bytes.`),
    ];
  }
  return [];
}
