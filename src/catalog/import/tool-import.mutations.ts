import type { JsonObject } from '../../common/json.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps, McpToolListing } from '../deps.ts';
import { findSealedSecret, findSecrets } from '../secrets/secret.cypher.ts';
import { defaultSecretScope } from '../secrets/secret-scope.ts';
import { checkConnection } from '../services/connection.ts';
import { findStoredServices } from '../services/service.cypher.ts';
import type { StoredService } from '../services/service.ts';
import { openCallTarget } from '../tools/call-target.service.ts';
import { createToolsIn } from '../tools/tool.mutations.ts';
import type { Tool } from '../tools/tool.ts';
import { probeSoon } from '../tools/tool-health.service.ts';
import type { CreateTool } from '../tools/tool-plan.ts';
import { readOpenApi } from './openapi.service.ts';

/** Maximum Tools of one import. A larger source needs several imports. */
const IMPORTED_TOOLS_MAX = 200;
const LIST_MS_MAX = 15_000;

interface ImportInput {
  readonly serviceId: string;
  readonly connectionParams: JsonObject;
  readonly secretId?: string | null | undefined;
}
export interface ImportMcpTools extends ImportInput {
  /** Names of the tools to import. Absent: all tools of the server. */
  readonly names?: readonly string[] | null | undefined;
}
export interface ImportOpenApiTools extends ImportInput {
  /** OpenAPI 3.x, JSON or YAML. */
  readonly document: string;
  readonly operationIds?: readonly string[] | null | undefined;
}

/**
 * Lists the tools of an MCP server and creates a Tool for each, or for those in `names`; all or
 * none. The server's hints about side effects are not trusted: the Tools are mutating until a user
 * changes that.
 * @throws Refusal as createTool, and UNHEALTHY if the server does not answer
 */
export async function importMcpTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportMcpTools,
): Promise<Tool[]> {
  const listed = await listMcpTools(deps, viewer, input);
  const { chosen, problems } = choose(listed, input.names ?? null, 'names', ({ name }) => name);
  refuse(problems);
  const tools = chosen.map(({ name, description, inputSchema, outputSchema }) => ({
    ...sharedFields(input),
    name: name.slice(0, 200),
    description: description?.slice(0, 2_000) ?? null,
    operation: { type: 'mcp_call' as const, tool: name },
    inputSchema,
    outputSchema: outputSchema ?? {},
  }));
  return createAll(deps, viewer, tools);
}

/**
 * Creates one rest_call Tool for each operation, or for those in `operationIds`; all or none.
 * @throws Refusal as createTool
 */
export async function importOpenApiTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
): Promise<Tool[]> {
  const wanted = input.operationIds ?? null;
  const { operations, problems } = await readOpenApi(input.document, wanted);
  const choice = choose(
    problems.length > 0 ? [] : operations,
    problems.length > 0 ? null : wanted,
    'operationIds',
    ({ operationId }) => operationId,
  );
  const documentProblems = problems.length > 0 ? problems : choice.problems;
  if (documentProblems.length > 0) {
    // The document has problems, so createTool will not run. Its other checks run here, to report
    // all problems at once.
    const { service, secret } = await readSource(deps, viewer, input);
    refuse([
      ...documentProblems,
      ...checkSource(deps, input, 'rest_api', service, secret !== null),
    ]);
  }
  const tools = choice.chosen.map(({ operationId: _id, ...tool }) => ({
    ...sharedFields(input),
    ...tool,
  }));
  return createAll(deps, viewer, tools);
}

function sharedFields({ serviceId, connectionParams, secretId }: ImportInput) {
  return { serviceId, connectionParams, secretId };
}

function choose<T>(
  all: readonly T[],
  wanted: readonly string[] | null,
  field: string,
  nameOf: (item: T) => string,
): { chosen: readonly T[]; problems: Problem[] } {
  const problems = (wanted ?? []).flatMap((name, index) =>
    all.some((item) => nameOf(item) === name)
      ? []
      : [
          problem(
            'NOT_FOUND',
            [field, index],
            `There is no ${name}. There are: ${all.map(nameOf).slice(0, 50).join(', ')}.`,
          ),
        ],
  );
  const chosen = wanted === null ? all : all.filter((item) => wanted.includes(nameOf(item)));
  if (chosen.length === 0 && problems.length === 0)
    problems.push(problem('INVALID', [field], 'There is nothing to import.'));
  if (chosen.length > IMPORTED_TOOLS_MAX) {
    problems.push(
      problem(
        'INVALID',
        [field],
        `At most ${IMPORTED_TOOLS_MAX} Tools are made at once; name those you want.`,
      ),
    );
  }
  return { chosen, problems };
}

async function createAll(
  deps: CatalogDeps,
  viewer: Viewer,
  inputs: readonly CreateTool[],
): Promise<Tool[]> {
  const tools = await deps.graph.write((tx) => createToolsIn(tx, deps, viewer, inputs));
  deps.wake();
  probeSoon(
    deps,
    tools.map(({ id }) => id),
  );
  return tools;
}

async function listMcpTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportMcpTools,
): Promise<McpToolListing[]> {
  const { service, secret } = await readSource(deps, viewer, input);
  refuse(checkSource(deps, input, 'mcp_server', service, secret !== null));
  if (service === null) throw new Refusal([notFound('Service', ['serviceId'])]);
  const callable = {
    ownerId: viewer.userId,
    connectionParams: input.connectionParams,
    secretScope: defaultSecretScope(service, input.connectionParams),
    service,
    secret,
  };
  try {
    const target = await openCallTarget(deps, callable, viewer.userId);
    const limit = AbortSignal.timeout(LIST_MS_MAX);
    return await deps.toolCalls.listMcpTools(target, limit, viewer.userId);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    throw new Refusal([
      problem('UNHEALTHY', ['connectionParams'], `The MCP server can't be asked: ${error.message}`),
    ]);
  }
}

function readSource(deps: CatalogDeps, viewer: Viewer, { serviceId, secretId }: ImportInput) {
  return deps.graph.read(async (tx) => {
    const [found] = await findStoredServices(tx, viewer, [serviceId]);
    const [foundSecret] = secretId == null ? [] : await findSecrets(tx, viewer, [secretId]);
    return {
      service: found ?? null,
      secret: foundSecret === undefined ? null : await findSealedSecret(tx, foundSecret.id),
    };
  });
}

/** Checks before the call to the server. createTool repeats them in the transaction. */
function checkSource(
  deps: CatalogDeps,
  input: ImportInput,
  type: 'mcp_server' | 'rest_api',
  service: StoredService | null,
  hasSecret: boolean,
): Problem[] {
  const secretProblems =
    input.secretId != null && !hasSecret ? [notFound('Secret', ['secretId'])] : [];
  if (service === null) return [notFound('Service', ['serviceId']), ...secretProblems];
  const problems = [
    ...secretProblems,
    ...checkConnection(service, input.connectionParams, deps.mcpServers),
  ];
  if (service.type !== type) {
    problems.push(
      problem(
        'TYPE_MISMATCH',
        ['serviceId'],
        `${type === 'mcp_server' ? 'MCP tools come from an mcp_server' : 'The operations of an OpenAPI document belong to a rest_api'} Service, and this one is ${service.type}.`,
      ),
    );
  }
  if (!service.enabled)
    problems.push(problem('DISABLED', ['serviceId'], 'This Service is disabled.'));
  if (service.requiresSecret && input.secretId == null) {
    problems.push(problem('SECRET_REQUIRED', ['secretId'], 'This Service requires a Secret.'));
  }
  return problems;
}
