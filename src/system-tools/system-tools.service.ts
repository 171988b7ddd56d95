import { z } from 'zod';
import { instant } from '../common/clock.ts';
import type { Json } from '../common/json.ts';
import { Refusal } from '../common/refusal.ts';
import { NO_USAGE, ToolFault } from '../common/tool-fault.ts';
import type { MemoryGraphDeps } from '../memory-graph/deps.ts';
import type { SearchDeps } from '../memory-graph/search/search-memory.service.ts';
import { openOwnGraph } from '../own-graph/own-graph.service.ts';
import type { PlatformCall, PlatformOperations } from '../platform/drivers/graph-query.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { findUsers } from '../users/user.cypher.ts';
import type { Viewer } from '../users/user.ts';
import { checkDraftTool } from './check-draft.service.ts';
import { conversationTool } from './conversation-tool.service.ts';
import { browseTool, entityTool, gripTool, searchTool } from './memory-tools.service.ts';
import { remember } from './remember.mutations.ts';
import { sketchTool } from './sketch-process.service.ts';
import { timeIn } from './told-time.ts';

export type SystemToolDeps = MemoryGraphDeps & SearchDeps;

export interface SystemTools {
  /** For the driver of graph_query. */
  readonly operations: PlatformOperations;
  /** Operations that are called earlier fail: the dependencies need the drivers first. */
  performWith(deps: SystemToolDeps): void;
}

type Perform = (deps: SystemToolDeps, viewer: Viewer, call: PlatformCall) => Promise<Json>;

/**
 * The operations behind the system's Tools for agents (docs/decisions/0068). Each runs as the owner
 * of the call, through the functions of the API, so a Tool reaches no more than its owner does.
 */
export function openSystemTools({ graph }: { readonly graph: Graph }): SystemTools {
  let deps: SystemToolDeps | null = null;
  const named = Object.entries(PERFORM).map(
    ([name, perform]) => [name, (call: PlatformCall) => asOwner(deps, call, perform)] as const,
  );
  return {
    operations: { queryOwnGraph: openOwnGraph({ graph }), ...Object.fromEntries(named) },
    performWith(given) {
      deps = given;
    },
  };
}

const PERFORM: Readonly<Record<string, Perform>> = {
  searchMemory: (deps, viewer, { inputs }) => searchTool(deps, viewer, inputs),
  getEntity: (deps, viewer, { inputs }) => entityTool(deps, viewer, inputs),
  browseToc: (deps, viewer, { inputs }) => browseTool(deps, viewer, inputs),
  expandGrip: (deps, viewer, { inputs }) => gripTool(deps, viewer, inputs),
  readConversation: (deps, viewer, { inputs, conversationId }) =>
    conversationTool(deps, viewer, { inputs, current: conversationId ?? null }),
  remember: (deps, viewer, { inputs, rootRunId }) => remember(deps, viewer, { inputs, rootRunId }),
  sketchProcess: (deps, viewer, { inputs }) => sketchTool(deps, viewer, inputs),
  checkDraft: (deps, viewer, { inputs }) => checkDraftTool(deps, viewer, inputs),
  now: async ({ clock }, _viewer, { inputs }) => {
    const { timeZone } = z.object({ timeZone: z.string().default('UTC') }).parse(inputs);
    const told = timeIn(timeZone, instant(clock));
    if (told === null)
      throw Refusal.of('INVALID', ['timeZone'], `There is no time zone "${timeZone}".`);
    return { ...told };
  },
};

async function asOwner(
  deps: SystemToolDeps | null,
  call: PlatformCall,
  perform: Perform,
): Promise<Json> {
  if (deps === null) throw new Error('The system Tools are not ready.');
  call.signal.throwIfAborted();
  const [owner] = await deps.graph.read((tx) => findUsers(tx, [call.ownerId]));
  const { ownerId: userId, workspace } = call;
  const viewer: Viewer = { userId, workspace, name: owner?.name ?? 'user', roles: ['user'] };
  try {
    return await perform(deps, viewer, call);
  } catch (error) {
    throw faultOf(error);
  }
}

/** Refusals and wrong inputs in words for the model. */
function faultOf(error: unknown): unknown {
  const usage = { ...NO_USAGE, toolCalls: 1 };
  if (error instanceof Refusal) {
    const told = error.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return new ToolFault('INPUT_INVALID', told.join(' '), { usage });
  }
  if (error instanceof z.ZodError) {
    const told = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`);
    return new ToolFault('INPUT_INVALID', told.join(' '), { usage });
  }
  return error;
}
