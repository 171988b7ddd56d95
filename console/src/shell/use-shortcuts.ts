import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { HELP_KEY, openHelpOf } from '../ui/help-button.tsx';
import { PLACES } from './places.ts';

/** Time in ms within which the second key of `G R` has to follow. */
const SEQUENCE_MS_MAX = 1_200;

export function useShortcuts({
  openPalette,
  openHelp,
}: {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}): void {
  const [, go] = useLocation();
  const sinceG = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return openPalette();
      }
      if (event.key === HELP_KEY && openHelpOf(event.target)) return event.preventDefault();
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') return openHelp();
      if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (field === null) return;
        event.preventDefault();
        return field.focus();
      }
      if (event.key === 'g') {
        sinceG.current = Date.now();
        return;
      }
      if (Date.now() - sinceG.current > SEQUENCE_MS_MAX) return;
      const place = PLACES.find(({ key }) => key === event.key);
      sinceG.current = 0;
      if (place !== undefined) go(place.to);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [go, openHelp, openPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
