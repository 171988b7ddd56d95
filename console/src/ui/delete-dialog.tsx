import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Deletion, UNDO_MS, useDeletion, useIsGone } from './deletions.ts';
import { Dialog } from './dialog.tsx';

/** Asks before a deletion, with everything that depends on the object. */
export function DeleteDialog({
  kind,
  uses,
  usesTotal = uses.length,
  unread = null,
  children,
  onAsked,
  onClose,
  ...deletion
}: Deletion & {
  /** Such as `Tool`. */
  readonly kind: string;
  /** Objects that need it. While there is one, it cannot be deleted. */
  readonly uses: readonly { readonly id: string; readonly name: string; readonly to: string }[];
  /** Their number, where `uses` has only the first. */
  readonly usesTotal?: number;
  /** In place of the question, while it is not known what needs it. */
  readonly unread?: ReactNode;
  /** The consequences of the deletion. */
  readonly children: ReactNode;
  /** Called at once; the deletion itself comes later. */
  readonly onAsked?: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const remove = useDeletion();
  const isGone = useIsGone();
  const needing = uses.filter((one) => !isGone(one));
  const total = usesTotal - (uses.length - needing.length);
  return (
    <Dialog title={`Delete ${deletion.name}?`} isOpen onClose={onClose}>
      {unread !== null ? (
        unread
      ) : total === 0 ? (
        <p className="dim">
          {children} For {UNDO_MS / 1_000} seconds you can undo it.
        </p>
      ) : (
        <>
          <p>This {kind} can’t be deleted while these need it:</p>
          <ul className="list boxed" aria-label="Needed by">
            {needing.map(({ id, name: used, to }) => (
              <li key={id}>
                <Link href={to} className="item link" onClick={onClose}>
                  {used}
                </Link>
              </li>
            ))}
          </ul>
          {total > needing.length ? (
            <p className="faint small">and {total - needing.length} more</p>
          ) : null}
        </>
      )}
      <div className="row">
        <button
          type="button"
          className="button danger"
          disabled={total > 0 || unread !== null}
          onClick={() => {
            remove(deletion);
            onClose();
            onAsked?.();
          }}
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
