import type { ReactNode } from 'react';
import type { ProblemFragment } from '../generated/documents.ts';
import { Problems } from './states.tsx';

/** The end of a form: the problems of its last try, and the button that sends it. */
export function FormEnd({
  change: { isSending, problems },
  isReady,
  children,
}: {
  readonly change: { readonly isSending: boolean; readonly problems: readonly ProblemFragment[] };
  /** Whether all that must be filled in is. */
  readonly isReady: boolean;
  /** The words of the button. */
  readonly children: ReactNode;
}) {
  return (
    <>
      <Problems problems={problems} />
      <div className="row">
        <button
          type="submit"
          className="button primary"
          aria-busy={isSending}
          disabled={!isReady || isSending}
        >
          {children}
        </button>
      </div>
    </>
  );
}
