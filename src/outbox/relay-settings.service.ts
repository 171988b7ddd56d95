import { PROJECTOR_DEFAULTS, type ProjectorSettings } from './projector.service.ts';

/** Timing of a relay; all times in ms. */
export interface RelaySettings {
  /** Relays with the same lease name exclude each other. */
  readonly leaseName: string;
  readonly leaseMs: number;
  readonly batchMax: number;
  /** Poll interval while entries arrive or readers are subscribed (busy), and otherwise (idle). */
  readonly pollBusyMs: number;
  readonly pollIdleMs: number;
  /** Poll interval after `quietAfterMs` without an entry and without readers. */
  readonly pollQuietMs: number;
  readonly quietAfterMs: number;
  /** How long a relay counts as busy after the last entry. */
  readonly busyForMs: number;
  /**
   * Minimum time between two batches, so that a burst of commits shares one: with readers, and
   * without.
   */
  readonly gatherMs: number;
  readonly gatherUnreadMs: number;
  readonly projector: ProjectorSettings;
}

/** The default timing. */
export const RELAY_DEFAULTS: RelaySettings = {
  leaseName: 'relay',
  leaseMs: 5_000,
  batchMax: 500,
  pollBusyMs: 40,
  pollIdleMs: 250,
  pollQuietMs: 2_000,
  quietAfterMs: 60_000,
  busyForMs: 10_000,
  gatherMs: 5,
  gatherUnreadMs: 20,
  projector: PROJECTOR_DEFAULTS,
};
