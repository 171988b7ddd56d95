import type { Embeddings } from '../../src/knowledge/embeddings.ts';
import type { Settings } from '../../src/settings/settings.ts';
import type { SettingsSource } from '../../src/settings/source.ts';

/** Settings that never change. */
export function fixedSettings(settings: Settings): SettingsSource {
  return { current: async () => settings, forget: () => {} };
}

/** No model of embeddings is configured: search goes by words. */
export const NO_EMBEDDINGS: Embeddings = {
  embed: async () => null,
  embedPending: async () => 0,
  reembed: async () => null,
};
