import { openCheckpoints } from './checkpoints.service.ts';
import type { Delivery } from './delivery.service.ts';
import { type PeriodicTask, startPeriodicTasks } from './periodic-task.service.ts';
import { type Projection, type ProjectorDeps, startProjector } from './projector.service.ts';
import {
  type Lease,
  type LeaseSight,
  lookAtLease,
  releaseLease,
  renewLease,
  takeLease,
} from './relay.cypher.ts';
import type { RelaySettings } from './relay-settings.service.ts';

/** Work that runs only in the process that holds the lease. */
export interface HolderWork {
  readonly projections: readonly Projection[];
  readonly periodicTasks: readonly PeriodicTask[];
  /** Resolves when the start is over: work that is not urgent begins then. */
  readonly startOver: Promise<void>;
}

/**
 * Takes the relay's lease when it is free, renews it, and runs projections and periodic tasks while
 * this process holds it.
 */
export class LeaseHolder {
  readonly #deps: Omit<ProjectorDeps, 'settings'>;
  readonly #settings: RelaySettings;
  readonly #holder: string;
  readonly #work: HolderWork;
  readonly #delivery: Delivery;
  #lease: Lease | null = null;
  #renewedAtMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** The lease of another process, and when this one first saw its last renewal. */
  #seen: { readonly sight: LeaseSight; readonly atMs: number } | null = null;
  #stopWork = async () => {};

  /** @param holder an id of this relay, unique among all processes */
  constructor(
    deps: Omit<ProjectorDeps, 'settings'>,
    settings: RelaySettings,
    holder: string,
    work: HolderWork,
    delivery: Delivery,
  ) {
    this.#deps = deps;
    this.#settings = settings;
    this.#holder = holder;
    this.#work = work;
    this.#delivery = delivery;
  }

  /**
   * The lease while this process holds it, else null. Another process may have taken it since the
   * last renewal.
   */
  get lease(): Lease | null {
    return this.#lease;
  }

  /** Takes the lease when it is free. Looks at most four times per `leaseMs`. */
  async ask(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#askedAtMs < this.#settings.leaseMs / 4) return;
    this.#askedAtMs = nowMs;
    const { graph } = this.#deps;
    const { leaseName: name, leaseMs: ttlMs } = this.#settings;
    const sight = await graph.read((tx) => lookAtLease(tx, name));
    if (sight !== null && !this.#isFree(sight)) return;
    const asked = { name, holder: this.#holder, ttlMs, seen: sight };
    const lease = await graph.write((tx) => takeLease(tx, asked));
    if (lease !== null) this.#begin(lease);
  }

  /**
   * Whether the holder is lost: no renewal for `leaseMs` by this process's steady clock. Neo4j's
   * clock may jump, so it decides only for a lease that this process has never seen renewed.
   */
  #isFree(sight: LeaseSight): boolean {
    if (sight.expiresAtMs === 0) return true;
    const nowMs = performance.now();
    const before = this.#seen?.sight;
    if (before?.epoch !== sight.epoch || before.expiresAtMs !== sight.expiresAtMs) {
      const isOld = before === undefined && sight.isExpired;
      this.#seen = { sight, atMs: isOld ? Number.NEGATIVE_INFINITY : nowMs };
    }
    return nowMs - (this.#seen?.atMs ?? nowMs) >= this.#settings.leaseMs;
  }

  /** Renews the lease after a third of its time. Ends the work when another process took it. */
  async keep(): Promise<void> {
    const lease = this.#lease;
    const { leaseMs } = this.#settings;
    if (lease === null || performance.now() - this.#renewedAtMs < leaseMs / 3) return;
    const isHeld = await this.#deps.graph.write((tx) => renewLease(tx, lease, leaseMs));
    this.noteRenewal();
    if (isHeld) return;
    this.#deps.log.warn('Another process relays now', {
      operation: lease.name,
      count: lease.epoch,
    });
    await this.#end();
  }

  /** Resets the renewal time: numbering entries renews the lease. */
  noteRenewal(): void {
    this.#renewedAtMs = performance.now();
  }

  /** Ends the work, saves checkpoints and gives the lease back. */
  async release(): Promise<void> {
    const lease = this.#lease;
    await this.#end();
    // When this fails, the lease expires by itself.
    if (lease !== null)
      await this.#deps.graph.write((tx) => releaseLease(tx, lease)).catch(() => {});
  }

  #begin(lease: Lease): void {
    this.#lease = lease;
    this.#seen = null;
    this.noteRenewal();
    this.#deps.log.info('This process relays now', { operation: lease.name, count: lease.epoch });
    const { projector: settings } = this.#settings;
    const checkpoints = openCheckpoints(this.#deps, lease, settings.checkpointMs);
    const { projections, periodicTasks, startOver } = this.#work;
    const projectors = projections.map((projection) =>
      startProjector(
        { ...this.#deps, settings, startOver },
        projection,
        checkpoints,
        (afterSeq, limit) => this.#delivery.readAfter(afterSeq, limit),
      ),
    );
    this.#delivery.attach(projectors);
    const stopTasks = startPeriodicTasks(periodicTasks, this.#deps.log, startOver);
    this.#stopWork = async () => {
      await Promise.all([stopTasks(), ...projectors.map((projector) => projector.stop())]);
      await checkpoints.close();
    };
  }

  async #end(): Promise<void> {
    this.#lease = null;
    this.#delivery.detach();
    const stopWork = this.#stopWork;
    this.#stopWork = async () => {};
    await stopWork();
  }
}
