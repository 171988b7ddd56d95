import { CHANGES_BEHIND_MAX } from '../common/limits.ts';
import { Refusal } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Bus, EntryFilter } from './bus.ts';
import { getCursor } from './cursor.service.ts';
import { lookAtOutbox } from './entry.cypher.ts';
import { encodeCursor, type LogCursor, type NumberedEntry } from './entry.ts';
import { gather } from './gather.service.ts';

/** Objects per batch, which is read by one statement. */
const BATCH_MAX = 100;

/** The position in the log after which changes are sent. */
export interface ChangesStart {
  readonly seq: number;
  /** A cursor was given. */
  readonly isResumed: boolean;
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

/**
 * @throws Refusal INVALID at `after`, where reading all entries since the cursor would take long
 */
export function checkNear(after: LogCursor, lastSeq: number): void {
  if (lastSeq - after.seq <= CHANGES_BEHIND_MAX) return;
  throw Refusal.of(
    'INVALID',
    ['after'],
    `The log has more than ${CHANGES_BEHIND_MAX} entries after this cursor. Subscribe ` +
      'without it, then read the list again.',
  );
}

/** An object that changed, with the cursor of its last entry. */
export interface Change<T> {
  readonly cursor: string;
  /** Null at the beginning of a subscription, which gives only the position in the log. */
  readonly value: T | null;
}

/**
 * The objects that changed after the start, then live, in the order of their last entries. A reader
 * that resumes after one of them gets the later ones again. The first value of a subscription that
 * is not resumed has no object; a list that is read after it misses no change. Ends with `signal`.
 * @param watch `idOf`: the object that an entry changes; null where it changes none. `find`: reads
 * some of them, in any order
 */
export async function* watchChanges<T extends { readonly id: string }>(
  { bus }: { readonly bus: Bus },
  watch: {
    readonly filter: EntryFilter;
    readonly start: ChangesStart;
    readonly idOf: (entry: NumberedEntry) => string | null;
    readonly find: (ids: readonly string[]) => Promise<readonly T[]>;
  },
  signal: AbortSignal,
): AsyncGenerator<Change<T>, void, void> {
  const { filter, start, idOf, find } = watch;
  const changed = new Map<string, number>();
  const news = gather(bus.subscribe(filter, start.seq, signal), {
    note(entry) {
      const id = idOf(entry);
      if (id === null) return;
      changed.delete(id);
      changed.set(id, entry.seq);
    },
    hasNews: () => changed.size > 0,
  });
  if (!start.isResumed) yield { cursor: encodeCursor({ seq: start.seq, index: 0 }), value: null };
  for await (const _ of news) {
    const batch = [...changed].slice(0, BATCH_MAX);
    for (const [id] of batch) changed.delete(id);
    const found = await find(batch.map(([id]) => id));
    const byId = new Map(found.map((value) => [value.id, value]));
    for (const [id, seq] of batch) {
      const value = byId.get(id);
      if (value !== undefined) yield { cursor: encodeCursor({ seq, index: 0 }), value };
    }
  }
}
