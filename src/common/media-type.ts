import { entryOf } from './entry-of.ts';
/** A Content-Type as it is compared: lower case, without parameters but the charset. */
export interface MediaType {
  /** `text/html`. */
  readonly essence: string;
  /** Label of the charset as it was sent, without quotes; null where none is named. */
  readonly charset: string | null;
}

const TYPE = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/;
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/i;

/**
 * Reads a Content-Type. A header that was sent twice arrives joined by a comma; its last type that
 * can be read counts.
 */
export function readMediaType(header: string | null): MediaType | null {
  const types = (header ?? '').split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  for (const text of types.reverse()) {
    const essence = TYPE.exec(text)?.[1];
    if (essence === undefined) continue;
    const [, double, single, plain] = CHARSET.exec(text) ?? [];
    const charset = (double ?? single ?? plain ?? '').trim();
    return { essence: essence.toLowerCase(), charset: charset === '' ? null : charset };
  }
  return null;
}

/** JSON in one value. Streams of several JSON values, such as NDJSON, are text. */
export function isJsonType({ essence }: MediaType): boolean {
  return /\bjson\b/.test(essence) && !/json-?(seq|lines|stream)|stream\+json/.test(essence);
}

const TEXT_TYPE =
  /^(text|message)\/|[/+](json|xml|yaml|json-seq)$|^application\/(x-)?(javascript|ecmascript|www-form-urlencoded|yaml|toml|graphql|sql|ndjson|jsonl|jsonlines|json-?lines|json-?stream|json-seq|stream\+json|sh|xml-dtd|csv)$/;
const FILE_TYPE =
  /^(image|audio|video|font|model)\/|^application\/(pdf|zip|gzip|x-gzip|x-tar|x-bzip2?|x-xz|zstd|x-7z-compressed|x-rar-compressed|vnd\.rar|msword|vnd\.(ms-|openxmlformats|oasis\.opendocument).*|wasm|protobuf|x-protobuf|cbor|msgpack|x-msgpack|java-archive|epub\+zip|vnd\.apache\.parquet|avro)$/;

/** `text` or `file` by the type alone; `unknown` where only the bytes can tell. */
export function formOf(type: MediaType | null): 'text' | 'file' | 'unknown' {
  if (type === null) return 'unknown';
  if (isJsonType(type) || TEXT_TYPE.test(type.essence)) return 'text';
  if (FILE_TYPE.test(type.essence)) return 'file';
  return type.charset === null ? 'unknown' : 'text';
}

/** `.png` for `image/png`; empty for types whose name is no usual ending. */
export function fileEnding(essence: string): string {
  const known = entryOf(ENDINGS, essence);
  if (known !== undefined) return known;
  const [, subtype] = /^[\w-]+\/([a-z0-9]{1,10})$/.exec(essence) ?? [];
  return subtype === undefined ? '' : `.${subtype}`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/octet-stream': '.bin',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'image/jpeg': '.jpg',
};
