// A look-ahead, so that "2f" of an escaped slash before a hash does not shift it.
const HASH = /(?=([0-9a-f]{64}))/g;

/** Whatever may be a SHA-256 hash in a text. */
export function hashesIn(text: string): string[] {
  return Array.from(text.matchAll(HASH), ([, hash]) => hash ?? '');
}
