import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../common/exact-json.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { IMAGE_MEDIA_TYPES, NAME_CHARS_MAX } from '../../common/limits.ts';
import {
  fileEnding,
  formOf,
  isJsonType,
  type MediaType,
  readMediaType,
} from '../../common/media-type.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import { firstChars } from '../../common/well-formed.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import { decodeText, looksLikeText } from './decode-text.ts';
import type { DriverCall } from './driver.ts';
import { signedType } from './file-signatures.ts';

const USAGE = { ...NO_USAGE, toolCalls: 1 };

/**
 * The body of an answer as a value: JSON, text in its charset, null for an empty one, and a file as
 * a part of a message (`{type, uri, mediaType, size}`), stored for the owner.
 * @throws ToolFault OUTPUT_INVALID
 */
export async function readAnswer(
  response: Response,
  call: Pick<DriverCall, 'storeFile' | 'outputSchema'>,
  host: string,
): Promise<Json> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) return null;
  const type = readMediaType(response.headers.get('content-type'));
  if (isFile(bytes, type)) {
    const name = fileName(response.headers.get('content-disposition'));
    return storeAnswer(bytes, fileTypeOf(bytes, type), name, call);
  }
  const decoded = decodeText(bytes, type);
  if ('fault' in decoded) throw invalid(`The answer of ${host} names ${decoded.fault}.`);
  const { text } = decoded;
  if (type !== null && isJsonType(type)) return jsonOf(text, host);
  return jsonWithin(text, call.outputSchema) ?? text;
}

/** The body of an answer for the message of a fault. */
export async function answerWords(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = readMediaType(response.headers.get('content-type'));
  if (bytes.length === 0) return '';
  if (isFile(bytes, type))
    return `${type === null ? 'a file' : fileTypeOf(bytes, type)} of ${bytes.length} bytes`;
  const decoded = decodeText(bytes, type);
  return 'text' in decoded ? decoded.text : new TextDecoder().decode(bytes);
}

function isFile(bytes: Uint8Array, type: MediaType | null): boolean {
  const form = formOf(type);
  if (form === 'text') return isMislabelled(bytes, type);
  return form === 'file' || !looksLikeText(bytes);
}

/** Whether the bytes of a file are called text. JSON that is none is a fault of its own. */
function isMislabelled(bytes: Uint8Array, type: MediaType | null): boolean {
  if (type === null || isJsonType(type) || looksLikeText(bytes)) return false;
  if (signedType(bytes) !== null) return true;
  return !/^(utf|ucs|iso-10646-ucs)-?(16|32|2|4)/i.test(type.charset ?? '') && bytes.includes(0);
}

/** The type of a file: as it was sent, or by its bytes where it was called text. */
function fileTypeOf(bytes: Uint8Array, type: MediaType | null): string {
  const sent = formOf(type) === 'text' ? signedType(bytes) : type?.essence;
  return sent ?? 'application/octet-stream';
}

function jsonOf(text: string, host: string): Json {
  if (text.trim() === '') return null;
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${host} called its answer JSON, but it can not be read as such.`);
  }
}

/**
 * JSON that its server called text. Text stays text, unless the Tool's outputSchema takes only the
 * value inside it.
 */
function jsonWithin(text: string, schema: JsonObject | undefined): Json {
  if (schema === undefined || !/^\s*[[{]/.test(text)) return null;
  if (validateJson(schema, text, []).problems.length === 0) return null;
  try {
    const value = parseJson(text);
    return validateJson(schema, value, []).problems.length === 0 ? value : null;
  } catch {
    return null;
  }
}

async function storeAnswer(
  bytes: Uint8Array,
  mediaType: string,
  name: string | null,
  { storeFile }: Pick<DriverCall, 'storeFile'>,
): Promise<JsonObject> {
  const uri = (await storeFile?.(`answer${fileEnding(mediaType)}`, bytes)) ?? null;
  return {
    type: (IMAGE_MEDIA_TYPES as readonly string[]).includes(mediaType) ? 'image' : 'file',
    uri,
    mediaType,
    size: bytes.length,
    ...(name === null ? {} : { name }),
  };
}

/** The file's name of a Content-Disposition, without folders; null where it has none. */
export function fileName(disposition: string | null): string | null {
  if (disposition === null) return null;
  const [, charset, encoded] =
    /;\s*filename\*\s*=\s*([\w-]*)'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const decoded = encoded === undefined ? null : percentDecoded(encoded, charset ?? '');
  // Headers are read as Latin-1; most servers write UTF-8.
  const bytes = Buffer.from((quoted ?? plain ?? '').replace(/\\(.)/g, '$1'), 'latin1');
  const name = decoded ?? bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const base = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim();
  return base === '' || base === '.' || base === '..'
    ? null
    : firstChars(base.toWellFormed(), NAME_CHARS_MAX);
}

function percentDecoded(text: string, charset: string): string | null {
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder(charset || 'utf-8', { fatal: true }).decode(
      Buffer.from(plain, 'latin1'),
    );
  } catch {
    return null;
  }
}

const invalid = (message: string): ToolFault =>
  new ToolFault('OUTPUT_INVALID', message, { usage: USAGE });
