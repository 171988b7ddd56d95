import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Topic } from './docs-topics.ts';

const HelpPanel = lazy(async () => ({ default: (await import('./help-panel.tsx')).HelpPanel }));

/** Key that opens the help of the field that has the focus. */
export const HELP_KEY = 'F1';

/**
 * Opens the section of the docs about a field. Tab passes it, so that forms stay quick to fill in:
 * the key F1 in the field does the same.
 */
export function HelpButton({
  topic,
  labelledBy,
}: {
  readonly topic: Topic;
  /** Id of the label of the field. */
  readonly labelledBy?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  /** Had the focus when the help was opened. */
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (isOpen) return;
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        className="help-button"
        tabIndex={-1}
        aria-label="Help"
        aria-describedby={labelledBy}
        aria-keyshortcuts={HELP_KEY}
        title={`What it takes, from the docs (${HELP_KEY} in the field)`}
        onClick={() => {
          before.current = document.activeElement;
          setOpen(true);
        }}
      >
        ?
      </button>
      {isOpen ? (
        <Suspense>
          <HelpPanel topic={topic} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Opens the help of the field that holds an element; tells whether it has some. */
export function openHelpOf(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const button = target
    .closest('.field, fieldset, .check')
    ?.querySelector<HTMLButtonElement>('.help-button');
  button?.click();
  return button != null;
}
