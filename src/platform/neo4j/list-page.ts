import { z } from 'zod';
import {
  type Page,
  type PageArgs,
  type PageDirection,
  pageWindow,
  type SortField,
  toPage,
} from '../../common/page.ts';
import type { Params, ReadTx, Row } from './graph.ts';
import { isRow, parseRow } from './row.ts';
import { cypher } from './statement.ts';

export interface Listing {
  readonly order: readonly SortField[];
  /** Statements per direction: from the end of the list, and beyond a cursor. */
  readonly statements: Readonly<
    Record<PageDirection, { readonly atEnd: string; readonly beyond: string }>
  >;
}

/**
 * Builds the statements of a listing once, at module load. A statement counts the matches and reads
 * one page by keyset, so every page of a long list costs the same. All texts are constants; values
 * are parameters. The page itself uses `$cursor` and `$limit`.
 * @param match ends in a WHERE clause that can be continued with AND
 * @param within properties that `match` fixes to one value (`n.ownerId`), for an index with exactly
 * these before the fields of the order. `match` must name the index (USING INDEX SEEK), because the
 * planner uses the order of an index below an equality only with the hint. Then only the rows of
 * the page are read.
 * @param detail clauses for the items of the page only; they must keep number and order of rows
 * @param item an expression over variables of `match` and `detail` that gives the row's map
 * @param related clauses run once over `rows` (a list of `{item, key}`) that bind `related`: the
 * things that the items refer to, each once
 */
export function listing(parts: {
  readonly name: string;
  readonly match: string;
  readonly within?: readonly string[];
  readonly order: readonly SortField[];
  readonly detail?: string;
  readonly item: string;
  readonly related?: string;
}): Listing {
  const { within = [], order } = parts;
  // Neo4j uses a composite index only when the statement has a condition on each property.
  const isThere =
    within.length === 0 ? '' : order.map(({ cypher }) => `AND ${cypher} IS NOT NULL`).join(' ');
  const statement = (direction: PageDirection, narrowed: string) => cypher`
    // ${parts.name}
    CALL () {
      ${parts.match}
      ${isThere}
      RETURN count(*) AS totalCount
    }
    CALL () {
      ${parts.match}
      ${narrowed}
      WITH *
      ORDER BY ${orderBy(within, order, direction)}
      LIMIT $limit
      ${parts.detail ?? ''}
      RETURN collect({item: ${parts.item}, key: [${parts.order.map(keyOf).join(', ')}]}) AS rows
    }
    ${parts.related ?? ''}
    RETURN totalCount, rows${parts.related === undefined ? '' : ', related'}
  `;
  const both = (direction: PageDirection) => ({
    atEnd: statement(direction, isThere),
    beyond: statement(direction, `${isThere} AND ${beyondCursor(order, direction)}`),
  });
  return { order, statements: { forward: both('forward'), backward: both('backward') } };
}

/**
 * Reads one page of a listing. `read` converts a row's map; `isWhole` is passed to ReadTx.run.
 * @throws Refusal INVALID for an invalid count or cursor
 */
export async function listPage<T>(
  tx: ReadTx,
  list: Listing,
  args: PageArgs,
  params: Params,
  read: (row: Row) => T,
  isWhole?: (row: Row) => boolean,
): Promise<Page<T>> {
  return (await listPageWith(tx, list, args, params, read, isWhole)).page;
}

/** Like listPage, and also returns the value of the listing's `related`. */
export async function listPageWith<T>(
  tx: ReadTx,
  list: Listing,
  args: PageArgs,
  params: Params,
  read: (row: Row) => T,
  isWhole: (row: Row) => boolean = () => true,
): Promise<{ readonly page: Page<T>; readonly related: unknown }> {
  const window = pageWindow(args, list.order);
  const isWholeItem = ({ item }: { readonly item: Row }) => isWhole(item);
  const { atEnd, beyond } = list.statements[window.direction];
  const [row] = await tx.run(
    window.cursor === null ? atEnd : beyond,
    { ...params, cursor: window.cursor, limit: window.limit + 1 },
    ([found]) => found === undefined || parseRow(PageRow, found, 'Page').rows.every(isWholeItem),
  );
  const { rows, totalCount } = row === undefined ? EMPTY : parseRow(PageRow, row, 'Page');
  const page = toPage(
    window,
    rows.map(({ item, key }) => ({ key, item: read(item) })),
    totalCount,
  );
  return { page, related: row?.['related'] ?? null };
}

const PageRow = z.object({
  totalCount: z.int(),
  rows: z.array(
    z.object({ item: z.custom<Row>(isRow), key: z.array(z.union([z.string(), z.number()])) }),
  ),
});
const EMPTY: z.infer<typeof PageRow> = { totalCount: 0, rows: [] };

const descends = (field: SortField, direction: PageDirection) =>
  (field.order === 'descending') === (direction === 'forward');

function orderBy(
  within: readonly string[],
  order: readonly SortField[],
  direction: PageDirection,
): string {
  const way = (field: SortField | undefined) =>
    field !== undefined && descends(field, direction) ? 'DESC' : 'ASC';
  return [
    ...within.map((constant) => `${constant} ${way(order[0])}`),
    ...order.map((field) => `${field.cypher} ${way(field)}`),
  ].join(', ');
}

/**
 * Keyset condition for (a, b) beyond (x, y): a not before x, and either a differs from x or b is
 * beyond y. Cypher has no row comparison. In this form the planner uses the first part as an index
 * range and does not split the rest into two searches.
 */
function beyondCursor(order: readonly SortField[], direction: PageDirection, at = 0): string {
  const field = order[at];
  if (field === undefined) throw new Error('A listing has an order.');
  const sign = descends(field, direction) ? '<' : '>';
  const value = cursorAt(field, at);
  if (at === order.length - 1) return `${field.cypher} ${sign} ${value}`;
  const rest = beyondCursor(order, direction, at + 1);
  return `${field.cypher} ${sign}= ${value} AND (${field.cypher} <> ${value} OR (${rest}))`;
}

const cursorAt = (field: SortField, index: number): string =>
  field.type === 'instant' ? `datetime($cursor[${index}])` : `$cursor[${index}]`;

const keyOf = (field: SortField): string =>
  field.type === 'instant' ? `toString(${field.cypher})` : field.cypher;
