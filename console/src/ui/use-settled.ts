import { useEffect, useState } from 'react';

/** Pause in ms after the last key before a list is searched. */
const TYPING_MS = 300;

/** The value that has not changed for `ms`: a list is searched after a pause in the typing. */
export function useSettled<T>(value: T, ms = TYPING_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
