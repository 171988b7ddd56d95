import { createHash } from 'node:crypto';
import { blobUri } from '../../common/blob-uri.ts';
import { ATTACHMENT_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem, refuse } from '../../common/refusal.ts';
import { type BlobStore, blobFolder, blobKey } from '../../platform/blobs/blob-store.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';

/** The folder of uploaded files among a user's blobs. */
export const UPLOADS = 'uploads';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Default size of all files of one user. */
export const UPLOADS_BYTES_DEFAULT = 1_000_000_000;
/** Maximum number of files of one user. They are listed at each upload. */
const UPLOADS_MAX = 10_000;

export interface UploadedFile {
  readonly uri: string;
  readonly size: number;
}

/**
 * Stores a file as a blob of the viewer. Its key is the hash of its bytes, so a repeat only
 * makes it young again for the job `blob-sweep`.
 * @throws Refusal REQUIRED, INVALID, TOO_LARGE at `content`, also where the user's files are too
 * many
 */
export async function uploadFile(
  {
    graph,
    blobs,
    uploadsBytesMax = UPLOADS_BYTES_DEFAULT,
  }: { readonly graph: Graph; readonly blobs: BlobStore; readonly uploadsBytesMax?: number },
  { workspace, userId: ownerId }: Viewer,
  { content }: { readonly content: string },
): Promise<UploadedFile> {
  refuse(checkFile(content));
  const bytes = Buffer.from(content, 'base64');
  const key = createHash('sha256').update(bytes).digest('hex');
  const place = { workspace, ownerId, session: UPLOADS };
  if ((await blobs.size(blobKey({ ...place, key }))) === null)
    refuse(checkRoom(bytes.byteLength, await sizeOf(blobs, blobFolder(place)), uploadsBytesMax));
  await graph.write(async (tx) => {
    // Not while the job `blob-sweep` deletes the old file: it holds this lock.
    await lockResources(tx, [ownerId]);
    await blobs.put(blobKey({ ...place, key }), bytes);
  });
  return { uri: blobUri(UPLOADS, key), size: bytes.byteLength };
}

async function sizeOf(blobs: BlobStore, folder: string): Promise<{ files: number; bytes: number }> {
  const size = { files: 0, bytes: 0 };
  for await (const { bytes } of blobs.listByAge(folder, null)) {
    size.files++;
    size.bytes += bytes;
  }
  return size;
}

/** Two uploads at the same time may both fit: the quota holds to within a few files. */
function checkRoom(
  more: number,
  { files, bytes }: { readonly files: number; readonly bytes: number },
  bytesMax: number,
): Problem[] {
  if (files < UPLOADS_MAX && bytes + more <= bytesMax) return [];
  const message =
    `Your uploaded files are ${files} with ${bytes} bytes, and this one has ${more}. A user has ` +
    `at most ${UPLOADS_MAX} files and ${bytesMax} bytes (AIDEN_UPLOADS_MB_MAX).`;
  return [problem('TOO_LARGE', ['content'], message)];
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
