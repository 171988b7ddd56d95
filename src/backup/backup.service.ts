import { Buffer } from 'node:buffer';
import type { Instant } from '../common/clock.ts';
import { createSealedFile } from '../platform/archive/sealed-file.ts';
import { BlobDigest } from '../platform/blobs/blob-digest.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { GraphDigest } from '../platform/neo4j/graph-digest.ts';
import { NewKindFound, type WholeGraph } from '../platform/neo4j/whole-graph.ts';
import { ARCHIVE_FORM, type ArchiveRecord, type ArchiveSums } from './archive.ts';
import { listMigrationVersions, RESTORE_LABEL } from './restore.cypher.ts';

export interface Installation {
  readonly graph: Graph;
  readonly whole: WholeGraph;
  readonly blobs: BlobStore;
}

export interface BackupInput {
  readonly file: string;
  readonly passphrase: string;
  /** The key ring, the current key first. */
  readonly keys: readonly string[];
  /** As of the record `settings`. */
  readonly settings: string;
  readonly version: string;
  readonly now: Instant;
  /** How long changes may wait while the graph is read. */
  readonly freezeMs: number;
}

const TRIES_MAX = 3;
/** Bytes of a blob in one line; a multiple of 3, so that base64 needs no padding between parts. */
const BLOB_PART_BYTES = 768 * 1024;

/**
 * Writes an archive of an installation, also while it runs. Blobs are read before the graph and
 * again after it: a blob is stored before the graph names it, so the archive has each blob that its
 * graph names. While the graph is read, changes wait (docs/decisions/0060).
 * @throws FreezeFailed; then no file is left
 */
export async function backUp(installation: Installation, input: BackupInput): Promise<ArchiveSums> {
  for (let tries = 1; ; tries++) {
    try {
      return await writeArchive(installation, input);
    } catch (error) {
      // Seldom more than once: an installation writes its first record of a kind only once.
      if (!(error instanceof NewKindFound) || tries === TRIES_MAX) throw error;
    }
  }
}

async function writeArchive(
  { graph, whole, blobs }: Installation,
  { file, passphrase, keys, settings, version, now, freezeMs }: BackupInput,
): Promise<ArchiveSums> {
  const archive = await createSealedFile(file, passphrase);
  const add = (record: ArchiveRecord) => archive.add(record);
  try {
    const migrations = await graph.read(listMigrationVersions);
    await add({ kind: 'begin', form: ARCHIVE_FORM, version, createdAt: now, migrations });
    await add({ kind: 'keys', keys: [...keys] });
    await add({ kind: 'settings', text: settings });
    const known = new Set<string>();
    const blobDigest = new BlobDigest();
    await addBlobs(blobs, known, blobDigest, add);
    const graphDigest = await whole.frozen(freezeMs, () => addGraph(whole, add));
    await addBlobs(blobs, known, blobDigest, add);
    const sums = { ...graphDigest.sum, ...blobDigest.sum };
    await add({ kind: 'end', sums });
    await archive.close();
    return sums;
  } finally {
    await archive.discard();
  }
}

type Add = (record: ArchiveRecord) => Promise<void>;

async function addGraph(whole: WholeGraph, add: Add): Promise<GraphDigest> {
  const digest = new GraphDigest();
  for await (const node of whole.nodes()) {
    if (node.labels.includes(RESTORE_LABEL))
      throw new Error(
        'A restore into this installation is not complete; there is nothing to back up.',
      );
    digest.addNode(node);
    await add({ kind: 'node', ...node });
  }
  for await (const relationship of whole.relationships()) {
    digest.addRelationship(relationship);
    await add({ kind: 'relationship', ...relationship });
  }
  return digest;
}

/** Adds the blobs that are not known yet. One that is deleted meanwhile is left out. */
async function addBlobs(
  blobs: BlobStore,
  known: Set<string>,
  digest: BlobDigest,
  add: Add,
): Promise<void> {
  for await (const key of blobs.list(null)) {
    if (known.has(key)) continue;
    const size = await blobs.size(key);
    if (size === null) continue;
    known.add(key);
    // In ranges, since one blob may be larger than a line should be.
    for (let start = 0; start === 0 || start < size; start += BLOB_PART_BYTES) {
      const end = Math.min(size, start + BLOB_PART_BYTES);
      const bytes = await blobs.get(key, { start, end });
      if (bytes === null || bytes.length !== end - start)
        throw new Error(`The blob ${key} changed while it was read; try again.`);
      const isLast = end === size;
      digest.add(key, bytes, isLast);
      await add({ kind: 'blob', key, base64: Buffer.from(bytes).toString('base64'), isLast });
    }
  }
}

/** The sums of an installation as it is now; nothing may change it meanwhile. */
export async function sumsOf({ whole, blobs }: Installation): Promise<ArchiveSums> {
  const ignore: Add = async () => {};
  const blobDigest = new BlobDigest();
  const graph = new GraphDigest();
  for await (const node of whole.nodes())
    if (!node.labels.includes(RESTORE_LABEL)) graph.addNode(node);
  for await (const relationship of whole.relationships()) graph.addRelationship(relationship);
  await addBlobs(blobs, new Set(), blobDigest, ignore);
  return { ...graph.sum, ...blobDigest.sum };
}
