import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect } from 'react';
import { type AnyVariables, type RequestPolicy, type UseQueryState, useQuery } from 'urql';
import { connection } from './connection.ts';
import { useStore } from './store.ts';
import { usePageVisible } from './use-page-visible.ts';

interface LiveQuery<Data, Variables extends AnyVariables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** Interval in ms at which the query is sent again while the tab is on screen; 0: never. */
  readonly everyMs?: number;
  readonly pause?: boolean;
  /** `network-only` where an answer from the cache would mislead. */
  readonly requestPolicy?: RequestPolicy;
}

/** A query that is sent again at an interval, and when the API comes back. */
export function useLiveQuery<Data, Variables extends AnyVariables>({
  query,
  variables,
  everyMs = 0,
  pause = false,
  requestPolicy = 'cache-and-network',
}: LiveQuery<Data, Variables>): [UseQueryState<Data, Variables>, () => void] {
  const args = { query, variables, pause, requestPolicy };
  const [state, send] = useQuery<Data, Variables>(
    args as Parameters<typeof useQuery<Data, Variables>>[0],
  );
  const { returns, isDown } = useStore(connection);
  const isVisible = usePageVisible();
  const again = () => send({ requestPolicy: 'network-only' });

  useEffect(() => {
    if (returns > 0 && !pause) send({ requestPolicy: 'network-only' });
  }, [returns, pause, send]);
  useEffect(() => {
    if (everyMs === 0 || !isVisible || isDown || pause) return;
    const timer = setInterval(() => send({ requestPolicy: 'network-only' }), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isVisible, isDown, pause, send]);
  return [state, again];
}
