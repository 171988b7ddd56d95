import { useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { connection } from '../api/connection.ts';
import { usePageVisible } from '../api/use-page-visible.ts';
import {
  type RunRowFragment,
  RunsDocument,
  type RunsQuery,
  type RunsQueryVariables,
} from '../generated/documents.ts';
import { useStore } from '../ui/store.ts';
import { type RunPages, withNewest, withOlder } from './run-pages.ts';
import { isOpen } from './run-status.ts';

const PAGE = 100;
const LIVE_MS = 1_500;
const QUIET_MS = 5_000;

export interface RunList {
  readonly runs: readonly RunRowFragment[] | null;
  readonly total: number;
  readonly error: CombinedError | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  again(): void;
}

/** The newest runs, read again at an interval, with older pages after them. */
export function useRuns(filter: Omit<RunsQueryVariables, 'first' | 'after'>): RunList {
  const client = useClient();
  const isVisible = usePageVisible();
  const { returns } = useStore(connection);
  const [pages, setPages] = useState<RunPages<RunRowFragment> | null>(null);
  const [error, setError] = useState<CombinedError | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [asked, setAsked] = useState(0);
  const key = JSON.stringify(filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` and `returns` begin a new reading
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const variables = JSON.parse(key) as typeof filter;
    const read = async () => {
      const { data, error: fault } = await client
        .query(RunsDocument, { ...variables, first: PAGE }, { requestPolicy: 'network-only' })
        .toPromise();
      if (isOver) return;
      setError(fault ?? null);
      let isLive = false;
      if (data !== undefined) {
        const newest = pageOf(data);
        isLive = newest.rows.some(({ status }) => isOpen(status));
        setPages((known) => withNewest(known, newest));
      }
      if (isVisible) timer = setTimeout(read, isLive ? LIVE_MS : QUIET_MS);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key, isVisible, returns, asked]);

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

function pageOf({ processRuns: { nodes, totalCount, pageInfo } }: RunsQuery) {
  return {
    rows: nodes,
    total: totalCount,
    cursor: pageInfo.endCursor ?? null,
    hasMore: pageInfo.hasNextPage,
  };
}
