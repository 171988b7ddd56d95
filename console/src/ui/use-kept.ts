import { useEffect, useState } from 'react';
import { userOfSession } from '../api/session.ts';

export interface Kept<T> {
  readonly value: T;
  /** Whether it is another value than the first one. */
  readonly isChanged: boolean;
  /** Whether the tab had kept it. */
  readonly isBack: boolean;
  set(value: T): void;
  /** Forgets what is kept. */
  drop(): void;
}

/**
 * A value that is typed over some time. The tab keeps it for the user until it is dropped, also
 * over a reload, another screen and a new sign-in.
 */
export function useKept<T>(name: string, first: () => T): Kept<T> {
  const key = `aiden.kept.${userOfSession()}.${name}`;
  const [begun] = useState(first);
  const [before] = useState(() => read<T>(key));
  const [value, setValue] = useState<T>(before ?? begun);
  const isChanged = JSON.stringify(value) !== JSON.stringify(begun);
  useEffect(() => {
    if (isChanged) write(key, JSON.stringify(value));
    else sessionStorage.removeItem(key);
  }, [key, value, isChanged]);
  return {
    value,
    isChanged,
    isBack: before !== null,
    set: setValue,
    drop: () => sessionStorage.removeItem(key),
  };
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // A tab without room keeps it on screen only.
  }
}
