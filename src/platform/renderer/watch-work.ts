import { RENDER_MS_MAX } from '../../common/limits.ts';

/** Most work ends within this time in ms and is not measured. */
const UNWATCHED_MS = 50;
/** The limit on a machine that gives the thread no processor time. */
const WAIT_MS_MAX = 10 * RENDER_MS_MAX;

/**
 * Calls `stop` after a thread has used RENDER_MS_MAX of processor time. Waiting for a busy machine
 * does not count.
 * @returns a function that ends the watch
 * @param workedMs processor time of the thread in ms since its start; rejects when the thread has
 * ended
 */
export function watchWork(workedMs: () => Promise<number>, stop: () => void): () => void {
  let timer = setTimeout(begin, UNWATCHED_MS);
  const last = setTimeout(stop, WAIT_MS_MAX);
  let isOver = false;

  function begin(): void {
    const beforeMs = workedMs();
    const look = async () => {
      // A thread that ended reports it by itself.
      const spentMs = await Promise.all([beforeMs, workedMs()]).then(
        ([before, now]) => UNWATCHED_MS + now - before,
        () => 0,
      );
      if (isOver) return;
      if (spentMs >= RENDER_MS_MAX) stop();
      else wait(look, RENDER_MS_MAX - spentMs);
    };
    beforeMs.catch(() => {});
    wait(look, RENDER_MS_MAX - UNWATCHED_MS);
  }
  function wait(look: () => Promise<void>, ms: number): void {
    timer = setTimeout(() => void look(), Math.max(ms, UNWATCHED_MS));
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  };
}
