import { isUtf8 } from 'node:buffer';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonType, type MediaType } from '../../common/media-type.ts';
import { firstChars } from '../../common/well-formed.ts';

export type DecodedText = { readonly text: string } | { readonly fault: string };

/** HTML and XML name their charset within the first bytes. */
const DECLARATION_BYTES = 1_024;

/**
 * Decodes a text answer: by its byte order mark, else by the charset of its Content-Type, else by
 * the declaration in HTML or XML, else as UTF-8. A text without any of these that is no UTF-8 is
 * read as Windows-1252, as browsers do; JSON is then a fault.
 * @returns a fault where the charset is unknown, or where JSON is not in its charset
 */
export function decodeText(bytes: Uint8Array, type: MediaType | null): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { text: new TextDecoder(marked).decode(bytes) };
  const isJson = type !== null && isJsonType(type);
  const label = type?.charset ?? (isJson ? null : declaredCharset(bytes, type));
  if (label === null) return decodeUnlabelled(bytes, isJson);
  const encoding = encodingOf(label);
  // ASCII has no other characters than UTF-8 has.
  const isWideAscii = /^(us-)?ascii$/i.test(label);
  if (isUtf8(bytes) && (encoding === null || encoding === 'utf-8' || isWideAscii))
    return { text: new TextDecoder().decode(bytes) };
  if (encoding === null)
    return { fault: `the charset ${firstChars(label, 40)}, which can not be read` };
  const text = strictly(encoding, bytes);
  if (text !== null) return { text };
  if (isJson) return { fault: `the charset ${firstChars(label, 40)}, and is not in it` };
  return { text: new TextDecoder(encoding).decode(bytes) };
}

function decodeUnlabelled(bytes: Uint8Array, isJson: boolean): DecodedText {
  // JSON begins with an ASCII character, so a zero byte beside it tells UTF-16.
  if (isJson && bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0)) {
    const text = strictly(bytes[0] === 0 ? 'utf-16be' : 'utf-16le', bytes);
    if (text !== null) return { text };
  }
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  if (isJson) return { fault: 'no charset, and is not in UTF-8' };
  return { text: new TextDecoder('windows-1252').decode(bytes) };
}

function markedEncoding(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

const XML = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i;
const META = /<meta[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i;

function declaredCharset(bytes: Uint8Array, type: MediaType | null): string | null {
  const essence = type?.essence ?? 'text/html';
  if (!/html|xml/.test(essence)) return null;
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const label = XML.exec(start)?.[1] ?? (/html/.test(essence) ? META.exec(start)?.[1] : undefined);
  // The declaration was read as ASCII, so the text is not in UTF-16 whatever it says.
  return label === undefined || /^utf-?16/i.test(label) ? null : label;
}

/** The encoding that a label names; null where it is unknown. */
function encodingOf(label: string): string | null {
  const plain = label.trim().toLowerCase();
  for (const name of [plain, plain.replaceAll('_', '-'), entryOf(ALIASES, plain)]) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).encoding;
    } catch {
      // Not this name.
    }
  }
  return null;
}

/** Names that servers send and the Encoding Standard lacks. */
const ALIASES: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8',
  cp936: 'gbk',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp950: 'big5',
  latin9: 'iso-8859-15',
  'latin-1': 'iso-8859-1',
};

function strictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether unlabelled bytes are text: UTF-8 without the control characters that only files have. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (markedEncoding(bytes) !== null) return true;
  return (
    isUtf8(bytes) &&
    !bytes.some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b)
  );
}
