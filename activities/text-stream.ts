import { appendEntries } from '../src/outbox/entry.cypher.ts';
import type { OutboxEntry } from '../src/outbox/entry.ts';
import { type EntryRun, runEntry } from '../src/runs/run-entry.ts';
import type { RunContext } from './deps.ts';

// Often enough to look like speech, seldom enough that a long answer is dozens of writes and not thousands.
const FLUSH_MS = 80;

type Piece = { channel: 'text' | 'reasoning'; text: string } | 'reset';

/** What a model says while it speaks, put into the event log every 80 ms, in order, one write at a time. */
export function createTextStream(
  deps: RunContext,
  run: EntryRun,
  place: { stepId: string; index: number | null; attempt: number },
) {
  let pieces: Piece[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function add(piece: Piece): void {
    const last = pieces.at(-1);
    if (
      piece !== 'reset' &&
      last !== undefined &&
      last !== 'reset' &&
      last.channel === piece.channel
    )
      last.text += piece.text;
    else pieces.push(piece);
    timer ??= setTimeout(flush, FLUSH_MS);
  }

  function flush(): void {
    timer = null;
    const due = pieces;
    pieces = [];
    if (due.length === 0) return;
    writing = writing.then(() => write(due));
  }

  async function write(due: readonly Piece[]): Promise<void> {
    const entries: OutboxEntry[] = due.map((piece) =>
      piece === 'reset'
        ? runEntry(deps, run, 'step.progress', { ...place, content: { reset: true } })
        : runEntry(deps, run, 'step.text', { ...place, ...piece }),
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
    text: (text: string) => add({ channel: 'text', text }),
    reasoning: (text: string) => add({ channel: 'reasoning', text }),
    reset: () => add('reset'),
    /** Everything said is in the log when this resolves. */
    async close(): Promise<void> {
      if (timer !== null) clearTimeout(timer);
      flush();
      await writing;
    },
  };
}
