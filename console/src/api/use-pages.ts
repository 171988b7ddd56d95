import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useMemo, useState } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  createRequest,
  type RequestPolicy,
  useClient,
} from 'urql';
import { connection } from './connection.ts';
import { useStore } from './store.ts';
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
  /** Of any page; beside `nodes` it is that of a later one. */
  readonly error: CombinedError | undefined;
  /** The nodes answer the question before: the answer to this one has not come yet. */
  readonly isFormer: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  /** Reads all pages that are shown anew, also after a fault. */
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
 * asked for, or at once where the whole list is wanted, and are read again where the first changed,
 * with `again`, and when the API comes back.
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
  requestPolicy = 'cache-and-network',
}: {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Omit<Variables, 'after'>;
  readonly listOf: (data: Data) => Connection<Node> | undefined;
  readonly everyMs?: number;
  readonly isWhole?: boolean;
  /** Of the first page; later ones are never from the cache. */
  readonly requestPolicy?: RequestPolicy;
}): Pages<Data, Node> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [wanted, setWanted] = useState({ key, pages: 0 });
  const [attempt, setAttempt] = useState(0);
  const [rest, setRest] = useState<Rest<Node> | null>(null);
  const [fault, setFault] = useState<{ readonly key: string; readonly error: CombinedError }>();
  const { returns } = useStore(connection);
  const [state, readFirst] = useLiveQuery({
    query,
    variables: variables as Variables,
    everyMs,
    requestPolicy,
  });
  const data = state.data ?? undefined;
  const request = createRequest(query as TypedDocumentNode<Data, AnyVariables>, variables);
  const isFormer = data !== undefined && state.operation?.key !== request.key;
  const first = data === undefined ? undefined : listOf(data);
  const pages = isWhole ? Number.POSITIVE_INFINITY : wanted.key === key ? wanted.pages : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt`, `returns` read anew
  useEffect(() => {
    if (first === undefined || isFormer) return;
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
        const list = found ? listOf(found) : undefined;
        if (list === undefined && refused !== undefined) return setFault({ key, error: refused });
        // The object whose list it is may have been deleted meanwhile.
        page = list ?? { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } };
        nodes.push(...page.nodes);
      }
      setFault(undefined);
      setRest({ key, pages: count, nodes, hasMore: page.pageInfo.hasNextPage });
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [client, query, listOf, key, first, isFormer, pages, attempt, returns]);

  const loaded = rest?.key === key ? rest : null;
  const nodes = useMemo(() => {
    if (first === undefined || (isWhole && loaded === null)) return undefined;
    // A node may have moved from a later page to the first.
    const ids = new Set(first.nodes.map(({ id }) => id));
    return [...first.nodes, ...(loaded?.nodes ?? []).filter(({ id }) => !ids.has(id))];
  }, [first, loaded, isWhole]);
  const failed = fault?.key === key ? fault.error : undefined;
  const readAnew = () => {
    setFault(undefined);
    setAttempt((before) => before + 1);
  };
  const loadedPages = loaded?.pages ?? 0;
  return {
    data,
    nodes,
    error: state.error ?? failed,
    isFormer,
    hasMore: loaded?.hasMore ?? first?.pageInfo.hasNextPage ?? false,
    isLoadingMore: failed === undefined && !isWhole && first !== undefined && loadedPages < pages,
    loadMore() {
      setWanted({ key, pages: loadedPages + 1 });
      readAnew();
    },
    again() {
      readFirst();
      readAnew();
    },
  };
}
