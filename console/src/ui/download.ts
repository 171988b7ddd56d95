import type { Client } from 'urql';
import { BlobPartDocument } from '../generated/documents.ts';

/** Bytes of one part; the API gives no more at once. */
const PART_BYTES = 1_048_576;

/**
 * Reads a blob part by part.
 * @param onProgress told with the share that is read, from 0 to 1
 * @returns its bytes, or a message where it could not be read
 */
export async function readBlob(
  client: Client,
  uri: string,
  onProgress: (share: number) => void = () => {},
): Promise<readonly Uint8Array<ArrayBuffer>[] | string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const variables: { uri: string; offset: number; length: number } = {
      uri,
      offset,
      length: PART_BYTES,
    };
    const { data, error } = await client
      .query(BlobPartDocument, variables, { requestPolicy: 'network-only' })
      .toPromise();
    if (error !== undefined) return error.message.replace(/^\[\w+\] /, '');
    if (data?.blob == null) return 'It is not there any more.';
    const { content, size, nextOffset } = data.blob;
    parts.push(bytesOf(content));
    onProgress(size === 0 ? 1 : (nextOffset ?? size) / size);
    offset = nextOffset ?? null;
  }
  return parts;
}

/**
 * Reads a blob and lets the browser save it as a file.
 * @param onProgress told with the share that is read, from 0 to 1
 * @returns a message where it could not be read; null when it was
 */
export async function download(
  client: Client,
  uri: string,
  name: string,
  onProgress?: (share: number) => void,
): Promise<string | null> {
  const parts = await readBlob(client, uri, onProgress);
  if (typeof parts === 'string') return parts;
  const url = URL.createObjectURL(new Blob([...parts]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return null;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
