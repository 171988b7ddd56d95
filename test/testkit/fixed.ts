import type { AgentMemoryMode } from '../../src/agent-memory/store.ts';
import type { Embeddings } from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import type { SettingsSource } from '../../src/settings/settings.projection.ts';
import type { Settings } from '../../src/settings/settings.ts';

/** Settings that never change. */
export function fixedSettings(settings: Settings): SettingsSource {
  return { current: async () => settings, forget: () => {} };
}

/** No model of embeddings is configured: search goes by words. */
export const NO_EMBEDDINGS: Embeddings = {
  embed: async () => null,
  scale: async () => DEFAULT_SCALE,
  prepare: async () => false,
  embedPending: async () => 0,
  reembed: async () => null,
};

/** Events belong to no agent in particular. */
export const NO_AGENT: AgentMemoryMode = { mode: 'separate', agentId: null };
