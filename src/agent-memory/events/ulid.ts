import { decodeTime, encodeTime, isValid, monotonicFactory } from 'ulid';

/** Makes ULIDs: 48 bits of Unix milliseconds and 80 random bits, 26 characters, upper case. */
export type NewUlid = (atMs: number) => string;

/** Whether a text is a ULID (S2-EVT-02): 26 letters of Crockford's alphabet, any case, 128 bits. */
export function isUlid(text: string): boolean {
  return /^[0-7]/.test(text) && text.length === 26 && isValid(text);
}

/** The stored spelling, upper case; the alphabet ignores case. */
export function canonicalUlid(text: string): string {
  return text.toUpperCase();
}

/** The time of a ULID in Unix milliseconds. */
export function ulidMs(ulid: string): number {
  return decodeTime(ulid);
}

/**
 * Creates a source of ULIDs for one batch. Ids of one millisecond rise in the order of the calls,
 * so that the events of a batch keep their order.
 * @param random from 0 to below 1
 */
export function createUlids(random: () => number): NewUlid {
  const byMs = new Map<number, () => string>();
  return (atMs) => {
    let next = byMs.get(atMs);
    if (next === undefined) {
      const factory = monotonicFactory(random);
      next = () => factory(atMs);
      byMs.set(atMs, next);
    }
    return next();
  };
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes a deterministic ULID: bytes of a digest take the place of the random ones.
 * @param index from 0 to 31, the last letter; several ULIDs of one digest sort by it
 */
export function ulidFrom(ms: number, digest: Uint8Array, index: number): string {
  const letters = Array.from({ length: 15 }, (_, at) => ALPHABET[(digest[at] ?? 0) % 32]);
  return `${encodeTime(ms)}${letters.join('')}${ALPHABET[index % 32]}`;
}
