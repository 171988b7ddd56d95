import { type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { findOwnToolsOf } from '../tools/tool.cypher.ts';
import { type CheckCallers, createToolsIn, named, updateToolIn } from '../tools/tool.mutations.ts';
import type { Tool } from '../tools/tool.ts';
import { probeSoon } from '../tools/tool-health.service.ts';
import {
  checkSource,
  choose,
  IMPORTED_TOOLS_MAX,
  type ImportInput,
  readSource,
  sharedFields,
} from './import-source.service.ts';
import { listMcpTools } from './mcp-listing.service.ts';
import {
  compareMcpTools,
  type McpServerTool,
  type McpToolListing,
  type McpToolState,
  toolFields,
} from './mcp-tools.ts';
import { type OpenApiReading, readOpenApi } from './openapi.service.ts';
import { compareOpenApiTools, type OpenApiOperation, type OpenApiTool } from './openapi-tools.ts';

export interface ImportMcpTools extends ImportInput {
  /** Names of the tools to import. Absent: all tools of the server. */
  readonly names?: readonly string[] | null | undefined;
  /** Compares and writes nothing. Absent: false. */
  readonly dryRun?: boolean | null | undefined;
}
export interface ImportOpenApiTools extends ImportInput {
  /** OpenAPI 3.x or Swagger 2.0, JSON or YAML. */
  readonly document: string;
  readonly operationIds?: readonly string[] | null | undefined;
  /** Compares and writes nothing. Absent: false. */
  readonly dryRun?: boolean | null | undefined;
}

export interface ImportedMcpTools {
  /** The Tools of the chosen tools, created, updated and unchanged; none after a dry run. */
  readonly tools: readonly Tool[];
  /** The server's tools beside the viewer's Tools, as they were before the import. */
  readonly serverTools: readonly McpServerTool[];
}

/**
 * Lists the tools of an MCP server and makes a Tool for each, or for those in `names`; all or none.
 * Without `names` the tools that cannot be called are left out; the outcome names them.
 * A Tool that was imported before with the same connection is updated where the server's
 * description or schemas differ. The server's hints about side effects are not trusted: the Tools
 * are mutating until a user changes that.
 * @throws Refusal as createTool and updateTool, and UNHEALTHY if the server does not answer
 */
export async function importMcpTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportMcpTools,
  checkCallers?: CheckCallers,
): Promise<ImportedMcpTools> {
  const listed = await listMcpTools(deps, viewer, input);
  const wanted = input.names ?? null;
  const usable = listed.filter(({ isUsable }) => isUsable);
  // With nothing to import, the reasons are the answer.
  const offered = wanted === null && usable.length > 0 ? usable : listed;
  const { chosen, problems } = choose(offered, wanted, 'names', ({ name }) => name);
  refuse([...problems, ...unusableProblems(chosen, wanted)]);
  const names = new Set(chosen.map(({ name }) => name));
  const { compared, tools } = await importCompared(deps, viewer, input, {
    compare: (before) => compareMcpTools(listed, before, input),
    isChosen: ({ name }) => names.has(name),
    fieldsOf: (found) => [toolFields(found)],
    checkCallers,
  });
  return { serverTools: compared, tools };
}

/** A chosen tool that cannot be called. */
const unusableProblems = (
  chosen: readonly McpToolListing[],
  names: readonly string[] | null,
): Problem[] =>
  chosen.flatMap(({ name, problem: fault, isUsable }) => {
    if (isUsable) return [];
    const path = names === null ? ['names'] : ['names', names.indexOf(name)];
    return [problem('SCHEMA_INVALID', path, `${name}: ${fault}`)];
  });

export interface ImportedOpenApiTools {
  /** The Tools of the chosen operations, created, updated and unchanged; none after a dry run. */
  readonly tools: readonly Tool[];
  /** The chosen operations beside the viewer's Tools, as they were before the import. */
  readonly operations: readonly OpenApiTool[];
}

/**
 * Makes a rest_call Tool for each operation, or for those in `operationIds`; all or none. An
 * operation that can't be imported is left out, with the reason. A Tool with the same connection,
 * method and path is updated where the document differs; its name stays.
 * @throws Refusal as createTool and updateTool, and where no operation can be imported
 */
