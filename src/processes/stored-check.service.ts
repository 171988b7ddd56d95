import { findToolsForCheck } from '../catalog/tools/tool.cypher.ts';
import { checkStoredTool } from '../catalog/tools/tool-plan.ts';
import type { McpServerVariables } from '../common/mcp-server.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { type Graph, isOutage } from '../platform/neo4j/graph.ts';
import { findOwnedProcesses } from './owned-process.service.ts';
import { checkWithTargets } from './process.mutations.ts';
import { pageOfStored, type StoredKind, type StoredThing } from './stored.cypher.ts';

const PAGE = 200;

export interface StoredCheckDeps {
  readonly graph: Graph;
  readonly mcpServers: McpServerVariables;
}

/** A stored Tool or Process that this version would refuse. */
export interface InvalidThing extends StoredThing {
  readonly kind: StoredKind;
  readonly problems: readonly Problem[];
}

export interface StoredCheck {
  readonly checked: { readonly tools: number; readonly processes: number };
  readonly invalid: readonly InvalidThing[];
}

export interface StoredCheckPage {
  readonly kind: StoredKind;
  /** Number of Tools or Processes that this page checked. */
  readonly checked: number;
  readonly invalid: readonly InvalidThing[];
  /** Id of the last one checked, where there may be more; null: all are checked. */
  readonly last: string | null;
}

/**
 * Checks all stored Tools and Processes of all users with the rules of this version, each as its
 * owner would write it. Writes nothing, so an upgrade can be judged before it is made.
 */
export async function checkStored(deps: StoredCheckDeps): Promise<StoredCheck> {
  const invalid: InvalidThing[] = [];
  const checkAll = async (kind: StoredKind): Promise<number> => {
    let count = 0;
    for (let after: string | null = ''; after !== null; ) {
      const page: StoredCheckPage = await checkStoredPage(deps, kind, { after, limit: PAGE });
      invalid.push(...page.invalid);
      count += page.checked;
      after = page.last;
    }
    return count;
  };
  const tools = await checkAll('Tool');
  const processes = await checkAll('Process');
  return { checked: { tools, processes }, invalid };
}

/**
 * Checks the next `limit` Tools or Processes by id, of all users: only for the operator and admins.
 */
export async function checkStoredPage(
  deps: StoredCheckDeps,
  kind: StoredKind,
  from: { readonly after: string; readonly limit: number },
): Promise<StoredCheckPage> {
  const page = await deps.graph.read((tx) => pageOfStored(tx, kind, from));
  const problems = await (kind === 'Tool' ? toolProblems : processProblems)(deps, page);
  const invalid = page.flatMap((thing, index) => {
    const found = problems[index] ?? [];
    return found.length === 0 ? [] : [{ ...thing, kind, problems: found }];
  });
  const last = page.length < from.limit ? null : (page.at(-1)?.id ?? null);
  return { kind, checked: page.length, invalid, last };
}

/** The problems of each Tool. */
async function toolProblems(
  { graph, mcpServers }: StoredCheckDeps,
  page: readonly StoredThing[],
): Promise<Problem[][]> {
  const ids = page.map(({ id }) => id);
  const found = await graph.read((tx) => findToolsForCheck(tx, ids));
  return page.map(({ id }) => {
    const read = found.get(id);
    // It was deleted since the page was read.
    if (read === undefined) return [];
    try {
      const { tool, ...references } = read();
      return checkStoredTool(tool, { ...references, mcpServers });
    } catch (error) {
      return unreadable(error);
    }
  });
}

/** The problems of each Process, as its owner would be told them. */
async function processProblems(
  { graph }: StoredCheckDeps,
  page: readonly StoredThing[],
): Promise<Problem[][]> {
  const ids = page.map(({ id }) => id);
  const found = await graph.read((tx) => findOwnedProcesses(tx, ids));
  return ids.map((id) => {
    const read = found.get(id);
    // It was deleted since the page was read.
    if (read === undefined) return [];
    try {
      const { process, targets } = read();
      return checkWithTargets(process, targets);
    } catch (error) {
      return unreadable(error);
    }
  });
}

/** A stored form that this version can't read is a problem of the thing, not of the check. */
function unreadable(error: unknown): Problem[] {
  if (isOutage(error)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return [problem('INVALID', [], `This version can't read it: ${message}`)];
}
