import { Buffer } from 'node:buffer';
import type { Instant } from '../common/clock.ts';
import { type Problem, problem, refuse } from '../common/refusal.ts';
import { BadArchive, readSealedFile } from '../platform/archive/sealed-file.ts';
import { BlobDigest } from '../platform/blobs/blob-digest.ts';
import { GraphDigest } from '../platform/neo4j/graph-digest.ts';
import { loadMigrations, migrate } from '../platform/neo4j/migrate.ts';
import type { StoredNode, StoredRelationship, WholeGraph } from '../platform/neo4j/whole-graph.ts';
import { ARCHIVE_FORM, ArchiveRecord, type ArchiveSums } from './archive.ts';
import { type Installation, sumsOf } from './backup.service.ts';
import {
  findIncompleteRestore,
  markRestore,
  RESTORE_LABEL,
  reopenRuns,
  unmarkRestore,
} from './restore.cypher.ts';

/** The parts of an archive that are known after it was read once. */
export interface CheckedArchive {
  readonly version: string;
  readonly createdAt: Instant;
  readonly migrations: readonly string[];
  readonly keys: readonly string[];
  readonly settings: string;
  readonly sums: ArchiveSums;
}

/** Where the key ring of the restored installation is kept. */
export interface KeyPlace {
  /** The key ring in the settings; null = none. */
  readonly given: readonly string[] | null;
  /** The key ring in the data folder; null = none. */
  readonly kept: readonly string[] | null;
  /** Stores the key ring in the data folder; not called where the target has its keys. */
  store(keys: readonly string[]): Promise<void>;
}

const RECORDS_PER_BATCH = 1_000;
/** Open runs whose workflow the archive lacks. A paused one starts again when it is resumed. */
const STATUSES_TO_START = ['running', 'waiting'];

/**
 * Reads an archive to its end without changing anything.
 * @throws BadArchive for a wrong passphrase, and for an archive that is cut off or was altered
 */
export async function checkArchive(file: string, passphrase: string): Promise<CheckedArchive> {
  const graph = new GraphDigest();
  const blobs = new BlobDigest();
  let begin: Extract<ArchiveRecord, { kind: 'begin' }> | null = null;
  let keys: readonly string[] = [];
  let settings = '';
  let sums: ArchiveSums | null = null;
  for await (const record of recordsOf(file, passphrase)) {
    if (record.kind === 'begin') begin = record;
    else if (record.kind === 'keys') keys = record.keys;
    else if (record.kind === 'settings') settings = record.text;
    else if (record.kind === 'node') graph.addNode(record);
    else if (record.kind === 'relationship') graph.addRelationship(record);
    else if (record.kind === 'blob') blobs.add(record.key, bytesOf(record), record.isLast);
    else sums = record.sums;
  }
  if (begin === null || sums === null) throw new BadArchive('The archive is not whole.');
  if (!isSame(sums, { ...graph.sum, ...blobs.sum }))
    throw new BadArchive('The archive does not hold what it says it holds.');
  const { version, createdAt, migrations } = begin;
  return { version, createdAt, migrations, keys, settings, sums };
}

/**
 * Restores an archive into an empty installation and compares the two. A failure leaves the target
 * empty; after a crash the product does not start, and a further restore begins anew.
 * @throws BadArchive; Refusal with every reason against the target
 */
export async function restore(
  target: Installation & {
    readonly keyPlace: KeyPlace;
    readonly now: Instant;
    /** Told when the target is accepted, before it is filled. */
    onBegin(): void;
  },
  archive: { readonly file: string; readonly passphrase: string },
): Promise<CheckedArchive & { readonly startedRuns: number }> {
  const checked = await checkArchive(archive.file, archive.passphrase);
  const { graph } = target;
  refuse(await checkTarget(target, checked));
  await graph.write((tx) => markRestore(tx, target.now));
  target.onBegin();
  try {
    await clear(target);
    await fill(target, archive, checked);
    const found = await sumsOf(target);
    if (!isSame(checked.sums, found))
      throw new Error('The restored installation differs from the archive.');
    const { given, kept, store } = target.keyPlace;
    if (missingIn(given ?? kept, checked.keys).length > 0) await store(checked.keys);
  } catch (error) {
    await clear(target);
    await graph.write(unmarkRestore);
    throw error;
  }
  const startedRuns = await graph.write((tx) => reopenRuns(tx, STATUSES_TO_START));
  await graph.write(unmarkRestore);
  return { ...checked, startedRuns };
}

