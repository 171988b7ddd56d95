import { decodeTime, encodeTime, isValid, monotonicFactory } from 'ulid';
import { instant } from '../../common/clock.ts';

/** Makes ULIDs: 48 bits of Unix milliseconds and 80 random bits, 26 characters, upper case. */
export type NewUlid = (atMs: number) => string;

/** Whether a text is a ULID (S2-EVT-02): 26 characters of Crockford's alphabet, in either case, within 128 bits. */
export function isUlid(text: string): boolean {
  return /^[0-7]/.test(text) && text.length === 26 && isValid(text);
}

/** The one spelling that is stored and compared; the alphabet has no case. */
export function canonicalUlid(text: string): string {
  return text.toUpperCase();
}

/** The moment a ULID carries. */
export function ulidMs(ulid: string): number {
  return decodeTime(ulid);
}

/**
 * A source of ULIDs for one batch: ids of one millisecond rise in the order in which they are made, so that what was told
 * in one breath keeps its order.
 * @param random from 0 up to, not including, 1
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
 * A ULID that follows from what it is made of: the moment, and bytes of a digest instead of chance.
 * @param index from 0 to 31, its last letter; several of one digest sort by it
 */
export function ulidFrom(ms: number, digest: Uint8Array, index: number): string {
  const letters = Array.from({ length: 15 }, (_, at) => ALPHABET[(digest[at] ?? 0) % 32]);
  return `${encodeTime(ms)}${letters.join('')}${ALPHABET[index % 32]}`;
}

/** Milliseconds as the Instant that models carry. */
export function instantOf(ms: number): string {
  return instant({ nowMs: () => ms });
}
