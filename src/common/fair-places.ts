/** Limits of one shared resource. A place is held while one piece of work uses the resource. */
export interface PlaceLimits {
  readonly places: number;
  readonly placesPerOwner: number;
  /** Requests that may wait, in total and of one owner. Default 0: refused at once. */
  readonly waiting?: number;
  readonly waitingPerOwner?: number;
}

/** Too many requests hold or wait for a place. A later request may succeed. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  /** Whether the owner's own requests fill the owner's share; else all places are taken. */
  readonly isOwn: boolean;
  constructor(isOwn: boolean) {
    super(
      isOwn
        ? 'You have too many of these requests at once. Try again when one has ended.'
        : 'Too many of these requests run at once. Try again in some seconds.',
    );
    this.isOwn = isOwn;
  }
}

/** Gives the place back. A second call does nothing. */
export type GiveBack = () => void;

interface Waiter {
  readonly resolve: (giveBack: GiveBack) => void;
}

/**
 * Shares the places of one resource fairly between owners: each owner holds at most
 * `placesPerOwner`, and owners that wait are served in turn, so an owner with many requests delays
 * another owner's request by one of them at most.
 */
export class FairPlaces {
  #limits: Required<PlaceLimits>;
  readonly #held = new Map<string, number>();
  /** In the order in which owners are served; an owner that was served moves to the end. */
  readonly #waiting = new Map<string, Waiter[]>();
  #heldInAll = 0;
  #waitingInAll = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = { waiting: 0, waitingPerOwner: limits.waiting ?? 0, ...limits };
  }

  /** Number of places that are held. */
  get held(): number {
    return this.#heldInAll;
  }

  /** From now on so many places; those that are held above it are not given again. */
  resize(places: number): void {
    this.#limits = { ...this.#limits, places };
    this.#serve();
  }

  /** Takes a place at once. @throws NoPlace */
  takeNow(owner: string): GiveBack {
    if (this.#heldBy(owner) >= this.#limits.placesPerOwner) throw new NoPlace(true);
    if (this.#heldInAll >= this.#limits.places) throw new NoPlace(false);
    return this.#hold(owner);
  }

  /**
   * Takes a place, or waits for one.
   * @throws NoPlace where too many wait already
   */
  async take(owner: string): Promise<GiveBack> {
    if (this.#isFree(owner)) return this.#hold(owner);
    const queue = this.#waiting.get(owner) ?? [];
    if (queue.length >= this.#limits.waitingPerOwner) throw new NoPlace(true);
    if (this.#waitingInAll >= this.#limits.waiting) throw new NoPlace(false);
    return new Promise((resolve) => {
      queue.push({ resolve });
      this.#waiting.set(owner, queue);
      this.#waitingInAll += 1;
    });
  }

  /**
   * Holds a place while the work runs, unless the work gives it back earlier.
   * @throws NoPlace where too many wait already, and as the work
   */
  async run<T>(owner: string, work: (giveBack: GiveBack) => Promise<T>): Promise<T> {
    const giveBack = await this.take(owner);
    try {
      return await work(giveBack);
    } finally {
      giveBack();
    }
  }

  #heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  #isFree(owner: string): boolean {
    const { places, placesPerOwner } = this.#limits;
    return this.#heldInAll < places && this.#heldBy(owner) < placesPerOwner;
  }

  #hold(owner: string): GiveBack {
    this.#held.set(owner, this.#heldBy(owner) + 1);
    this.#heldInAll += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#heldBy(owner) - 1;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
      this.#heldInAll -= 1;
      this.#serve();
    };
  }

  #serve(): void {
    for (const [owner, queue] of this.#waiting) {
      if (this.#heldInAll >= this.#limits.places) return;
      if (!this.#isFree(owner)) continue;
      const waiter = queue.shift();
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      if (waiter === undefined) continue;
      this.#waitingInAll -= 1;
      waiter.resolve(this.#hold(owner));
    }
  }
}
