import { canonicalJson, type JsonObject } from '../../common/json.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Tool } from '../tools/tool.ts';
import type { McpToolState } from './mcp-tools.ts';

/** One operation of an OpenAPI document, in the shape of a Tool. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly name: string;
  readonly description: string | null;
  readonly operation: Operation;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** Parts of the document that the Tool does not follow, for a person. */
  readonly notes: readonly string[];
}

/** An operation of a document that can't be imported. */
export interface SkippedOperation {
  readonly operationId: string;
  /** `GET /pets/{id}`. */
  readonly call: string;
  /** For a person. */
  readonly reason: string;
}

type Compared = Pick<Tool, 'description' | 'operation' | 'inputSchema' | 'outputSchema'>;

/** An operation of an OpenAPI document beside the viewer's Tool that calls it. */
export interface OpenApiTool {
  /** Id in the document; null for `gone`. */
  readonly operationId: string | null;
  readonly name: string;
  /** `GET /pets/{{id}}`. */
  readonly call: string;
  readonly state: McpToolState | 'unusable';
  /** The viewer's Tool with the same connection, method and path; null for `new`. */
  readonly tool: Tool | null;
  /** The fields that an import would change, with the document's values. */
  readonly changes: Partial<Compared>;
  /** Why it can't be imported, or which parts of it the Tool does not follow; null for none. */
  readonly problem: string | null;
}

/**
 * Compares the operations of a document with the viewer's Tools of the Service. A Tool belongs to
 * an operation with the same method and path, over the same connection.
 * @param tools the viewer's Tools of the Service, newest first
 * @param isWhole whether these are all operations; only then other Tools are `gone`
 */
export function compareOpenApiTools(
  operations: readonly OpenApiOperation[],
  tools: readonly Tool[],
  {
    connectionParams,
    isWhole,
    skipped = [],
  }: {
    readonly connectionParams: JsonObject;
    readonly isWhole: boolean;
    /** Operations of the document that can't be imported. */
    readonly skipped?: readonly SkippedOperation[];
  },
): OpenApiTool[] {
  const connection = canonicalJson(connectionParams);
  const here = tools.flatMap((tool) => {
    const call = callOf(tool.operation);
    return call !== null && canonicalJson(tool.connectionParams) === connection
      ? [{ tool, call }]
      : [];
  });
  const counts = new Map<string, number>();
  for (const { operation } of operations) {
    const call = callOf(operation) ?? '';
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  const offered = operations.map((found): OpenApiTool => {
    const call = callOf(found.operation) ?? '';
    const same = here.filter((one) => one.call === call);
    // Operations of one address, which a query or a header tells apart, are known by their names.
    const named = same.find((one) => one.tool.name === found.name);
    const tool = (named ?? (counts.get(call) === 1 ? same[0] : undefined))?.tool ?? null;
    const changes = tool === null ? {} : changesOf(tool, found);
    const isChanged = Object.keys(changes).length > 0;
    const state = tool === null ? 'new' : isChanged ? 'changed' : 'unchanged';
    const { operationId, name, notes } = found;
    const problem = notes.length === 0 ? null : notes.join(' ');
    return { operationId, name, call, state, tool, changes, problem };
  });
  const unusable = skipped.map(({ operationId, call, reason }): OpenApiTool => {
    const tool = here.find((one) => withoutNames(one.call) === withoutNames(call))?.tool ?? null;
    const name = operationId;
    return { operationId, name, call, state: 'unusable', tool, changes: {}, problem: reason };
  });
  const inDocument = [...offered, ...unusable];
  if (!isWhole) return inDocument;
  const calls = new Set(offered.map(({ call }) => call));
  const skippedCalls = new Set(skipped.map(({ call }) => withoutNames(call)));
  const gone = here
    .filter(({ call }) => !calls.has(call) && !skippedCalls.has(withoutNames(call)))
    .map(
      ({ tool, call }): OpenApiTool => ({
        operationId: null,
        name: tool.name,
        call,
        state: 'gone',
        tool,
        changes: {},
        problem: null,
      }),
    );
  return [...inDocument, ...gone];
}

/** `GET /pets/{{id}}` and `GET /pets/{id}` as `GET /pets/{}`. */
const withoutNames = (call: string): string => call.replace(/\{+[^{}]*\}+/g, '{}');

const callOf = (operation: Operation): string | null =>
  operation.type === 'rest_call' ? `${operation.method} ${operation.path}` : null;

/** A document says nothing of probes, so the one that the author wrote stays. */
const withProbe = (found: Operation, own: Operation): Operation =>
  found.type === 'rest_call' && own.type === 'rest_call' && own.probe != null
    ? { ...found, probe: own.probe }
    : found;

/** A document without a response schema leaves the Tool's: its author may have written one. */
function changesOf(tool: Tool, found: OpenApiOperation): Partial<Compared> {
  const hasOutput = Object.keys(found.outputSchema).length > 0;
  const wanted: Compared = {
    description: found.description,
    operation: withProbe(found.operation, tool.operation),
    inputSchema: found.inputSchema,
    outputSchema: hasOutput ? found.outputSchema : tool.outputSchema,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => comparable(value) !== comparable(tool[field as keyof Compared]),
    ),
  );
}

/** An absent part of an operation is equal to null. */
function comparable(value: Compared[keyof Compared]): string {
  if (value === null || typeof value !== 'object') return canonicalJson(value);
  const given = Object.entries(value).filter(([, part]) => part != null);
  return canonicalJson(Object.fromEntries(given) as JsonObject);
}
