import { isJsonObject, type Json, type JsonObject, unreachable } from '../../common/json.ts';
import { TEMPLATE_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkTemplate } from '../../expressions/template.ts';
import { checkJsonSchema, schemaProperties } from '../../json-schema/json-schema.ts';
import { checkHeaders } from '../services/header.ts';
import { cypherParameters } from './cypher-parameters.ts';
import {
  type Operation,
  type OperationType,
  type ParameterStyle,
  SERVICE_TYPE_OF,
  type ServiceType,
} from './operation.ts';

type Path = readonly string[];

/**
 * Parameters that the driver supplies to the system's own graph Tools; no input may use these names
 * (docs/decisions/0018). `queryMeaning` is the vector of the input `query` with its slot, null if
 * there is no embedding model.
 */
export const SYSTEM_PARAMETERS = ['ownerId', 'workspace', 'queryMeaning'] as const;

/**
 * The field of each operation type in the API's OperationInput, so that the paths of problems match
 * the caller's input.
 */
const INPUT_FIELD_OF = {
  graph_query: 'graphQuery',
  rest_call: 'restCall',
  llm_call: 'llmCall',
  mcp_call: 'mcpCall',
} as const satisfies Record<OperationType, string>;

interface Use {
  readonly name: string;
  readonly path: Path;
}

interface Reading {
  readonly problems: Problem[];
  readonly uses: Use[];
}

/**
 * Checks an operation with its inputSchema (S4-TOOL-06). Templates must parse, headers must be
 * harmless, and inputSchema must declare exactly the variables used.
 * An mcp_call without arguments passes its inputs on unchanged, so its inputSchema may declare any.
 * @param graphParameters 'supplied' for the system's own graph Tools: the driver supplies
 * SYSTEM_PARAMETERS
 */
export function checkOperation(
  operation: Operation,
  inputSchema: JsonObject,
  graphParameters: 'supplied' | 'none' = 'none',
): Problem[] {
  const path = ['operation', INPUT_FIELD_OF[operation.type]];
  const { problems, uses } = readOperation(operation, path);
  if (operation.type === 'mcp_call' && operation.arguments == null) return problems;

  const declared = new Set(schemaProperties(inputSchema));
  const supplied = new Set<string>(graphParameters === 'supplied' ? SYSTEM_PARAMETERS : []);
  const used = new Set(uses.map(({ name }) => name));
  for (const { name, path: at } of uses) {
    if (declared.has(name) || supplied.has(name)) continue;
    problems.push(
      problem('UNKNOWN_VARIABLE', at, `${name} is used here, but is no property of inputSchema.`),
    );
  }
  for (const name of declared) {
    const at = ['inputSchema', 'properties', name];
    if (
      operation.type === 'graph_query' &&
      (SYSTEM_PARAMETERS as readonly string[]).includes(name)
    ) {
      problems.push(
        problem('INVALID', at, `$${name} is given by the system and can't be an input.`),
      );
    } else if (!used.has(name)) {
      problems.push(
        problem(
          'UNKNOWN_VARIABLE',
          at,
          `${name} is a property of inputSchema, but the operation does not use it.`,
        ),
      );
    }
  }
  return problems;
}

/** An operation needs a Service of its type (S4-TOOL-05). */
export function checkOperationFits(
  operation: Operation,
  serviceType: ServiceType,
  path: Path = ['operation'],
): Problem[] {
  const wanted = SERVICE_TYPE_OF[operation.type];
  if (wanted === serviceType) return [];
  return [
    problem(
      'TYPE_MISMATCH',
      path,
      `A ${operation.type} needs a ${wanted} Service, and this one is ${serviceType}.`,
    ),
  ];
}

/**
 * Whether a Tool of this operation may change data, unless its author says otherwise
 * (docs/decisions/0018, `mutating` defaults).
 */
export function mutatingByDefault(operation: Operation): boolean {
  switch (operation.type) {
    case 'graph_query':
      return operation.access === 'write';
    case 'rest_call':
      return operation.method !== 'GET' && operation.method !== 'HEAD';
    case 'llm_call':
      return false;
    case 'mcp_call':
      return true;
    default:
      return unreachable(operation);
  }
}

/** A Cypher write is always mutating: read-only Tools may run unrecorded in the API process. */
export function checkMutating(operation: Operation, mutating: boolean): Problem[] {
  if (mutating || operation.type !== 'graph_query' || operation.access === 'read') return [];
  return [problem('INVALID', ['mutating'], 'A graph_query with write access is mutating.')];
}

function readOperation(operation: Operation, path: Path): Reading {
  switch (operation.type) {
    case 'graph_query':
      return readCypher(operation.query, [...path, 'query']);
    case 'rest_call':
      return together([
        readPath(operation.path, [...path, 'path']),
        readTexts(operation.query ?? null, [...path, 'query']),
        readTexts(operation.headers ?? null, [...path, 'headers']),
        readTexts(operation.cookies ?? null, [...path, 'cookies']),
        readTexts(operation.body ?? null, [...path, 'body']),
        {
          problems: [
            ...checkHeaders(operation.headers ?? {}, [...path, 'headers']),
            ...checkStyles(operation, [...path, 'styles']),
            ...checkBodyFits(operation, [...path, 'body']),
          ],
          uses: [],
        },
      ]);
    case 'llm_call':
      return together([
        readTexts(operation.systemPrompt ?? null, [...path, 'systemPrompt']),
        readPrompt(
          operation.promptTemplate,
          [...path, 'promptTemplate'],
          operation.messages ?? null,
        ),
        readMessages(operation.messages ?? null, [...path, 'messages']),
        {
          problems:
            operation.responseSchema == null
              ? []
              : checkJsonSchema(operation.responseSchema, [...path, 'responseSchema']),
          uses: [],
        },
      ]);
    case 'mcp_call':
      return together([
        operation.tool.trim() === ''
          ? {
              problems: [
                problem('REQUIRED', [...path, 'tool'], 'The name of the MCP tool is required.'),
              ],
              uses: [],
            }
          : NOTHING,
        readTexts(operation.arguments ?? null, [...path, 'arguments']),
      ]);
    default:
      return unreachable(operation);
  }
}

