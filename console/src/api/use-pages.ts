import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { useLiveQuery } from './use-live-query.ts';

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** A page is asked for with the cursor of the one before it. */
interface PageVariables {
  readonly after?: string | null | undefined;
}

export interface Pages<Data, Node> {
  /** The answer with the first page; undefined until it is read. */
  readonly data: Data | undefined;
  /** Undefined until they are read: the first page, or all pages of a whole list. */
  readonly nodes: readonly Node[] | undefined;
  readonly error: CombinedError | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  again(): void;
}

/** Pages after the first, of one question. */
interface Rest<Node> {
  readonly key: string;
  readonly pages: number;
  readonly nodes: readonly Node[];
  readonly hasMore: boolean;
}

/**
 * A list of any length. Its first page is read as a live query; the others follow when they are
 * asked for, or at once where the whole list is wanted, and are read again with the first.
 * @param listOf a function that stays the same
 */
export function usePages<
  Data,
  Variables extends PageVariables,
  Node extends { readonly id: string },
>({
  query,
  variables,
  listOf,
  everyMs = 0,
  isWhole = false,
}: {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Omit<Variables, 'after'>;
  readonly listOf: (data: Data) => Connection<Node> | undefined;
  readonly everyMs?: number;
  readonly isWhole?: boolean;
}): Pages<Data, Node> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [wanted, setWanted] = useState({ key, pages: 0 });
  const [rest, setRest] = useState<Rest<Node> | null>(null);
  const [fault, setFault] = useState<CombinedError>();
  const [{ data, error }, again] = useLiveQuery({
    query,
    variables: variables as Variables,
    everyMs,
  });
  const first = data === undefined ? undefined : listOf(data);
  const pages = isWhole ? Number.POSITIVE_INFINITY : wanted.key === key ? wanted.pages : 0;
  useEffect(() => {
    if (first === undefined) return;
    let isOver = false;
    const read = async () => {
      const nodes: Node[] = [];
      let page: Connection<Node> = first;
      let count = 0;
      for (; page.pageInfo.hasNextPage && count < pages; count++) {
        const next = { ...JSON.parse(key), after: page.pageInfo.endCursor } as Variables;
        const { data: found, error: refused } = await client
          .query(query, next, { requestPolicy: 'network-only' })
          .toPromise();
        if (isOver) return;
        const list = found === undefined ? undefined : listOf(found);
        if (list === undefined) return setFault(refused);
        nodes.push(...list.nodes);
        page = list;
      }
      setFault(undefined);
      setRest({ key, pages: count, nodes, hasMore: page.pageInfo.hasNextPage });
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [client, query, listOf, key, first, pages]);

  const loaded = rest?.key === key ? rest : null;
  const nodes = useMemo(() => {
    if (first === undefined || (isWhole && loaded === null)) return undefined;
    // A node may have moved from a later page to the first.
    const ids = new Set(first.nodes.map(({ id }) => id));
    return [...first.nodes, ...(loaded?.nodes ?? []).filter(({ id }) => !ids.has(id))];
  }, [first, loaded, isWhole]);
  return {
    data,
    nodes,
    error: error ?? fault,
    hasMore: loaded?.hasMore ?? first?.pageInfo.hasNextPage ?? false,
    isLoadingMore: fault === undefined && !isWhole && loaded !== null && loaded.pages < pages,
    loadMore: () => setWanted({ key, pages: (loaded?.pages ?? 0) + 1 }),
    again,
  };
}
