import { createStore } from '../api/store.ts';

/** Whether the page has changes that are not saved. */
export const unsaved = createStore(false);

/** A way out that waits for an answer. */
export const leaving = createStore<(() => void) | null>(null);

/** Goes on where nothing is unsaved, and to tabs of the same page; else lets the page ask. */
export function guardLeaving(go: () => void, to: string): void {
  const [path] = to.split(/[?#]/, 1);
  if (!unsaved.get() || path === location.pathname) go();
  else leaving.set(go);
}
