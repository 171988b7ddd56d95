import { createGraph, type Graph } from './graph.ts';
import { hasEnded } from './queries.ts';
import { reduceEvent } from './reduce-event.ts';
import { type EventSource, type ResumeOptions, resume } from './resume.ts';
import type { CursoredEvent } from './run-event.ts';

/** Where a run's events come from; it ends with the run. */
export type RunEventSource = EventSource<CursoredEvent>;

export interface FeedOptions extends Omit<ResumeOptions<CursoredEvent>, 'after'> {
  /** Called after every event, with the grown graph. */
  readonly onGraph?: (graph: Graph) => void;
}

export interface Feed {
  /** The graph so far. */
  readonly graph: Graph;
  /** The last event's cursor; null before the first. */
  readonly cursor: string | null;
  /** Settles when the run has ended, `close` was called, or no connection holds (then it rejects). */
  readonly done: Promise<Graph>;
  close(): void;
}

/**
 * Folds a run's events into a graph (S1-PERSIST-01, S1-PERSIST-02). It ends with the source once the run has ended; a source that
 * ends earlier was dropped, and is taken up at the cursor.
 */
export function follow(source: RunEventSource, runId: string, options: FeedOptions = {}): Feed {
  const { onEvent, onGraph, ...rest } = options;
  let graph = createGraph();
  const resumed = resume(source, () => hasEnded(graph, runId), {
    ...rest,
    onEvent(event) {
      graph = reduceEvent(graph, event);
      onEvent?.(event);
      onGraph?.(graph);
    },
  });
  const done = resumed.done.then(() => graph);
  // A caller that does not wait for the end must not be stopped by its rejection.
  done.catch(() => {});
  return {
    get graph() {
      return graph;
    },
    get cursor() {
      return resumed.cursor;
    },
    done,
    close: () => resumed.close(),
  };
}
