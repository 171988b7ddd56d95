import { isOutage, isTimedOut } from '../platform/neo4j/graph.ts';

const TOLD_MAX = 5;

/**
 * Collects the faults of things that a job leaves out, so that one of them holds up no other. An
 * outage of Neo4j and a statement that ran out of time end the job at once: they say nothing of the
 * thing.
 */
export class LeftOut {
  readonly #faults: string[] = [];
  #count = 0;

  /** For a `catch`: leaves out the thing of this name. */
  readonly of = (name: string) => (error: unknown) => {
    if (isOutage(error) || isTimedOut(error)) throw error;
    this.#count += 1;
    if (this.#faults.length < TOLD_MAX)
      this.#faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
  };

  /**
   * @param what the beginning of the message, such as "Not merged"
   * @throws Error naming the first things that were left out
   */
  throwIfAny(what: string): void {
    if (this.#count > 0)
      throw new Error(`${what}, ${this.#count} in all: ${this.#faults.join('; ')}`);
  }
}
