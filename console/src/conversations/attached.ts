import type { ContentPartInput, VersionFragment } from '../generated/documents.ts';

/** A picture or a file of a message, stored by `uploadFile`. */
export interface Attached {
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly mediaType: string;
  readonly uri: string;
}

/** The most bytes of one picture or file; the API takes no more. */
export const ATTACHED_BYTES_MAX = 5 * 1_024 * 1_024;
/** The most characters of a message; the API takes 256 KiB of UTF-8. */
export const MESSAGE_CHARS_MAX = 80_000;
export const ATTACHED_MAX = 10;
const NAME_CHARS_MAX = 500;

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const FILES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  md: 'text/markdown',
};
/** Bytes that are looked at to tell a text from another file. */
const LOOKED_AT = 8_192;

/**
 * Kind and media type of a file as the API takes it: a picture, a PDF, or any text, such as code.
 * A picture in SVG is text. Null for every other file.
 */
export function kindOf(
  file: { readonly name: string; readonly type: string },
  bytes: Uint8Array,
): Pick<Attached, 'kind' | 'mediaType'> | null {
  if (IMAGES.includes(file.type)) return { kind: 'image', mediaType: file.type };
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
  const mediaType = FILES[ending] ?? 'text/plain';
  if (mediaType !== 'application/pdf' && !isText(bytes)) return null;
  return { kind: 'file', mediaType };
}

function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.includes(0)) return false;
  try {
    // The last character may be cut in the middle.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A file of a message as its input. */
export function partOf({ kind, uri, mediaType, name }: Attached): ContentPartInput {
  const named = name.slice(0, NAME_CHARS_MAX).toWellFormed();
  return kind === 'image'
    ? { image: { uri, mediaType, alt: named } }
    : { file: { uri, mediaType, name: named } };
}

/** The pictures and files of a stored message. */
export function attachedOf(parts: VersionFragment['parts']): Attached[] {
  return parts.flatMap((part): Attached[] => {
    if (part.__typename === 'TextPart') return [];
    const { uri, mediaType } = part;
    return part.__typename === 'ImagePart'
      ? [{ kind: 'image', uri, mediaType, name: part.alt ?? 'picture' }]
      : [{ kind: 'file', uri, mediaType, name: part.name ?? 'file' }];
  });
}

const LABEL = /^\[(image|file)(: .*)?\]$/;

/**
 * The words of a message whose pictures and files are shown beside it: its content names each of
 * them in a line at its end. Where they stand between texts, the content stays as it is.
 */
export function wordsOf(content: string, parts: VersionFragment['parts']): string {
  const count = attachedOf(parts).length;
  const texts = parts.length - count;
  if (count === 0 || texts > 1 || (texts === 1 && parts[0]?.__typename !== 'TextPart'))
    return content;
  const lines = content.split('\n');
  const labels = lines.slice(-count);
  return labels.length === count && labels.every((line) => LABEL.test(line))
    ? lines.slice(0, -count).join('\n')
    : content;
}
