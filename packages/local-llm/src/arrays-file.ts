import { readFile } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';

/** One array of a `.npz` file, as the file has it. */
export interface StoredArray {
  readonly shape: readonly number[];
  readonly bytes: Buffer;
}

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const [END_BYTES, CENTRAL_BYTES, LOCAL_BYTES] = [22, 46, 30];

/**
 * Reads NumPy's archive of arrays: a zip file of `.npy` files.
 * @throws Error where the file is no such archive, or damaged
 */
export async function readArrays(path: string): Promise<Map<string, StoredArray>> {
  const file = await readFile(path);
  const end = file.length - END_BYTES;
  if (end < 0 || file.readUInt32LE(end) !== END) throw new Error(`${path} is no whole archive.`);
  const arrays = new Map<string, StoredArray>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== CENTRAL) throw new Error(`${path} is damaged.`);
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => file.readUInt16LE(at + field));
    const name = file.toString(
      'latin1',
      at + CENTRAL_BYTES,
      at + CENTRAL_BYTES + (nameLength ?? 0),
    );
    const packed = file.readUInt32LE(at + 20);
    const local = file.readUInt32LE(at + 42);
    const from =
      local + LOCAL_BYTES + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const bytes = inflated(file.subarray(from, from + packed), file.readUInt32LE(at + 24));
    if (bytes === null || crc32(bytes) !== file.readUInt32LE(at + 16))
      throw new Error(`${path} is damaged: ${name}`);
    arrays.set(name.replace(/\.npy$/, ''), arrayOf(bytes));
    at += CENTRAL_BYTES + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return arrays;
}

/** The least that zlib takes. */
const CHUNK_BYTES_MIN = 64;

function inflated(packed: Buffer, size: number): Buffer | null {
  try {
    // In one piece: pieces that are joined take twice the memory.
    return inflateRawSync(packed, { chunkSize: Math.max(CHUNK_BYTES_MIN, size) });
  } catch {
    return null;
  }
}

const VERSION_BYTES = 8;

function arrayOf(bytes: Buffer): StoredArray {
  const from = VERSION_BYTES + 2;
  const start = from + bytes.readUInt16LE(VERSION_BYTES);
  const [, shape = ''] = /'shape': \(([^)]*)\)/.exec(bytes.toString('latin1', from, start)) ?? [];
  return {
    shape: shape.split(',').filter(Boolean).map(Number),
    bytes: bytes.subarray(start),
  };
}
