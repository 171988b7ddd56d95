import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

// A file of JSON lines, compressed and then encrypted by a passphrase (docs/decisions/0060):
//
//   AIDEN-ARCHIVE 1\n
//   {"n":131072,"r":8,"p":1,"salt":…,"check":…}\n     scrypt, and a check of the passphrase
//   chunks of 64 KiB and a tag of 16 bytes            AES-256-GCM; the last one is shorter
//
// The nonce of a chunk is its number and whether it is the last, so that no chunk can be left out,
// repeated or moved. Each chunk also authenticates the two lines before.

const MAGIC = 'AIDEN-ARCHIVE 1\n';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const HEADER_BYTES_MAX = 1_024;
const COST = { n: 2 ** 17, r: 8, p: 1 } as const;
/** Bounds the memory that the header of a foreign file can ask for. */
const SCRYPT_BYTES_MAX = 256 * 1024 ** 2;
export const PASSPHRASE_CHARS_MIN = 12;

/** Why an archive can not be read. The message says it in a sentence. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

const Header = z.strictObject({
  n: z.literal(COST.n),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: z.base64().length(24),
  check: z.base64().length(24),
});

interface Keys {
  readonly key: Buffer;
  /** 16 bytes that show whether a passphrase is the right one. */
  readonly check: Buffer;
}

function keysOf(passphrase: string, salt: Buffer): Promise<Keys> {
  const options = { N: COST.n, r: COST.r, p: COST.p, maxmem: SCRYPT_BYTES_MAX };
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 64, options, (error, bytes) => {
      if (error !== null) return reject(error);
      const check = createHash('sha256').update(bytes.subarray(32)).digest().subarray(0, 16);
      resolve({ key: bytes.subarray(0, 32), check });
    }),
  );
}

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

export interface SealedWriter {
  /** Adds a line; waits while the disk is slower. */
  add(line: object): Promise<void>;
  /** Completes the file and gives it its name. Until then nothing has that name. */
  close(): Promise<void>;
  /** Ends the work and removes the unfinished file. After `close` it does nothing. */
  discard(): Promise<void>;
}

/**
 * Begins an archive, readable by this user only.
 * @throws Error when the path exists: an archive never replaces a file
 */
