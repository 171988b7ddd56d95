import type { Viewer } from '../users/user.ts';

/**
 * How agent memories are separated (S2-CFG-04). `separate`: one realm per user and workspace;
 * `unified`: one realm per user.
 */
export const MULTI_AGENT_MODES = ['separate', 'unified'] as const;
export type MultiAgentMode = (typeof MULTI_AGENT_MODES)[number];

export interface AgentMemoryMode {
  readonly mode: MultiAgentMode;
  /** The agent of events that name none; null = no agent in particular. */
  readonly agentId: string | null;
}

/** The part of the agent memory that belongs to one realm and one agent. */
export interface AgentMemoryStore {
  /** Scope of unique event and grip ids: a user's workspace, or in unified mode the user. */
  readonly realm: string;
  /** Scope of events, segments and one table of contents. No query crosses stores. */
  readonly key: string;
  readonly agentId: string | null;
}

export function realmOf(
  { userId, workspace }: Pick<Viewer, 'userId' | 'workspace'>,
  { mode }: AgentMemoryMode,
): string {
  return mode === 'unified' ? userId : `${userId}/${workspace}`;
}

/**
 * Derives the store of an agent from the viewer, so that no input leads to another user's store.
 */
export function storeOf(
  viewer: Pick<Viewer, 'userId' | 'workspace'>,
  mode: AgentMemoryMode,
  agentId: string | null | undefined,
): AgentMemoryStore {
  const realm = realmOf(viewer, mode);
  const agent = agentId ?? mode.agentId;
  return { realm, key: storeKey(realm, agent), agentId: agent };
}

/** The key of the store of an agent in a realm; null: of no agent in particular. */
export function storeKey(realm: string, agentId: string | null): string {
  return agentId === null ? realm : `${realm}#${agentId}`;
}

export function realmOfStore(key: string): string {
  return key.split('#', 1)[0] ?? '';
}

/** Id of the owner of a store, by its key. */
export function ownerOfStore(key: string): string {
  return key.split(/[/#]/, 1)[0] ?? '';
}

/** The agent of a store, by its key; null if it belongs to no agent in particular. */
export function agentOfStore(key: string): string | null {
  const at = key.indexOf('#');
  return at < 0 ? null : key.slice(at + 1);
}
