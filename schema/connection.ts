import type { ArgBuilder } from '@pothos/core';
import { PAGE_DEFAULT, PAGE_MAX } from '../src/common/limits.ts';
import type { Page, SortKey } from '../src/common/page.ts';
import { builder } from './builder.ts';
import { argFields, exposed } from './fields.ts';

type Types = typeof builder.$inferSchemaTypes;

/** The four arguments of every list. A resolver passes them unchanged to `list…`. */
export function pageArgs(t: { readonly arg: ArgBuilder<Types> }) {
  return argFields(t, {
    first: [
      'Int',
      `Number of objects from the start, or after \`after\`. Default ${PAGE_DEFAULT}, at most ` +
        `${PAGE_MAX}.`,
    ],
    after: ['String', 'Only objects after this cursor.'],
    last: ['Int', `Number of objects from the end, or before \`before\`. At most ${PAGE_MAX}.`],
    before: ['String', 'Only objects before this cursor.'],
  });
}

/** The argument of lists that leave out the product's background runs (docs/decisions/0024). */
export function includeSystemArg(t: { readonly arg: ArgBuilder<Types> }) {
  return t.arg.boolean({
    defaultValue: false,
    description: 'Whether to include the background runs of the product (origin SYSTEM).',
  });
}

/** The complexity of a list: the cost of one object times the size of the page. */
export function pageCost({ first, last }: { first?: number | null; last?: number | null }) {
  return { field: 1, multiplier: Math.max(1, Math.min(first ?? last ?? PAGE_DEFAULT, PAGE_MAX)) };
}

/** `Entities`, `Processes`, `Tools`. */
function pluralOf(name: string): string {
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`;
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

// The edge types by their connections, for payloads of mutations.
const edges = new WeakMap<object, unknown>();

/** The edge type of a connection of `connectionOf`. */
export function edgeOf(connection: object): unknown {
  return edges.get(connection);
}

/** The key of an object in a list that is ordered by newestFirst. */
export function newestKey({
  createdAt,
  id,
}: {
  readonly createdAt: string;
  readonly id: string;
}): SortKey {
  return [createdAt, id];
}

/**
 * Creates `<name>Connection` and `<name>Edge` for a type. A field of this type resolves to a
 * `Page`. Give the field `complexity: pageCost` and `args: pageArgs(t)`.
 */
export function connectionOf<Ref extends { readonly $inferType: unknown }>(
  name: string,
  type: Ref,
) {
  type Item = Ref['$inferType'];
  const edge = builder.edgeObject({
    name: `${name}Edge`,
    type: type as never,
    description: `One ${name} of a list, with its cursor.`,
  });
  const ref = builder.objectRef<Page<Item>>(`${name}Connection`);
  edges.set(ref, edge);
  builder.objectType(ref, {
    name: `${name}Connection`,
    description: `A page of ${pluralOf(name)}.`,
    fields: (t) => ({
      ...exposed(t, {
        totalCount: ['Int', 'Total number of objects in the list.', (page) => page.totalCount],
      }),
      edges: t.field({
        type: [edge],
        description: 'The objects of this page with their cursors.',
        complexity: { field: 1, multiplier: 1 },
        resolve: (page) => page.items.map(({ cursor, item }) => ({ cursor, node: item })) as never,
      }),
      nodes: t.field({
        type: [type as never],
        description: 'The objects of this page, without their cursors.',
        complexity: { field: 1, multiplier: 1 },
        resolve: (page) => page.items.map(({ item }) => item) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Information about this page.',
        resolve: (page) => ({
          hasNextPage: page.hasNextPage,
          hasPreviousPage: page.hasPreviousPage,
          startCursor: page.items.at(0)?.cursor ?? null,
          endCursor: page.items.at(-1)?.cursor ?? null,
        }),
      }),
    }),
  });
  return ref;
}
