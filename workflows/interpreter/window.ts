/**
 * Limits the concurrent calls of a run, in number and in bytes of inputs. The commands of one
 * workflow task are one message of at most 4 MB.
 */
export interface Window {
  /** Enters where there is room. @returns the function that leaves; null where there is no room */
  tryEnter(bytes: number): (() => void) | null;
  /** Waits for room in order of arrival. @returns the function that leaves */
  enter(bytes: number): Promise<() => void>;
}

export const CALLS_AT_ONCE_MAX = 100;
export const BYTES_AT_ONCE_MAX = 1.5 * 1024 * 1024;

export function createWindow(callsMax = CALLS_AT_ONCE_MAX, bytesMax = BYTES_AT_ONCE_MAX): Window {
  let calls = 0;
  let bytesInside = 0;
  const queue: { bytes: number; enter: () => void }[] = [];

  // A call larger than the whole window enters alone.
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
      // Counts the call at once, so that the next call in the queue sees the room taken.
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
