import { pasteFault } from './pasting.ts';
import { notify } from './toasts.tsx';

/** Refuses to paste a text that would stop the page; a field of its own limit is left alone. */
export function guardPasting(): void {
  document.addEventListener(
    'paste',
    (event) => {
      const { target, clipboardData } = event;
      if (target instanceof Element && target.closest('[data-pastes]') !== null) return;
      const fault = pasteFault(clipboardData?.getData('text/plain').length ?? 0);
      if (fault === null) return;
      event.preventDefault();
      event.stopPropagation();
      notify(fault, 'bad');
    },
    { capture: true },
  );
}
