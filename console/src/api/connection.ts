import { createStore } from './store.ts';

export interface Connection {
  readonly isDown: boolean;
  /** Number of times the API came back. Pages read their data again when it grows. */
  readonly returns: number;
}

export const connection = createStore<Connection>({ isDown: false, returns: 0 });

const RETRY_MS = 1_000;

/** The API did not answer. Asks for its health until it does. */
export function noteLost(): void {
  if (connection.get().isDown) return;
  connection.set({ ...connection.get(), isDown: true });
  void untilBack();
}

async function untilBack(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    const response = await fetch('/health').catch(() => null);
    if (response === null || response.status >= 500) continue;
    return readAgain();
  }
}

/** Pages read their data again: the API is back, or takes the token again. */
export function readAgain(): void {
  connection.set({ isDown: false, returns: connection.get().returns + 1 });
}
