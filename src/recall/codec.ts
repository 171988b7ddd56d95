import type { z } from 'zod';

/** How things of the agent memory are written where only bytes go: JSON in UTF-8 (S2-STORE-01). */
export interface Codec<T> {
  toBytes(value: T): Uint8Array;
  /** @throws Error when the bytes are no JSON, or no such thing */
  fromBytes(bytes: Uint8Array): T;
}

export function jsonCodec<T>(schema: z.ZodType<T>): Codec<T> {
  return {
    toBytes: (value) => new TextEncoder().encode(JSON.stringify(value)),
    fromBytes: (bytes) =>
      schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))),
  };
}
