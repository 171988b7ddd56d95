import { type ReactNode, useEffect } from 'react';
import { useStore } from '../api/store.ts';
import { Dialog } from './dialog.tsx';
import { leaving, unsaved } from './leaving.ts';

/** Asks before another screen is opened over unsaved changes. */
export function LeaveDialog({
  isUnsaved,
  note,
  children,
}: {
  readonly isUnsaved: boolean;
  readonly note: string;
  /** The buttons besides that to stay. `go` leaves. */
  readonly children: (go: () => void) => ReactNode;
}) {
  const waiting = useStore(leaving);
  useEffect(() => {
    unsaved.set(isUnsaved);
    return () => unsaved.set(false);
  }, [isUnsaved]);
  if (waiting === null) return null;
  const go = () => {
    leaving.set(null);
    unsaved.set(false);
    waiting();
  };
  return (
    <Dialog title="Leave unsaved changes?" note={note} isOpen onClose={() => leaving.set(null)}>
      <div className="row wrap">
        {children(go)}
        <button type="button" className="button plain" onClick={() => leaving.set(null)}>
          Stay here
        </button>
      </div>
    </Dialog>
  );
}
