import { isSentNumber } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { SENT_FILES_BYTES_MAX } from '../../common/limits.ts';
import { isJsonType, readMediaType } from '../../common/media-type.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { firstChars } from '../../common/well-formed.ts';
import type { BodyKind, ParameterStyle } from '../../operations/rest-call.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type BlobReader, readBlob } from './blob-bytes.ts';
import { asText, queryPieces } from './parameter-styles.ts';

/** The body of a request, and the Content-Type that goes with it. */
export interface SentBody {
  readonly body: string | Uint8Array | null;
  /** Null: the declared one is kept, or there is none. */
  readonly contentType: string | null;
}

export interface BodyParts {
  /** The rendered body. */
  readonly value: Json;
  readonly kind: BodyKind | null;
  /** Content-Type of the operation's headers, rendered. */
  readonly declared: string | null;
  /** Whether the body is one reference, so that a text in it is a value and no JSON source. */
  readonly isOneValue: boolean;
  readonly styles: readonly ParameterStyle[];
  readonly blobs: BlobStore | undefined;
  readonly reader: BlobReader;
}

/**
 * Writes the body in its kind. Without a kind, text is sent as text, and other values as JSON, or
 * as a form where the Content-Type asks for one.
 * @throws ToolFault INPUT_INVALID where the value can't be sent so, PAYLOAD_TOO_LARGE
 */
export async function writeBody(parts: BodyParts): Promise<SentBody> {
  const { value, declared } = parts;
  switch (kindOf(parts)) {
    case 'form':
      return {
        body: formOf(objectIn(value, 'form'), parts.styles),
        contentType: declared === null ? 'application/x-www-form-urlencoded' : null,
      };
    case 'multipart':
      return multipartOf(objectIn(value, 'multipart'), parts);
    case 'binary':
      return binaryOf(parts);
    case 'text':
      return textOf(asText(value), declared);
    case 'json':
      return {
        body:
          typeof value === 'string' && !parts.isOneValue ? jsonText(value) : JSON.stringify(value),
        contentType: declared === null ? 'application/json' : null,
      };
  }
}

/** A body without a kind is sent as it always was. */
function kindOf({ kind, value, declared }: BodyParts): BodyKind {
  if (kind !== null) return kind;
  if (isFields(value) && declared?.includes('x-www-form-urlencoded') === true) return 'form';
  if (isFields(value) && declared?.includes('multipart/form-data') === true) return 'multipart';
  return typeof value === 'string' ? 'text' : 'json';
}

const isFields = (value: Json): value is JsonObject => isJsonObject(value) && !isSentNumber(value);

function objectIn(value: Json, kind: BodyKind): JsonObject {
  if (isFields(value)) return value;
  throw new ToolFault('INPUT_INVALID', `A ${kind} body is an object with the fields of the form.`);
}

/** Lists repeat their name, as in queries. */
function formOf(value: JsonObject, styles: readonly ParameterStyle[]): string {
  const plain = new URLSearchParams();
  const styled: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const writing = writingOf(name, styles);
    if (writing !== undefined) styled.push(...queryPieces(name, field, writing));
    else for (const one of itemsOf(field)) plain.append(name, asText(one));
  }
  return [plain.toString(), ...styled].filter((piece) => piece !== '').join('&');
}

const writingOf = (name: string, styles: readonly ParameterStyle[]): ParameterStyle | undefined =>
  styles.find((one) => one.in === 'form' && one.name === name);

/** The values that are sent under one name; null is none. */
export function itemsOf(value: Json): Json[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== null);
}

