import { plural } from './format.ts';

/** Loads the next page of a list; nothing where all of it is shown. */
export function MorePages({
  pages: { hasMore, isLoadingMore, loadMore },
  noun,
  shown = 0,
  total = 0,
}: {
  readonly pages: {
    readonly hasMore: boolean;
    readonly isLoadingMore: boolean;
    readonly loadMore: () => void;
  };
  readonly noun: string;
  readonly shown: number | undefined;
  readonly total: number | undefined;
}) {
  if (!hasMore) return null;
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
