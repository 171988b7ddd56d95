import { useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { connection } from '../api/connection.ts';
import { usePageVisible } from '../api/use-page-visible.ts';
import {
  type RunRowFragment,
  RunsDocument,
  type RunsQueryVariables,
} from '../generated/documents.ts';
import { useStore } from '../ui/store.ts';
import { isOpen } from './run-status.ts';

const PAGE = 50;
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

/**
 * The newest runs, read again at an interval, with older pages after them. Pages join by id, so a
 * run that moved to another page is shown once.
 */
export function useRuns(filter: Omit<RunsQueryVariables, 'first' | 'after'>): RunList {
  const client = useClient();
  const isVisible = usePageVisible();
  const { returns } = useStore(connection);
  const [byId, setById] = useState<ReadonlyMap<string, RunRowFragment> | null>(null);
  const [total, setTotal] = useState(0);
  const [error, setError] = useState<CombinedError | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [end, setEnd] = useState<{ readonly cursor: string | null; readonly hasMore: boolean }>({
    cursor: null,
    hasMore: false,
  });
  const pages = useRef(1);
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
        const { nodes, totalCount, pageInfo } = data.processRuns;
        isLive = nodes.some(({ status }) => isOpen(status));
        setTotal(totalCount);
        setById((known) =>
          pages.current === 1 ? mapOf(nodes) : new Map([...(known ?? []), ...mapOf(nodes)]),
        );
        if (pages.current === 1)
          setEnd({ cursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage });
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
  useEffect(() => {
    pages.current = 1;
    return () => setById(null);
  }, [key]);

  return {
    runs:
      byId === null
        ? null
        : [...byId.values()].sort((left, right) => (left.createdAt < right.createdAt ? 1 : -1)),
    total,
    error,
    hasMore: end.hasMore,
    isLoadingMore,
    again: () => setAsked((before) => before + 1),
    async loadMore() {
      setLoadingMore(true);
      const { data } = await client
        .query(
          RunsDocument,
          { ...filter, first: PAGE, after: end.cursor },
          { requestPolicy: 'network-only' },
        )
        .toPromise();
      setLoadingMore(false);
      if (data === undefined) return;
      pages.current += 1;
      const { nodes, pageInfo } = data.processRuns;
      setById((known) => new Map([...(known ?? []), ...mapOf(nodes)]));
      setEnd({ cursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage });
    },
  };
}

function mapOf(runs: readonly RunRowFragment[]): Map<string, RunRowFragment> {
  return new Map(runs.map((run) => [run.id, run]));
}
