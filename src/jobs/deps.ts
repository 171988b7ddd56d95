import type { CatalogDeps } from '../catalog/deps.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { RunDeps } from '../runs/run/run.mutations.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';

/** Ports that every job gets. A job that needs another one names it in its own type, `Job<JobDeps & …>`. */
export interface JobDeps extends CatalogDeps, RunDeps {
  readonly log: Log;
  /** What admins tune at run time. */
  readonly settings: SettingsSource;
}
