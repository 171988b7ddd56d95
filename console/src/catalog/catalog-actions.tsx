import {
  IconCopy,
  IconDots,
  IconFlask,
  IconPencil,
  IconPlus,
  IconPower,
  IconShare,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useLocation } from 'wouter';
import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';
import {
  type CatalogQuery,
  type CatalogToolsQuery,
  CreateServiceDocument,
  CreateServiceTemplateDocument,
  CreateToolTemplateDocument,
  DeleteSecretDocument,
  DeleteServiceDocument,
  DeleteServiceTemplateDocument,
  DeleteToolDocument,
  DeleteToolTemplateDocument,
  ToolPageDocument,
  UpdateServiceDocument,
  UpdateServiceTemplateDocument,
  UpdateToolDocument,
  UpdateToolTemplateDocument,
  ViewerDocument,
} from '../generated/documents.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { RenameDialog } from '../ui/rename-dialog.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { DeleteUsed } from './delete-used.tsx';
import type { Template } from './from-template.tsx';
import { draftOf, operationOf } from './operation-draft.ts';
import { SecretTest } from './secret-test.tsx';

export type Tool = CatalogToolsQuery['tools']['nodes'][number];
export type Service = CatalogQuery['services']['nodes'][number];
type Secret = CatalogQuery['secrets']['nodes'][number];

/** The object of a dialog that is open. */
type Asked =
  | { readonly kind: 'delete tool'; readonly of: Tool }
  | { readonly kind: 'delete service'; readonly of: Service }
  | { readonly kind: 'delete secret'; readonly of: Secret }
  | { readonly kind: 'test secret'; readonly of: Secret }
  | { readonly kind: 'delete template'; readonly of: Template }
  | { readonly kind: 'rename service'; readonly of: Service }
  | { readonly kind: 'copy service'; readonly of: Service };

/** Whether the viewer may change an object: its owner, and admins for what ships. */
export function useMayChange(): (ownerId: string) => boolean {
  const [{ data }] = useQuery({ query: ViewerDocument });
  const viewer = data?.viewer;
  return (ownerId) =>
    viewer !== undefined &&
    (ownerId === viewer.id || (ownerId === SYSTEM_USER_ID && viewer.roles.includes('ADMIN')));
}

