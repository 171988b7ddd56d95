import {
  type Page,
  type PageArgs,
  type PageDirection,
  pageWindow,
  type SortField,
  type SortKey,
  toPage,
} from '../../common/page.ts';
import type { Params, ReadTx, Row } from './graph.ts';

export interface Listing {
  readonly order: readonly SortField[];
  readonly statements: Readonly<Record<PageDirection, string>>;
}

/**
 * A listing as one statement per direction, built once when its file is loaded: counts what `match` finds and takes one page of it by
 * keyset, so a page costs the same at the start and at the end of a long list. All texts are constants of the
 * program; values only travel as parameters (`$cursor` and `$limit` belong to the page).
 * @param match ends in a WHERE clause that can be continued with AND.
 * @param detail clauses run for the items of the page only; they keep their number and order.
 * @param item an expression over what `match` and `detail` bind, giving the row's map.
 * @param related clauses run once over `rows` (a list of `{item, key}`) that bind `related`: what the items refer to, each once.
 */
export function listing(parts: {
  readonly name: string;
  readonly match: string;
  readonly order: readonly SortField[];
  readonly detail?: string;
  readonly item: string;
  readonly related?: string;
}): Listing {
  const statement = (direction: PageDirection) => /* cypher */ `
    // ${parts.name}
    CALL () {
      ${parts.match}
      RETURN count(*) AS totalCount
    }
    CALL () {
      ${parts.match}
      AND ($cursor IS NULL OR ${beyondCursor(parts.order, direction)})
      WITH *
      ORDER BY ${orderBy(parts.order, direction)}
      LIMIT $limit
      ${parts.detail ?? ''}
      RETURN collect({item: ${parts.item}, key: [${parts.order.map(keyOf).join(', ')}]}) AS rows
    }
    ${parts.related ?? ''}
    RETURN totalCount, rows${parts.related === undefined ? '' : ', related'}
  `;
  return {
    order: parts.order,
    statements: { forward: statement('forward'), backward: statement('backward') },
  };
}

/**
 * Runs a listing for one page. `read` turns a row's map into the model.
 * @throws Refusal INVALID where an argument is no count or no cursor of this listing.
 */
export async function listPage<T>(
  tx: ReadTx,
  list: Listing,
  args: PageArgs,
  params: Params,
  read: (row: Row) => T,
): Promise<Page<T>> {
  return (await listPageWith(tx, list, args, params, read)).page;
}

/** As listPage, with what the listing's `related` bound. */
export async function listPageWith<T>(
  tx: ReadTx,
  list: Listing,
  args: PageArgs,
  params: Params,
  read: (row: Row) => T,
): Promise<{ readonly page: Page<T>; readonly related: unknown }> {
  const window = pageWindow(args, list.order);
  const [row] = await tx.run(list.statements[window.direction], {
    ...params,
    cursor: window.cursor,
    limit: window.limit + 1,
  });
  const rows = (row?.['rows'] ?? []) as { item: Row; key: SortKey }[];
  const page = toPage(
    window,
    rows.map(({ item, key }) => ({ key, item: read(item) })),
    Number(row?.['totalCount'] ?? 0),
  );
  return { page, related: row?.['related'] ?? null };
}

const descends = (field: SortField, direction: PageDirection) =>
  (field.order === 'descending') === (direction === 'forward');

function orderBy(order: readonly SortField[], direction: PageDirection): string {
  return order
    .map((field) => `${field.cypher} ${descends(field, direction) ? 'DESC' : 'ASC'}`)
    .join(', ');
}

/** (a, b) beyond (x, y): a beyond x, or a = x and b beyond y; Cypher has no row comparison. */
function beyondCursor(order: readonly SortField[], direction: PageDirection): string {
  const alternatives = order.map((field, index) => {
    const equal = order
      .slice(0, index)
      .map((before, at) => `${before.cypher} = ${cursorAt(before, at)}`);
    const beyond = `${field.cypher} ${descends(field, direction) ? '<' : '>'} ${cursorAt(field, index)}`;
    return `(${[...equal, beyond].join(' AND ')})`;
  });
  return `(${alternatives.join(' OR ')})`;
}

function cursorAt(field: SortField, index: number): string {
  return field.type === 'instant' ? `datetime($cursor[${index}])` : `$cursor[${index}]`;
}

function keyOf(field: SortField): string {
  return field.type === 'instant' ? `toString(${field.cypher})` : field.cypher;
}
