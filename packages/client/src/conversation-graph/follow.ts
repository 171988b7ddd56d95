import { createGraph, type Graph } from './graph.ts';
import { hasEnded } from './queries.ts';
import { reduceEvent } from './reduce-event.ts';
import { type EventSource, type ResumeOptions, resume } from './resume.ts';
import type { CursoredEvent } from './run-event.ts';

/** Source of a run's events. It ends with the run. */
export type RunEventSource = EventSource<CursoredEvent>;

export interface FeedOptions extends Omit<ResumeOptions<CursoredEvent>, 'after'> {
  /** Called after every event with the new graph. */
  readonly onGraph?: (graph: Graph) => void;
}

export interface Feed {
  /** The graph so far. */
  readonly graph: Graph;
  /** Cursor of the last event; null before the first. */
  readonly cursor: string | null;
  /**
   * Resolves when the run has ended or `close` was called; rejects after too many failed
   * connections.
   */
  readonly done: Promise<Graph>;
  close(): void;
}

/**
 * Builds a graph from a run's events (S1-PERSIST-01, S1-PERSIST-02), until the run has ended. A
 * source that ends earlier was disconnected, and is resumed at the cursor.
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
  // Without this handler, a caller that does not await `done` would get an unhandled rejection.
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
