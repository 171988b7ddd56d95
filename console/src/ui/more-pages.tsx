import type { CombinedError } from 'urql';
import { plural } from './format.ts';
import { PartFault } from './states.tsx';

/** Loads the next page of a list, and tells where one failed; nothing where all of it is shown. */
export function MorePages({
  pages: { error, hasMore, isFormer, isLoadingMore, loadMore, again },
  noun,
  shown = 0,
  total = 0,
}: {
  readonly pages: {
    readonly error: CombinedError | undefined;
    readonly hasMore: boolean;
    readonly isFormer: boolean;
    readonly isLoadingMore: boolean;
    readonly loadMore: () => void;
    readonly again: () => void;
  };
  readonly noun: string;
  readonly shown: number | undefined;
  readonly total: number | undefined;
}) {
  if (error !== undefined)
    return <PartFault part="The rest of this list" error={error} onRetry={again} />;
  if (!hasMore || isFormer) return null;
  return (
    <p className="pad-20 row wrap">
      <button
        type="button"
        className="button"
        aria-busy={isLoadingMore}
        disabled={isLoadingMore}
        onClick={loadMore}
      >
        Show more
      </button>
      <span className="small dim">{plural(Math.max(0, total - shown), `more ${noun}`)}</span>
    </p>
  );
}
