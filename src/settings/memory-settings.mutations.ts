import { findTools } from '../catalog/tools/tool.cypher.ts';
import { instant } from '../common/clock.ts';
import { found, problem, refuse } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { findLlmToolId, setLlmTool } from './memory-settings.cypher.ts';

/** A user's choice of model for their chat and their memory. */
export interface MemorySettings {
  /**
   * LLM Tool that takes the place of the system's LLM Tools in answers to the user and in work on
   * their memory; null = the system's own.
   */
  readonly llmToolId: string | null;
}

export async function getMemorySettings(
  { graph }: { readonly graph: Graph },
  { userId }: Viewer,
): Promise<MemorySettings> {
  return { llmToolId: await graph.read((tx) => findLlmToolId(tx, userId)) };
}

/**
 * Chooses the LLM Tool whose connection, Secret and model the system uses. Null goes back to the
 * model of the installation; an absent `llmToolId` changes nothing.
 * @throws Refusal NOT_FOUND, TYPE_MISMATCH, DISABLED at `llmToolId`
 */
export async function updateMemorySettings(
  deps: BaseDeps & { readonly graph: Graph },
  viewer: Viewer,
  { llmToolId }: { readonly llmToolId?: string | null | undefined },
): Promise<MemorySettings> {
  if (llmToolId === undefined) return getMemorySettings(deps, viewer);
  await deps.graph.write(async (tx) => {
    await lockResources(tx, [viewer.userId, llmToolId]);
    if (llmToolId !== null) {
      const path = ['llmToolId'];
      const tool = found(await findTools(tx, viewer, [llmToolId]), 'Tool', path);
      refuse([
        ...(tool.operation.type === 'llm_call'
          ? []
          : [problem('TYPE_MISMATCH', path, 'This Tool calls no language model.')]),
        ...(tool.enabled ? [] : [problem('DISABLED', path, 'This Tool is disabled.')]),
      ]);
    }
    const { userId: viewerId } = viewer;
    await setLlmTool(tx, { viewerId, toolId: llmToolId, now: instant(deps.clock) });
  });
  return getMemorySettings(deps, viewer);
}
