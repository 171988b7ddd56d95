import type { CatalogDeps } from '../catalog/deps.ts';
import type { Embeddings } from '../knowledge/embeddings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Summarise } from '../recall/summarise.ts';
import type { RunDeps } from '../runs/run.mutations.ts';
import type { SettingsSource } from '../settings/source.ts';

/** What jobs may use. One that needs another port adds it here and in src/main/runtime.ts. */
export interface JobDeps extends CatalogDeps, RunDeps {
  readonly log: Log;
  /** The memory graph's vectors. */
  readonly embeddings: Embeddings;
  /** What admins tune at run time. */
  readonly settings: SettingsSource;
  /** Sums up what was said, for its owner. */
  readonly summarise: Summarise;
}
