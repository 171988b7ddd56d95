import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { type McpServerVariables, variableFault } from '../../common/mcp-server.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import type { Protocol } from '../../operations/operation-type.ts';
import { checkEndpoint } from './endpoint.ts';

/** The parts of a Service that decide whether connectionParams are valid. */
export interface ConnectionPlace {
  readonly protocol: Protocol;
  readonly connectionSchema: JsonObject;
}

/**
 * Completes a Tool's connectionParams for a driver: coerces types and fills in defaults by the
 * Service's connectionSchema. The stored connectionParams stay as the author wrote them.
 * Call it with parameters that passed checkConnection; it returns invalid ones unchanged.
 */
export function completeConnection(
  connectionSchema: JsonObject,
  connectionParams: JsonObject,
): JsonObject {
  return validateConnection(connectionSchema, connectionParams, []).params;
}

/**
 * All problems of a Tool's connectionParams, by the connectionSchema (S4-TOOL-04) and by the
 * protocol.
 */
export function checkConnection(
  place: ConnectionPlace,
  connectionParams: JsonObject,
  mcpServers: McpServerVariables,
  path: readonly string[] = ['connectionParams'],
): Problem[] {
  const { params, problems } = validateConnection(place.connectionSchema, connectionParams, path);
  const endpointPath = [...path, 'endpoint'];
  const reported = problems.some((found) => found.path.join('/') === endpointPath.join('/'));
  return [
    ...problems,
    ...(reported ? [] : checkEndpoint(place.protocol, params['endpoint'], endpointPath)),
    ...checkServer(place.protocol, params['server'], Object.keys(mcpServers), [...path, 'server']),
    ...checkPricing(params['pricing'], [...path, 'pricing']),
  ];
}

/** Whether stored connectionParams fit another connectionSchema (S4-SVC-09). */
export function fitsConnectionSchema(
  connectionSchema: JsonObject,
  connectionParams: JsonObject,
): boolean {
  return validateConnection(connectionSchema, connectionParams, []).problems.length === 0;
}

/**
 * `pricing` is allowed beside any connectionSchema. The schema validates it only if it names it.
 */
function validateConnection(
  connectionSchema: JsonObject,
  connectionParams: JsonObject,
  path: readonly string[],
) {
  const properties = connectionSchema['properties'];
  const named = isJsonObject(properties) && Object.hasOwn(properties, 'pricing');
  const { pricing, ...rest } = connectionParams;
  const checkedParams: JsonObject = named || pricing === undefined ? connectionParams : rest;
  const { value, problems } = validateJson(connectionSchema, checkedParams, path);
  const params: JsonObject =
    problems.length === 0 && isJsonObject(value) ? value : { ...checkedParams };
  if (checkedParams === rest && pricing !== undefined) params['pricing'] = pricing;
  return { params, problems };
}

/**
 * Only MCP servers that the operator registered may run here. A command of a user's choice would be
 * a shell.
 */
function checkServer(
  protocol: Protocol,
  server: Json | undefined,
  names: readonly string[],
  path: readonly string[],
): Problem[] {
  if (protocol !== 'stdio') return [];
  const known = names.length === 0 ? 'none is registered' : `registered: ${names.join(', ')}`;
  if (server === undefined || server === null || server === '')
    return [
      problem('REQUIRED', path, `server names an MCP server the operator registered (${known}).`),
    ];
  if (typeof server === 'string' && names.includes(server)) return [];
  return [problem('INVALID', path, `This is no MCP server the operator registered (${known}).`)];
}

/**
 * Whether a scope `env:<NAME>` names a variable that the operator lists for the Tool's server. Any
 * other could make a program load code or trust other hosts.
 */
export function checkServerVariable(
  place: ConnectionPlace,
  connectionParams: JsonObject,
  scope: string | null,
  mcpServers: McpServerVariables,
): Problem[] {
  if (place.protocol !== 'stdio' || scope?.startsWith('env:') !== true) return [];
  const { server } = completeConnection(place.connectionSchema, connectionParams);
  // An unknown server is a problem of connectionParams.
  if (typeof server !== 'string' || !Object.hasOwn(mcpServers, server)) return [];
  const fault = variableFault(server, mcpServers[server] ?? [], scope.slice('env:'.length));
  return fault === null ? [] : [problem('INVALID', ['secretScope'], fault)];
}

function checkPricing(pricing: Json | undefined, path: readonly string[]): Problem[] {
  if (pricing === undefined) return [];
  if (!isJsonObject(pricing))
    return [
      problem('INVALID', path, 'pricing is {inputPerMillion, outputPerMillion} in US dollars.'),
    ];
  return ['inputPerMillion', 'outputPerMillion'].flatMap((name) =>
    isPrice(pricing[name])
      ? []
      : [problem('INVALID', [...path, name], `${name} is an amount in US dollars, from 0.`)],
  );
}

const isPrice = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
