/** `ci-blob://{session_id}/{key}` (S0-BLOB-01). Both parts are URI-encoded. */
export function blobUri(sessionId: string, key: string): string {
  return `ci-blob://${encodeURIComponent(sessionId)}/${encodeURIComponent(key)}`;
}

const URI = /^ci-blob:\/\/([^/?#]{1,2048})\/([^/?#]{1,2048})$/;

/**
 * Null for another scheme, more or fewer parts, a part that would leave the folder of blobs, or
 * half of a surrogate pair, which has no URI encoding.
 */
export function parseBlobUri(
  uri: string,
): { readonly session: string; readonly key: string } | null {
  const [, session, key] = URI.exec(uri) ?? [];
  if (session === undefined || key === undefined) return null;
  try {
    const parts = { session: decodeURIComponent(session), key: decodeURIComponent(key) };
    return Object.values(parts).some((part) => /^\.*$|[/\\\0]/.test(part) || !part.isWellFormed())
      ? null
      : parts;
  } catch {
    return null;
  }
}
