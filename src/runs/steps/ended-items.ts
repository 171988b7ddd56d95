/**
 * Items of a forEach that have ended, without their values: two numbers for each row of
 * neighbours. The values are in the record.
 */
export interface CarriedItems {
  /** First and last index of each row, in order. */
  readonly completed: readonly (readonly [number, number])[];
  readonly failed: readonly (readonly [number, number])[];
  /** Bytes of all values together. */
  readonly bytes: number;
}

export interface EndedItems {
  add(index: number, end: { readonly bytes: number } | 'failed'): void;
  /** Bytes: the mean of all. Null: it has not ended, as far as this one knows. */
  find(index: number): { readonly bytes: number } | 'failed' | null;
  carry(): CarriedItems;
}

export function createEndedItems(carried?: CarriedItems): EndedItems {
  const completed = indexesIn(carried?.completed ?? []);
  const failed = indexesIn(carried?.failed ?? []);
  let bytes = carried?.bytes ?? 0;
  return {
    add(index, end) {
      (end === 'failed' ? failed : completed).add(index);
      if (end !== 'failed') bytes += end.bytes;
    },
    find(index) {
      if (failed.has(index)) return 'failed';
      return completed.has(index) ? { bytes: Math.round(bytes / completed.size) } : null;
    },
    carry: () => ({ completed: rowsOf(completed), failed: rowsOf(failed), bytes }),
  };
}

function indexesIn(rows: CarriedItems['completed']): Set<number> {
  const indexes = new Set<number>();
  for (const [first, last] of rows)
    for (let index = first; index <= last; index++) indexes.add(index);
  return indexes;
}

function rowsOf(indexes: ReadonlySet<number>): [number, number][] {
  const rows: [number, number][] = [];
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const row = rows.at(-1);
    if (row?.[1] === index - 1) row[1] = index;
    else rows.push([index, index]);
  }
  return rows;
}
