import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createStore, useStore } from '../api/store.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'ok' | 'bad';
  readonly undo?: () => void;
}

const SHOWN_MS = 6_000;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

function remove(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Shows a short message at the edge of the screen. @returns a function that takes it away */
export function notify(
  text: string,
  tone: Toast['tone'] = 'ok',
  undo?: () => void,
  shownMs = SHOWN_MS,
): () => void {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { id, text, tone, ...(undo === undefined ? {} : { undo }) }]);
  setTimeout(() => remove(id), shownMs);
  return () => remove(id);
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, tone, undo }) => (
        <div key={id} className={`toast tone-${tone}`}>
          {tone === 'ok' ? (
            <IconCheck size={16} className="icon" />
          ) : (
            <IconAlertTriangle size={16} className="icon" />
          )}
          <span>{text}</span>
          {undo === undefined ? null : (
            <button
              type="button"
              className="button tiny"
              onClick={() => {
                undo();
                remove(id);
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
