import { refuse } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { findOwnToolsOf } from '../tools/tool.cypher.ts';
import { createToolsIn, updateToolIn } from '../tools/tool.mutations.ts';
import type { Tool } from '../tools/tool.ts';
import { probeSoon } from '../tools/tool-health.service.ts';
import type { CreateTool } from '../tools/tool-plan.ts';
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
    if (error instanceof DryRun) return { serverTools: error.serverTools, tools: [] };
    throw error;
  }
}

/** Thrown to roll back a dry run. Caught in this file. */
class DryRun extends Error {
  readonly serverTools: readonly McpServerTool[];
  constructor(serverTools: readonly McpServerTool[]) {
    super('The import was only checked.');
    this.serverTools = serverTools;
  }
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

async function createAll(
  deps: CatalogDeps,
  viewer: Viewer,
  inputs: readonly CreateTool[],
): Promise<Tool[]> {
  const tools = await deps.graph.write((tx) => createToolsIn(tx, deps, viewer, inputs));
  announce(deps, tools);
  return tools;
}

function announce(deps: CatalogDeps, tools: readonly Tool[]): void {
  deps.wake();
  probeSoon(
    deps,
    tools.map(({ id }) => id),
  );
}
