import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';

/** The reason why one operation can't be imported, for a person. */
export class OperationFault extends Error {
  override readonly name = 'OperationFault';
}

/** Methods that a rest_call has. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head'] as const;
const OTHER_METHODS = ['options', 'trace'];

/** One operation of a document, not read yet. */
export interface ListedOperation {
  /** The document's id, made unique; without one, a name of method and path. */
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly node: JsonObject;
  /** The path item, with parameters and servers that all its methods share. */
  readonly shared: JsonObject;
}

export function listOperations(document: JsonObject): ListedOperation[] {
  const taken = new Set<string>();
  return Object.entries(objectOf(document['paths'])).flatMap(([path, item]) => {
    if (!path.startsWith('/')) return [];
    const shared = resolved(document, item) ?? {};
    return [...METHODS, ...OTHER_METHODS].flatMap((method) => {
      const node = shared[method];
      if (!isJsonObject(node)) return [];
      const call = slug(`${method} ${path}`);
      const given = textOf(node['operationId']);
      const wished = given === null ? [call] : [given, `${given}_${call}`];
      let operationId = wished.find((id) => !taken.has(id));
      for (let count = 2; operationId === undefined; count++) {
        const id = `${wished.at(-1)}_${count}`;
        if (!taken.has(id)) operationId = id;
      }
      taken.add(operationId);
      return [{ operationId, path, method, node, shared }];
    });
  });
}

const HOPS_MAX = 20;

/** Follows a `$ref` to an object; null where it leads nowhere, outside or back to itself. */
export function resolved(document: JsonObject, value: Json | undefined): JsonObject | null {
  let found = value;
  for (let hops = 0; hops < HOPS_MAX; hops++) {
    if (!isJsonObject(found)) return null;
    const ref = found['$ref'];
    if (typeof ref !== 'string') return found;
    found = valueAtRef(document, ref);
  }
  return null;
}

/**
 * The object behind a value that may be a `$ref` into the document; nothing else is fetched.
 * @throws OperationFault where the reference can't be followed
 */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  const found = resolved(document, value);
  if (found !== null) return found;
  throw refFault(document, String(value['$ref']));
}

/** Why a `$ref` can't be followed. */
export function refFault(document: JsonObject, ref: string): OperationFault {
  const shown = firstChars(ref, 200);
  if (!ref.startsWith('#/') && ref !== '#')
    return new OperationFault(`${shown} lies outside this document and is not fetched.`);
  if (valueAtRef(document, ref) === undefined)
    return new OperationFault(`${shown} leads to nothing in this document.`);
  return new OperationFault(`${shown} leads back to itself.`);
}

/** The value that a local `$ref` points to; undefined where there is none. */
export function valueAtRef(document: JsonObject, ref: string): Json | undefined {
  if (!ref.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const step of ref.slice(2).split('/')) {
    const key = unescapeStep(step);
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as JsonObject)[key]
        : undefined;
  }
  return value;
}

export function unescapeStep(step: string): string {
  let plain = step;
  try {
    plain = decodeURIComponent(step);
  } catch {
    // Not encoded.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

const slug = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
