import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus to `fallback` when the focused element leaves the page, such as the button of an
 * empty list. The browser would move it to the top of the document.
 */
export function useKeptFocus(fallback: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const observer = new MutationObserver(() => {
      const isLost = last?.isConnected === false && document.activeElement === document.body;
      if (isLost) fallback.current?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [fallback]);
}
