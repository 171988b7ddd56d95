import { notify } from './toasts.tsx';

/** Most characters that a field takes in one paste. A browser draws more only after seconds. */
export const PASTED_CHARS_MAX = 2_000_000;

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

/** Why a text of this length is not pasted; null: it is. */
export function pasteFault(length: number): string | null {
  if (length <= PASTED_CHARS_MAX) return null;
  const [has, max] = [length, PASTED_CHARS_MAX].map((chars) => Math.round(chars / 1e5) / 10);
  return (
    `The copied text has ${has} million characters, and a field takes ${max} million in one ` +
    'paste. Nothing was pasted.'
  );
}
