import { LRUCache } from 'lru-cache';
import { blobUri } from '../../common/blob-uri.ts';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX, LOADED_OUTPUTS_BYTES_MAX } from '../../common/limits.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { type BlobStore, blobKey } from '../../platform/blobs/blob-store.ts';
import { filesSession, type RunHead } from './run.ts';

/**
 * A value as it is stored: JSON text in the property, or the key of a blob where the text is over
 * 256 KiB.
 */
export interface StoredPayload {
  readonly text: string | null;
  readonly blob: string | null;
  readonly bytes: number;
}

/**
 * Values of runs, inline or in the blob store (docs/decisions/0019). A blob never changes, so blobs
 * are cached.
 */
export interface Payloads {
  /**
   * @param name of the blob within its run; each value needs a name of its own, or it overwrites
   * another
   */
  store(run: PayloadPlace, name: string, value: Json): Promise<StoredPayload>;
  /**
   * Stores a file of a step's output. Retention deletes it with its run tree.
   * @param name unique within the run; without a slash
   * @returns its blob URI
   */
  storeFile(run: PayloadPlace, name: string, bytes: Uint8Array): Promise<string>;
  load(stored: { readonly text: string | null; readonly blob: string | null }): Promise<Json>;
  loadBlob(key: string): Promise<Json>;
}
export type PayloadPlace = Pick<RunHead, 'workspace' | 'ownerId' | 'rootRunId' | 'runId'>;

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

export function createPayloads(blobs: BlobStore): Payloads {
  const cache = new LRUCache<string, { value: Json }>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ value }) => jsonBytes(value) + 1,
  });
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  async function loadBlob(key: string): Promise<Json> {
    const known = cache.get(key);
    if (known !== undefined) return known.value;
    const bytes = await blobs.get(key);
    if (bytes === null) throw new Error('A stored payload is gone from the blob store.');
    const value = JSON.parse(decoder.decode(bytes)) as Json;
    cache.set(key, { value });
    return value;
  }

  return {
    async store(run, name, value) {
      const text = JSON.stringify(value);
      const bytes = jsonBytes(value);
      if (bytes <= INLINE_PAYLOAD_BYTES_MAX) return { text, blob: null, bytes };
      const key = blobKey({
        workspace: run.workspace,
        ownerId: run.ownerId,
        session: run.rootRunId,
        key: `${run.runId}/${name}`,
      });
      await blobs.put(key, encoder.encode(text));
      return { text: null, blob: key, bytes };
    },
    async storeFile({ workspace, ownerId, rootRunId, runId }, name, bytes) {
      const session = filesSession(rootRunId);
      const key = `${runId}.${name}`;
      await blobs.put(blobKey({ workspace, ownerId, session, key }), bytes);
      return blobUri(session, key);
    },
    load: ({ text, blob }) =>
      blob === null
        ? Promise.resolve(text === null ? null : (JSON.parse(text) as Json))
        : loadBlob(blob),
    loadBlob,
  };
}

interface StoredOutput {
  readonly output: Json;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
}

/**
 * The records with their outputs from the blob store.
 * @throws ToolFault PAYLOAD_TOO_LARGE, before any is loaded
 */
export async function loadOutputs<Row extends StoredOutput>(
  payloads: Payloads,
  records: readonly Row[],
): Promise<Row[]> {
  const bytes = records.reduce((sum, { outputBytes }) => sum + outputBytes, 0);
  if (bytes > LOADED_OUTPUTS_BYTES_MAX) {
    const mb = LOADED_OUTPUTS_BYTES_MAX / 1024 / 1024;
    throw new ToolFault(
      'PAYLOAD_TOO_LARGE',
      `The outputs that are read here are larger than ${mb} MiB together.`,
    );
  }
  return Promise.all(
    records.map(async (record) => {
      const { outputBlob } = record;
      if (outputBlob === null) return record;
      return { ...record, output: await payloads.loadBlob(outputBlob) };
    }),
  );
}

export async function loadObject(payloads: Payloads, key: string): Promise<JsonObject> {
  const value = await payloads.loadBlob(key);
  return isJsonObject(value) ? value : {};
}