const NOTHING: Reading = { problems: [], uses: [] };

function together(readings: readonly Reading[]): Reading {
  return {
    problems: readings.flatMap(({ problems }) => problems),
    uses: readings.flatMap(({ uses }) => uses),
  };
}

function readCypher(query: string, path: Path): Reading {
  const problems: Problem[] = [];
  if (query.trim() === '')
    problems.push(problem('REQUIRED', path, 'The Cypher statement is required.'));
  if (Buffer.byteLength(query) > TEMPLATE_BYTES_MAX) {
    return {
      problems: [
        problem('TOO_LARGE', path, `A Cypher statement has at most ${TEMPLATE_BYTES_MAX} bytes.`),
      ],
      uses: [],
    };
  }
  return { problems, uses: cypherParameters(query).map((name) => ({ name, path })) };
}

/** The path is appended to the endpoint, so it must not be able to change the host. */
function readPath(source: string, path: Path): Reading {
  const problems: Problem[] = [];
  if (/^\/\/|^[\\@:]|^[a-z][a-z0-9+.-]*:/i.test(source)) {
    problems.push(
      problem(
        'INVALID',
        path,
        'The path starts below the endpoint, as in /items/{{id}}; it names no host.',
      ),
    );
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the request line
  if (/[\u0000-\u001f\u007f\\]/.test(source)) {
    problems.push(problem('INVALID', path, 'The path has no control characters or backslashes.'));
  }
  // Outside of tags: {{#if}} opens a block.
  if (source.replace(/\{\{[^}]*\}?\}\}/g, '').includes('#')) {
    problems.push(
      problem(
        'INVALID',
        path,
        'The path has no #: what follows it is never sent. Write %23 for the character.',
      ),
    );
  }
  return together([{ problems, uses: [] }, readTexts(source, path)]);
}

/** HTTP gives the body of a GET or HEAD no meaning, and it can not be sent. */
function checkBodyFits(
  { method, body }: Extract<Operation, { type: 'rest_call' }>,
  path: Path,
): Problem[] {
  if (body == null || (method !== 'GET' && method !== 'HEAD')) return [];
  const message = `A ${method} has no body. Give the values in query, or choose another method.`;
  return [problem('INVALID', path, message)];
}

const STYLES_OF = {
  path: ['simple', 'label', 'matrix', 'json'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'],
  header: ['simple', 'json'],
  cookie: ['form', 'json'],
  form: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'],
} as const satisfies Record<ParameterStyle['in'], readonly NonNullable<ParameterStyle['style']>[]>;

/** A style belongs to a parameter that the operation has, and to its place. */
function checkStyles(
  { path: template, query, headers, cookies, styles }: Extract<Operation, { type: 'rest_call' }>,
  path: Path,
): Problem[] {
  const named: Record<ParameterStyle['in'], readonly string[] | null> = {
    path: checkTemplate(template, []).variables,
    query: Object.keys(query ?? {}),
    header: Object.keys(headers ?? {}),
    cookie: Object.keys(cookies ?? {}),
    // The fields of a form are in the value of its body.
    form: null,
  };
  return (styles ?? []).flatMap(({ in: place, name, style }, index) => {
    const at = [...path, String(index)];
    const problems: Problem[] = [];
    if (named[place]?.includes(name) === false)
      problems.push(problem('NOT_FOUND', [...at, 'name'], `${name} is no ${PLACE_NAMES[place]}.`));
    const known: readonly string[] = STYLES_OF[place];
    if (style != null && !known.includes(style)) {
      const message = `The style ${style} is none of this place; it has ${known.join(', ')}.`;
      problems.push(problem('INVALID', [...at, 'style'], message));
    }
    return problems;
  });
}

const PLACE_NAMES = {
  path: 'variable of the path',
  query: 'key of query',
  header: 'key of headers',
  cookie: 'key of cookies',
  form: 'field of the form',
} as const satisfies Record<ParameterStyle['in'], string>;

function readPrompt(source: string, path: Path, messages: string | null): Reading {
  if (source.trim() === '' && messages === null) {
    return {
      problems: [problem('REQUIRED', path, 'A prompt is required where no messages are named.')],
      uses: [],
    };
  }
  return readTexts(source, path);
}

function readMessages(name: string | null, path: Path): Reading {
  return name === null ? NOTHING : { problems: [], uses: [{ name, path }] };
}

/** Reads every text inside a value as a template. */
function readTexts(value: Json, path: Path): Reading {
  if (typeof value === 'string') {
    const { problems, variables } = checkTemplate(value, path);
    return { problems: [...problems], uses: variables.map((name) => ({ name, path })) };
  }
  if (Array.isArray(value))
    return together(value.map((item, index) => readTexts(item, [...path, String(index)])));
  if (isJsonObject(value))
    return together(Object.entries(value).map(([key, item]) => readTexts(item, [...path, key])));
  return NOTHING;
}
