/**
 * An iterable over a generator that waits: whoever stops reading aborts the signal first, so that a wait inside ends.
 * (A plain async generator only sees `return()` after its pending `next()`, and a quiet stream would never let go.)
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
