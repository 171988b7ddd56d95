import { useEffect, useRef, useState } from 'react';
import type { CursoredEvent } from '../../../packages/client/src/conversation-graph/run-event.ts';
import { useLive } from '../api/use-api.ts';
import { usePageVisible } from '../api/use-page-visible.ts';

export interface RunEvents {
  readonly events: readonly CursoredEvent[];
  /** Streamed words by `runId/stepId[/index]/attempt`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isReconnecting: boolean;
  readonly fault: string | null;
}

/** Least time in ms between two drawings, so that many events do not keep the page busy. */
const DRAW_MS = 150;

const NONE: RunEvents = { events: [], texts: new Map(), isReconnecting: false, fault: null };

/**
 * A run's events, with the client library: resumed at the last cursor, without gap or double.
 */
export function useRunEvents(runId: string, pause = false): RunEvents {
  const live = useLive();
  const isVisible = usePageVisible();
  const [shown, setShown] = useState<RunEvents>(NONE);
  const cursors = useRef(new Set<string>());
  const known = useRef<CursoredEvent[]>([]);
  const texts = useRef(new Map<string, string>());

  useEffect(() => {
    if (pause || !isVisible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let fault: string | null = null;
    let isReconnecting = false;
    const draw = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setShown({
          events: [...known.current],
          texts: new Map(texts.current),
          isReconnecting,
          fault,
        });
      }, DRAW_MS);
    };
    const feed = live.followRun(runId, {
      attemptsMax: Number.POSITIVE_INFINITY,
      onDrop: () => {
        isReconnecting = true;
        draw();
      },
      onEvent(event) {
        // A feed begins at its first event; events from before a pause are known already.
        if (cursors.current.has(event.cursor)) return;
        isReconnecting = false;
        cursors.current.add(event.cursor);
        known.current.push(event);
        if (event.kind === 'text')
          texts.current.set(event.id, (texts.current.get(event.id) ?? '') + event.content);
        draw();
      },
    });
    feed.done.then(draw, (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
      draw();
    });
    return () => {
      feed.close();
      clearTimeout(timer);
    };
  }, [live, runId, pause, isVisible]);
  return shown;
}
