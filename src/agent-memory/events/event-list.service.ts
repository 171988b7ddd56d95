import type { Page, PageArgs } from '../../common/page.ts';
import { problem, refuse } from '../../common/refusal.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import { type AgentMemoryMode, storeOf } from '../store.ts';
import { listEvents, rangeOfTime } from './event.cypher.ts';
import type { MemoryEvent } from './event.ts';

export interface AgentMemoryDeps {
  readonly graph: Graph;
  readonly memoryMode: AgentMemoryMode;
}

export interface ListMemoryEvents extends PageArgs {
  /** RFC 3339, inclusive. */
  readonly from: string;
  /** RFC 3339, exclusive. */
  readonly to: string;
  readonly sessionId?: string | null | undefined;
  /** Default: the agent of the settings; if they name none, all agents. */
  readonly agentId?: string | null | undefined;
}

/**
 * Lists the viewer's events by the time they happened, oldest first (S2-EVT-03, S2-KEY-01).
 * @throws Refusal INVALID
 */
export async function listMemoryEvents(
  { graph, memoryMode }: AgentMemoryDeps,
  viewer: Viewer,
  { from, to, sessionId, agentId, ...page }: ListMemoryEvents,
): Promise<Page<MemoryEvent>> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  refuse(toMs < fromMs ? [problem('INVALID', ['to'], 'to may not lie before from.')] : []);
  const store = storeOf(viewer, memoryMode, agentId);
  const isOfOneAgent = store.agentId !== null;
  const range = {
    ...rangeOfTime(isOfOneAgent ? store.key : store.realm, sessionId ?? null, fromMs, toMs),
    scope: isOfOneAgent ? ('store' as const) : ('realm' as const),
  };
  const [found] = await graph.read((tx) => listEvents(tx, [range], page));
  if (found === undefined) throw new Error('A range was asked for and none was answered.');
  return found;
}
