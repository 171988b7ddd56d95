import { FairPlaces, type PlaceLimits } from '../../common/fair-places.ts';
import { type ConfinedOutcome, ConfinedProcess, type Confinement } from './confined-process.ts';

/**
 * Does work of users in confined processes, one piece per process at a time, so that its death
 * affects no other piece. Processes are started when they are needed and kept.
 */
export class ConfinedPool {
  readonly #confinement: Confinement;
  readonly #places: FairPlaces;
  readonly #idle: ConfinedProcess[] = [];
  readonly #all = new Set<ConfinedProcess>();
  #isClosed = false;

  constructor(confinement: Confinement, places: PlaceLimits) {
    this.#confinement = confinement;
    this.#places = new FairPlaces(places);
  }

  /**
   * Owners are served in turn. Work whose process was lost is done once more, in a new process.
   * @throws NoPlace
   */
  async perform(ownerId: string, head: string, data: string): Promise<ConfinedOutcome> {
    return this.#places.run(ownerId, async () => {
      const first = await this.#once(head, data);
      return isLost(first) && !this.#isClosed ? await this.#once(head, data) : first;
    });
  }

  /** Work that is under way ends as lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((child) => child.close()));
    this.#all.clear();
  }

  async #once(head: string, data: string): Promise<ConfinedOutcome> {
    if (this.#isClosed) return { ended: 'lost' };
    const child = this.#idle.pop() ?? this.#open();
    const outcome = await child.perform(head, data);
    if ('answer' in outcome && !outcome.answer.isRetiring && !this.#isClosed) {
      this.#idle.push(child);
    } else this.#replace(child);
    return outcome;
  }

  #open(): ConfinedProcess {
    const child = new ConfinedProcess(this.#confinement);
    this.#all.add(child);
    return child;
  }

  /** The next piece of work should not wait for the start of a process. */
  #replace(child: ConfinedProcess): void {
    this.#all.delete(child);
    void child.close();
    if (!this.#isClosed && this.#all.size === 0) this.#idle.push(this.#open());
  }
}

const isLost = (outcome: ConfinedOutcome): boolean =>
  'ended' in outcome && outcome.ended === 'lost';
