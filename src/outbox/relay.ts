import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Bus } from './bus.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import { type Chore, startChores } from './chores.ts';
import type { NumberedEntry } from './entry.ts';
import { type Carried, isWhole, type Line } from './line.ts';
import { listEntries, lookAtOutbox } from './log.cypher.ts';
import { type Projection, type Projector, startProjector } from './projection.ts';
import {
  isLeaseFree,
  type Lease,
  numberEntries,
  releaseLease,
  renewLease,
  takeLease,
} from './relay.cypher.ts';
import { RELAY_DEFAULTS, type RelaySettings } from './relay-settings.ts';

/** What a relay needs. */
export interface RelayDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly bus: Bus;
  readonly log: Log;
  /** To the other processes; absent: each finds what is new by looking into Neo4j. */
  readonly line?: Line;
  onDeadLetter?(projection: string): void;
}

/** A relay at work, whether it holds the lease or follows. */
export interface Relay {
  /** A commit in this process has left entries. Never waits, never throws. */
  wake(): void;
  readonly isHolder: boolean;
  /** Ends what is in work, saves checkpoints and gives the lease back. */
  close(): Promise<void>;
}

/**
 * Turns committed entries into numbered ones, live ones and projections (decisions.md, One spine). One relay of an
 * installation holds the lease and numbers; every other follows the numbers, so that the bus of its process is as
 * complete. A follower takes over when the lease expires.
 */
