import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useRef, useState } from 'react';
import { SubscriptionRefused } from '../../../packages/client/src/conversation-graph/resume.ts';
import { useStore } from '../ui/store.ts';
import { connection } from './connection.ts';
import { useLive } from './use-api.ts';
import { usePageVisible } from './use-page-visible.ts';

const PAUSE_MS = 500;
const PAUSE_MS_MAX = 10_000;

/**
 * Follows `runChanges` while the tab is on screen, and connects again after a drop. Gives whether
 * it is connected; if not, the caller reads at an interval. Each connection begins with an event
 * without a run.
 */
export function useRunChanges<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  onData: (data: Data) => void,
  pause = false,
): boolean {
  const live = useLive();
  const isVisible = usePageVisible();
  const { returns } = useStore(connection);
  const [isFollowed, setFollowed] = useState(false);
  const tell = useRef(onData);
  tell.current = onData;
  const key = JSON.stringify(variables);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `returns` begins a new connection
  useEffect(() => {
    if (!isVisible || pause) return;
    let isOver = false;
    let current: AsyncGenerator<Data> | null = null;
    let wake = () => {};
    const follow = async () => {
      for (let attempt = 0; !isOver; attempt++) {
        try {
          current = live.subscribe(document, JSON.parse(key) as Variables);
          for await (const data of current) {
            if (isOver) return;
            attempt = 0;
            setFollowed(true);
            tell.current(data);
          }
        } catch (error) {
          // An older API does not know the field; every other fault may pass.
          if (error instanceof SubscriptionRefused) return;
        } finally {
          if (!isOver) setFollowed(false);
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** attempt));
        });
      }
    };
    void follow();
    return () => {
      isOver = true;
      setFollowed(false);
      wake();
      void current?.return(undefined);
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
