import { setTimeout as sleep } from 'node:timers/promises';

/** Of the 28 s after SIGTERM, Workers need 20 s for the steps that they have. */
const SHARE = 0.75;

/**
 * Opened resources, closed in reverse order. Each is closed once; a failure does not keep the
 * others open.
 */
export class Opened {
  readonly #closers: { readonly name: string; close(withinMs?: number): Promise<void> }[] = [];
  readonly #onFailure: (name: string, error: unknown) => void;

  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @param close its argument is the time that it may take; undefined = no limit */
  add(name: string, close: (withinMs?: number) => Promise<void>): void {
    this.#closers.push({ name, close });
  }

  /**
   * @param withinMs limit for all together. One resource may take three quarters of the time that
   * is left, so that some is left for the next; then it is left behind.
   */
  async close(withinMs?: number): Promise<void> {
    const endMs = performance.now() + (withinMs ?? 0);
    for (let opened = this.#closers.pop(); opened !== undefined; opened = this.#closers.pop()) {
      const { name, close } = opened;
      try {
        if (withinMs === undefined) await close();
        else await within((endMs - performance.now()) * SHARE, close);
      } catch (error) {
        this.#onFailure(name, error);
      }
    }
  }
}

async function within(limitMs: number, close: (withinMs: number) => Promise<void>): Promise<void> {
  const ms = Math.max(0, limitMs);
  const late = sleep(ms, true as const, { ref: false });
  const closing = close(ms).then(() => false as const);
  closing.catch(() => {});
  if (await Promise.race([closing, late]))
    throw new Error(`it took longer than ${Math.round(ms)} ms`);
}
