import { parseBlobUri } from '../../common/blob-uri.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { firstChars } from '../../common/well-formed.ts';
import { type BlobStore, blobKey } from '../blobs/blob-store.ts';

/** The run's owner, whose blobs may be read. */
export interface BlobReader {
  readonly ownerId: string;
  readonly workspace: string;
}

/**
 * Reads a blob of the owner: the workspace and the owner of the key are the reader's, so a URI
 * names no other user's blob.
 * @returns null where the URI is no `ci-blob://`
 * @throws ToolFault INPUT_INVALID where there is none, `tooLarge()` above `bytesMax`
 */
export async function readBlob(
  blobs: BlobStore | undefined,
  { ownerId, workspace }: BlobReader,
  uri: string,
  limit: { readonly bytesMax: number; readonly tooLarge: () => ToolFault },
): Promise<Uint8Array | null> {
  const blob = parseBlobUri(uri);
  if (blob === null) return null;
  const key = blobKey({ workspace, ownerId, ...blob });
  const size = (await blobs?.size(key)) ?? null;
  if (size !== null && size > limit.bytesMax) throw limit.tooLarge();
  const bytes = size === null ? null : await blobs?.get(key);
  if (bytes == null)
    throw new ToolFault('INPUT_INVALID', `There is no blob ${firstChars(uri, 200)}.`);
  return bytes;
}
