/** The loaded part of a list of runs, newest first. */
export interface RunPages<Row> {
  readonly rows: readonly Row[];
  /** Number of runs in the whole list. */
  readonly total: number;
  /** Cursor of the last row; null in an empty list. */
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

/**
 * Puts the newest page in the place of the rows that it covers, and keeps the older ones. Where the
 * page does not reach a loaded row, the list begins again with the page, since runs between them
 * may be missing. The cost depends on the size of the page; the older rows are only copied.
 */
export function withNewest<Row extends { readonly id: string }>(
  known: RunPages<Row> | null,
  page: RunPages<Row>,
): RunPages<Row> {
  if (known === null || !page.hasMore || known.rows.length <= page.rows.length) return page;
  const ids = new Set(page.rows.map(({ id }) => id));
  // Rows of the page that left the list let it reach further down, by one page at most.
  const last = known.rows.slice(0, 2 * page.rows.length).findLastIndex(({ id }) => ids.has(id));
  if (last === -1) return page;
  return { ...known, rows: [...page.rows, ...known.rows.slice(last + 1)], total: page.total };
}

/**
 * Adds the page after the cursor `after`. A page that was asked for before the list began again is
 * ignored.
 */
export function withOlder<Row>(
  known: RunPages<Row> | null,
  after: string | null,
  page: RunPages<Row>,
): RunPages<Row> | null {
  if (known === null || known.cursor !== after) return known;
  return { ...page, cursor: page.cursor ?? after, rows: [...known.rows, ...page.rows] };
}

/** Puts a changed row in its place; null where the row is not loaded. */
export function withChanged<Row extends { readonly id: string }>(
  known: RunPages<Row>,
  changed: Row,
): RunPages<Row> | null {
  const index = known.rows.findIndex(({ id }) => id === changed.id);
  return index === -1 ? null : { ...known, rows: known.rows.with(index, changed) };
}
