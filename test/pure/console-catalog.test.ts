import { expect, it } from 'vitest';
import { restOf } from '../../console/src/catalog/catalog-pages.ts';

/** A server of lists with so many pages each: a cursor is the number of the page before it. */
function listsOf(pages: Readonly<Record<string, number>>) {
  const page = (list: string, after: string | null) => {
    const at = after === null ? 1 : Number(after) + 1;
    const last = pages[list] ?? 1;
    return { pageInfo: { hasNextPage: at < last, endCursor: at > last ? null : String(at) } };
  };
  return (after: Readonly<Record<string, string | null>>) => ({
    services: page('services', after['services'] ?? null),
    secrets: page('secrets', after['secrets'] ?? null),
    serviceTemplates: page('serviceTemplates', after['serviceTemplates'] ?? null),
    toolTemplates: page('toolTemplates', after['toolTemplates'] ?? null),
  });
}

it('reads each page of the catalog once, also where one list is longer than another', async () => {
  const pageAfter = listsOf({ services: 2, secrets: 5, toolTemplates: 3 });
  const rest = await restOf(pageAfter({}), async (after) => ({ data: pageAfter(after) }));
  expect(rest.pages.length).toBe(4);
  expect(rest.isWhole).toBe(true);
});

it('tells that pages are missing where one could not be read', async () => {
  const pageAfter = listsOf({ services: 3 });
  const rest = await restOf(pageAfter({}), async (after) =>
    after['services'] === '1' ? { data: pageAfter(after) } : { error: 'busy' },
  );
  expect([rest.pages.length, rest.isWhole, rest.error]).toEqual([1, false, 'busy']);
});
