import { userOfSession } from '../api/session.ts';

/** Start of the keys of the signed-in user's drafts. */
const startOf = () => `aiden.draft.${userOfSession()}.`;
const keyOf = (name: string) => startOf() + name;

/** The signed-in user's draft of this name in this browser; null without one. */
export function readDraft(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value that is not sent yet. A browser without room keeps it on the screen only. */
export function keepDraft(name: string, value: unknown): void {
  write(keyOf(name), JSON.stringify(value));
}

/** Forgets a draft with this value; another value is the draft of another tab. */
export function dropDraft(name: string, value: unknown): void {
  const key = keyOf(name);
  if (localStorage.getItem(key) === JSON.stringify(value)) localStorage.removeItem(key);
}

/**
 * Keeps a draft until the returned function is called: another tab may keep its own over it, and
 * drop that one.
 */
export function holdDraft(name: string, value: unknown): () => void {
  const [key, text] = [keyOf(name), JSON.stringify(value)];
  write(key, text);
  const hear = ({ key: changed, oldValue, newValue }: StorageEvent) => {
    if (changed === key && newValue === null && oldValue !== text) write(key, text);
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

/** The rest of the names of the user's drafts that begin so. */
export function draftsAfter(start: string): string[] {
  const key = keyOf(start);
  return Object.keys(localStorage)
    .filter((one) => one.startsWith(key))
    .map((one) => one.slice(key.length));
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // It stays on the screen.
  }
}
