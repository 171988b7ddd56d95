import { type Problem, refuse } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { findOwnToolsOf } from '../tools/tool.cypher.ts';
import { createToolsIn, updateToolIn } from '../tools/tool.mutations.ts';
import type { Tool } from '../tools/tool.ts';
import { probeSoon } from '../tools/tool-health.service.ts';
import {
  checkSource,
  choose,
  type ImportInput,
  readSource,
  sharedFields,
} from './import-source.service.ts';
import { listMcpTools } from './mcp-listing.service.ts';
import { compareMcpTools, type McpServerTool, toolFields } from './mcp-tools.ts';
import { readOpenApi } from './openapi.service.ts';
import { compareOpenApiTools, type OpenApiOperation, type OpenApiTool } from './openapi-tools.ts';

export interface ImportMcpTools extends ImportInput {
  /** Names of the tools to import. Absent: all tools of the server. */
  readonly names?: readonly string[] | null | undefined;
  /** Compares and writes nothing. Absent: false. */
  readonly dryRun?: boolean | null | undefined;
}
export interface ImportOpenApiTools extends ImportInput {
  /** OpenAPI 3.x, JSON or YAML. */
  readonly document: string;
  readonly operationIds?: readonly string[] | null | undefined;
  /** Compares and writes nothing. Absent: false. */
  readonly dryRun?: boolean | null | undefined;
}

/** The outcome of importMcpTools. */
export interface ImportedMcpTools {
  /** The Tools of the chosen tools, created, updated and unchanged; none after a dry run. */
  readonly tools: readonly Tool[];
  /** The server's tools beside the viewer's Tools, as they were before the import. */
  readonly serverTools: readonly McpServerTool[];
}

/**
 * Lists the tools of an MCP server and makes a Tool for each, or for those in `names`; all or none.
 * A Tool that was imported before with the same connection is updated where the server's
 * description or schemas differ. The server's hints about side effects are not trusted: the Tools
 * are mutating until a user changes that.
 * @throws Refusal as createTool and updateTool, and UNHEALTHY if the server does not answer
 */
export async function importMcpTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportMcpTools,
): Promise<ImportedMcpTools> {
  const listed = await listMcpTools(deps, viewer, input);
  const { chosen, problems } = choose(listed, input.names ?? null, 'names', ({ name }) => name);
  refuse(problems);
  const names = new Set(chosen.map(({ name }) => name));
  try {
    const imported = await deps.graph.write(async (tx) => {
      // Two imports at the same time would both create the Tools.
      await lockResources(tx, [viewer.userId]);
      const before = await findOwnToolsOf(tx, viewer, input.serviceId);
      const compared = compareMcpTools(listed, before, input);
      const wanted = compared.filter(({ name, state }) => state !== 'gone' && names.has(name));
      const created = await createToolsIn(
        tx,
        deps,
        viewer,
        wanted.flatMap((found) =>
          found.tool === null ? [{ ...sharedFields(input), ...toolFields(found) }] : [],
        ),
      );
      const existing: Tool[] = [];
      for (const { state, tool, changes } of wanted) {
        if (tool === null) continue;
        const isChanged = state === 'changed';
        existing.push(
          isChanged ? await updateToolIn(tx, deps, viewer, { id: tool.id, ...changes }) : tool,
        );
      }
      // A dry run makes every check of a write, and is rolled back.
      if (input.dryRun === true) throw new DryRun(compared);
      return { serverTools: compared, tools: [...created, ...existing] };
    });
    announce(deps, imported.tools);
    return imported;
  } catch (error) {
    if (error instanceof DryRun) return { serverTools: error.compared, tools: [] };
    throw error;
  }
}

/** Thrown to roll back a dry run. Caught in this file. */
class DryRun<Compared> extends Error {
  readonly compared: readonly Compared[];
  constructor(compared: readonly Compared[]) {
    super('The import was only checked.');
    this.compared = compared;
  }
}

/** The outcome of importOpenApiTools. */
export interface ImportedOpenApiTools {
  /** The Tools of the chosen operations, created, updated and unchanged; none after a dry run. */
  readonly tools: readonly Tool[];
  /** The chosen operations beside the viewer's Tools, as they were before the import. */
  readonly operations: readonly OpenApiTool[];
}

/**
 * Makes a rest_call Tool for each operation, or for those in `operationIds`; all or none. A Tool
 * with the same connection, method and path is updated where the document differs; its name stays.
 * @throws Refusal as createTool and updateTool
 */
export async function importOpenApiTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
): Promise<ImportedOpenApiTools> {
  const chosen = await chosenOperations(deps, viewer, input);
  try {
    const imported = await deps.graph.write(async (tx) => {
      // Two imports at the same time would both create the Tools.
      await lockResources(tx, [viewer.userId]);
      const before = await findOwnToolsOf(tx, viewer, input.serviceId);
      const { connectionParams } = input;
      const isWhole = input.operationIds == null;
      const compared = compareOpenApiTools(chosen, before, { connectionParams, isWhole });
      const toolOf = new Map(compared.map((one) => [one.operationId, one]));
      // createTool checks the connection of new Tools.
      if (!compared.some(({ state }) => state === 'new'))
        refuse(await checkRestSource(deps, viewer, input));
      const created = await createToolsIn(
        tx,
        deps,
        viewer,
        chosen.flatMap(({ operationId, ...tool }) =>
          toolOf.get(operationId)?.state === 'new' ? [{ ...sharedFields(input), ...tool }] : [],
        ),
      );
      const existing: Tool[] = [];
      for (const { state, tool, changes } of compared) {
        if (tool === null || state === 'gone') continue;
        const isChanged = state === 'changed';
        existing.push(
          isChanged ? await updateToolIn(tx, deps, viewer, { id: tool.id, ...changes }) : tool,
        );
      }
      // A dry run makes every check of a write, and is rolled back.
      if (input.dryRun === true) throw new DryRun(compared);
      return { operations: compared, tools: [...created, ...existing] };
    });
    announce(deps, imported.tools);
    return imported;
  } catch (error) {
    if (error instanceof DryRun) return { operations: error.compared, tools: [] };
    throw error;
  }
}

/** @throws Refusal with all problems of the document, the choice and the connection */
async function chosenOperations(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
): Promise<readonly OpenApiOperation[]> {
  const wanted = input.operationIds ?? null;
  const { operations, problems } = await readOpenApi(input.document, wanted);
  const choice = choose(
    problems.length > 0 ? [] : operations,
    problems.length > 0 ? null : wanted,
    'operationIds',
    ({ operationId }) => operationId,
  );
  const documentProblems = problems.length > 0 ? problems : choice.problems;
  // With problems of the document createTool will not run. Its other checks run here, to report all
  // problems at once.
  if (documentProblems.length > 0)
    refuse([...documentProblems, ...(await checkRestSource(deps, viewer, input))]);
  return choice.chosen;
}

async function checkRestSource(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
): Promise<Problem[]> {
  const { service, secret } = await readSource(deps, viewer, input);
  return checkSource(deps, input, 'rest_api', service, secret !== null);
}

function announce(deps: CatalogDeps, tools: readonly Tool[]): void {
  deps.wake();
  probeSoon(
    deps,
    tools.map(({ id }) => id),
  );
}
