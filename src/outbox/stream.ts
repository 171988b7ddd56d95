/**
 * Wraps a generator that waits, so that it can be stopped: a reader that stops aborts the signal
 * first, and a wait inside ends. A plain async generator handles `return()` only after its pending
 * `next()`, so a quiet stream would never end.
 */
export function stream<T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  outer?: AbortSignal,
): AsyncIterableIterator<T, void, void> {
  const stopped = new AbortController();
  const signal = outer === undefined ? stopped.signal : AbortSignal.any([outer, stopped.signal]);
  const generator = generate(signal);
  return {
    next: () => generator.next(),
    return: async () => {
      stopped.abort();
      return generator.return();
    },
    throw: async (error) => {
      stopped.abort();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
