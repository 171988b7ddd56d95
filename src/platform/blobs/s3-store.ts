import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { BlobStore, ByteRange } from './blob-store.ts';
import { checkedKey } from './blob-store.ts';

export interface S3Settings {
  /** `s3://bucket` or `s3://bucket/prefix`. */
  readonly uri: string;
  /** URL of an S3-compatible server, addressed by path. Absent: AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Absent: found as AWS tools do (environment, files, the machine's role). */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
}

// A bucket that does not answer must fail before the step's heartbeat times out.
const CONNECT_MS_MAX = 10_000;
const REQUEST_MS_MAX = 60_000;
const ATTEMPTS_MAX = 3;

/**
 * Opens a blob store in a bucket. Egress rules do not apply: the operator sets the address, as for
 * Neo4j. Users only influence the key, whose parts are encoded.
 * @throws Error when the URI names no bucket
 */
export function s3Store({ uri, endpoint, region, credentials }: S3Settings): BlobStore {
  const { hostname: bucket, pathname } = new URL(uri);
  if (bucket === '') throw new Error('AIDEN_BLOBS: name a bucket, as in s3://bucket/prefix.');
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const client = new S3Client({
    region: region ?? 'us-east-1',
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, requestTimeout: REQUEST_MS_MAX },
    // Servers other than AWS support neither checksums in trailers nor buckets as host names.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  const at = (key: string) => {
    const checked = checkedKey(key).join('/');
    return { Bucket: bucket, Key: prefix === '' ? checked : `${prefix}/${checked}` };
  };

  /** Requests the object, or a range of it. */
  async function open(
    key: string,
    range: ByteRange | undefined,
  ): Promise<GetObjectCommandOutput | null> {
    const start = Math.max(0, range?.start ?? 0);
    const Range =
      range === undefined
        ? undefined
        : `bytes=${start}-${range.end === undefined ? '' : range.end - 1}`;
    return client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }) }));
  }

  /** The objects below a folder and after a key; null: all. One request lists at most 1,000. */
  async function* objects(folder: string | null, after: string | null) {
    const whole = { Bucket: bucket, Key: prefix };
    const { Bucket, Key } = folder === null ? whole : at(folder);
    const start = prefix === '' ? '' : `${prefix}/`;
    let StartAfter = after === null ? undefined : start + after;
    for (let isMore = true; isMore; ) {
      const page = { Bucket, Prefix: Key === '' ? '' : `${Key}/`, StartAfter };
      const found = await client.send(new ListObjectsV2Command(page));
      const contents = found.Contents ?? [];
      for (const { Key: name, LastModified: writtenAt, Size: bytes = 0 } of contents)
        if (name !== undefined) yield { key: name.slice(start.length), writtenAt, bytes };
      // Objects are listed in the order of their keys.
      StartAfter = contents.at(-1)?.Key;
      isMore = found.IsTruncated === true && StartAfter !== undefined;
    }
  }

  const isEmpty = (range: ByteRange | undefined) =>
    range?.end !== undefined && range.end <= Math.max(0, range.start);

  const store: BlobStore = {
    async put(key, bytes) {
      const Body = bytes;
      await client.send(new PutObjectCommand({ ...at(key), Body, ContentLength: bytes.length }));
    },
    async get(key, range) {
      if (isEmpty(range)) return (await store.size(key)) === null ? null : new Uint8Array();
      try {
        const found = await open(key, range);
        return (await found?.Body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        if (isGone(error)) return null;
        if (isBeyond(error)) return new Uint8Array();
        throw error;
      }
    },
    async size(key) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand(at(key)));
        return ContentLength ?? 0;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
    async *list(folder) {
      for await (const { key } of objects(folder, null)) yield key;
    },
    async *listByAge(folder, after) {
      for await (const { key, writtenAt, bytes } of objects(folder, after))
        if (writtenAt !== undefined)
          yield { key, writtenAtMs: writtenAt.getTime(), bytes, isDraft: false };
    },
    async deleteFolder(folder) {
      for await (const key of store.list(folder)) await store.delete(key);
    },
    async *stream(key, range) {
      if (isEmpty(range)) return;
      try {
        const found = await open(key, range);
        const body = found?.Body as AsyncIterable<Uint8Array> | undefined;
        if (body !== undefined) yield* body;
      } catch (error) {
        if (!isBeyond(error)) throw error;
      }
    },
  };
  return store;
}

const isGone = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  error.name !== 'NoSuchBucket' &&
  error.$metadata.httpStatusCode === 404;

/** Whether the range starts after the last byte. */
const isBeyond = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416;
