import type { RunDeps } from '../runs/run/ports.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import type { Embeddings } from './embeddings/embeddings.service.ts';

export interface MemoryGraphDeps extends RunDeps {
  readonly settings: SettingsSource;
  readonly embeddings: Embeddings;
  /**
   * Silence after which waiting turns are read, in seconds; default 0: each turn at once, alone.
   */
  readonly extractionQuietSeconds?: number;
}
