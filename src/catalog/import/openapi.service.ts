import { setImmediate } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { NAME_CHARS_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { firstChars } from '../../common/well-formed.ts';
import { readYaml } from '../../platform/yaml/read-yaml.ts';
import { listOperations, OperationFault } from './openapi-document.ts';
import { readOperation } from './openapi-operation.ts';
import type { OpenApiOperation, SkippedOperation } from './openapi-tools.ts';
import { withPlainBodies } from './swagger-document.ts';
import { withMergedKeys } from './yaml-merge.ts';

export interface OpenApiReading {
  /** Faults of the whole document; then nothing is read. */
  readonly problems: Problem[];
  readonly operations: OpenApiOperation[];
  readonly skipped: SkippedOperation[];
  /** Ids of all operations of the document, read or not. */
  readonly operationIds: string[];
}

const PATH = ['document'] as const;

/**
 * Reads an OpenAPI 3.x document (JSON or YAML; Swagger 2.0 is converted) into rest_call operations.
 * Fetches nothing: an operation with a `$ref` out of the document is skipped. Each operation is
 * read by itself, so a document of any size is read where few operations are wanted.
 * @param wanted operationIds to read; null = all
 * @param operationsMax where the document has more, none is read and the list of ids alone is given
 */
export async function readOpenApi(
  text: string,
  wanted: readonly string[] | null,
  operationsMax = Number.POSITIVE_INFINITY,
): Promise<OpenApiReading> {
  const parsed = await parseDocument(text);
  if ('fault' in parsed) {
    const problems = [problem('INVALID', PATH, parsed.fault)];
    return { problems, operations: [], skipped: [], operationIds: [] };
  }
  const { document } = parsed;
  const listed = listOperations(document);
  const operationIds = listed.map(({ operationId }) => operationId);
  if (listed.length === 0) {
    const problems = [problem('INVALID', PATH, 'This document has no operations.')];
    return { problems, operations: [], skipped: [], operationIds };
  }
  const chosen = listed.filter(({ operationId }) => wanted?.includes(operationId) ?? true);
  const operations: OpenApiOperation[] = [];
  const skipped: SkippedOperation[] = [];
  for (const one of chosen.length > operationsMax ? [] : chosen) {
    // Checks of large schemas take long; other requests are served in between.
    await setImmediate();
    try {
      operations.push(readOperation(document, one));
    } catch (error) {
      const { operationId, method, path } = one;
      const call = `${method.toUpperCase()} ${path}`;
      skipped.push({ operationId, call, reason: reasonOf(error) });
    }
  }
  return { problems: [], operations: withOwnNames(operations), skipped, operationIds };
}

/** @throws the error itself where it is no fault of the document */
function reasonOf(error: unknown): string {
  if (error instanceof OperationFault) return error.message.toWellFormed();
  if (error instanceof RangeError) return 'it nests too deep.';
  throw error;
}

/** Operations with one summary get their ids as a difference. */
function withOwnNames(operations: readonly OpenApiOperation[]): OpenApiOperation[] {
  const counts = new Map<string, number>();
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return operations.map((one) => {
    if ((counts.get(one.name) ?? 0) < 2 || one.name === one.operationId) return one;
    const id = ` (${firstChars(one.operationId, 80)})`;
    return { ...one, name: `${firstChars(one.name, NAME_CHARS_MAX - id.length)}${id}` };
  });
}

/**
 * Reads a document as OpenAPI 3; Swagger 2.0 is converted.
 * @returns the fault, where it is neither
 */
async function parseDocument(
  text: string,
): Promise<{ readonly document: JsonObject } | { readonly fault: string }> {
  const value = await parseText(text);
  if (typeof value === 'string') return { fault: value };
  const document = String(value['swagger'] ?? '').startsWith('2') ? await upgraded(value) : value;
  if (document === null)
    return {
      fault: 'This Swagger 2.0 document can not be converted to OpenAPI 3; do it by a tool.',
    };
  // YAML reads `openapi: 3.1` as a number.
  if (!/^3(?:\.|$)/.test(String(document['openapi'] ?? '')))
    return { fault: 'This is no OpenAPI 3 document, and no Swagger 2.0 document.' };
  if (!isJsonObject(document['paths'])) return { fault: 'This document has no paths.' };
  return { document };
}

/** The document; or why it is none. */
async function parseText(text: string): Promise<JsonObject | string> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    const yaml = await readYaml(text);
    if ('faults' in yaml) return `This can not be read as YAML: ${yaml.faults[0] ?? ''}`;
    value = withMergedKeys(yaml.value);
  }
  return isJsonObject(value) ? value : 'This is neither JSON nor YAML with an object in it.';
}

async function upgraded(document: JsonObject): Promise<JsonObject | null> {
  // Imported on use: only old documents need it.
  const { upgradeFromTwoToThree } = await import('@scalar/openapi-upgrader/2.0-to-3.0');
  try {
    return upgradeFromTwoToThree(withPlainBodies(document)) as unknown as JsonObject;
  } catch {
    return null;
  }
}
