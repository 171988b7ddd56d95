import { useEffect, useRef, useState } from 'react';
import { dropDraft, holdDraft, readDraft } from './drafts.ts';

export interface Kept<T> {
  readonly value: T;
  /** Whether it is another value than the first one. */
  readonly isChanged: boolean;
  /** Whether it was kept from before. */
  readonly isBack: boolean;
  set(value: T | ((before: T) => T)): void;
  /** Begins anew with the first value. */
  reset(): void;
  /** Forgets the draft, before the screen is left. */
  drop(): void;
}

/**
 * A value that is typed over some time. The browser keeps it for the user until it is the first
 * one again or is dropped, also over a reload, another screen and a new sign-in.
 */
export function useKept<T>(name: string, first: () => T): Kept<T> {
  const [begun] = useState(first);
  const [before] = useState(() => draftLike(readDraft(name), begun));
  const [value, setValue] = useState<T>(before ?? begun);
  const [isBack, setBack] = useState(before !== null);
  const isChanged = JSON.stringify(value) !== JSON.stringify(begun);
  /** The draft of this screen; another tab may have kept its own over it. */
  const kept = useRef<T | null>(before);
  const isDropped = useRef(false);
  useEffect(() => {
    if (isDropped.current) return;
    if (isChanged) {
      kept.current = value;
      return holdDraft(name, value);
    }
    if (kept.current !== null) dropDraft(name, kept.current);
    kept.current = null;
  }, [name, value, isChanged]);
  return {
    value,
    isChanged,
    isBack,
    set: setValue,
    reset() {
      setValue(begun);
      setBack(false);
    },
    drop() {
      isDropped.current = true;
      dropDraft(name, value);
    },
  };
}

/** A draft with the fields of the value that a form begins with; another release had others. */
function draftLike<T>(draft: unknown, begun: T): T | null {
  if (draft === null || typeof begun !== 'object' || begun === null) return draft as T | null;
  if (typeof draft !== 'object') return null;
  return Object.keys(begun).every((field) => Object.hasOwn(draft, field)) ? (draft as T) : null;
}
