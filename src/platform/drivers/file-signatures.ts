import { entryOf } from '../../common/entry-of.ts';

/** First bytes of files, by their type. */
const SIGNATURES: Readonly<
  Record<string, readonly { readonly at: number; readonly bytes: string }[]>
> = {
  'image/png': [{ at: 0, bytes: '\x89PNG' }],
  'image/jpeg': [{ at: 0, bytes: '\xff\xd8\xff' }],
  'image/gif': [{ at: 0, bytes: 'GIF8' }],
  'image/webp': [
    { at: 0, bytes: 'RIFF' },
    { at: 8, bytes: 'WEBP' },
  ],
  'application/pdf': [{ at: 0, bytes: '%PDF-' }],
  'application/zip': [{ at: 0, bytes: 'PK\x03\x04' }],
  'application/gzip': [{ at: 0, bytes: '\x1f\x8b\x08' }],
};

/** Whether the bytes begin as a file of this type does. False for a type that is not known here. */
export function isSignedAs(bytes: Uint8Array, mediaType: string): boolean {
  const parts = entryOf(SIGNATURES, mediaType) ?? null;
  return (
    parts?.every(
      ({ at, bytes: signed }) =>
        Buffer.from(bytes.subarray(at, at + signed.length)).toString('latin1') === signed,
    ) === true
  );
}

/** The type that the first bytes tell; null where they tell none. */
export function signedType(bytes: Uint8Array): string | null {
  return Object.keys(SIGNATURES).find((type) => isSignedAs(bytes, type)) ?? null;
}
