import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useRef, useState } from 'react';
import { resume } from '../../../packages/client/src/conversation-graph/resume.ts';
import { mapped } from '../../../packages/client/src/live/subscription.ts';
import { connection } from './connection.ts';
import { useStore } from './store.ts';
import { useLive } from './use-api.ts';
import { usePageVisible } from './use-page-visible.ts';

interface Changes<Data, Variables, Change> {
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  readonly changeOf: (data: Data) => Change;
  readonly onChange: (change: Change) => void;
  readonly pause?: boolean;
}

/**
 * Follows `runChanges` or `conversationChanges` while the tab is on screen. The client library
 * connects again after a drop. Gives whether it is connected; if not, the caller reads at an
 * interval. Each connection begins with an event that only tells this: the caller reads its list
 * again then, so no connection has to continue at a cursor.
 */
export function useChanges<
  Data,
  Variables extends Record<string, unknown>,
  Change extends { readonly cursor: string },
>(changes: Changes<Data, Variables, Change>): boolean {
  const { document, variables, pause = false } = changes;
  const live = useLive();
  const isVisible = usePageVisible();
  const { returns } = useStore(connection);
  const [isFollowed, setFollowed] = useState(false);
  const latest = useRef(changes);
  latest.current = changes;
  const key = JSON.stringify(variables);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `returns` begins a new connection
  useEffect(() => {
    if (!isVisible || pause) return;
    const events = () =>
      mapped(live.subscribe(document, JSON.parse(key) as Variables), (data) => {
        setFollowed(true);
        return latest.current.changeOf(data);
      });
    // It gives up where the API refuses the subscription: an older API does not know the field.
    const feed = resume({ events }, () => false, {
      attemptsMax: Number.POSITIVE_INFINITY,
      onEvent: (change) => latest.current.onChange(change),
      onDrop: () => setFollowed(false),
    });
    let isOver = false;
    feed.done.catch(() => {
      if (!isOver) setFollowed(false);
    });
    return () => {
      isOver = true;
      setFollowed(false);
      feed.close();
    };
  }, [live, document, key, isVisible, pause, returns]);
  return isFollowed;
}

/** Calls the latest `run` at most once every `everyMs`, soon after the first request. */
export function useAtMostEvery(everyMs: number, run: () => void): () => void {
  const latest = useRef(run);
  latest.current = run;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const [request] = useState(() => () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, everyMs);
  });
  return request;
}
