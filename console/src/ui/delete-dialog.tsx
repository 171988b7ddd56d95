import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ProblemFragment } from '../generated/documents.ts';
import { Dialog } from './dialog.tsx';
import { Problems } from './states.tsx';

/** Asks before a deletion, with everything that depends on the object. */
export function DeleteDialog({
  kind,
  name,
  uses,
  usesTotal = uses.length,
  children,
  change,
  onDelete,
  onClose,
}: {
  /** Such as `Tool`. */
  readonly kind: string;
  readonly name: string;
  /** Objects that need it. While there is one, it cannot be deleted. */
  readonly uses: readonly { readonly id: string; readonly name: string; readonly to: string }[];
  /** Their number, where `uses` has only the first. */
  readonly usesTotal?: number;
  /** The consequences of the deletion. */
  readonly children: ReactNode;
  readonly change: { readonly isSending: boolean; readonly problems: readonly ProblemFragment[] };
  readonly onDelete: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Delete ${name}?`} isOpen onClose={onClose}>
      {usesTotal === 0 ? (
        <p className="dim">{children} It can’t be undone.</p>
      ) : (
        <>
          <p>This {kind} can’t be deleted while these need it:</p>
          <ul className="list boxed" aria-label="Needed by">
            {uses.map(({ id, name: used, to }) => (
              <li key={id}>
                <Link href={to} className="item link" onClick={onClose}>
                  {used}
                </Link>
              </li>
            ))}
          </ul>
          {usesTotal > uses.length ? (
            <p className="faint small">and {usesTotal - uses.length} more</p>
          ) : null}
        </>
      )}
      <Problems problems={change.problems} />
      <div className="row">
        <button
          type="button"
          className="button danger"
          aria-busy={change.isSending}
          disabled={usesTotal > 0 || change.isSending}
          onClick={onDelete}
        >
          Delete the {kind}
        </button>
        <button type="button" className="button plain" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}
