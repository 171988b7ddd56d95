import { PROJECTOR_DEFAULTS, type ProjectorSettings } from './projector.service.ts';

/** How a relay paces itself; all times in ms. */
export interface RelaySettings {
  /** Relays of one name exclude each other. */
  readonly leaseName: string;
  readonly leaseMs: number;
  readonly batchMax: number;
  /** Between two looks while something happens or somebody watches, and otherwise. */
  readonly pollBusyMs: number;
  readonly pollIdleMs: number;
  /** For so long after the last entry it counts as busy. */
  readonly busyForMs: number;
  /** At least this long between two batches, so that a burst of commits shares one; while somebody reads, and otherwise. */
  readonly gatherMs: number;
  readonly gatherUnreadMs: number;
  readonly projector: ProjectorSettings;
}

/** What a relay goes by where it is not told. */
export const RELAY_DEFAULTS: RelaySettings = {
  leaseName: 'relay',
  leaseMs: 5_000,
  batchMax: 500,
  pollBusyMs: 40,
  pollIdleMs: 250,
  busyForMs: 10_000,
  gatherMs: 5,
  gatherUnreadMs: 20,
  projector: PROJECTOR_DEFAULTS,
};
