import { setTimeout } from 'node:timers/promises';
import type { NumberedEntry } from './entry.ts';

/** Entries within this time are read together: subscribers need only the state after them. */
const GATHER_MS = 250;

/**
 * Reads entries in the background and hands each to `note`. Yields 250 ms after there is something
 * to send, again while there still is, until the entries end.
 * @throws the error that ends the entries
 */
export async function* gather(
  entries: AsyncIterable<NumberedEntry>,
  to: { note(entry: NumberedEntry): void; hasNews(): boolean },
): AsyncGenerator<void, void, void> {
  let wake = () => {};
  let failure: unknown;
  let isOver = false;
  const reading = (async () => {
    for await (const entry of entries) {
      to.note(entry);
      wake();
    }
  })()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  while (!isOver) {
    if (!to.hasNews()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await setTimeout(GATHER_MS);
    yield;
  }
  await reading;
  if (failure !== undefined) throw failure;
}
