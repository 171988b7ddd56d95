import type { Graph } from '../platform/neo4j/graph.ts';
import type { Bus } from './bus.ts';
import { listEntries } from './entry.cypher.ts';
import type { NumberedEntry } from './entry.ts';
import { type Carried, type EventTransport, isWhole } from './event-transport.ts';
import type { Projector } from './projector.service.ts';
import type { RelaySettings } from './relay-settings.service.ts';

export interface DeliveryDeps {
  readonly graph: Graph;
  readonly bus: Bus;
  readonly transport?: EventTransport;
}

/**
 * Hands numbered entries to the bus of this process, and to its projections while it holds the
 * lease: each entry once, in the order of the numbers, without gaps.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #settings: RelaySettings;
  readonly #closing: AbortSignal;
  #lastSeq: number | null = null;
  /** The newest delivered entries, for projections that are close behind. */
  #recent: NumberedEntry[] = [];
  /** Entries that the event transport brought and that are not delivered yet. */
  #arrived: Carried[] = [];
  /** Null while another process holds the lease. */
  #projectors: readonly Projector[] | null = null;
  #deliveredAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DeliveryDeps, settings: RelaySettings, closing: AbortSignal) {
    this.#deps = deps;
    this.#settings = settings;
    this.#closing = closing;
  }

  /** Number of the last delivered entry; null before `startAfter`. */
  get lastSeq(): number | null {
    return this.#lastSeq;
  }

  /** Whether entries were delivered recently, which makes further entries likely. */
  get isBusy(): boolean {
    return performance.now() < this.#deliveredAtMs + this.#settings.busyForMs;
  }

  /** Time in ms since the last entry was delivered, or since the start. */
  get quietMs(): number {
    return performance.now() - this.#deliveredAtMs;
  }

  get hasArrivals(): boolean {
    return this.#arrived.length > 0;
  }

  /** The first entry to deliver is the one after this number. */
  startAfter(seq: number): void {
    this.#lastSeq = seq;
  }

  /**
   * Starts delivery to these projections. Entries read from Neo4j then go to the event transport
   * too.
   */
  attach(projectors: readonly Projector[]): void {
    this.#projectors = projectors;
    for (const projector of projectors) projector.advance(this.#lastSeq ?? 0);
  }

  detach(): void {
    this.#projectors = null;
  }

  /**
   * Keeps entries of the event transport for `deliverArrivals`. Drops the oldest beyond the limit;
   * `deliverArrivals` reads the gap from Neo4j.
   */
  keepArrivals(entries: readonly Carried[]): void {
    this.#arrived = [...this.#arrived, ...entries].slice(-2 * this.#settings.batchMax);
  }

  /** Delivers entries that follow the last delivered one without a gap. Skips earlier ones. */
  deliver(given: readonly NumberedEntry[]): void {
    // `catchUp` may already have delivered part of a batch that this process numbered.
    const entries = given.filter(({ seq }) => seq > (this.#lastSeq ?? 0));
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#lastSeq = last.seq;
    this.#deliveredAtMs = performance.now();
    this.#recent = [...this.#recent, ...entries].slice(-2 * this.#settings.batchMax);
    this.#deps.bus.publish(entries);
    for (const projector of this.#projectors ?? []) projector.advance(last.seq);
  }

  /** Reads from Neo4j and delivers the entries up to `untilSeq`. */
  async catchUp(untilSeq: number): Promise<void> {
    const { graph, bus, transport } = this.#deps;
    while (this.#lastSeq !== null && this.#lastSeq < untilSeq && !this.#closing.aborted) {
      const sendsOn = this.#projectors !== null && transport !== undefined;
      if (bus.readers === 0 && (this.#projectors ?? []).length === 0 && !sendsOn) {
        // Without readers nothing is delivered; a reader that comes later reads from Neo4j.
        this.#lastSeq = untilSeq;
        this.#recent = [];
        return;
      }
      const from = { afterSeq: this.#lastSeq, limit: this.#settings.batchMax };
      const entries = await graph.read((tx) => listEntries(tx, {}, from));
      if (entries.length === 0) this.#lastSeq = untilSeq;
      this.deliver(entries);
      // The previous holder may have stopped between numbering these entries and sending them.
      if (sendsOn) transport.send(entries);
    }
  }

  /**
   * Delivers the entries that the event transport brought. Gaps, and entries too large for the
   * transport, are read from Neo4j.
   * @returns whether there were any
   */
  async deliverArrivals(): Promise<boolean> {
    const batch = this.#arrived;
    this.#arrived = [];
    for (const [index, carried] of batch.entries()) {
      if (this.#lastSeq === null || carried.seq <= this.#lastSeq) continue;
      if (!isWhole(carried)) await this.catchUp(carried.seq);
      else if (carried.seq > this.#lastSeq + 1) await this.catchUp(carried.seq - 1);
      const rest = batch.slice(index);
      const cut = rest.findIndex((one, at) => !isWhole(one) || one.seq !== carried.seq + at);
      this.deliver((cut < 0 ? rest : rest.slice(0, cut)).filter(isWhole));
    }
    return batch.length > 0;
  }

  /** The entries after a number in order: from memory when they are recent, else from Neo4j. */
  async readAfter(afterSeq: number, limit: number): Promise<readonly NumberedEntry[]> {
    const index = afterSeq + 1 - (this.#recent[0]?.seq ?? 0);
    if (this.#recent[index]?.seq === afterSeq + 1) return this.#recent.slice(index, index + limit);
    return this.#deps.graph.read((tx) => listEntries(tx, {}, { afterSeq, limit }));
  }
}
