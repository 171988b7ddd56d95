import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { newestFirst, type PageArgs, type SortField } from '../../src/common/page.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { type Listing, listing, listPage } from '../../src/platform/neo4j/list-page.ts';
import { testGraph, writeCypher } from '../testkit/graph.ts';

const MATCH = 'MATCH (p:Pebble) WHERE p.pile = $pile';
const NEWEST = listing({
  name: 'listPebbles',
  match: MATCH,
  order: newestFirst('p'),
  item: 'p {.id}',
});
const BY_SIZE: readonly SortField[] = [
  { cypher: 'p.size', type: 'number', order: 'ascending' },
  { cypher: 'p.id', type: 'text', order: 'descending' },
];
const SMALLEST = listing({ name: 'listPebbles', match: MATCH, order: BY_SIZE, item: 'p {.id}' });

const graph = testGraph();
afterAll(() => graph.close());

/** 25 pebbles; times and sizes repeat, and times differ by less than a millisecond. */
async function pile(): Promise<string> {
  const id = randomUUID();
  await writeCypher(
    graph,
    `UNWIND range(1, 25) AS n
      CREATE (:Pebble {pile: $id, id: $id + '-' + toString(100 + n), size: n % 4,
        createdAt: datetime('2026-01-01T00:00:00.000000' + toString(100 + n / 3) + 'Z')})`,
    { id },
  );
  return id;
}

const pageOf = (list: Listing, pileId: string, args: PageArgs) =>
  graph.read((tx) => listPage(tx, list, args, { pile: pileId }, (row) => String(row['id'])));

async function walk(
  list: Listing,
  pileId: string,
  way: 'forward' | 'backward',
  size: number,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < 30; count++) {
    const page = await pageOf(
      list,
      pileId,
      way === 'forward' ? { first: size, after: cursor } : { last: size, before: cursor },
    );
    expect(page.totalCount).toBe(25);
    const ids = page.items.map(({ item }) => item);
    if (way === 'forward') seen.push(...ids);
    else seen.unshift(...ids);
    cursor = (way === 'forward' ? page.items.at(-1) : page.items[0])?.cursor;
    if (!(way === 'forward' ? page.hasNextPage : page.hasPreviousPage)) return seen;
  }
  throw new Error('The pages never end.');
}

describe('a listing page by page', () => {
  it.each([
    ['newest first', NEWEST],
    ['by size', SMALLEST],
  ])('gives every item once and in order, both ways: %s', async (_name, list) => {
    const id = await pile();
    const all = (await pageOf(list, id, { first: 200 })).items.map(({ item }) => item);
    expect(new Set(all).size).toBe(25);
    for (const size of [1, 7, 24, 25]) {
      expect(await walk(list, id, 'forward', size)).toEqual(all);
      expect(await walk(list, id, 'backward', size)).toEqual(all);
    }
  });

  it('takes one statement', async () => {
    const id = await pile();
    const { statements } = await graph.counting(() => pageOf(NEWEST, id, { first: 5 }));
    expect(statements.map(({ name }) => name)).toEqual(['listPebbles']);
  });

  it('answers an empty page for first: 0 and for an empty list', async () => {
    const id = await pile();
    const expected = { items: [], totalCount: 25, hasNextPage: true };
    expect(await pageOf(NEWEST, id, { first: 0 })).toMatchObject(expected);
    expect(await pageOf(NEWEST, randomUUID(), {})).toEqual({
      items: [],
      totalCount: 0,
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });

  it.each<[string, PageArgs, string]>([
    ['rubbish', { after: 'rubbish' }, 'after'],
    ['a cursor of another list', { after: Buffer.from('[1,"x"]').toString('base64url') }, 'after'],
    [
      'a cursor that is no moment',
      { before: Buffer.from('["now","x"]').toString('base64url'), last: 1 },
      'before',
    ],
    ['a negative count', { first: -1 }, 'first'],
    ['a count above the maximum', { first: 201 }, 'first'],
    ['a count from the end above the maximum', { last: 1_000 }, 'last'],
    ['a negative count from the end', { last: -1 }, 'last'],
    ['both directions', { first: 1, before: 'x' }, 'before'],
  ])('refuses %s', async (_name, args, path) => {
    const refusal = await pageOf(NEWEST, 'none', args).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).problems.map(({ code, path: at }) => [code, ...at])).toEqual([
      ['INVALID', path],
    ]);
  });
});
