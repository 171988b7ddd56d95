import type { ComponentProps } from 'react';
import { useQuery } from 'urql';
import { CatalogUsesDocument, type CatalogUsesQuery } from '../generated/documents.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { Loading, PartFault } from '../ui/states.tsx';

type Asking = ComponentProps<typeof DeleteDialog>;

/** Asks before a Tool, Service or Secret is deleted, with what needs it at this moment. */
export function DeleteUsed(
  props: Omit<Asking, 'uses' | 'usesTotal' | 'unread' | 'of'> & { of: { id: string } },
) {
  const [{ data, error, fetching }, read] = useQuery({
    query: CatalogUsesDocument,
    variables: { id: props.of.id },
    // What needed it a while ago would keep it from being deleted.
    requestPolicy: 'network-only',
  });
  const unread =
    fetching || (data === undefined && error === undefined) ? (
      <Loading rows={2} />
    ) : error !== undefined ? (
      <PartFault
        part={`What needs this ${props.kind}`}
        error={error}
        onRetry={() => read({ requestPolicy: 'network-only' })}
      />
    ) : null;
  const { to, list } = usesOf(data?.node);
  return (
    <DeleteDialog
      {...props}
      uses={list.nodes.map((one) => ({ ...one, to: `${to}/${one.id}` }))}
      usesTotal={list.totalCount}
      unread={unread}
    />
  );
}

function usesOf(node: CatalogUsesQuery['node'] | undefined) {
  if (node?.__typename === 'Tool') return { to: '/processes', list: node.usedBy };
  if (node?.__typename === 'Service' || node?.__typename === 'Secret')
    return { to: '/catalog/tools', list: node.tools };
  return { to: '', list: { nodes: [], totalCount: 0 } };
}
