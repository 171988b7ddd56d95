import { Buffer } from 'node:buffer';
import { createGzip } from 'node:zlib';
import { blobUri } from '../common/blob-uri.ts';
import { type BlobStore, blobFolder, blobKey } from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { ARCHIVES, type DataRequest } from './data-request.ts';
import { type OnProgress, subjectOf } from './delete-user.service.ts';
import { listOwned, listOwnedFacts, OWNED } from './owned.cypher.ts';

export interface ExportDeps {
  readonly graph: Graph;
  readonly blobs: BlobStore;
}

const RECORDS_PER_PAGE = 500;
/** Vectors and values that only keys open say nothing to a person. */
const LEFT_OUT = ['embedding', 'name_embedding', 'fact_embedding', 'encryptedValue'];
/**
 * Writes everything of a user into one archive: gzipped JSON lines `{kind, record}`, and blobs as
 * `{kind: "blob", key, base64}`. The archive is a blob of the user, so only this user can read
 * it. Called again after a crash, it begins anew and replaces the archive.
 * @returns the archive's URI
 */
export async function exportUserData(
  { graph, blobs }: ExportDeps,
  { id, userId }: { readonly id: DataRequest['id']; readonly userId: string },
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string> {
  const subject = await subjectOf(graph, userId);
  const archive = openArchive();
  for (const owned of OWNED.filter(({ isInternal }) => isInternal !== true)) {
    const { kind } = owned;
    for (let after = -1, isMore = true; isMore; ) {
      const page = { after, limit: RECORDS_PER_PAGE };
      const rows = await graph.read((tx) => listOwned(tx, owned, subject, page));
      for (const { properties } of rows) archive.add({ kind, record: shown(properties) });
      after = rows.at(-1)?.place ?? after;
      isMore = rows.length === RECORDS_PER_PAGE;
      signal.throwIfAborted();
      await onProgress(kind, rows.length);
    }
  }
  for (let skip = 0, isMore = true; isMore; skip += RECORDS_PER_PAGE) {
    const page = { group: subject.group, skip, limit: RECORDS_PER_PAGE };
    const facts = await graph.read((tx) => listOwnedFacts(tx, page));
    for (const fact of facts) archive.add({ kind: 'facts', record: shown(fact) });
    isMore = facts.length === RECORDS_PER_PAGE;
    await onProgress('facts', facts.length);
  }
  const [own = userId] = subject.workspaces;
  for (const workspace of subject.workspaces) {
    for await (const key of blobs.list(blobFolder({ workspace, ownerId: userId }))) {
      signal.throwIfAborted();
      if (key.split('/')[2] === ARCHIVES) continue;
      const bytes = await blobs.get(key);
      if (bytes === null) continue;
      archive.add({ kind: 'blob', key, base64: Buffer.from(bytes).toString('base64') });
      await onProgress('blobs', 1);
    }
  }
  const name = `${id}.jsonl.gz`;
  const address = { workspace: own, ownerId: userId, session: ARCHIVES, key: name };
  await blobs.put(blobKey(address), await archive.close());
  return blobUri(ARCHIVES, name);
}

/** The key of an archive in the blob store. */
export function archiveKeys(workspaces: readonly string[], userId: string, id: string): string[] {
  return workspaces.map((workspace) =>
    blobKey({ workspace, ownerId: userId, session: ARCHIVES, key: `${id}.jsonl.gz` }),
  );
}

const shown = (record: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !LEFT_OUT.includes(key)));

/** Gzipped JSON lines in memory: the blob store takes a value as a whole. */
function openArchive(): { add(line: object): void; close(): Promise<Buffer> } {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    gzip.once('end', resolve);
    gzip.once('error', reject);
  });
  return {
    add: (line) => void gzip.write(`${JSON.stringify(line)}\n`),
    async close() {
      gzip.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}
