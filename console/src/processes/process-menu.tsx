import { IconCopy, IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePages } from '../api/use-pages.ts';
import { Item, RowMenu, Toggles, useMayChange } from '../catalog/catalog-actions.tsx';
import {
  DeleteProcessDocument,
  ProcessUsesDocument,
  type ProcessUsesQuery,
  SaveProcessDocument,
} from '../generated/documents.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly shared: boolean;
  readonly exposeAsTool: boolean;
  readonly owner: { readonly id: string };
}

/** What can be done with a Process as a whole. */
export function ProcessMenu({
  process,
  again,
  onDelete,
}: {
  readonly process: Named;
  readonly again: () => void;
  /** Called when its deletion was asked for. */
  readonly onDelete?: () => void;
}) {
  const { id, name, enabled, shared, exposeAsTool, owner } = process;
  const [, go] = useLocation();
  const mayChange = useMayChange();
  const isOwn = mayChange(owner.id);
  const [isDeleting, setDeleting] = useState(false);
  const update = useChange(SaveProcessDocument);
  const set = async (change: object, text: string) => {
    const done = await update.send({ input: { id, ...change } });
    if (done === null) return;
    notify(`${name} ${text}.`);
    again();
  };
  return (
    <>
      <RowMenu name={name}>
        <Item icon={IconCopy} onSelect={() => go(`/processes/new?from=${id}`)}>
          {isOwn ? 'Duplicate' : 'Copy as my own'}
        </Item>
        {isOwn ? (
          <>
            <Item
              icon={IconPlugConnected}
              onSelect={() =>
                void set(
                  { exposeAsTool: !exposeAsTool },
                  exposeAsTool ? 'is offered no more' : 'is offered as a tool',
                )
              }
            >
              {exposeAsTool ? 'Offer to MCP clients no more' : 'Offer to MCP clients'}
            </Item>
            <Toggles
              enabled={enabled}
              shared={shared}
              onSet={(change, text) => void set(change, text)}
              onDelete={() => setDeleting(true)}
            />
          </>
        ) : null}
      </RowMenu>
      <Dialog
        title={`${name} was not changed`}
        isOpen={update.problems.length > 0}
        onClose={update.clear}
      >
        <Problems problems={update.problems} />
      </Dialog>
      {isDeleting ? (
        <DeleteProcess
          process={process}
          onClose={() => setDeleting(false)}
          onAsked={onDelete}
          onDeleted={again}
        />
      ) : null}
    </>
  );
}

const processesOf = ({ processes }: ProcessUsesQuery) => processes;

function DeleteProcess({
  process: { id, name },
  ...rest
}: {
  readonly process: Named;
  readonly onClose: () => void;
  readonly onAsked: (() => void) | undefined;
  readonly onDeleted: () => void;
}) {
  const { data, nodes, error } = usePages({
    query: ProcessUsesDocument,
    variables: { id },
    listOf: processesOf,
    isWhole: true,
    // Callers that are gone would keep it from being deleted.
    requestPolicy: 'network-only',
  });
  if (nodes === undefined && error === undefined) return null;
  // Without them the API still refuses, with their number.
  const callers = (nodes ?? []).filter(
    (one) =>
      one.id !== id &&
      // A model of a step may be offered it as a tool.
      one.steps.some(({ target, tools }) =>
        [target, ...tools.map((tool) => tool.target)].some(
          (called) => called.__typename === 'Process' && called.id === id,
        ),
      ),
  );
  const schedules = data?.process?.schedules ?? [];
  const runs = data?.process?.runs.nodes ?? [];
  return (
    <DeleteDialog
      kind="Process"
      name={name}
      document={DeleteProcessDocument}
      of={{ id }}
      uses={[
        ...callers.map((one) => ({ id: one.id, name: one.name, to: `/processes/${one.id}` })),
        ...schedules.map((one) => ({
          id: one.id,
          name: `The schedule ${one.cron}`,
          to: `/processes/${id}?view=schedules`,
        })),
        ...runs.map((one) => ({
          id: one.id,
          name: 'A run in progress',
          to: `/runs/${one.id}`,
        })),
      ]}
      {...rest}
    >
      All its versions go. The records of its finished runs stay.
    </DeleteDialog>
  );
}
