import { useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { connection } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { useAtMostEvery, useChanges } from '../api/use-changes.ts';
import { usePageVisible } from '../api/use-page-visible.ts';
import {
  ListChangesDocument,
  type RunRowFragment,
  RunsDocument,
  type RunsQuery,
  type RunsQueryVariables,
} from '../generated/documents.ts';
import { type RunPages, withChanged, withNewest, withOlder } from './run-pages.ts';
import { isOpen } from './run-status.ts';

const PAGE = 100;
/** Interval of readings while the changes are not followed: with open runs, and without. */
const LIVE_MS = 1_500;
const QUIET_MS = 5_000;
/** The same while they are followed; only deletions and a lost event are found by it. */
const FOLLOWED_MS = 30_000;
/** Least time between two readings that changes ask for. */
const CHANGED_MS = 400;

export interface RunList {
  readonly runs: readonly RunRowFragment[] | null;
  readonly total: number;
  readonly error: CombinedError | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  again(): void;
}

/**
 * The newest runs, with older pages after them. Changes come by subscription; while it is away, the
 * newest page is read at an interval.
 */
export function useRuns(filter: Omit<RunsQueryVariables, 'first' | 'after'>): RunList {
  const client = useClient();
  const isVisible = usePageVisible();
  const { returns } = useStore(connection);
  const [pages, setPages] = useState<RunPages<RunRowFragment> | null>(null);
  const [error, setError] = useState<CombinedError | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [asked, setAsked] = useState(0);
  const key = JSON.stringify(filter);
  const loaded = useRef(pages);
  loaded.current = pages;
  const readNow = useRef(() => {});
  const readSoon = useAtMostEvery(CHANGED_MS, () => readNow.current());

  const { includeSystem = null, rootsOnly = null } = filter;
  const isFollowed = useChanges({
    document: ListChangesDocument,
    variables: { includeSystem, rootsOnly },
    changeOf: ({ runChanges }) => runChanges,
    onChange({ run }) {
      // The list is read when a connection begins, because `isFollowed` changes then.
      if (run == null) return;
      const before = loaded.current;
      if (before === null) return readSoon();
      // Only the API knows whether a run has the words of a search.
      const isSearched = filter.query != null;
      const isKnown = before.rows.some(({ id }) => id === run.id);
      if (isSearched && !isKnown) return readSoon();
      const after = isListed(run, filter) ? withChanged(before, run) : null;
      if (after !== null) setPages((known) => known && (withChanged(known, run) ?? known));
      // It is new here, or left the list.
      else if (isListed(run, filter) || isKnown) readSoon();
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` and `returns` begin a new reading
  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isWanted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const variables = JSON.parse(key) as typeof filter;
    const read = async () => {
      clearTimeout(timer);
      isWanted = isReading;
      if (isReading) return;
      isReading = true;
      const { data, error: fault } = await client
        .query(RunsDocument, { ...variables, first: PAGE }, { requestPolicy: 'network-only' })
        .toPromise();
      isReading = false;
      if (isOver) return;
      setError(fault ?? null);
      let isLive = false;
      if (data !== undefined) {
        const newest = pageOf(data);
        isLive = newest.rows.some(({ status }) => isOpen(status));
        setPages((known) => withNewest(known, newest));
      }
      const restMs = isFollowed ? FOLLOWED_MS : isLive ? LIVE_MS : QUIET_MS;
      if (isVisible) timer = setTimeout(read, isWanted ? CHANGED_MS : restMs);
    };
    readNow.current = () => void read();
    void read();
    return () => {
      isOver = true;
      readNow.current = () => {};
      clearTimeout(timer);
    };
  }, [client, key, isVisible, isFollowed, returns, asked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => () => setPages(null), [key]);

  return {
    runs: pages?.rows ?? null,
    total: pages?.total ?? 0,
    error,
    hasMore: pages?.hasMore ?? false,
    isLoadingMore,
    again: () => setAsked((before) => before + 1),
    async loadMore() {
      const after = pages?.cursor ?? null;
      setLoadingMore(true);
      const { data } = await client
        .query(RunsDocument, { ...filter, first: PAGE, after }, { requestPolicy: 'network-only' })
        .toPromise();
      setLoadingMore(false);
      if (data !== undefined) setPages((known) => withOlder(known, after, pageOf(data)));
    },
  };
}

function isListed(
  { status, process }: RunRowFragment,
  filter: Pick<RunsQueryVariables, 'status' | 'processId'>,
): boolean {
  const statuses = filter.status == null ? null : [filter.status].flat();
  return (
    (statuses === null || statuses.includes(status)) &&
    (filter.processId == null || process?.id === filter.processId)
  );
}

function pageOf({ processRuns: { nodes, totalCount, pageInfo } }: RunsQuery) {
  return {
    rows: nodes,
    total: totalCount,
    cursor: pageInfo.endCursor ?? null,
    hasMore: pageInfo.hasNextPage,
  };
}