/** All reasons against a restore into this target. */
async function checkTarget(
  { graph, whole, blobs, keyPlace }: Installation & { readonly keyPlace: KeyPlace },
  { migrations, keys, version }: CheckedArchive,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const known = new Set((await loadMigrations()).map((migration) => migration.version));
  const newer = migrations.filter((one) => !known.has(one));
  if (newer.length > 0)
    problems.push(
      problem(
        'INVALID',
        ['archive'],
        `The archive is of version ${version}, which is newer: this one does not know the ` +
          `migrations ${newer.join(', ')}. Restore it with that version.`,
      ),
    );
  // The rest of a restore that was cut off. A start after it may have made a key ring.
  const isCutOff = (await graph.read(findIncompleteRestore)) !== null;
  const own = keyPlace.given ?? (isCutOff ? null : keyPlace.kept);
  const missing = own === null ? [] : missingIn(own, keys);
  if (missing.length > 0)
    problems.push(
      problem(
        'INVALID',
        ['keys'],
        "The target has a key ring of its own, without the archive's keys " +
          `${missing.map((key) => key.split(':')[0]).join(', ')}. Unset AIDEN_SECRET_KEYS and ` +
          "remove the file secret-keys in the data folder, or give them the archive's keys.",
      ),
    );
  if (isCutOff) return problems;
  const count = await whole.countNodesBut(RESTORE_LABEL);
  if (count > 0)
    problems.push(
      problem(
        'INVALID',
        ['graph'],
        `The target is not empty: its graph has ${count} nodes. Restore into a new instance ` +
          '(--instance NAME), or an empty database.',
      ),
    );
  for await (const key of blobs.list(null)) {
    problems.push(
      problem('INVALID', ['blobs'], `The target's blob store is not empty; it has ${key}.`),
    );
    break;
  }
  return problems;
}

const missingIn = (ring: readonly string[] | null, keys: readonly string[]): string[] =>
  keys.filter((key) => ring?.includes(key) !== true);

/**
 * Applies the migrations of the archive, so that later ones find the data as that release left it.
 */
async function fill(
  target: Installation,
  archive: { readonly file: string; readonly passphrase: string },
  { migrations }: CheckedArchive,
): Promise<void> {
  const { graph, whole, blobs } = target;
  const all = await loadMigrations();
  await migrate(
    graph,
    all.filter(({ version }) => migrations.includes(version)),
  );
  // The records of the migrations, and nodes that migrations made, come from the archive.
  await whole.clearBut(RESTORE_LABEL);
  const loader = new GraphLoader(whole);
  let parts: Buffer[] = [];
  for await (const record of recordsOf(archive.file, archive.passphrase)) {
    if (record.kind === 'node') await loader.addNode(record);
    else if (record.kind === 'relationship') await loader.addRelationship(record);
    else if (record.kind === 'blob') {
      parts.push(bytesOf(record));
      if (!record.isLast) continue;
      await blobs.put(record.key, Buffer.concat(parts));
      parts = [];
    }
  }
  await loader.flush();
}

/** Inserts records in batches and keeps which node of the archive became which node here. */
class GraphLoader {
  readonly #whole: WholeGraph;
  readonly #placed = new Map<number, number>();
  #nodes: StoredNode[] = [];
  #relationships: StoredRelationship[] = [];

  constructor(whole: WholeGraph) {
    this.#whole = whole;
  }

  async addNode({ id, labels, properties }: StoredNode): Promise<void> {
    this.#nodes.push({ id, labels, properties });
    if (this.#nodes.length === RECORDS_PER_BATCH) await this.flush();
  }

  async addRelationship({ from, to, type, properties }: StoredRelationship): Promise<void> {
    if (this.#nodes.length > 0) await this.flush();
    this.#relationships.push({ from: this.#place(from), to: this.#place(to), type, properties });
    if (this.#relationships.length === RECORDS_PER_BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const [nodes, relationships] = [this.#nodes, this.#relationships];
    this.#nodes = [];
    this.#relationships = [];
    if (nodes.length > 0) {
      const ids = await this.#whole.insertNodes(nodes);
      for (const [index, { id }] of nodes.entries()) this.#placed.set(id, ids[index] ?? -1);
    }
    if (relationships.length > 0) await this.#whole.insertRelationships(relationships);
  }

  #place(id: number): number {
    const placed = this.#placed.get(id);
    if (placed === undefined) throw new BadArchive('A relationship of the archive lacks a node.');
    return placed;
  }
}

async function clear({ whole, blobs }: Installation): Promise<void> {
  await whole.clearBut(RESTORE_LABEL);
  for await (const key of blobs.list(null)) await blobs.delete(key);
}

async function* recordsOf(file: string, passphrase: string): AsyncGenerator<ArchiveRecord> {
  let isFirst = true;
  for await (const line of readSealedFile(file, passphrase)) {
    if (isFirst) checkForm(line);
    isFirst = false;
    const { data, error } = ArchiveRecord.safeParse(line);
    if (data === undefined)
      throw new BadArchive(`A record of the archive is damaged: ${error.issues[0]?.message}`);
    yield data;
  }
}

function checkForm(line: unknown): void {
  const form = typeof line === 'object' && line !== null && 'form' in line ? line.form : null;
  if (form === ARCHIVE_FORM) return;
  throw new BadArchive(`The archive has form ${form}, and this version reads ${ARCHIVE_FORM}.`);
}

const bytesOf = ({ base64 }: { readonly base64: string }): Buffer => Buffer.from(base64, 'base64');

const isSame = (left: ArchiveSums, right: ArchiveSums): boolean =>
  left.nodes === right.nodes &&
  left.relationships === right.relationships &&
  left.nodeDigest === right.nodeDigest &&
  left.relationshipDigest === right.relationshipDigest &&
  left.blobs === right.blobs &&
  left.blobDigest === right.blobDigest;
