import type { CatalogDeps } from '../catalog/deps.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';

/** Ports that every job gets. A job declares further ones in its type: `Job<JobDeps & …>`. */
export interface JobDeps extends CatalogDeps, RunDeps {
  readonly log: Log;
  /** Settings that admins change at run time. */
  readonly settings: SettingsSource;
}
