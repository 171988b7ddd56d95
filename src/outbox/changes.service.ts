import { setTimeout } from 'node:timers/promises';
import { CHANGES_BEHIND_MAX } from '../common/limits.ts';
import { problem, Refusal } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Bus, EntryFilter } from './bus.ts';
import { getCursor } from './cursor.service.ts';
import { lookAtOutbox } from './entry.cypher.ts';
import { encodeCursor, type LogCursor, type NumberedEntry } from './entry.ts';

// Changes of one object within this time are sent once: a list needs only its current state.
const GATHER_MS = 250;
/** Objects per batch, which is read by one statement. */
const BATCH_MAX = 100;

/** The position in the log after which changes are sent. */
export interface ChangesStart {
  readonly seq: number;
  /** A cursor was given. */
  readonly isResumed: boolean;
}

/** An object that changed, with the cursor of its last entry. */
export interface Changed {
  readonly id: string;
  readonly cursor: string;
}

/**
 * The start of a subscription to changes: the cursor, or the end of the log.
 * @throws Refusal INVALID at `after` where the text is no cursor, or one that is too far back
 */
export async function startOfChanges(
  deps: { readonly graph: Graph },
  after: string | null | undefined,
): Promise<ChangesStart> {
  const cursor = await getCursor(deps, after);
  const { lastSeq } = await deps.graph.read(lookAtOutbox);
  if (cursor === null) return { seq: lastSeq, isResumed: false };
  checkNear(cursor, lastSeq);
  return { seq: cursor.seq, isResumed: true };
}

export function cursorOfStart({ seq }: ChangesStart): string {
  return encodeCursor({ seq, index: 0 });
}

/** @throws Refusal INVALID at `after`, where reading all entries since the cursor would take long */
export function checkNear(after: LogCursor, lastSeq: number): void {
  if (lastSeq - after.seq <= CHANGES_BEHIND_MAX) return;
  throw new Refusal([
    problem(
      'INVALID',
      ['after'],
      `The log has more than ${CHANGES_BEHIND_MAX} entries after this cursor. Subscribe without it, then read the list again.`,
    ),
  ]);
}

/**
 * Batches of the objects that changed after the start, then live, in the order of their last
 * entries. A reader that resumes after one of them gets the later ones again. Ends with `signal`.
 * @param idOf the object that an entry changes; null for an entry that changes none
 */
export async function* watchChanged(
  { bus }: { readonly bus: Bus },
  watch: {
    readonly filter: EntryFilter;
    readonly start: ChangesStart;
    readonly idOf: (entry: NumberedEntry) => string | null;
  },
  signal: AbortSignal,
): AsyncGenerator<readonly Changed[], void, void> {
  const { filter, start, idOf } = watch;
  const changed = new Map<string, number>();
  let wake = () => {};
  let failure: unknown;
  let isOver = false;
  const reading = (async () => {
    for await (const entry of bus.subscribe(filter, start.seq, signal)) {
      const id = idOf(entry);
      if (id === null) continue;
      changed.delete(id);
      changed.set(id, entry.seq);
      wake();
    }
  })()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  while (!isOver) {
    if (changed.size === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await setTimeout(GATHER_MS);
    const batch = [...changed].slice(0, BATCH_MAX);
    for (const [id] of batch) changed.delete(id);
    yield batch.map(([id, seq]) => ({ id, cursor: encodeCursor({ seq, index: 0 }) }));
  }
  await reading;
  if (failure !== undefined) throw failure;
}
