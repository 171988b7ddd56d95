import { parse } from 'yaml';
import { isRecord } from '../runs/context-schema.ts';

export interface OpenApiOperation {
  readonly id: string;
  /** `GET /pets`. */
  readonly call: string;
  readonly summary: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** The operations of an OpenAPI document that have an id; null while the text is no such document. */
export function operationsOf(text: string): OpenApiOperation[] | null {
  let document: unknown;
  try {
    document = parse(text);
  } catch {
    return null;
  }
  if (!isRecord(document) || !isRecord(document['paths'])) return null;
  return Object.entries(document['paths']).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([method, operation]) => {
      if (!METHODS.includes(method) || !isRecord(operation)) return [];
      const { operationId, summary, description } = operation;
      if (typeof operationId !== 'string') return [];
      const told = [summary, description].find((one) => typeof one === 'string');
      return [
        { id: operationId, call: `${method.toUpperCase()} ${path}`, summary: String(told ?? '') },
      ];
    }),
  );
}
