import type { Viewer } from '../users/user.ts';

/** How memories are kept apart (S2-CFG-04): one store per project, or one for all of them with the agent's id. */
export const MULTI_AGENT_MODES = ['separate', 'unified'] as const;
export type MultiAgentMode = (typeof MULTI_AGENT_MODES)[number];

export interface AgentMemoryMode {
  readonly mode: MultiAgentMode;
  /** Who tells where an event does not say; null = nobody in particular. */
  readonly agentId: string | null;
}

/** Whose memory it is, and which agent's part of it. */
export interface AgentMemoryStore {
  /** Within it ids of events and grips are unique: a user's project, or in unified mode all of a user's. */
  readonly realm: string;
  /** Within it are events, segments and one table of contents. Nobody sees from one into another. */
  readonly key: string;
  readonly agentId: string | null;
}

export function realmOf(
  { userId, workspace }: Pick<Viewer, 'userId' | 'workspace'>,
  { mode }: AgentMemoryMode,
): string {
  return mode === 'unified' ? userId : `${userId}/${workspace}`;
}

/** The viewer's store of an agent; what is given by nobody else leads there. */
export function storeOf(
  viewer: Pick<Viewer, 'userId' | 'workspace'>,
  mode: AgentMemoryMode,
  agentId: string | null | undefined,
): AgentMemoryStore {
  const realm = realmOf(viewer, mode);
  const agent = agentId ?? mode.agentId;
  return { realm, key: agent === null ? realm : `${realm}#${agent}`, agentId: agent };
}

/** The realm that this store is part of. */
export function realmOfStore(key: string): string {
  return key.split('#', 1)[0] ?? '';
}

/** The user whose store this is. */
export function ownerOfStore(key: string): string {
  return key.split(/[/#]/, 1)[0] ?? '';
}

/** The agent whose store this is; null where it is nobody's in particular. */
export function agentOfStore(key: string): string | null {
  const at = key.indexOf('#');
  return at < 0 ? null : key.slice(at + 1);
}
