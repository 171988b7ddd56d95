export const LISTS = ['services', 'secrets', 'serviceTemplates', 'toolTemplates'] as const;
type List = (typeof LISTS)[number];

interface PageInfo {
  readonly endCursor?: string | null;
  readonly hasNextPage: boolean;
}
/** Where each list goes on. */
type Lists = Readonly<Record<List, { readonly pageInfo: PageInfo }>>;

/** The pages of the catalog after the first. */
export interface Rest<Page, Fault> {
  readonly pages: readonly Page[];
  /** Whether these are all of them. */
  readonly isWhole: boolean;
  readonly error: Fault | undefined;
}

/**
 * Reads the pages after the first, each with the next page of every list. A list that has ended
 * gives an empty page without a cursor: its last cursor is kept, else it would begin again.
 */
export async function restOf<Page extends Lists, Fault>(
  first: Page,
  read: (after: Readonly<Record<string, string | null>>) => Promise<{
    readonly data?: Page | undefined;
    readonly error?: Fault | undefined;
  }>,
): Promise<Rest<Page, Fault>> {
  const pages: Page[] = [];
  let after: Readonly<Record<string, string | null>> = {};
  for (let last = first; LISTS.some((list) => last[list].pageInfo.hasNextPage); ) {
    const known = after;
    const from = last;
    after = Object.fromEntries(
      LISTS.map((list) => [list, from[list].pageInfo.endCursor ?? known[list] ?? null]),
    );
    const { data, error } = await read(after);
    if (data === undefined) return { pages, isWhole: false, error };
    pages.push(data);
    last = data;
  }
  return { pages, isWhole: true, error: undefined };
}
