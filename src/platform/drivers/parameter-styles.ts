import { isSentNumber } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import type { ParameterStyle } from '../../operations/rest-call.ts';

/**
 * Writes parameters in the styles of OpenAPI (RFC 6570). Null is no value: it is left out. A list
 * or an object inside a value is written as JSON, because the styles have no form for it; only
 * `deepObject` has one.
 */

type Writing = Pick<ParameterStyle, 'style' | 'explode' | 'allowReserved'>;

const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** The text of a plain value; the JSON of a list or an object. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The `name=value` pieces of a query, a form or a Cookie header, URI-encoded. */
export function queryPieces(name: string, value: Json, writing: Writing): string[] {
  if (value === null) return [];
  const style = writing.style ?? 'form';
  const encode = writing.allowReserved === true ? encodeSparsely : encodeURIComponent;
  const piece = (key: string, text: string) => `${encodeURIComponent(key)}=${text}`;
  if (style === 'json') return [piece(name, encode(JSON.stringify(value)))];
  if (style === 'deepObject') return deepPieces(name, value, encode);
  const isExploded = writing.explode ?? style === 'form';
  const parts = partsOf(value, encode);
  if (parts === null) return [piece(name, encode(asText(value)))];
  if (isExploded)
    return parts.map(({ key, text }) => (key === null ? piece(name, text) : piece(key, text)));
  const all = parts.flatMap(({ key, text }) => (key === null ? [text] : [encode(key), text]));
  return all.length === 0 ? [] : [piece(name, all.join(DELIMITERS[style] ?? ','))];
}

/** The text that stands for a variable of the path, URI-encoded. */
export function pathText(name: string, value: Json, writing: Writing): string {
  const { style, explode } = writing;
  const isExploded = explode === true;
  if (style === 'json') return encodeURIComponent(JSON.stringify(value));
  const encode = style === 'label' ? encodeDots : encodeURIComponent;
  const parts = partsOf(value, encode) ?? [
    { key: null, text: value === null ? '' : encode(asText(value)) },
  ];
  const joined = isExploded
    ? parts.map(({ key, text }) => (key === null ? text : `${encode(key)}=${text}`))
    : parts.flatMap(({ key, text }) => (key === null ? [text] : [encode(key), text]));
  if (style === 'label') return `.${joined.join(isExploded ? '.' : ',')}`;
  if (style !== 'matrix') return joined.join(',');
  const named = encode(name);
  const pair = (text: string) => (text === '' ? `;${named}` : `;${named}=${text}`);
  if (!isExploded) return pair(joined.join(','));
  return parts
    .map(({ key, text }) => (key === null ? pair(text) : `;${encode(key)}=${text}`))
    .join('');
}

/** The value of a header. Headers are not URI-encoded. */
export function headerText(value: Json, { style, explode }: Writing): string {
  if (style === 'json') return JSON.stringify(value);
  const parts = partsOf(value, (text) => text);
  if (parts === null) return asText(value);
  return parts
    .flatMap(({ key, text }) => {
      if (key === null) return [text];
      return explode === true ? [`${key}=${text}`] : [key, text];
    })
    .join(',');
}

interface Part {
  /** Null in a list. */
  readonly key: string | null;
  readonly text: string;
}

/** The items of a list or the properties of an object; null for a plain value. */
function partsOf(value: Json, encode: (text: string) => string): readonly Part[] | null {
  if (Array.isArray(value))
    return value.flatMap((item) =>
      item === null ? [] : [{ key: null, text: encode(asText(item)) }],
    );
  if (!isJsonObject(value) || isSentNumber(value)) return null;
  return Object.entries(value).flatMap(([key, item]) =>
    item === null ? [] : [{ key, text: encode(asText(item)) }],
  );
}

/**
 * `filter[price][min]=1`, `items[0][sku]=a`. OpenAPI leaves nested values open; servers read these.
 */
function deepPieces(name: string, value: Json, encode: (text: string) => string): string[] {
  if (value === null) return [];
  if (typeof value !== 'object' || isSentNumber(value))
    return [`${encodeURIComponent(name)}=${encode(asText(value))}`];
  return Object.entries(value as JsonObject).flatMap(([key, item]) =>
    deepPieces(`${name}[${key}]`, item, encode),
  );
}

/** For `label`, which divides its items with dots. */
const encodeDots = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

/**
 * Keeps the reserved characters that end no parameter. `&`, `=`, `+` and `#` stay encoded:
 * otherwise a value could add parameters.
 */
const encodeSparsely = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:3A|2F|3F|5B|5D|40|24|2C|3B)/g, (code) =>
    decodeURIComponent(code),
  );
