import { parseBlobUri } from '../../common/blob-uri.ts';
import { BLOB_READ_BYTES_MAX } from '../../common/limits.ts';
import { problem, Refusal } from '../../common/refusal.ts';
import { type BlobStore, blobKey } from '../../platform/blobs/blob-store.ts';
import type { Viewer } from '../../users/user.ts';

/** A range of a blob. */
export interface BlobPiece {
  readonly uri: string;
  /** Size of the whole blob in bytes. */
  readonly size: number;
  /** The bytes from the offset, in base64. */
  readonly content: string;
  /** Offset of the next range; null at the end. */
  readonly nextOffset: number | null;
}

/**
 * Reads a range of a blob (S0-BLOB-02). The folder is derived from the viewer, so no URI leads to
 * the blob of another user. Null if the viewer has no such blob.
 * @throws Refusal INVALID at `uri`, `offset` or `length`
 */
export async function readBlob(
  { blobs }: { readonly blobs: BlobStore },
  viewer: Viewer,
  {
    uri,
    offset,
    length,
  }: { readonly uri: string; readonly offset: number; readonly length: number },
): Promise<BlobPiece | null> {
  const parts = parseBlobUri(uri);
  const problems = [
    ...(parts === null
      ? [problem('INVALID', ['uri'], 'A blob is named as ci-blob://{session_id}/{key}.')]
      : []),
    ...(offset < 0 ? [problem('INVALID', ['offset'], 'offset has to be 0 or more.')] : []),
    ...(length < 1 || length > BLOB_READ_BYTES_MAX
      ? [problem('INVALID', ['length'], `length has to be from 1 to ${BLOB_READ_BYTES_MAX}.`)]
      : []),
  ];
  if (parts === null || problems.length > 0) throw new Refusal(problems);
  const key = blobKey({ workspace: viewer.workspace, ownerId: viewer.userId, ...parts });
  const size = await blobs.size(key);
  if (size === null) return null;
  const end = Math.min(offset + length, size);
  const bytes = offset < end ? await blobs.get(key, { start: offset, end }) : new Uint8Array();
  if (bytes === null) return null;
  return {
    uri,
    size,
    content: Buffer.from(bytes).toString('base64'),
    nextOffset: end < size ? end : null,
  };
}
