/** Tools that were called last, at most. */
const TOOLS_MAX = 10_000;

/** The bounds of the calls that a workflow makes itself. */
export interface LocalCallLimits {
  /** A call that ended sooner is quick. Default 250. */
  readonly quickMs: number;
  /** A call that takes longer moves to the queue. Default 500. */
  readonly callMs: number;
}
const LOCAL_CALL_LIMITS: LocalCallLimits = { quickMs: 250, callMs: 500 };

/** The Tools whose last call in this process was quick. */
export class QuickTools {
  readonly limits: LocalCallLimits;
  readonly #ids = new Set<string>();

  constructor(limits: LocalCallLimits = LOCAL_CALL_LIMITS) {
    this.limits = limits;
  }

  has(toolId: string): boolean {
    return this.#ids.has(toolId);
  }

  /** Reports that a call of the Tool ended after `ms`, or was stopped. */
  ended(toolId: string, ms: number): void {
    this.#ids.delete(toolId);
    if (ms > this.limits.quickMs) return;
    this.#ids.add(toolId);
    const [oldest] = this.#ids;
    if (this.#ids.size > TOOLS_MAX && oldest !== undefined) this.#ids.delete(oldest);
  }
}
