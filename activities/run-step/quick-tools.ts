/** A call that ended sooner is quick. */
const QUICK_MS = 100;
/** Tools that were called last, at most. */
const TOOLS_MAX = 10_000;

/** The Tools whose last call in this process was quick. */
export class QuickTools {
  readonly #ids = new Set<string>();

  has(toolId: string): boolean {
    return this.#ids.has(toolId);
  }

  /** Reports that a call of the Tool ended after `ms`, or was stopped. */
  ended(toolId: string, ms: number): void {
    this.#ids.delete(toolId);
    if (ms > QUICK_MS) return;
    this.#ids.add(toolId);
    const [oldest] = this.#ids;
    if (this.#ids.size > TOOLS_MAX && oldest !== undefined) this.#ids.delete(oldest);
  }
}
