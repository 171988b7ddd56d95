import { hashesIn } from '../common/hashes-in.ts';
import { SWEPT_PAYLOAD_BYTES_MAX } from '../common/limits.ts';
import { type BlobStore, blobFolder } from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import { FILES_PREFIX } from './blob-sweep.cypher.ts';

/** Files that are kept while records of their owner name them. The key of each is its hash. */
export interface NamedFiles {
  /** The session of the files in their blob keys. */
  readonly session: string;
  /** Age from which a file is deleted; 0: none is. */
  readonly days: number;
  /** The hashes that records of a user name; null where the signal ended the look. */
  readonly findNamed: (
    graph: Graph,
    userId: string,
    signal: AbortSignal,
  ) => Promise<ReadonlySet<string> | null>;
  /** Sessions of blobs that hold no texts of records. */
  readonly others: readonly string[];
}

export interface FilesOfOwner {
  readonly workspace: string;
  readonly ownerId: string;
}

/** The session of files that were deleted, and that a name may still bring back for a day. */
export const asideOf = ({ session }: NamedFiles): string => `${session}-swept`;

const HASH = /^[0-9a-f]{64}$/;
const MOVED_AT_ONCE = 8;
/** Files that are deleted under one lock of their owner. */
const FILES_PER_LOCK = 100;

/**
 * Deletes files of one owner that are older than `beforeMs` and that no record names. A record may
 * name a file while it is deleted. So each is copied aside first; what is named after the
 * deletion, or a day later when all open transactions have ended, is put back.
 */
export async function sweepFiles(
  { graph, blobs }: { readonly graph: Graph; readonly blobs: BlobStore },
  owner: FilesOfOwner,
  {
    files,
    beforeMs,
    asideBeforeMs,
    signal,
  }: {
    readonly files: NamedFiles;
    readonly beforeMs: number;
    /** Age from which a file that was set aside is gone for good. */
    readonly asideBeforeMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const folder = `${blobFolder({ ...owner, session: files.session })}/`;
  const aside = `${blobFolder({ ...owner, session: asideOf(files) })}/`;
  const look = async (hashes: readonly string[]): Promise<ReadonlySet<string> | null> => {
    if (hashes.length === 0) return new Set();
    const named = await files.findNamed(graph, owner.ownerId, signal);
    if (named === null) return null;
    const others = hashes.filter((hash) => !named.has(hash));
    const inPayloads = await namedByPayloads(blobs, owner, { hashes: others, files, signal });
    return inPayloads && new Set([...named, ...inPayloads]);
  };
  const putBack = (hashes: readonly string[]) =>
    inTurns(hashes, async (hash) => {
      const bytes = await blobs.get(aside + hash);
      // It was uploaded again meanwhile, or deleted with its owner.
      if (bytes !== null && (await blobs.size(folder + hash)) === null)
        await blobs.put(folder + hash, bytes);
      await blobs.delete(aside + hash);
    });

  const deleted = await hashesBelow(blobs, aside, Number.POSITIVE_INFINITY);
  const old = await hashesBelow(blobs, folder, beforeMs);
  const named = await look([...deleted, ...old]);
  if (named === null) return;
  await putBack(deleted.filter((hash) => named.has(hash)));
  const lost = await hashesBelow(blobs, aside, asideBeforeMs);
  await inTurns(
    lost.filter((hash) => deleted.includes(hash)),
    (hash) => blobs.delete(aside + hash),
  );
  const gone = old.filter((hash) => !named.has(hash));
  for (let from = 0; from < gone.length && !signal.aborted; from += FILES_PER_LOCK) {
    const part = gone.slice(from, from + FILES_PER_LOCK);
    await inTurns(part, async (hash) => {
      const bytes = await blobs.get(folder + hash);
      if (bytes !== null) await blobs.put(aside + hash, bytes);
    });
    await graph.write(async (tx) => {
      // An upload of the same bytes waits for this lock, or has made its file young.
      await lockResources(tx, [owner.ownerId]);
      const stillOld = new Set(await hashesBelow(blobs, folder, beforeMs));
      await inTurns(
        part.filter((hash) => stillOld.has(hash)),
        (hash) => blobs.delete(folder + hash),
      );
    });
  }
  const namedNow = await look(gone);
  if (namedNow !== null) await putBack(gone.filter((hash) => namedNow.has(hash)));
}

/** Hashes of the files below a folder that were written before a time. */
async function hashesBelow(blobs: BlobStore, folder: string, beforeMs: number): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { key, writtenAtMs, isDraft } of blobs.listByAge(folder.slice(0, -1), null)) {
    const hash = key.slice(folder.length);
    if (!isDraft && writtenAtMs < beforeMs && HASH.test(hash)) hashes.push(hash);
  }
  return hashes;
}

/**
 * The hashes that payloads of runs and events in the blob store name; all of them where the
 * payloads are too many to read. Null where the signal ended the look.
 */
async function namedByPayloads(
  blobs: BlobStore,
  owner: FilesOfOwner,
  {
    hashes,
    files,
    signal,
  }: {
    readonly hashes: readonly string[];
    readonly files: NamedFiles;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlySet<string> | null> {
  if (hashes.length === 0) return new Set();
  const wanted = new Set(hashes);
  const named = new Set<string>();
  let bytesLeft = SWEPT_PAYLOAD_BYTES_MAX;
  for await (const { key, bytes } of blobs.listByAge(blobFolder(owner), null)) {
    if (signal.aborted) return null;
    const [, , session = '', name = ''] = key.split('/');
    if (HASH.test(name) || files.others.includes(session) || FILES_PREFIX.test(session)) continue;
    bytesLeft -= bytes;
    if (bytesLeft < 0) return wanted;
    const content = await blobs.get(key);
    if (content === null) continue;
    for (const hash of hashesIn(Buffer.from(content).toString('latin1')))
      if (wanted.has(hash)) named.add(hash);
  }
  return named;
}

async function inTurns(
  hashes: readonly string[],
  work: (hash: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < hashes.length; from += MOVED_AT_ONCE)
    await Promise.all(hashes.slice(from, from + MOVED_AT_ONCE).map(work));
}
