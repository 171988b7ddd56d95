import { type Json, jsonBytes } from '../../src/common/json.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../src/outbox/entry.ts';
import { type EntryRun, runEntry } from '../../src/runs/events/run-entry.ts';
import type { RunContext } from '../deps.ts';

// Often enough to look like speech, seldom enough that a long answer is dozens of writes and not thousands.
const FLUSH_MS = 80;
const PROGRESS_BYTES_MAX = 4_096;

type Piece =
  | { readonly kind: 'spoken'; readonly channel: 'text' | 'reasoning'; text: string }
  | { readonly kind: 'progress'; readonly content: Json };

/** What a step lets others see while it runs. */
export interface StepStream {
  text(text: string): void;
  reasoning(text: string): void;
  /** What was spoken so far is void. */
  reset(): void;
  progress(content: Json): void;
  /** Everything said is in the log when this resolves. */
  close(): Promise<void>;
}

/** What a model says while it speaks and what a server reports, put into the event log: the first piece at once, then what came in 80 ms; one write at a time. */
export function createStepStream(
  deps: RunContext,
  run: EntryRun,
  place: { stepId: string; index: number | null; attempt: number },
): StepStream {
  let pieces: Piece[] = [];
  /** Takes the next flush back; null where none is due. */
  let cancel: (() => void) | null = null;
  let flushedAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  function add(piece: Piece): void {
    const last = pieces.at(-1);
    if (piece.kind === 'spoken' && last?.kind === 'spoken' && last.channel === piece.channel) {
      last.text += piece.text;
    } else if (piece.kind === 'progress' && last?.kind === 'progress') {
      // Of what is reported between two writes, the last counts.
      pieces[pieces.length - 1] = piece;
    } else {
      pieces.push(piece);
    }
    // Whoever waits for the first character sees it now; pieces that arrive together still share a write.
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
      await deps.graph.write((tx) => appendEntries(tx, entries));
      deps.wake();
    } catch (error) {
      // The stream is a courtesy; the output is recorded at the end, whole.
      deps.onDefect(error, 'stream text');
    }
  }

  return {
    text: (text) => add({ kind: 'spoken', channel: 'text', text }),
    reasoning: (text) => add({ kind: 'spoken', channel: 'reasoning', text }),
    reset: () => add({ kind: 'progress', content: { reset: true } }),
    progress: (content) => add({ kind: 'progress', content }),
    async close() {
      cancel?.();
      flush();
      await writing;
    },
  };
}

/** Calls back after `ms`, or after what has arrived by now; returns how to take it back. */
function later(work: () => void, ms: number): () => void {
  if (ms > 0) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  }
  const turn = setImmediate(work);
  return () => clearImmediate(turn);
}

/** Progress is a word in passing, not a payload. */
function bounded(content: Json): Json {
  const bytes = jsonBytes(content);
  return bytes <= PROGRESS_BYTES_MAX ? content : { bytes };
}
