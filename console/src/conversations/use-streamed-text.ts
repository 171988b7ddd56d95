import { useEffect, useState } from 'react';
import { getText, getToolCalls } from '../../../packages/client/src/conversation-graph/queries.ts';
import { useLive } from '../api/use-api.ts';
import { usePageVisible } from '../api/use-page-visible.ts';

export interface Streamed {
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
}

/** The words and calls of a run as they arrive, folded by the client library. */
export function useStreamedText(runId: string | null): Streamed | null {
  const live = useLive();
  const isVisible = usePageVisible();
  const [streamed, setStreamed] = useState<Streamed | null>(null);
  useEffect(() => {
    if (runId === null || !isVisible) return;
    let frame = 0;
    const feed = live.followRun(runId, {
      attemptsMax: Number.POSITIVE_INFINITY,
      onGraph(graph) {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() =>
          setStreamed({ text: getText(graph, runId), calls: getToolCalls(graph, runId) }),
        );
      },
    });
    return () => {
      feed.close();
      cancelAnimationFrame(frame);
    };
  }, [live, runId, isVisible]);
  return streamed;
}
