import { ApiError } from '../../local-llm/src/api-error.ts';

export interface QueueState {
  readonly running: number;
  readonly waiting: number;
  readonly limit: number;
}

/** Runs jobs one at a time in order. Jobs beyond the limit of waiting ones are refused. */
export class Queue {
  readonly #limit: number;
  #tail: Promise<void> = Promise.resolve();
  #running = 0;
  #waiting = 0;
  /** Average duration of the last jobs; for the time that a refused caller is told to wait. */
  #averageMs = 2_000;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get state(): QueueState {
    return { running: this.#running, waiting: this.#waiting, limit: this.#limit };
  }

  /**
   * @param signal a job whose caller left before its turn is not run
   * @throws ApiError 429 with `retryAfterSeconds` when the queue is full
   */
  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    if (this.#running > 0 && this.#waiting >= this.#limit) throw this.#full();
    const before = this.#tail;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#tail = ended;
    this.#waiting++;
    try {
      await before;
    } finally {
      this.#waiting--;
    }
    const startedMs = performance.now();
    this.#running++;
    try {
      signal.throwIfAborted();
      return await job();
    } finally {
      this.#running--;
      this.#averageMs = 0.8 * this.#averageMs + 0.2 * (performance.now() - startedMs);
      end();
    }
  }

  #full(): ApiError {
    const seconds = Math.ceil((this.#averageMs * (this.#waiting + 1)) / 1_000);
    return new ApiError(
      429,
      'queue_full',
      `${this.#waiting} requests wait for this model already; that is its limit.`,
      null,
      Math.min(Math.max(seconds, 1), RETRY_SECONDS_MAX),
    );
  }
}

const RETRY_SECONDS_MAX = 60;