export async function createSealedFile(path: string, passphrase: string): Promise<SealedWriter> {
  if (existsSync(path)) throw new Error(`${path} exists; an archive replaces no file.`);
  const salt = randomBytes(16);
  const { key, check } = await keysOf(passphrase, salt);
  const fields = { ...COST, salt: salt.toString('base64'), check: check.toString('base64') };
  const header = Buffer.from(`${MAGIC}${JSON.stringify(fields)}\n`);
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`;
  const file = await open(draft, 'wx', 0o600);
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  let failure: unknown = null;
  const written = pipeline(
    gzip,
    (source: AsyncIterable<Buffer>) => sealed(source, header, key),
    // Not a stream of the file: a stream that is given up closes it, which `discard` does, too.
    (chunks: AsyncIterable<Buffer>) => file.writeFile(chunks),
  );
  written.catch((error: unknown) => {
    failure = error;
  });
  let isOpen = true;
  const discard = async () => {
    if (!isOpen) return;
    isOpen = false;
    gzip.destroy();
    await written.catch(() => {});
    await file.close();
    await rm(draft, { force: true });
  };
  return {
    async add(line) {
      if (failure !== null) throw failure;
      if (!gzip.write(`${JSON.stringify(line)}\n`))
        await Promise.race([once(gzip, 'drain'), written]);
    },
    async close() {
      try {
        gzip.end();
        await written;
        await file.datasync();
        await rename(draft, path);
      } finally {
        await discard();
      }
    },
    discard,
  };
}

async function* sealed(source: AsyncIterable<Buffer>, header: Buffer, key: Buffer) {
  yield header;
  let kept: Buffer = Buffer.alloc(0);
  let chunk = 0;
  const seal = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk++, isLast));
    cipher.setAAD(header);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const part of source) {
    kept = kept.length === 0 ? part : Buffer.concat([kept, part]);
    while (kept.length >= CHUNK_BYTES) {
      yield seal(kept.subarray(0, CHUNK_BYTES), false);
      kept = kept.subarray(CHUNK_BYTES);
    }
  }
  // The last chunk is always shorter than the others, maybe empty, so that an end is visible.
  yield seal(kept, true);
}

/**
 * The lines of an archive. Each chunk is authenticated before a line of it is given.
 * @throws BadArchive for another file, a wrong passphrase, and one that is cut off or was altered
 */
export async function* readSealedFile(path: string, passphrase: string): AsyncGenerator<unknown> {
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip();
  const opened = pipeline(Readable.from(openChunks(bytes, passphrase)), gunzip);
  opened.catch(() => {});
  try {
    let kept = Buffer.alloc(0);
    for await (const part of gunzip as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = part.indexOf(0x0a); end !== -1; end = part.indexOf(0x0a, from)) {
        yield JSON.parse(Buffer.concat([kept, part.subarray(from, end)]).toString('utf8'));
        kept = Buffer.alloc(0);
        from = end + 1;
      }
      kept = Buffer.concat([kept, part.subarray(from)]);
    }
    await opened;
  } catch (error) {
    // The decryption knows more than the decompression that it ends.
    await opened.catch((cause: unknown) => {
      throw cause;
    });
    throw error;
  } finally {
    bytes.destroy();
    gunzip.destroy();
  }
}

async function* openChunks(bytes: AsyncIterable<Buffer>, passphrase: string) {
  const source = bytes[Symbol.asyncIterator]();
  let kept = Buffer.alloc(0);
  /** Whether there is more to read. */
  const more = async () => {
    const { value, done } = await source.next();
    if (done === true) return false;
    kept = Buffer.concat([kept, value]);
    return true;
  };
  while (kept.length < HEADER_BYTES_MAX && (await more()));
  const header = headerOf(kept);
  const { salt, check } = fieldsOf(header);
  const keys = await keysOf(passphrase, Buffer.from(salt, 'base64'));
  if (!timingSafeEqual(keys.check, Buffer.from(check, 'base64')))
    throw new BadArchive('The passphrase is not the one of this archive.');
  kept = kept.subarray(header.length);
  const size = CHUNK_BYTES + TAG_BYTES;
  for (let chunk = 0; ; chunk++) {
    while (kept.length < size && (await more()));
    const sealedChunk = kept.subarray(0, size);
    kept = kept.subarray(sealedChunk.length);
    const isLast = sealedChunk.length < size;
    if (sealedChunk.length < TAG_BYTES) throw new BadArchive('The archive is cut off.');
    yield openChunk(sealedChunk, { header, key: keys.key, chunk, isLast });
    if (isLast) return;
  }
}

function headerOf(start: Buffer): Buffer {
  const end = start.indexOf(0x0a, MAGIC.length);
  if (!start.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC)) || end === -1)
    throw new BadArchive('The file is no archive of Aiden, or its beginning is damaged.');
  return start.subarray(0, end + 1);
}

function fieldsOf(header: Buffer): z.infer<typeof Header> {
  try {
    return Header.parse(JSON.parse(header.subarray(MAGIC.length).toString('utf8')));
  } catch {
    throw new BadArchive('The beginning of the archive is damaged.');
  }
}

function openChunk(
  sealedChunk: Buffer,
  of: {
    readonly header: Buffer;
    readonly key: Buffer;
    readonly chunk: number;
    readonly isLast: boolean;
  },
): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', of.key, nonceOf(of.chunk, of.isLast));
    decipher.setAAD(of.header);
    decipher.setAuthTag(sealedChunk.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealedChunk.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    const why = of.isLast ? 'is cut off, or was altered at its end' : 'was altered';
    throw new BadArchive(`The archive ${why} (chunk ${of.chunk + 1}).`);
  }
}