export function openRelay(
  deps: RelayDeps,
  {
    projections = [],
    chores = [],
    settings: given = {},
  }: {
    readonly projections?: readonly Projection[];
    readonly chores?: readonly Chore[];
    readonly settings?: Partial<RelaySettings>;
  } = {},
): Relay {
  const { graph, newId, bus, log, line } = deps;
  const settings = { ...RELAY_DEFAULTS, ...given };
  const holder = newId();
  let isClosing = false;
  let isWoken = true;
  let endRest = () => {};
  let lease: Lease | null = null;
  let renewedAtMs = 0;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let busyUntilMs = 0;
  /** Up to here this process's bus has been told. */
  let toldSeq: number | null = null;
  let recent: NumberedEntry[] = [];
  let projectors: Projector[] = [];
  let checkpoints: Checkpoints | null = null;
  let stopChores = async () => {};
  /** What the line brought and was not told yet. */
  let arrived: Carried[] = [];

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = startTimer(resolve, ms);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const stopListening = line?.listen({
    onEntries(entries) {
      // Who numbers knows them already.
      if (lease !== null) return;
      // What falls out here is a gap, and read from Neo4j.
      arrived = [...arrived, ...entries].slice(-2 * settings.batchMax);
      endRest();
    },
    onWake() {
      if (lease === null) return;
      isWoken = true;
      endRest();
    },
  });

  /** Hands on to the bus and the projections what is new of `given`, which leaves no gap after `toldSeq`. */
  function tell(given: readonly NumberedEntry[]): void {
    // Catching up may already have brought part of a batch of our own.
    const entries = given.filter(({ seq }) => seq > (toldSeq ?? 0));
    const last = entries.at(-1);
    if (last === undefined) return;
    toldSeq = last.seq;
    busyUntilMs = performance.now() + settings.busyForMs;
    recent = [...recent, ...entries].slice(-2 * settings.batchMax);
    bus.publish(entries);
    for (const projector of projectors) projector.advance(last.seq);
  }

  /** Catches up with what others have numbered, up to `lastSeq`. */
  async function follow(lastSeq: number): Promise<void> {
    while (toldSeq !== null && toldSeq < lastSeq && !isClosing) {
      const isTeller = lease !== null && line !== undefined;
      if (bus.readers === 0 && projectors.length === 0 && !isTeller) {
        // Nobody to tell; who comes later reads it from Neo4j.
        toldSeq = lastSeq;
        recent = [];
        return;
      }
      const from = { afterSeq: toldSeq, limit: settings.batchMax };
      const entries = await graph.read((tx) => listEntries(tx, {}, from));
      if (entries.length === 0) toldSeq = lastSeq;
      tell(entries);
      // What a holder before us numbered may not have reached the line any more.
      if (isTeller) line.send(entries);
    }
  }

  /** Tells what the line brought; what is missing in between, or was too large for it, is read from Neo4j. */
  async function tellArrived(): Promise<boolean> {
    const batch = arrived;
    arrived = [];
    for (const [index, carried] of batch.entries()) {
      if (toldSeq === null || carried.seq <= toldSeq) continue;
      if (!isWhole(carried)) await follow(carried.seq);
      else if (carried.seq > toldSeq + 1) await follow(carried.seq - 1);
      const rest = batch.slice(index);
      const cut = rest.findIndex((one, at) => !isWhole(one) || one.seq !== carried.seq + at);
      tell((cut < 0 ? rest : rest.slice(0, cut)).filter(isWhole));
    }
    return batch.length > 0;
  }

  async function readAfter(afterSeq: number, limit: number): Promise<readonly NumberedEntry[]> {
    const index = afterSeq + 1 - (recent[0]?.seq ?? 0);
    if (recent[index]?.seq === afterSeq + 1) return recent.slice(index, index + limit);
    return graph.read((tx) => listEntries(tx, {}, { afterSeq, limit }));
  }

  async function takeOver(next: Lease): Promise<void> {
    lease = next;
    renewedAtMs = performance.now();
    log.info('This process relays now', { operation: next.name, count: next.epoch });
    const noting = openCheckpoints(deps, next, settings.projector.checkpointMs);
    checkpoints = noting;
    projectors = projections.map((projection) =>
      startProjector({ ...deps, settings: settings.projector }, projection, noting, readAfter),
    );
    for (const projector of projectors) projector.advance(toldSeq ?? 0);
    stopChores = startChores(chores, log);
  }

  async function standDown(): Promise<void> {
    lease = null;
    const stopped = projectors;
    projectors = [];
    await Promise.all([stopChores(), ...stopped.map((projector) => projector.stop())]);
    stopChores = async () => {};
    await checkpoints?.close();
    checkpoints = null;
  }

  async function askForLease(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - askedAtMs < settings.leaseMs / 4) return;
    askedAtMs = nowMs;
    const { leaseName: name, leaseMs: ttlMs } = settings;
    if (!(await graph.read((tx) => isLeaseFree(tx, name)))) return;
    const next = await graph.write((tx) => takeLease(tx, { name, holder, ttlMs }));
    if (next !== null) await takeOver(next);
  }

  async function keepLease(): Promise<void> {
    const held = lease;
    if (held === null || performance.now() - renewedAtMs < settings.leaseMs / 3) return;
    const isHeld = await graph.write((tx) => renewLease(tx, held, settings.leaseMs));
    renewedAtMs = performance.now();
    if (isHeld) return;
    log.warn('Another process relays now', { operation: held.name, count: held.epoch });
    await standDown();
  }

  /** Numbers all that waits; how many there were. */
  async function numberAll(): Promise<number> {
    for (let count = 0; ; ) {
      const batch = lease === null || isClosing ? 0 : await numberBatch(lease);
      count += batch;
      if (batch < settings.batchMax) return count;
    }
  }

  async function numberBatch(held: Lease): Promise<number> {
    const size = { ttlMs: settings.leaseMs, limit: settings.batchMax };
    const entries = await graph.write((tx) => numberEntries(tx, held, size));
    const [first] = entries;
    if (first === undefined) return 0;
    renewedAtMs = performance.now();
    // Where another relay numbered in between, its entries are told first.
    if (first.seq !== (toldSeq ?? 0) + 1) await follow(first.seq - 1);
    tell(entries);
    line?.send(entries);
    return entries.length;
  }

  async function round(): Promise<void> {
    const wasWoken = isWoken;
    isWoken = false;
    if (lease === null) await askForLease();
    await keepLease();
    if ((await tellArrived()) && lease === null) return;
    // Woken by our own writers, it saves the look; unless somebody else was faster.
    if (wasWoken && (await numberAll()) > 0) return;
    const { lastSeq, hasPending } = await graph.read((tx) => lookAtOutbox(tx));
    await follow(lastSeq);
    if (hasPending) await numberAll();
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!isClosing) {
      try {
        // Before the lease is asked for: a projection that starts now begins no later than here.
        toldSeq ??= (await graph.read((tx) => lookAtOutbox(tx))).lastSeq;
        await round();
        failures = 0;
      } catch (error) {
        if (failures++ === 0) log.warn('The relay failed and tries again', { error });
        // Only time tells whether it is still ours; the next renewal will say so.
        await setTimeout(Math.min(100 * 2 ** Math.min(failures, 6), 2_000));
      }
      if (isClosing) break;
      if (isWoken || arrived.length > 0) {
        await setTimeout(bus.readers > 0 ? settings.gatherMs : settings.gatherUnreadMs);
        continue;
      }
      // With a line, looking is only the net.
      const nowMs = performance.now();
      const isBusy = line?.isUp !== true && (bus.readers > 0 || nowMs < busyUntilMs);
      await rest(isBusy ? settings.pollBusyMs : settings.pollIdleMs);
    }
    stopListening?.();
    const held = lease;
    await standDown();
    if (held !== null) await graph.write((tx) => releaseLease(tx, held)).catch(() => {});
  }

  const running = run();
  return {
    wake() {
      isWoken = true;
      endRest();
    },
    get isHolder() {
      return lease !== null;
    },
    async close() {
      isClosing = true;
      endRest();
      await running;
    },
  };
}
