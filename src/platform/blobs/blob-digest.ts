import { createHash, type Hash } from 'node:crypto';

const SUM_BITS = 128;

/** Sums up blobs by key and content, in any order. */
export class BlobDigest {
  #sum = 0n;
  #count = 0;
  #hash: Hash | null = null;

  /** Adds a part of a blob; parts of one blob follow one another. */
  add(key: string, bytes: Uint8Array, isLast: boolean): void {
    this.#hash ??= createHash('sha256').update(`${key}\u0000`);
    this.#hash.update(bytes);
    if (!isLast) return;
    const digest = BigInt(`0x${this.#hash.digest('hex').slice(0, SUM_BITS / 4)}`);
    this.#sum = BigInt.asUintN(SUM_BITS, this.#sum + digest);
    this.#count++;
    this.#hash = null;
  }

  get sum(): { readonly blobs: number; readonly blobDigest: string } {
    return { blobs: this.#count, blobDigest: this.#sum.toString(16) };
  }
}