export async function importOpenApiTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
  checkCallers?: CheckCallers,
): Promise<ImportedOpenApiTools> {
  const { operations: chosen, skipped } = await chosenOperations(deps, viewer, input);
  const fields = new Map(chosen.map(({ operationId, notes: _, ...tool }) => [operationId, tool]));
  const { connectionParams } = input;
  const isWhole = input.operationIds == null;
  const { compared, tools } = await importCompared(deps, viewer, input, {
    async compare(before) {
      const operations = compareOpenApiTools(chosen, before, {
        connectionParams,
        isWhole,
        skipped,
      });
      // createTool checks the connection of new Tools.
      if (!operations.some(({ state }) => state === 'new'))
        refuse(await checkRestSource(deps, viewer, input));
      return operations;
    },
    isChosen: () => true,
    fieldsOf: ({ operationId }) => {
      const found = fields.get(operationId ?? '');
      return found === undefined ? [] : [found];
    },
    checkCallers,
  });
  return { operations: compared, tools };
}

/** Something that a source offers, beside the viewer's Tool for it. */
interface Compared {
  readonly state: McpToolState | 'unusable';
  readonly tool: Tool | null;
  readonly changes: Partial<
    Pick<Tool, 'description' | 'operation' | 'inputSchema' | 'outputSchema'>
  >;
}

/** Problems of operations in one refusal. */
const PROBLEMS_SHOWN = 20;

/** Thrown to roll back a dry run. Caught in this file. */
class DryRun extends Error {}

/**
 * Creates the Tools of what is new and updates those of what changed, all or none. Tools whose
 * source is gone stay. A dry run makes every check of a write, and is rolled back.
 */
async function importCompared<Offer extends Compared>(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportInput & { readonly dryRun?: boolean | null | undefined },
  {
    compare,
    isChosen,
    fieldsOf,
    checkCallers,
  }: {
    readonly compare: (before: readonly Tool[]) => readonly Offer[] | Promise<readonly Offer[]>;
    readonly isChosen: (offer: Offer) => boolean;
    readonly fieldsOf: (offer: Offer) => readonly Omit<OpenApiOperation, 'operationId' | 'notes'>[];
    readonly checkCallers: CheckCallers | undefined;
  },
): Promise<{ readonly compared: readonly Offer[]; readonly tools: readonly Tool[] }> {
  let compared: readonly Offer[] = [];
  try {
    const tools = await deps.graph.write(async (tx) => {
      // Two imports at the same time would both create the Tools.
      await lockResources(tx, [viewer.userId]);
      compared = await compare(await findOwnToolsOf(tx, viewer, input.serviceId));
      const wanted = compared.filter(
        (one) => !['gone', 'unusable'].includes(one.state) && isChosen(one),
      );
      const created = await createToolsIn(
        tx,
        deps,
        viewer,
        wanted.flatMap((one) =>
          one.tool === null
            ? fieldsOf(one).map((fields) => ({ ...sharedFields(input), ...fields }))
            : [],
        ),
      );
      const existing: Tool[] = [];
      const problems: Problem[] = [];
      for (const { state, tool, changes } of wanted) {
        if (tool === null) continue;
        const change = { id: tool.id, ...changes };
        try {
          existing.push(
            state === 'changed' ? await updateToolIn(tx, deps, viewer, change, checkCallers) : tool,
          );
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          problems.push(...named(tool.name, error.problems));
        }
      }
      refuse(problems.slice(0, PROBLEMS_SHOWN));
      if (input.dryRun === true) throw new DryRun();
      return [...created, ...existing];
    });
    announce(deps, tools);
    return { compared, tools };
  } catch (error) {
    if (error instanceof DryRun) return { compared, tools: [] };
    throw error;
  }
}

/** @throws Refusal with all problems of the document, the choice and the connection */
async function chosenOperations(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportOpenApiTools,
): Promise<OpenApiReading> {
  const wanted = input.operationIds ?? null;
  const reading = await readOpenApi(input.document, wanted, IMPORTED_TOOLS_MAX);
  const problems = [...reading.problems];
  if (problems.length === 0)
    problems.push(...choose(reading.operationIds, wanted, 'operationIds', (id) => id).problems);
  if (problems.length === 0 && reading.operations.length === 0)
    problems.push(
      ...reading.skipped
        .slice(0, PROBLEMS_SHOWN)
        .map(({ operationId, reason }) =>
          problem('INVALID', ['document'], `${operationId}: ${reason}`),
        ),
    );
  // With problems of the document createTool will not run. Its other checks run here, to report all
  // problems at once.
  if (problems.length > 0) refuse([...problems, ...(await checkRestSource(deps, viewer, input))]);
  return reading;
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
