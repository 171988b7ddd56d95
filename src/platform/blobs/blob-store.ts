import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Byte range from `start` (inclusive) to `end` (exclusive). Without `end`: to the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/**
 * Stores values too large for a property or a Temporal payload, by key
 * `{workspace}/{owner}/{session}/{key}` (`blobKey`). Either a directory (here) or an S3-compatible
 * bucket (s3-store.ts).
 */
export interface BlobStore {
  /** Writes all bytes or nothing. An existing value of the key is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when the key does not exist. A range beyond the end gives fewer bytes. */
  get(key: string, range?: ByteRange): Promise<Uint8Array | null>;
  /** Size in bytes; null when the key does not exist. */
  size(key: string): Promise<number | null>;
  delete(key: string): Promise<void>;
  /** All keys below a folder (`blobFolder`), in any order; null = all keys of the store. */
  list(folder: string | null): AsyncIterable<string>;
  /**
   * All keys below a folder and after `after`, in their order, each with its age. Drafts of a
   * crashed `put` are listed, too. Null: of the whole store; from the first.
   */
  listByAge(folder: string | null, after: string | null): AsyncIterable<BlobAge>;
  /** Deletes everything below a folder. It need not exist. */
  deleteFolder(folder: string): Promise<void>;
  stream(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
}

/** A key of the store, its size, and when its value was last written. */
export interface BlobAge {
  readonly key: string;
  readonly writtenAtMs: number;
  readonly bytes: number;
  /** Whether it is no blob, but a part of one whose writer was lost. */
  readonly isDraft: boolean;
}

/**
 * Opens a blob store in a directory.
 * @throws Error naming the setting when the URI is no file: URI
 */
export function openBlobStore(uri: string): BlobStore {
  const url = new URL(uri);
  if (url.protocol !== 'file:')
    throw new Error(
      `AIDEN_BLOBS: no store for ${url.protocol}//; give file:///a/folder or s3://bucket/prefix.`,
    );
  return directoryStore(fileURLToPath(url));
}

function directoryStore(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, ...checkedKey(key));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Written to a draft and renamed: a reader sees the old or the new value, never a part of
      // one.
      const draft = `${path}.${randomUUID()}.draft`;
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const path = pathOf(key);
      if (range === undefined) return ifThere(() => readFile(path));
      return ifThere(async () => {
        const file = await open(path, 'r');
        try {
          const { size } = await file.stat();
          const start = Math.min(Math.max(0, range.start), size);
          const length = Math.max(0, Math.min(range.end ?? size, size) - start);
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      });
    },
    size: (key) => ifThere(async () => (await stat(pathOf(key))).size),
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list(prefix) {
      const below = prefix === null ? folder : pathOf(prefix);
      const entries = await ifThere(() => readdir(below, { recursive: true, withFileTypes: true }));
      for (const entry of entries ?? []) {
        if (!entry.isFile() || entry.name.endsWith('.draft')) continue;
        yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
      }
    },
    async *listByAge(prefix, after) {
      const below = prefix === null ? '' : `${checkedKey(prefix).join('/')}/`;
      for await (const key of keysBelow(folder, below)) {
        if (after !== null && key <= after) continue;
        const found = await ifThere(() => stat(join(folder, key)));
        // Another process has deleted it meanwhile.
        if (found === null) continue;
        const isDraft = key.endsWith('.draft');
        yield { key, writtenAtMs: found.mtimeMs, bytes: found.size, isDraft };
      }
    },
    async deleteFolder(prefix) {
      await rm(pathOf(prefix), { recursive: true, force: true });
    },
    stream(key, range) {
      const path = pathOf(key);
      const start = Math.max(0, range?.start ?? 0);
      if (range?.end === undefined) return createReadStream(path, { start });
      // createReadStream includes its `end`, so it can't express an empty range.
      return range.end > start ? createReadStream(path, { start, end: range.end - 1 }) : nothing();
    },
  };
}

/** The files below a folder, in the order of their keys. */
async function* keysBelow(folder: string, before: string): AsyncGenerator<string> {
  const entries = await ifThere(() => readdir(join(folder, before), { withFileTypes: true }));
  // With its slash, as the key of a file in it has: "a/b" is after "a!" and before "a0".
  const names = (entries ?? []).map((entry) => entry.name + (entry.isDirectory() ? '/' : ''));
  for (const name of names.sort()) {
    if (name.endsWith('/')) yield* keysBelow(folder, before + name);
    else yield before + name;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function ifThere<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Makes a key; all keys are made here. Parts may be any text: characters with a meaning in paths
 * are encoded.
 */
export function blobKey(parts: {
  readonly workspace: string;
  readonly ownerId: string;
  readonly session: string;
  readonly key: string;
}): string {
  return [parts.workspace, parts.ownerId, parts.session, parts.key].map(segment).join('/');
}

/** The folder of all blobs of a user in a workspace, or of those of one session. */
export function blobFolder(parts: {
  readonly workspace: string;
  readonly ownerId: string;
  readonly session?: string;
}): string {
  const { workspace, ownerId, session } = parts;
  const whole = [workspace, ownerId, ...(session === undefined ? [] : [session])];
  return whole.map(segment).join('/');
}

function segment(part: string): string {
  const safe = encodeURIComponent(part).replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));
  if (safe === '') throw new Error('A part of a blob key is empty.');
  // File names have at most 255 bytes. A longer part is cut and identified by its hash.
  if (safe.length <= PART_CHARS_MAX) return safe;
  return `${safe.slice(0, 64)}~${createHash('sha256').update(part).digest('hex')}`;
}

const PART_CHARS_MAX = 200;
const SEGMENT = /^(?!\.)[A-Za-z0-9_.!~*'()%-]{1,200}$/;

/**
 * Splits a key and checks each part, so that no key leads outside the store.
 * @throws Error for an invalid key
 */
export function checkedKey(key: string): string[] {
  const segments = key.split('/');
  if (segments.length < 2 || segments.length > 8 || !segments.every((part) => SEGMENT.test(part)))
    throw new Error('This is no key of a blob.');
  return segments;
}

/**
 * The parts of a key's folder. Null where they can't be told from the key: it was not made by
 * `blobKey`, or a part was so long that only its hash is there.
 */
export function foldersOfKey(
  key: string,
): { readonly workspace: string; readonly ownerId: string; readonly session: string } | null {
  const parts = key.split('/');
  const [workspace, ownerId, session] = parts;
  if (parts.length !== 4 || !workspace || !ownerId || !session) return null;
  if ([workspace, ownerId, session].some((part) => CUT_PART.test(part))) return null;
  try {
    const decoded = {
      workspace: decodeURIComponent(workspace),
      ownerId: decodeURIComponent(ownerId),
      session: decodeURIComponent(session),
    };
    return blobFolder(decoded) === parts.slice(0, 3).join('/') ? decoded : null;
  } catch {
    return null;
  }
}

const CUT_PART = /~[0-9a-f]{64}$/;
