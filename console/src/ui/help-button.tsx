import { useEffect, useRef, useState } from 'react';
import type { Topic } from './docs-topics.ts';
import type { HelpPanel } from './help-panel.tsx';
import { notify } from './toasts.tsx';

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
  /** Loaded when it is opened; null: it is closed. */
  const [Panel, setPanel] = useState<typeof HelpPanel | null>(null);
  /** Had the focus when the help was opened. */
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (Panel !== null) return;
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  }, [Panel]);
  const open = async () => {
    before.current = document.activeElement;
    try {
      const loaded = await import('./help-panel.tsx');
      setPanel(() => loaded.HelpPanel);
    } catch {
      // The form that it was asked from stays as it is.
      notify('The help cannot be loaded now. Try again in a moment.', 'bad');
    }
  };
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
        onClick={() => void open()}
      >
        ?
      </button>
      {Panel === null ? null : <Panel topic={topic} onClose={() => setPanel(null)} />}
    </>
  );
}

/** Holds the controls that its button tells of. */
const TOLD = ':is(.field, fieldset, .check, .told):has(.help-button)';

/** Opens the help of the field that holds an element; tells whether it has some. */
export function openHelpOf(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const button = target.closest(TOLD)?.querySelector<HTMLButtonElement>('.help-button');
  button?.click();
  return button != null;
}
