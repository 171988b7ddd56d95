import { parseJson } from '../../../packages/client/src/exact-json.ts';
import type {
  BodyKind,
  HttpMethod,
  OperationInput,
  ServiceType,
  WholeOperationFragment,
} from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';

/** A name with its value as it is typed, such as a query parameter. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** An operation while it is typed: the fields of its form. */
export type OperationDraft =
  | {
      readonly type: 'REST_API';
      readonly method: HttpMethod;
      readonly path: string;
      readonly query: readonly Pair[];
      readonly headers: readonly Pair[];
      /** `fields`: an object, a pair for each property. */
      readonly bodyForm: 'none' | 'fields' | 'text';
      readonly bodyFields: readonly Pair[];
      readonly bodyText: string;
      readonly bodyKind: BodyKind | null;
      /** Parts without a field in the form; they stay as they are. */
      readonly rest: Pick<NonNullable<OperationInput['restCall']>, 'cookies' | 'styles'>;
    }
  | {
      readonly type: 'LLM_PROVIDER';
      readonly systemPrompt: string;
      readonly promptTemplate: string;
      readonly rest: Pick<NonNullable<OperationInput['llmCall']>, 'messages' | 'responseSchema'>;
    }
  | {
      readonly type: 'MCP_SERVER';
      readonly tool: string;
      readonly rest: Pick<NonNullable<OperationInput['mcpCall']>, 'arguments'>;
    }
  | { readonly type: 'NEO4J_GRAPH'; readonly cypher: string; readonly isWriting: boolean };

export function emptyOperation(type: ServiceType): OperationDraft {
  if (type === 'LLM_PROVIDER') return { type, systemPrompt: '', promptTemplate: '', rest: {} };
  if (type === 'MCP_SERVER') return { type, tool: '', rest: {} };
  if (type === 'NEO4J_GRAPH') return { type, cypher: '', isWriting: false };
  return {
    type,
    method: 'GET',
    path: '/',
    query: [],
    headers: [],
    bodyForm: 'none',
    bodyFields: [],
    bodyText: '',
    bodyKind: null,
    rest: {},
  };
}

/** A stored operation as the fields of its form. */
export function draftOf(operation: WholeOperationFragment): OperationDraft {
  if (operation.__typename === 'LlmCallOperation') {
    const { systemPrompt, promptTemplate, messages, responseSchema } = operation;
    return {
      type: 'LLM_PROVIDER',
      systemPrompt: systemPrompt ?? '',
      promptTemplate,
      rest: { messages, responseSchema },
    };
  }
  if (operation.__typename === 'McpCallOperation')
    return {
      type: 'MCP_SERVER',
      tool: operation.tool,
      rest: operation.arguments == null ? {} : { arguments: operation.arguments },
    };
  if (operation.__typename === 'GraphQueryOperation')
    return {
      type: 'NEO4J_GRAPH',
      cypher: operation.cypher,
      isWriting: operation.access === 'WRITE',
    };
  const { method, path, parameters, headers, cookies, body, bodyKind, probe, styles } = operation;
  return {
    type: 'REST_API',
    method,
    path,
    query: pairsOf(parameters),
    headers: pairsOf(headers),
    bodyForm: body == null ? 'none' : isRecord(body) ? 'fields' : 'text',
    bodyFields: isRecord(body) ? pairsOf(body) : [],
    bodyText: body == null || isRecord(body) ? '' : shownValue(body),
    bodyKind: bodyKind ?? null,
    rest: {
      ...(cookies == null ? {} : { cookies }),
      ...(probe == null ? {} : { probe: { method: probe.method, path: probe.path } }),
      ...(styles == null || styles.length === 0
        ? {}
        : {
            // The cache may add names of types.
            styles: styles.map(({ in: place, name, style, explode, allowReserved }) => ({
              in: place,
              name,
              style,
              explode,
              allowReserved,
            })),
          }),
    },
  };
}

/** The input of the API for the fields of the form. */
export function operationOf(draft: OperationDraft): OperationInput {
  if (draft.type === 'LLM_PROVIDER') {
    const { systemPrompt, promptTemplate, rest } = draft;
    const system = systemPrompt === '' ? {} : { systemPrompt };
    return { llmCall: { ...rest, ...system, promptTemplate } };
  }
  if (draft.type === 'MCP_SERVER') return { mcpCall: { ...draft.rest, tool: draft.tool } };
  if (draft.type === 'NEO4J_GRAPH')
    return { graphQuery: { query: draft.cypher, access: draft.isWriting ? 'WRITE' : 'READ' } };
  const { method, path, query, headers, bodyForm, bodyFields, bodyText, bodyKind, rest } = draft;
  const hasBody = hasBodyOf(method) && bodyForm !== 'none';
  return {
    restCall: {
      ...rest,
      method,
      path,
      ...(query.length === 0 ? {} : { query: objectOf(query) }),
      ...(headers.length === 0 ? {} : { headers: objectOf(headers) }),
      ...(hasBody ? { body: bodyForm === 'text' ? bodyText : objectOf(bodyFields) } : {}),
      ...(hasBody && bodyKind !== null ? { bodyKind } : {}),
    },
  };
}

/** HTTP gives the body of a GET or HEAD no meaning. */
export function hasBodyOf(method: HttpMethod): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function pairsOf(values: Readonly<Record<string, unknown>> | null | undefined): Pair[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value: shownValue(value) }));
}

function objectOf(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, typedValue(value)]),
  );
}

/** A value as one types it: a text as it is, unless it would be read as another value. */
export function shownValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return typeof typedValue(value) === 'string' && !value.startsWith('"')
    ? value
    : JSON.stringify(value);
}

/** A typed value: a number, true, false, null, list, object or quoted text; else the text. */
export function typedValue(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const BLOCK_WORDS = ['if', 'unless', 'each', 'with', 'else', 'this', 'true', 'false', 'null'];
const HELPERS = ['json', 'join', 'truncate', 'default', 'eq', 'ne', 'gt', 'lt', 'and', 'or', 'not'];
const NOT_NAMES = new Set([...BLOCK_WORDS, ...HELPERS, 'lookup']);

/** Names that the texts of an operation use, in their order: `{{name}}`, and `$name` in Cypher. */
export function variablesOf(draft: OperationDraft): string[] {
  if (draft.type === 'NEO4J_GRAPH')
    return unique([...draft.cypher.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name = '']) => name));
  const names = textsOf(operationOf(draft)).flatMap((text) =>
    [...text.matchAll(/\{\{[{~]?[#/&^]?([^}]*)\}\}/g)].flatMap(([, inside = '']) =>
      [...inside.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/(?<![\w.@])[A-Za-z_]\w*/g)].map(
        ([name]) => name,
      ),
    ),
  );
  return unique(names.filter((name) => !NOT_NAMES.has(name)));
}

/** All texts in a value; a schema of the answer has none that are templates. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'responseSchema' ? [] : textsOf(one),
  );
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
