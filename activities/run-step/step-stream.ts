import { type Json, jsonBytes } from '../../src/common/json.ts';
import type { OutboxEntry } from '../../src/outbox/entry.ts';
import { runEntry } from '../../src/runs/events/run-entry.ts';
import type { RunContext } from '../deps.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { StepJob } from './step-job.ts';

// Short enough to read as live text; long enough that a long answer is dozens of writes instead of
// thousands.
const FLUSH_MS = 80;
const PROGRESS_BYTES_MAX = 4_096;

type Piece =
  | { readonly kind: 'text'; readonly channel: 'text' | 'reasoning'; text: string }
  | { readonly kind: 'progress'; readonly content: Json };

/** Text and progress of a running step, for the run's stream. */
export interface StepStream {
  text(text: string): void;
  reasoning(text: string): void;
  /** Voids the text so far: a repair round starts the answer again. */
  reset(): void;
  /** Progress that an MCP server reports; between two writes only the last one is kept. */
  progress(content: Json): void;
  /** Resolves when everything is in the event log. */
  close(): Promise<void>;
}

/**
 * Writes the text of a model and the progress of a server to the event log, one write at a time.
 * The first piece is written at once, later pieces are batched for 80 ms.
 */
export function openStepStream(
  deps: RunContext,
  { call: { run, stepId, index } }: StepJob,
  record: AttemptRecord,
): StepStream {
  const place = { stepId, index, attempt: record.attempt };
  let pieces: Piece[] = [];
  /** Cancels the scheduled flush; null where none is scheduled. */
  let cancel: (() => void) | null = null;
  let flushedAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  function add(piece: Piece): void {
    const last = pieces.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text' && last.channel === piece.channel) {
      last.text += piece.text;
    } else if (piece.kind === 'progress' && last?.kind === 'progress') {
      pieces[pieces.length - 1] = piece;
    } else {
      pieces.push(piece);
    }
    // The first piece is not delayed, but pieces that arrive in the same turn of the event loop
    // share its write.
    cancel ??= later(flush, flushedAtMs + FLUSH_MS - performance.now());
  }

  function flush(): void {
    cancel = null;
    const due = pieces;
    pieces = [];
    if (due.length === 0) return;
    flushedAtMs = performance.now();
    writing = writing.then(() => write(due));
  }

  async function write(due: readonly Piece[]): Promise<void> {
    const entries: OutboxEntry[] = due.map((piece) =>
      piece.kind === 'progress'
        ? runEntry(deps, run, 'step.progress', { ...place, content: bounded(piece.content) })
        : runEntry(deps, run, 'step.text', { ...place, channel: piece.channel, text: piece.text }),
    );
    try {
      // The start of the step comes first.
      await record.begin();
      await deps.steps.append(run.ownerId, entries);
      deps.wake();
    } catch (error) {
      // A lost piece does not fail the step: its end records the whole output.
      deps.onDefect(error, 'stream text');
    }
  }

  return {
    text: (text) => add({ kind: 'text', channel: 'text', text }),
    reasoning: (text) => add({ kind: 'text', channel: 'reasoning', text }),
    reset: () => add({ kind: 'progress', content: { reset: true } }),
    progress: (content) => add({ kind: 'progress', content }),
    async close() {
      cancel?.();
      flush();
      await writing;
    },
  };
}

/**
 * Runs `work` after `ms`, or after the pending I/O events where `ms` is not above 0.
 * @returns cancels it
 */
function later(work: () => void, ms: number): () => void {
  if (ms > 0) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(work);
  return () => clearImmediate(immediate);
}

/** Progress above the limit is replaced by its size: the event log is no payload store. */
function bounded(content: Json): Json {
  const bytes = jsonBytes(content);
  return bytes <= PROGRESS_BYTES_MAX ? content : { bytes };
}
