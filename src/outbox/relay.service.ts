import { setTimeout } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../common/backoff.ts';
import type { Clock } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Bus } from './bus.ts';
import { Delivery } from './delivery.service.ts';
import { lookAtOutbox } from './entry.cypher.ts';
import type { EventTransport } from './event-transport.ts';
import { type HolderWork, LeaseHolder } from './lease-holder.service.ts';
import { Pause } from './pause.service.ts';
import type { PeriodicTask } from './periodic-task.service.ts';
import type { Projection } from './projector.service.ts';
import { type Lease, numberEntries } from './relay.cypher.ts';
import { RELAY_DEFAULTS, type RelaySettings } from './relay-settings.service.ts';

/** Dependencies of a relay. */
export interface RelayDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly bus: Bus;
  readonly log: Log;
  /** Carries entries to the other processes; absent = each process polls Neo4j for new ones. */
  readonly transport?: EventTransport;
  onDeadLetter?(projection: string): void;
}

/** A running relay: it holds the lease, or follows the process that does. */
export interface Relay {
  /** Numbers the entries that a commit in this process has written. Never waits, never throws. */
  wake(): void;
  readonly isHolder: boolean;
  /**
   * Resolves when the relay knows the last number of the log, or is closed. From then on the bus
   * gets every entry. An earlier subscription would miss the entries numbered in between.
   */
  readonly ready: Promise<void>;
  /** Stops the work, saves checkpoints and releases the lease. */
  close(): Promise<void>;
}

/** A busy relay rests as long as its last round took, so that the next one numbers more entries. */
const REST_MAX_MS = 50;

/** Wait after failed rounds. */
const BACKOFF: Backoff = { firstMs: 200, maxMs: 2_000 };

/**
 * Numbers committed entries and delivers them to live readers and projections. One relay of an
 * installation holds the lease and numbers. The others deliver the numbered entries in their own
 * process, and one of them takes over when the lease expires.
 */
export function openRelay(
  deps: RelayDeps,
  {
    projections = [],
    periodicTasks = [],
    startOver = Promise.resolve(),
    settings = {},
  }: {
    readonly projections?: readonly Projection[];
    readonly periodicTasks?: readonly PeriodicTask[];
    /** Resolves when the start is over: work that is not urgent begins then. Default: at once. */
    readonly startOver?: Promise<void>;
    readonly settings?: Partial<RelaySettings>;
  } = {},
): Relay {
  return new RelayLoop(
    deps,
    { ...RELAY_DEFAULTS, ...settings },
    { projections, periodicTasks, startOver },
  );
}

class RelayLoop implements Relay {
  readonly #deps: RelayDeps;
  readonly #settings: RelaySettings;
  readonly #closing = new AbortController();
  readonly #pause = new Pause();
  readonly #delivery: Delivery;
  readonly #holder: LeaseHolder;
  readonly #running: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  #isWoken = true;

  constructor(deps: RelayDeps, settings: RelaySettings, work: HolderWork) {
    this.#deps = deps;
    this.#settings = settings;
    this.#delivery = new Delivery(deps, settings, this.#closing.signal);
    this.#holder = new LeaseHolder(deps, settings, deps.newId(), work, this.#delivery);
    this.#running = this.#run();
  }

  get isHolder(): boolean {
    return this.#holder.lease !== null;
  }

  wake(): void {
    this.#isWoken = true;
    this.#pause.end();
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    const stopListening = this.#listen();
    for (let failures = 0; !this.#closing.signal.aborted; ) {
      const startedMs = performance.now();
      try {
        await this.#round();
        failures = 0;
      } catch (error) {
        if (failures++ === 0) this.#deps.log.warn('The relay failed and tries again', { error });
        // The round has consumed its wake-up. Without this its entries wait for the next poll.
        this.#isWoken = true;
        // The lease is kept: the next renewal shows whether another process took it.
        await setTimeout(backoffMs(BACKOFF, failures));
      }
      if (!this.#closing.signal.aborted) await this.#rest(performance.now() - startedMs);
    }
    this.#ready.resolve();
    stopListening?.();
    await this.#holder.release();
  }

  #listen(): (() => void) | undefined {
    return this.#deps.transport?.listen({
      onEntries: (entries) => {
        // The holder has numbered and delivered these itself.
        if (this.isHolder) return;
        this.#delivery.keepArrivals(entries);
        this.#pause.end();
      },
      onWake: () => {
        if (this.isHolder) this.wake();
      },
    });
  }

  /** Takes or keeps the lease, numbers waiting entries and delivers new ones. */
  async #round(): Promise<void> {
    const { graph } = this.#deps;
    // Before the lease is taken: a projection that starts then must not start after this number.
    if (this.#delivery.lastSeq === null)
      this.#delivery.startAfter((await graph.read((tx) => lookAtOutbox(tx))).lastSeq);
    this.#ready.resolve();
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    if (!this.isHolder) await this.#holder.ask();
    await this.#holder.keep();
    if ((await this.#delivery.deliverArrivals()) && !this.isHolder) return;
    // After a local commit, number entries without querying the outbox first.
    if (wasWoken && (await this.#numberAll()) > 0) return;
    const { lastSeq, hasPending } = await graph.read((tx) => lookAtOutbox(tx));
    await this.#delivery.catchUp(lastSeq);
    if (hasPending) await this.#numberAll();
  }

  /**
   * Numbers all pending entries.
   * @returns their count
   */
  async #numberAll(): Promise<number> {
    for (let count = 0; ; ) {
      const { lease } = this.#holder;
      const isDone = lease === null || this.#closing.signal.aborted;
      const batch = isDone ? 0 : await this.#numberBatch(lease);
      count += batch;
      if (batch < this.#settings.batchMax) return count;
    }
  }

  async #numberBatch(lease: Lease): Promise<number> {
    const size = { ttlMs: this.#settings.leaseMs, limit: this.#settings.batchMax };
    const entries = await this.#deps.graph.write((tx) => numberEntries(tx, lease, size));
    const [first] = entries;
    if (first === undefined) return 0;
    this.#holder.noteRenewal();
    // Deliver first the entries that another relay has numbered in between.
    if (first.seq !== (this.#delivery.lastSeq ?? 0) + 1)
      await this.#delivery.catchUp(first.seq - 1);
    this.#delivery.deliver(entries);
    this.#deps.transport?.send(entries);
    return entries.length;
  }

  #idleMs(): number {
    const { pollIdleMs, pollQuietMs, quietAfterMs } = this.#settings;
    const isQuiet = this.#delivery.quietMs > quietAfterMs;
    return isQuiet ? Math.max(pollIdleMs, pollQuietMs) : pollIdleMs;
  }

  /** Waits for the next round: briefly when there is work, else until the next poll or wake-up. */
  async #rest(roundMs: number): Promise<void> {
    const { bus, transport } = this.#deps;
    const { gatherMs, gatherUnreadMs, pollBusyMs } = this.#settings;
    if (this.#isWoken || this.#delivery.hasArrivals)
      return setTimeout(
        Math.max(Math.min(roundMs, REST_MAX_MS), bus.readers > 0 ? gatherMs : gatherUnreadMs),
      );
    // While the event transport is up, polling only finds entries that it lost.
    const isBusy = transport?.isUp !== true && (bus.readers > 0 || this.#delivery.isBusy);
    await this.#pause.for(isBusy ? pollBusyMs : this.#idleMs());
  }
}
