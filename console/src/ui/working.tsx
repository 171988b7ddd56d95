import { useEffect, useState } from 'react';
import { useStore } from '../api/store.ts';
import { sending } from './use-change.ts';

/** A shorter wait needs no sign; `aria-busy` in parts.css has the same delay. */
const SHOWN_AFTER_MS = 500;

/** A bar over the screen, once it has been there for half a second. */
export function Waiting() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? <div className="working" role="progressbar" aria-label="Working" /> : null;
}

/** The bar while a mutation awaits its answer. */
export function Working() {
  return useStore(sending) > 0 ? <Waiting /> : null;
}
