import type { Instant } from './clock.ts';
import { PAGE_DEFAULT, PAGE_MAX } from './limits.ts';
import { type Problem, problem, refuse } from './refusal.ts';

/** Arguments of a Relay connection. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** Items in the order of the list. Each has the cursor that continues after (or before) it. */
export interface Page<T> {
  readonly items: readonly { readonly cursor: string; readonly item: T }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

export const EMPTY_PAGE: Page<never> = {
  items: [],
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: 0,
};

/** The sort values of one item. The last one is unique. */
export type SortKey = readonly (string | number)[];

export interface SortField {
  /** The Cypher expression, never null: `t.createdAt`. */
  readonly cypher: string;
  /** `instant` is carried as text with full precision, so that no two moments become equal. */
  readonly type: 'text' | 'number' | 'instant';
  readonly order: 'ascending' | 'descending';
}

export type PageDirection = 'forward' | 'backward';

export interface PageWindow {
  /**
   * Maximum number of items to return. The statement reads one more to know whether there are more.
   */
  readonly limit: number;
  readonly direction: PageDirection;
  readonly cursor: SortKey | null;
}

/** The usual order of Resources: newest first, then by id. */
export function newestFirst(node: string): readonly SortField[] {
  return [
    { cypher: `${node}.createdAt`, type: 'instant', order: 'descending' },
    { cypher: `${node}.id`, type: 'text', order: 'descending' },
  ];
}

export function encodeCursor(key: SortKey): string {
  return Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');
}

/** Null when the text is no cursor of a list in this order. */
export function decodeCursor(cursor: string, order: readonly SortField[]): SortKey | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(key) || key.length !== order.length) return null;
    const fits = order.every(({ type }, index) => fitsType(key[index], type));
    return fits ? (key as SortKey) : null;
  } catch {
    return null;
  }
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/;

function fitsType(value: unknown, type: SortField['type']): boolean {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (typeof value !== 'string') return false;
  return type === 'text' || (INSTANT.test(value) && !Number.isNaN(Date.parse(value as Instant)));
}

/**
 * Reads the arguments of a connection. A count above PAGE_MAX is refused: a shorter page would look
 * like the whole list. The default is PAGE_DEFAULT.
 * @throws Refusal INVALID at `first`, `after`, `last` or `before`
 */
export function pageWindow(args: PageArgs, order: readonly SortField[]): PageWindow {
  const direction = args.last != null ? 'backward' : 'forward';
  const [count, cursor, countName, cursorName] =
    direction === 'forward'
      ? [args.first, args.after, 'first', 'after']
      : [args.last, args.before, 'last', 'before'];
  const problems: Problem[] = [];
  const mixed = direction === 'forward' ? ['before'] : ['first', 'after'];
  for (const name of mixed) {
    if (args[name as keyof PageArgs] != null)
      problems.push(
        problem(
          'INVALID',
          [name],
          `Page with first and after, or with last and before; ${name} does not go with the other.`,
        ),
      );
  }
  if (count != null && (!Number.isSafeInteger(count) || count < 0 || count > PAGE_MAX)) {
    const more = count > PAGE_MAX ? ` Read longer lists page by page, with ${cursorName}.` : '';
    const message = `${countName} has to be a whole number from 0 to ${PAGE_MAX}.${more}`;
    problems.push(problem('INVALID', [countName], message));
  }
  const key = cursor == null ? null : decodeCursor(cursor, order);
  if (cursor != null && key === null)
    problems.push(
      problem(
        'INVALID',
        [cursorName],
        'This is no cursor of this list; take one from its pageInfo or edges.',
      ),
    );
  refuse(problems);
  return { limit: count ?? PAGE_DEFAULT, direction, cursor: key };
}

/** Removes the extra item and restores the order of the list in a backward page. */
export function toPage<T>(
  window: PageWindow,
  rows: readonly { readonly key: SortKey; readonly item: T }[],
  totalCount: number,
): Page<T> {
  const more = rows.length > window.limit;
  const items = rows
    .slice(0, window.limit)
    .map(({ key, item }) => ({ cursor: encodeCursor(key), item }));
  // The cursor's own item is on the other side, so there is (or was) at least one item there.
  const behind = window.cursor !== null;
  return window.direction === 'forward'
    ? { items, hasNextPage: more, hasPreviousPage: behind, totalCount }
    : { items: items.reverse(), hasNextPage: behind, hasPreviousPage: more, totalCount };
}
