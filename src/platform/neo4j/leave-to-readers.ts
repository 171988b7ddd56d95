import { setTimeout } from 'node:timers/promises';

/**
 * The pause after a batch of a job, so that readers have the database. Ends early with the signal.
 * @param share the pause as a multiple of the batch's time
 */
export async function leaveToReaders(
  batch: { readonly startedMs: number; readonly share: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const pauseMs = (performance.now() - batch.startedMs) * batch.share;
  await setTimeout(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
