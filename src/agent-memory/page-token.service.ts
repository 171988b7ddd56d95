import { createHash } from 'node:crypto';

// The digest binds a token to its query, so that a token of another query is a clear error. It is
// no security measure.
const digestOf = (query: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);

/** The token of the next page of a query. */
export function pageToken(cursor: string, query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([digestOf(query), cursor])).toString('base64url');
}

/** The cursor in a token; null where the token is of another query, or is none. */
export function cursorOf(token: string, query: readonly unknown[]): string | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(read) || read.length !== 2 || read[0] !== digestOf(query)) return null;
    return typeof read[1] === 'string' ? read[1] : null;
  } catch {
    return null;
  }
}
