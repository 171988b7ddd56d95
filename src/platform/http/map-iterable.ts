/**
 * Maps what a stream gives. Not an async generator: `return` has to reach the source at once, also while a `next` waits,
 * or a listener who leaves a quiet stream would stay subscribed until something happens in it.
 * @param onError what the stream says last where the source breaks
 * @param onEnd called once, however it ends
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
