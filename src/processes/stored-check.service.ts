import { findServicesOfTools } from '../catalog/services/service.cypher.ts';
import { findConnectedBy, findTools } from '../catalog/tools/tool.cypher.ts';
import { checkStoredTool } from '../catalog/tools/tool-plan.ts';
import type { McpServerVariables } from '../common/mcp-server.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { type Graph, isOutage, type ReadTx } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import { findProcesses } from './process.cypher.ts';
import { checkProcess } from './process.mutations.ts';
import { pageOfStored, type StoredThing } from './stored.cypher.ts';

const PAGE = 200;
/** Each is read as its owner would read it, in statements of its own. */
const AT_ONCE = 10;

/** A stored Tool or Process that this version would refuse. */
export interface InvalidThing extends StoredThing {
  readonly kind: 'Tool' | 'Process';
  readonly problems: readonly Problem[];
}

export interface StoredCheck {
  readonly checked: { readonly tools: number; readonly processes: number };
  readonly invalid: readonly InvalidThing[];
}

/**
 * Checks all stored Tools and Processes of all users with the rules of this version, each as its
 * owner would write it. Writes nothing, so an upgrade can be judged before it is made.
 */
export async function checkStored(deps: {
  readonly graph: Graph;
  readonly mcpServers: McpServerVariables;
}): Promise<StoredCheck> {
  const invalid: InvalidThing[] = [];
  const checkAll = async (
    kind: InvalidThing['kind'],
    problemsOf: (tx: ReadTx, owner: Viewer, id: string) => Promise<Problem[]>,
  ): Promise<number> => {
    let count = 0;
    for (let after = ''; ; ) {
      const from = { after, limit: PAGE };
      const page = await deps.graph.read((tx) => pageOfStored(tx, kind, from));
      for (let at = 0; at < page.length; at += AT_ONCE) {
        const some = page.slice(at, at + AT_ONCE).map(async (thing) => {
          const problems = await deps.graph
            .read((tx) => problemsOf(tx, ownerOf(thing), thing.id))
            .catch(unreadable);
          return { ...thing, kind, problems };
        });
        invalid.push(...(await Promise.all(some)).filter(({ problems }) => problems.length > 0));
      }
      count += page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return count;
      after = last.id;
    }
  };
  const tools = await checkAll('Tool', async (tx, owner, id) => {
    const [tool] = await findTools(tx, owner, [id]);
    // It was deleted since the page was read.
    if (tool === undefined) return [];
    const [service] = await findServicesOfTools(tx, owner, [tool.serviceId]);
    if (service === undefined) return [problem('NOT_FOUND', ['serviceId'], 'No such Service.')];
    const connectedBy = await findConnectedBy(tx, id);
    return checkStoredTool(tool, { service, connectedBy, mcpServers: deps.mcpServers });
  });
  const processes = await checkAll('Process', async (tx, owner, id) => {
    const [process] = await findProcesses(tx, owner, [id]);
    return process === undefined ? [] : checkProcess(tx, owner, process);
  });
  return { checked: { tools, processes }, invalid };
}

function ownerOf({ ownerId, owner }: StoredThing): Viewer {
  return { userId: ownerId, name: owner, roles: [], workspace: ownerId };
}

/** A stored form that this version can't read is a problem of the thing, not of the check. */
function unreadable(error: unknown): Problem[] {
  if (isOutage(error)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return [problem('INVALID', [], `This version can't read it: ${message}`)];
}
