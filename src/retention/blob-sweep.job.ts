import type { NewId } from '../common/id.ts';
import { UNNAMED_BLOB_HOURS } from '../common/limits.ts';
import type { JobRun } from '../jobs/job-definition.service.ts';
import {
  type BlobAge,
  type BlobStore,
  blobFolder,
  foldersOfKey,
} from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { SYSTEM_USER_ID } from '../users/user.ts';
import { type BlobFolder, findKeptFolders, nameInstallation } from './blob-sweep.cypher.ts';
import { asideOf, type FilesOfOwner, type NamedFiles, sweepFiles } from './file-sweep.service.ts';

export interface BlobSweepDeps {
  readonly graph: Graph;
  readonly newId: NewId;
  readonly blobs: BlobStore;
}

export interface BlobSweepSettings {
  /** Sessions of blobs that are kept as long as their owner. */
  readonly ofUser: readonly string[];
  /** Age in hours from which a blob is deleted. Default UNNAMED_BLOB_HOURS. */
  readonly hours?: number;
  /** Files of users that are deleted when nothing names them. */
  readonly files: NamedFiles;
}

/** Keys that are looked up together, and deleted before the next ones are listed. */
const KEYS_PER_BATCH = 500;
const DELETED_AT_ONCE = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The folder of the marks of installations: the ids of the graphs whose blobs the store holds. */
const MARKS = 'installations/marks';

/**
 * Lists the whole store and deletes blobs that are older than a day and belong to no user, or to
 * neither a run nor a session: their keys were lost in a crash, or a step wrote them after its run
 * or its owner was deleted. Old files that nothing of their owner names are deleted, too. The
 * checkpoint is the last key looked at; empty after the last.
 * @throws Error where the store holds blobs of another installation; then nothing is deleted
 */
export async function sweepBlobs(
  deps: BlobSweepDeps,
  { checkpoint, signal, progress }: Pick<JobRun, 'checkpoint' | 'signal' | 'progress'>,
  { ofUser, hours = UNNAMED_BLOB_HOURS, files }: BlobSweepSettings,
): Promise<void> {
  const mark = await markStore(deps);
  // Where two installations share a store, both have marked it before either deletes.
  if (mark.isNew) return;
  const beforeMs = mark.writtenAtMs - hours * HOUR_MS;
  const filesBeforeMs =
    files.days === 0 ? Number.NEGATIVE_INFINITY : mark.writtenAtMs - files.days * DAY_MS;
  const looks = { files, beforeMs: filesBeforeMs, signal };
  const swept = new Set<string>();
  const settle = async (blobs: readonly BlobAge[]) => {
    for (const owner of ownersToSweep(blobs, looks)) {
      const name = blobFolder(owner);
      if (swept.has(name)) continue;
      await sweepFiles(deps, owner, { ...looks, asideBeforeMs: beforeMs });
      if (signal.aborted) return;
      swept.add(name);
    }
    await deleteUnnamed(deps, blobs, { beforeMs, ofUser });
  };
  let batch: BlobAge[] = [];
  for await (const blob of deps.blobs.listByAge(null, checkpoint || null)) {
    if (batch.push(blob) < KEYS_PER_BATCH) continue;
    await settle(batch);
    if (signal.aborted) return;
    await progress({ checkpoint: blob.key });
    batch = [];
  }
  await settle(batch);
  if (!signal.aborted) await progress({ checkpoint: '' });
}

/** Owners of old files, and of files that were set aside. */
function ownersToSweep(
  batch: readonly BlobAge[],
  { files, beforeMs }: { readonly files: NamedFiles; readonly beforeMs: number },
): FilesOfOwner[] {
  const owners = new Map<string, FilesOfOwner>();
  for (const { key, writtenAtMs, isDraft } of batch) {
    const folder = isDraft ? null : foldersOfKey(key);
    if (folder === null) continue;
    const { workspace, ownerId, session } = folder;
    if (session === asideOf(files) || (session === files.session && writtenAtMs < beforeMs))
      owners.set(nameOf({ workspace, ownerId, session: '' }), { workspace, ownerId });
  }
  return [...owners.values()];
}

/**
 * Marks the store as that of this graph. All blobs of another graph would look as if nothing named
 * them: where two installations share a store, or an empty database was started by mistake.
 * @returns the time by the store's own clock, in Unix ms: the mark is written each time
 */
async function markStore({
  graph,
  blobs,
  newId,
}: BlobSweepDeps): Promise<{ readonly writtenAtMs: number; readonly isNew: boolean }> {
  const ownId = newId();
  const id = await graph.write((tx) => nameInstallation(tx, ownId));
  const own = `${MARKS}/${id}`;
  await blobs.put(own, new Uint8Array());
  let markedAtMs: number | null = null;
  const others: string[] = [];
  for await (const { key, writtenAtMs } of blobs.listByAge(MARKS, null)) {
    if (key === own) markedAtMs = writtenAtMs;
    else others.push(key);
  }
  if (markedAtMs === null) throw new Error('The blob store does not list its mark yet.');
  if (others.length > 0)
    throw new Error(
      'The blob store holds blobs of another installation, so none is deleted. Give each its ' +
        `own AIDEN_BLOBS. If the other is gone for good, delete its mark: ${others.join(', ')}.`,
    );
  return { writtenAtMs: markedAtMs, isNew: id === ownId };
}

async function deleteUnnamed(
  { graph, blobs }: BlobSweepDeps,
  batch: readonly BlobAge[],
  { beforeMs, ofUser }: { readonly beforeMs: number; readonly ofUser: readonly string[] },
): Promise<void> {
  const old = batch.filter(({ writtenAtMs }) => writtenAtMs < beforeMs);
  const folderOf = new Map<string, BlobFolder>();
  for (const { key, isDraft } of old) {
    const folder = isDraft ? null : foldersOfKey(key);
    if (folder !== null && folder.ownerId !== SYSTEM_USER_ID) folderOf.set(key, folder);
  }
  const folders = new Map([...folderOf.values()].map((folder) => [nameOf(folder), folder]));
  const kept =
    folders.size === 0
      ? []
      : await graph.read((tx) => findKeptFolders(tx, [...folders.values()], ofUser));
  const keptNames = new Set(kept.map(nameOf));
  const gone = old.filter(({ key, isDraft }) => {
    const folder = folderOf.get(key);
    return isDraft || (folder !== undefined && !keptNames.has(nameOf(folder)));
  });
  for (let from = 0; from < gone.length; from += DELETED_AT_ONCE)
    await Promise.all(gone.slice(from, from + DELETED_AT_ONCE).map(({ key }) => blobs.delete(key)));
}

const nameOf = ({ workspace, ownerId, session }: BlobFolder) =>
  JSON.stringify([workspace, ownerId, session]);