async function multipartOf(value: JsonObject, parts: BodyParts): Promise<SentBody> {
  const form = new FormData();
  const budget = { left: SENT_FILES_BYTES_MAX };
  const asJson = (one: Json) => new Blob([JSON.stringify(one)], { type: 'application/json' });
  for (const [name, field] of Object.entries(value)) {
    // One part, also where the value is a list.
    if (writingOf(name, parts.styles)?.style === 'json') {
      if (field !== null) form.append(name, asJson(field));
      continue;
    }
    for (const one of itemsOf(field)) {
      const file = await fileIn(one, parts, budget);
      if (file !== null) form.append(name, blobOf(file.bytes, file.mediaType), file.name);
      else if (typeof one === 'object' && !isSentNumber(one)) form.append(name, asJson(one));
      else form.append(name, asText(one));
    }
  }
  const written = new Response(form);
  return {
    body: new Uint8Array(await written.arrayBuffer()),
    // With its boundary, so it replaces the declared one.
    contentType: written.headers.get('content-type'),
  };
}

const blobOf = (bytes: Uint8Array, mediaType: string): Blob =>
  new Blob([new Uint8Array(bytes)], { type: mediaType });

async function binaryOf(parts: BodyParts): Promise<SentBody> {
  const file = await fileIn(parts.value, parts, { left: SENT_FILES_BYTES_MAX });
  if (file === null)
    throw new ToolFault(
      'INPUT_INVALID',
      'A binary body is a file: its ci-blob:// URI, or an object with this uri.',
    );
  return { body: file.bytes, contentType: parts.declared === null ? file.mediaType : null };
}

interface SentFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
}

/**
 * The file that a value names: `ci-blob://…`, or an object with it as `uri`. Null for other values.
 */
async function fileIn(
  value: Json,
  { blobs, reader }: BodyParts,
  budget: { left: number },
): Promise<SentFile | null> {
  const uri = isJsonObject(value) ? value['uri'] : value;
  if (typeof uri !== 'string' || !uri.startsWith('ci-blob://')) return null;
  const tooLarge = () =>
    new ToolFault(
      'PAYLOAD_TOO_LARGE',
      `The files of one request have at most ${SENT_FILES_BYTES_MAX / 1024 / 1024} MiB together.`,
    );
  const bytes = await readBlob(blobs, reader, uri, { bytesMax: budget.left, tooLarge });
  if (bytes === null)
    throw new ToolFault('INPUT_INVALID', `${firstChars(uri, 200)} is no URI of a blob.`);
  budget.left -= bytes.byteLength;
  const { mediaType = null, name = null } = isJsonObject(value) ? value : {};
  return {
    bytes,
    mediaType: typeof mediaType === 'string' ? mediaType : 'application/octet-stream',
    name: typeof name === 'string' && name !== '' ? name : (uri.split('/').at(-1) ?? 'file'),
  };
}

function textOf(text: string, declared: string | null): SentBody {
  const type = readMediaType(declared);
  if (declared === null || type === null)
    return { body: text, contentType: declared === null ? 'text/plain; charset=utf-8' : null };
  if (isJsonType(type)) jsonText(text);
  return { body: encoded(text, type.charset ?? 'utf-8'), contentType: null };
}

/** @throws ToolFault INPUT_INVALID where the text is no JSON */
function jsonText(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).toWellFormed();
    throw new ToolFault(
      'INPUT_INVALID',
      `The body is declared as JSON, and its text is none: ${words}. Write the body as an ` +
        'object, so that values are escaped.',
    );
  }
}

/** @throws ToolFault INPUT_INVALID where the text has no form in the charset */
function encoded(text: string, charset: string): string | Uint8Array {
  if (/^utf-?8$/i.test(charset)) return text;
  const isLatin = /^(iso-?8859-1|latin-?1|us-ascii|ascii)$/i.test(charset);
  const charMax = /ascii/i.test(charset) ? 0x7f : 0xff;
  if (isLatin && [...text].every((char) => (char.codePointAt(0) ?? 0) <= charMax))
    return new Uint8Array(Buffer.from(text, 'latin1'));
  throw new ToolFault(
    'INPUT_INVALID',
    `The text can not be sent in the charset ${firstChars(charset, 40)}; leave it out of the ` +
      'Content-Type, and UTF-8 is sent.',
  );
}
