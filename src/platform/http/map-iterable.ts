/**
 * Maps the values of a stream. It is no async generator: `return` must reach the source at once,
 * even while `next` waits, else a reader that leaves a quiet stream would stay subscribed.
 * @param onError makes the last value when the source fails
 * @param onEnd called once, however the stream ends
 */
export function mapIterable<From, To>(
  source: AsyncIterable<From>,
  { map, onError, onEnd }: { map(value: From): To; onError(error: unknown): To; onEnd(): void },
): AsyncIterableIterator<To> {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (ended) return done;
      try {
        const step = await iterator.next();
        if (step.done !== true) return { done: false, value: map(step.value) };
      } catch (error) {
        end();
        return { done: false, value: onError(error) };
      }
      end();
      return done;
    },
    async return() {
      end();
      await iterator.return?.();
      return done;
    },
    async throw(error: unknown) {
      end();
      await iterator.return?.();
      throw error;
    },
  };
}
