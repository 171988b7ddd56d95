/**
 * How much may be under way at once. All that is dispatched in one workflow task travels in one message of at most 4 MB, so
 * both the number and the bytes of the inputs are bounded, over all steps of a run together.
 */
export interface Window {
  /** At once where there is room, else null. */
  tryEnter(bytes: number): (() => void) | null;
  /** Waits for room, first come first served; answers how to give it back. */
  enter(bytes: number): Promise<() => void>;
}

export const CALLS_AT_ONCE_MAX = 100;
export const BYTES_AT_ONCE_MAX = 1.5 * 1024 * 1024;

export function createWindow(callsMax = CALLS_AT_ONCE_MAX, bytesMax = BYTES_AT_ONCE_MAX): Window {
  let calls = 0;
  let bytesInside = 0;
  const queue: { bytes: number; enter: () => void }[] = [];

  // One that is larger than the whole window goes alone.
  const fits = (bytes: number) =>
    calls === 0 || (calls < callsMax && bytesInside + bytes <= bytesMax);

  function take(bytes: number): () => void {
    calls++;
    bytesInside += bytes;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      calls--;
      bytesInside -= bytes;
      admit();
    };
  }

  function admit(): void {
    for (let next = queue[0]; next !== undefined && fits(next.bytes); next = queue[0]) {
      queue.shift();
      // Counted before it runs, so that the next in line sees the room gone.
      next.enter();
    }
  }

  const tryEnter = (bytes: number) => (queue.length === 0 && fits(bytes) ? take(bytes) : null);

  return {
    tryEnter,
    enter(bytes) {
      const leave = tryEnter(bytes);
      if (leave !== null) return Promise.resolve(leave);
      return new Promise((resolve) => {
        queue.push({ bytes, enter: () => resolve(take(bytes)) });
      });
    },
  };
}
