import { createHash } from 'node:crypto';
import { blobUri } from '../../common/blob-uri.ts';
import { ATTACHMENT_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem, refuse } from '../../common/refusal.ts';
import { type BlobStore, blobKey } from '../../platform/blobs/blob-store.ts';
import type { Viewer } from '../../users/user.ts';

/** The folder of uploaded files among a user's blobs. */
export const UPLOADS = 'uploads';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export interface UploadedFile {
  readonly uri: string;
  readonly size: number;
}

/**
 * Stores a file as a blob of the viewer. Its key is the hash of its bytes, so a repeat changes
 * nothing.
 * @throws Refusal REQUIRED, INVALID, TOO_LARGE at `content`
 */
export async function uploadFile(
  { blobs }: { readonly blobs: BlobStore },
  { workspace, userId: ownerId }: Viewer,
  { content }: { readonly content: string },
): Promise<UploadedFile> {
  refuse(checkFile(content));
  const bytes = Buffer.from(content, 'base64');
  const key = createHash('sha256').update(bytes).digest('hex');
  await blobs.put(blobKey({ workspace, ownerId, session: UPLOADS, key }), bytes);
  return { uri: blobUri(UPLOADS, key), size: bytes.byteLength };
}

function checkFile(content: string): Problem[] {
  const path = ['content'];
  if (content === '') return [problem('REQUIRED', path, 'The file is empty.')];
  // Four characters hold three bytes.
  if (content.length > Math.ceil(ATTACHMENT_BYTES_MAX / 3) * 4)
    return [problem('TOO_LARGE', path, `A file has at most ${ATTACHMENT_BYTES_MAX} bytes.`)];
  return content.length % 4 === 0 && BASE64.test(content)
    ? []
    : [problem('INVALID', path, 'The content is not base64.')];
}
