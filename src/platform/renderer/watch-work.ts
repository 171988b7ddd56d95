import { RENDER_MS_MAX } from '../../common/limits.ts';

/** What is done by then, as nearly all is, is not measured. */
const UNWATCHED_MS = 50;
/** On a machine that gives the thread no time at all. */
const WAIT_MS_MAX = 10 * RENDER_MS_MAX;

/**
 * Calls `stop` when a thread has worked for RENDER_MS_MAX: what it waits for a busy machine is not the template's fault. Answers
 * how to end watching.
 * @param workedMs milliseconds of a processor that the thread has had since it began; fails when it has ended
 */
export function watchWork(workedMs: () => Promise<number>, stop: () => void): () => void {
  let timer = setTimeout(begin, UNWATCHED_MS);
  const last = setTimeout(stop, WAIT_MS_MAX);
  let isOver = false;

  function begin(): void {
    const beforeMs = workedMs();
    const look = async () => {
      // A thread that ended says so itself.
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