/** The menus of the rows of the catalog, and the dialogs that they open. */
export function useCatalogActions({
  again,
  onChangeSecret,
}: {
  readonly again: () => void;
  readonly onChangeSecret: (secret: Secret) => void;
}) {
  const [, go] = useLocation();
  const client = useClient();
  const mayChange = useMayChange();
  const [asked, setAsked] = useState<Asked | null>(null);
  const updateTool = useChange(UpdateToolDocument);
  const makeToolTemplate = useChange(CreateToolTemplateDocument);
  const updateService = useChange(UpdateServiceDocument);
  const createService = useChange(CreateServiceDocument);
  const makeServiceTemplate = useChange(CreateServiceTemplateDocument);
  const updateServiceTemplate = useChange(UpdateServiceTemplateDocument);
  const updateToolTemplate = useChange(UpdateToolTemplateDocument);
  const close = () => setAsked(null);
  const after = (done: unknown, text: string) => {
    if (done === null) return;
    notify(text);
    setAsked(null);
    again();
  };

  const toolMenu = (tool: Tool) => {
    const { id, name, enabled, shared } = tool;
    const isOwn = mayChange(tool.owner.id);
    return (
      <RowMenu name={name}>
        {isOwn ? (
          <Item icon={IconPencil} onSelect={() => go(`/catalog/tools/${id}/edit`)}>
            Change or rename
          </Item>
        ) : null}
        <Item icon={IconCopy} onSelect={() => go(`/catalog/tools/new?from=${id}`)}>
          {isOwn ? 'Duplicate' : 'Copy as my own'}
        </Item>
        <Item
          icon={IconTemplate}
          onSelect={async () => {
            const { data } = await client
              .query(ToolPageDocument, { id }, { requestPolicy: 'network-only' })
              .toPromise();
            if (data?.tool == null) return;
            const { description, inputSchema, outputSchema, operation } = data.tool;
            const input = {
              name,
              description,
              inputSchema,
              outputSchema,
              operation: operationOf(draftOf(operation)),
            };
            after(await makeToolTemplate.send({ input }), `Made the template ${name}.`);
          }}
        >
          Make a template of it
        </Item>
        {isOwn ? (
          <Toggles
            enabled={enabled}
            shared={shared}
            onSet={async (change, text) =>
              after(await updateTool.send({ input: { id, ...change } }), `${name} ${text}.`)
            }
            onDelete={() => setAsked({ kind: 'delete tool', of: tool })}
          />
        ) : null}
      </RowMenu>
    );
  };
  const serviceMenu = (service: Service) => {
    const { id, name, description, enabled, shared } = service;
    const { type, protocol, connectionSchema, requiresSecret } = service;
    return (
      <RowMenu name={name}>
        <Item icon={IconPlus} onSelect={() => go(`/catalog/tools/new?service=${id}`)}>
          New Tool on it
        </Item>
        {mayChange(service.owner.id) ? (
          <Item
            icon={IconPencil}
            onSelect={() => setAsked({ kind: 'rename service', of: service })}
          >
            Rename
          </Item>
        ) : null}
        <Item icon={IconCopy} onSelect={() => setAsked({ kind: 'copy service', of: service })}>
          {mayChange(service.owner.id) ? 'Duplicate' : 'Copy as my own'}
        </Item>
        <Item
          icon={IconTemplate}
          onSelect={async () => {
            const input = { name, description, type, protocol, connectionSchema, requiresSecret };
            after(await makeServiceTemplate.send({ input }), `Made the template ${name}.`);
          }}
        >
          Make a template of it
        </Item>
        {mayChange(service.owner.id) ? (
          <Toggles
            enabled={enabled}
            shared={shared}
            onSet={async (change, text) =>
              after(await updateService.send({ input: { id, ...change } }), `${name} ${text}.`)
            }
            onDelete={() => setAsked({ kind: 'delete service', of: service })}
          />
        ) : null}
      </RowMenu>
    );
  };
  const secretMenu = (secret: Secret) => (
    <RowMenu name={secret.name}>
      <Item icon={IconPencil} onSelect={() => onChangeSecret(secret)}>
        Rename, or replace the value
      </Item>
      <Item icon={IconFlask} onSelect={() => setAsked({ kind: 'test secret', of: secret })}>
        Test
      </Item>
      <MenuLine />
      <Item icon={IconTrash} onSelect={() => setAsked({ kind: 'delete secret', of: secret })}>
        Delete
      </Item>
    </RowMenu>
  );
  const templateMenu = (template: Template) => {
    const { kind, id, name, shared } = template;
    const update = kind === 'service' ? updateServiceTemplate : updateToolTemplate;
    return mayChange(template.ownerId) ? (
      <RowMenu name={name}>
        <Toggles
          shared={shared}
          onSet={async (change, text) =>
            after(await update.send({ input: { id, ...change } }), `${name} ${text}.`)
          }
          onDelete={() => setAsked({ kind: 'delete template', of: template })}
        />
      </RowMenu>
    ) : null;
  };

  const dialog = ((): ReactNode => {
    if (asked === null) return null;
    if (asked.kind === 'rename service' || asked.kind === 'copy service') {
      const { id, name, description } = asked.of;
      const { type, protocol, connectionSchema, requiresSecret } = asked.of;
      const isCopy = asked.kind === 'copy service';
      return (
        <RenameDialog
          title={isCopy ? `Copy ${name}` : `Rename ${name}`}
          name={isCopy ? `${name} (copy)` : name}
          description={description ?? ''}
          action={isCopy ? 'Make the copy' : 'Save'}
          change={isCopy ? createService : updateService}
          onClose={close}
          onSave={async (named) => {
            if (!isCopy) {
              const done = await updateService.send({ input: { id, ...named } });
              after(done, `Renamed it to ${named.name}.`);
              return;
            }
            const input = { ...named, type, protocol, connectionSchema, requiresSecret };
            after(await createService.send({ input }), `Made the Service ${named.name}.`);
          }}
        />
      );
    }
    if (asked.kind === 'delete tool') {
      const { id, name } = asked.of;
      return (
        <DeleteUsed
          kind="Tool"
          name={name}
          document={DeleteToolDocument}
          of={{ id }}
          onDeleted={again}
          onClose={close}
        >
          Nothing calls it. The records of past runs stay.
        </DeleteUsed>
      );
    }
    if (asked.kind === 'delete template') {
      const { kind, id, name } = asked.of;
      const document =
        kind === 'service' ? DeleteServiceTemplateDocument : DeleteToolTemplateDocument;
      return (
        <DeleteDialog
          kind="template"
          name={name}
          document={document}
          of={{ id }}
          uses={[]}
          onDeleted={again}
          onClose={close}
        >
          Services and Tools that were copied from it stay.
        </DeleteDialog>
      );
    }
    if (asked.kind === 'test secret')
      return <SecretTest secret={asked.of} onTested={again} onClose={close} />;
    const isService = asked.kind === 'delete service';
    const { id, name } = asked.of;
    return (
      <DeleteUsed
        kind={isService ? 'Service' : 'Secret'}
        name={name}
        document={isService ? DeleteServiceDocument : DeleteSecretDocument}
        of={{ id }}
        onDeleted={again}
        onClose={close}
      >
        {isService ? 'No Tool is on it.' : 'No Tool uses it, and its value is lost.'}
      </DeleteUsed>
    );
  })();
  const problems = [
    updateTool,
    makeToolTemplate,
    ...(asked === null ? [updateService] : []),
    makeServiceTemplate,
    updateServiceTemplate,
    updateToolTemplate,
  ].flatMap((change) => change.problems);
  return { toolMenu, serviceMenu, secretMenu, templateMenu, dialog, problems };
}

/** The menu at the end of a row. */
export function RowMenu({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <Menu
      trigger={
        <IconButton label={`More for ${name}`}>
          <IconDots size={16} className="icon" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}

export function Item({
  icon: Icon,
  onSelect,
  children,
}: {
  readonly icon: typeof IconDots;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon size={15} className="icon" />
      {children}
    </MenuItem>
  );
}

/** Switches of an object of one's own, and its deletion. */
export function Toggles({
  enabled,
  shared,
  onSet,
  onDelete,
}: {
  /** Absent: it has no such switch. */
  readonly enabled?: boolean;
  readonly shared: boolean;
  readonly onSet: (
    change: { readonly enabled?: boolean; readonly shared?: boolean },
    text: string,
  ) => void;
  readonly onDelete: () => void;
}) {
  return (
    <>
      <MenuLine />
      {enabled === undefined ? null : (
        <Item
          icon={IconPower}
          onSelect={() => onSet({ enabled: !enabled }, enabled ? 'is disabled' : 'is enabled')}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Item>
      )}
      <Item
        icon={IconShare}
        onSelect={() => onSet({ shared: !shared }, shared ? 'is yours alone' : 'is shared')}
      >
        {shared ? 'Stop sharing' : 'Share with all users'}
      </Item>
      <MenuLine />
      <Item icon={IconTrash} onSelect={onDelete}>
        Delete
      </Item>
    </>
  );
}
