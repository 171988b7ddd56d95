import { setTimeout as startTimer } from 'node:timers';

/** A wait that can be ended early. For one waiting loop. */
export class Pause {
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | null = null;

  /** Waits `ms` milliseconds, or until `end` is called. */
  for(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = startTimer(() => this.end(), ms);
    });
  }

  /** Ends the wait now. Without effect when nothing waits. */
  end(): void {
    clearTimeout(this.#timer);
    this.#resolve?.();
    this.#resolve = null;
  }
}
