import { z } from 'zod';
import type { JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { schemaProperties } from '../json-schema/json-schema.ts';
import { graphQuery } from './graph-query.ts';
import { llmCall } from './llm-call.ts';
import { mcpCall } from './mcp-call.ts';
import type { HealthTells, Protocol, TypeOfOperation } from './operation-type.ts';
import { restCall } from './rest-call.ts';

/** The types of operations; also the Worker types and the Temporal task queues. */
export const OPERATIONS = {
  graph_query: graphQuery,
  rest_call: restCall,
  llm_call: llmCall,
  mcp_call: mcpCall,
} as const;
export type OperationType = keyof typeof OPERATIONS;
export const OPERATION_TYPES = Object.keys(OPERATIONS) as OperationType[];

type Row = (typeof OPERATIONS)[OperationType];
const rows: readonly Row[] = Object.values(OPERATIONS);

/**
 * The call that a Tool makes, one shape per Service type (S4-TOOL-05). Stored as JSON text and
 * parsed on each read.
 */
export const Operation = z.discriminatedUnion(
  'type',
  rows.map(({ schema }) => schema) as [Row['schema'], ...Row['schema'][]],
);
export type Operation = z.infer<typeof Operation>;
export type OperationOf<Type extends OperationType> = z.infer<(typeof OPERATIONS)[Type]['schema']>;

export type ServiceType = Row['serviceType'];
export const SERVICE_TYPES: readonly ServiceType[] = rows.map(({ serviceType }) => serviceType);

export type OperationField = Row['inputField'];
export const OPERATION_FIELDS: ReadonlySet<string> = new Set<OperationField>(
  rows.map(({ inputField }) => inputField),
);

const rowOf = ({ type }: Operation): TypeOfOperation<z.ZodType<Operation>> => OPERATIONS[type];

/** How far a health probe can know whether a call of this operation would work. */
export function healthTells(operation: Operation): HealthTells {
  return rowOf(operation).healthTells(operation);
}

/**
 * Checks an operation with its inputSchema (S4-TOOL-06). Templates must parse, headers must be
 * harmless, and inputSchema must declare exactly the variables used.
 * @param graphParameters 'supplied' for the system's own graph Tools: the driver supplies
 * SYSTEM_PARAMETERS
 */
export function checkOperation(
  operation: Operation,
  inputSchema: JsonObject,
  graphParameters: 'supplied' | 'none' = 'none',
): Problem[] {
  const row = rowOf(operation);
  const { problems, uses } = row.read(operation, ['operation', row.inputField]);
  if (row.passesInputs?.(operation) === true) return [...problems];

  const { reserved = [] } = row;
  const declared = new Set(schemaProperties(inputSchema));
  const supplied = new Set(graphParameters === 'supplied' ? reserved : []);
  const used = new Set(uses.map(({ name }) => name));
  const undeclared = uses
    .filter(({ name }) => !declared.has(name) && !supplied.has(name))
    .map(({ name, path }) => {
      const message = `${name} is used here, but is no property of inputSchema.`;
      return problem('UNKNOWN_VARIABLE', path, message);
    });
  const refused = [...declared].flatMap((name) => {
    const at = ['inputSchema', 'properties', name];
    if (reserved.includes(name))
      return [problem('INVALID', at, `$${name} is given by the system and can't be an input.`)];
    if (used.has(name)) return [];
    const message = `${name} is a property of inputSchema, but the operation does not use it.`;
    return [problem('UNKNOWN_VARIABLE', at, message)];
  });
  return [...problems, ...undeclared, ...refused];
}

/** An operation needs a Service of its type (S4-TOOL-05). */
export function checkOperationFits(
  operation: Operation,
  serviceType: ServiceType,
  path: readonly string[] = ['operation'],
): Problem[] {
  const wanted = rowOf(operation).serviceType;
  if (wanted === serviceType) return [];
  const message = `A ${operation.type} needs a ${wanted} Service, and this one is ${serviceType}.`;
  return [problem('TYPE_MISMATCH', path, message)];
}

export function mutatingByDefault(operation: Operation): boolean {
  return rowOf(operation).mutatesByDefault(operation);
}

/** A Cypher write is always mutating: read-only Tools may run unrecorded in the API process. */
export function checkMutating(operation: Operation, mutating: boolean): Problem[] {
  if (mutating || operation.type !== 'graph_query' || operation.access === 'read') return [];
  return [problem('INVALID', ['mutating'], 'A graph_query with write access is mutating.')];
}

/** A Service of a type speaks one of its protocols (S4-SVC-08). */
export function checkProtocolFits(type: ServiceType, protocol: Protocol): Problem[] {
  const allowed: readonly Protocol[] =
    rows.find((row) => row.serviceType === type)?.protocols ?? [];
  if (allowed.includes(protocol)) return [];
  const message = `A ${type} Service speaks ${allowed.join(', ')}, not ${protocol}.`;
  return [problem('PROTOCOL_MISMATCH', ['protocol'], message)];
}
