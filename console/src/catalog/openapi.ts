import { parse } from 'yaml';
import { isRecord } from '../runs/context-schema.ts';

export interface OpenApiOperation {
  readonly id: string;
  /** `GET /pets`. */
  readonly call: string;
  readonly summary: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/**
 * The operations of an OpenAPI document; null while the text is no such document. The server names
 * an operation without an id in the same way.
 */
export function operationsOf(text: string): OpenApiOperation[] | null {
  let document: unknown;
  try {
    document = parse(text);
  } catch {
    return null;
  }
  if (!isRecord(document) || !isRecord(document['paths'])) return null;
  const taken = new Set<string>();
  return Object.entries(document['paths']).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([method, operation]) => {
      if (!METHODS.includes(method) || !isRecord(operation)) return [];
      const { operationId, summary, description } = operation;
      const named = slug(`${method} ${path}`);
      const given =
        typeof operationId === 'string' && operationId.trim() !== '' ? operationId : null;
      const id = [
        ...(given === null ? [] : [given]),
        given === null ? named : `${given}_${named}`,
      ].find((one) => !taken.has(one));
      if (id === undefined) return [];
      taken.add(id);
      const told = [summary, description].find((one) => typeof one === 'string');
      return [{ id, call: `${method.toUpperCase()} ${path}`, summary: String(told ?? '') }];
    }),
  );
}

function slug(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
}
