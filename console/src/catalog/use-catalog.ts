import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { useLiveQuery } from '../api/use-live-query.ts';
import { CatalogDocument, type CatalogQuery } from '../generated/documents.ts';
import { type Rest, restOf } from './catalog-pages.ts';

const NO_REST: Rest<CatalogQuery, CombinedError> = { pages: [], isWhole: false, error: undefined };

/**
 * All Services, Secrets and templates. The first page of each is there at once; the others follow,
 * and those that were read before stay until then.
 */
export function useCatalog(everyMs = 0): {
  readonly data: CatalogQuery | undefined;
  /** Whether all pages are there. */
  readonly isWhole: boolean;
  readonly error: CombinedError | undefined;
  again(): void;
} {
  const client = useClient();
  const [{ data: first, error }, again] = useLiveQuery({
    query: CatalogDocument,
    variables: {},
    everyMs,
  });
  const [rest, setRest] = useState(NO_REST);
  // An equal first page may be the same object, and the rest is read again all the same.
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` reads it again
  useEffect(() => {
    if (first === undefined) return;
    let isOver = false;
    const read = (after: object) =>
      client.query(CatalogDocument, after, { requestPolicy: 'network-only' }).toPromise();
    void restOf<CatalogQuery, CombinedError>(first, read).then((found) => {
      if (!isOver) setRest(found);
    });
    return () => {
      isOver = true;
    };
  }, [client, first, round]);
  const data = useMemo(
    () => (first === undefined ? undefined : rest.pages.reduce(joined, first)),
    [first, rest],
  );
  return {
    data,
    isWhole: rest.isWhole,
    error: error ?? rest.error,
    again() {
      setRound((before) => before + 1);
      again();
    },
  };
}

/** Two pages as one. An object may have moved from one to the other, and an empty list has no
 * cursor to go on from. */
function joined(before: CatalogQuery, page: CatalogQuery): CatalogQuery {
  return {
    ...before,
    services: { ...before.services, nodes: unique(before.services.nodes, page.services.nodes) },
    secrets: { ...before.secrets, nodes: unique(before.secrets.nodes, page.secrets.nodes) },
    serviceTemplates: {
      ...before.serviceTemplates,
      nodes: unique(before.serviceTemplates.nodes, page.serviceTemplates.nodes),
    },
    toolTemplates: {
      ...before.toolTemplates,
      nodes: unique(before.toolTemplates.nodes, page.toolTemplates.nodes),
    },
  };
}

function unique<Node extends { readonly id: string }>(
  before: readonly Node[],
  after: readonly Node[],
): Node[] {
  const ids = new Set(before.map(({ id }) => id));
  return [...before, ...after.filter(({ id }) => !ids.has(id))];
}
