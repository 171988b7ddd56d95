import { problem, Refusal } from '../common/refusal.ts';

/** A place in the event log: after part `index` of entry `seq` (one entry may show as several events of a stream). */
export interface LogCursor {
  readonly seq: number;
  readonly index: number;
}

const TEXT = /^v1\.(\d{1,16})\.(\d{1,9})$/;

/** Opaque outside; the version in it lets us read old cursors should the form change. */
export function encodeCursor({ seq, index }: LogCursor): string {
  return Buffer.from(`v1.${seq}.${index}`).toString('base64url');
}

/** @throws Refusal INVALID at `path` when the text is no cursor of ours. */
export function decodeCursor(text: string, path: readonly string[] = ['after']): LogCursor {
  const plain = /^[A-Za-z0-9_-]{1,64}$/.test(text) ? Buffer.from(text, 'base64url').toString() : '';
  const [, seq, index] = TEXT.exec(plain) ?? [];
  const cursor = { seq: Number(seq), index: Number(index) };
  if (seq !== undefined && Number.isSafeInteger(cursor.seq)) return cursor;
  throw new Refusal([
    problem('INVALID', path, 'This is no cursor. Hand back one that the stream gave, as it was.'),
  ]);
}
