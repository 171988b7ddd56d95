import { useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';
import {
  type CatalogQuery,
  CreateToolDocument,
  UpdateToolDocument,
} from '../generated/documents.ts';
import { isSame } from '../runs/compare-runs.ts';
import { Section } from '../runs/section.tsx';
import { Check, Choice, namesOf, TextInput } from '../ui/field.tsx';
import { KeptNotice } from '../ui/kept-notice.tsx';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { unsaved } from '../ui/leaving.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading, PartFault, Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import { useMayChange } from './catalog-actions.tsx';
import { type Connection, ConnectionFields } from './connection-fields.tsx';
import { type FieldList, fieldsOf, newField, schemaOf } from './field-list.ts';
import {
  draftOf,
  emptyOperation,
  type OperationDraft,
  operationOf,
  variablesOf,
} from './operation-draft.ts';
import { OperationFields } from './operation-fields.tsx';
import { FieldRows, OutputSchema } from './schema-fields.tsx';
import { SecretForm } from './secret-form.tsx';
import { ServiceForm } from './service-form.tsx';
import { ToolCallers } from './tool-callers.tsx';
import { useCatalog } from './use-catalog.ts';
import { type StoredTool as Tool, useStoredTool } from './use-stored-tool.ts';

/** The fields of a Service that the form needs; those of a Tool's own Service come with it. */
type Service = Tool['service'];
type Secret = CatalogQuery['secrets']['nodes'][number];

const CRUMB = { label: 'Catalog', to: '/catalog' };

/** The form of a Tool; a new one without an id: `?from=` copies one, `?service=` is its Service. */
export function ToolForm({ id }: { readonly id?: string }) {
  const [search] = useSearchParams();
  const isEdit = id !== undefined;
  const toolId = id ?? search.get('from');
  const { data, isWhole, error, again } = useCatalog();
  const stored = useStoredTool(toolId);
  const tool = toolId === null ? null : stored.opened?.tool;
  const failed = error ?? stored.error;
  const wantedId = search.get('service');
  const mayChange = useMayChange();
  // One's own Services first; those that ship come last.
  const ownFirst = (data?.services.nodes ?? []).toSorted(
    (left, right) => rankOf(left, mayChange) - rankOf(right, mayChange),
  );
  const services = tool == null ? ownFirst : withService(ownFirst, tool.service);
  const isThere =
    tool !== null || wantedId === null || isWhole || services.some(({ id }) => id === wantedId);
  const readAll = async () => {
    again();
    if (toolId === null || tool !== undefined) return;
    const found = await stored.read();
    if (found !== null) stored.show(found.tool, true);
  };
  return (
    <Page
      title={isEdit ? 'Change the Tool' : 'New Tool'}
      crumbs={[
        CRUMB,
        ...(isEdit && tool != null ? [{ label: tool.name, to: `/catalog/tools/${tool.id}` }] : []),
      ]}
    >
      <div className="page-body pad">
        {failed !== undefined && (data === undefined || tool === undefined || !isThere) ? (
          <Fault error={failed} onRetry={() => void readAll()} />
        ) : data === undefined || tool === undefined || !isThere ? (
          <Loading rows={8} />
        ) : toolId !== null && tool === null ? (
          <Empty icon={null} title="No such Tool">
            It was deleted, or is not shared with you.
          </Empty>
        ) : services.length === 0 ? (
          <Empty icon={null} title="Make a Service first">
            A Tool is one operation of a Service.
          </Empty>
        ) : (
          <Fields
            key={tool === null ? 'new' : `${tool.id} ${stored.opened?.round}`}
            tool={tool}
            services={services}
            secrets={data.secrets.nodes}
            serviceId={wantedId}
            isEdit={isEdit}
            again={again}
            stored={stored}
          />
        )}
      </div>
    </Page>
  );
}

/** The fields of the form as they are typed. */
interface Typed {
  readonly name: string;
  readonly description: string;
  readonly serviceId: string;
  readonly connection: Connection;
  /** Place of the Secret in a call; empty: the usual one. */
  readonly scope: string;
  readonly operation: OperationDraft;
  readonly declared: FieldList;
  /** Null while the text is no JSON object. */
  readonly output: Record<string, unknown> | null;
  /** Null: as is usual for the operation. */
  readonly isMutating: boolean | null;
  /** The last change of the Tool that a person knows of here; a later one is a conflict. */
  readonly base: string | null;
}

function Fields({
  tool,
  services,
  secrets,
  serviceId,
  isEdit,
  again,
  stored,
}: {
  readonly tool: Tool | null;
  readonly services: readonly Service[];
  readonly secrets: readonly Secret[];
  readonly serviceId: string | null;
  readonly isEdit: boolean;
  readonly again: () => void;
  readonly stored: ReturnType<typeof useStoredTool>;
}) {
  const [, go] = useLocation();
  const kept = useKept<Typed>(`tool ${isEdit} ${tool?.id ?? 'new'}`, () => {
    const wanted = services.find(({ id }) => id === serviceId) ?? services[0];
    return typedOf(tool, tool?.service ?? wanted, isEdit);
  });
  const { name, description, connection, scope, operation, declared, output } = kept.value;
  const set = (change: Partial<Typed>) => kept.set({ ...kept.value, ...change });
  const service = services.find(({ id }) => id === kept.value.serviceId);
  const usual = mutatesByDefault(operation);
  const isMutating = kept.value.isMutating ?? usual;
  const [isNewService, setNewService] = useState(false);
  const [isNewSecret, setNewSecret] = useState(false);
  // The form itself fills in defaults.
  const [isTouched, setTouched] = useState(false);
  const create = useChange(CreateToolDocument);
  const update = useChange(UpdateToolDocument);
  const isSending = create.isSending || update.isSending;
  const isConflict = update.problems.some(({ code }) => code === 'CONFLICT');
  const inputs = useMemo(() => withVariables(declared, operation), [declared, operation]);
  const isKept = hasOtherInputs(tool);
  const called = calledPart(kept.value, tool);
  const begun = tool === null ? null : calledPart(typedOf(tool, service, isEdit), tool);
  const change =
    tool === null || !isEdit || isSame(called, begun) ? null : called && { id: tool.id, ...called };

  const choose = (id: string) => {
    const next = services.find((one) => one.id === id);
    const isOther = next !== undefined && next.type !== operation.type;
    set({
      serviceId: id,
      connection: { ...connection, params: {} },
      ...(isOther ? { operation: emptyOperation(next.type) } : {}),
    });
  };
  /** What was chosen at a conflict, until the Tool is read for it. */
  const [asked, setAsked] = useState<'theirs' | 'mine' | null>(null);
  /** Whether saving writes over the change of another. */
  const [isOver, setOver] = useState(false);
  const settle = async (choice: 'theirs' | 'mine') => {
    setAsked(choice);
    const found = await stored.read();
    // What is typed stays until the other one is there.
    if (found === null) return;
    setAsked(null);
    update.clear();
    if (choice === 'theirs' || found.tool === null) {
      if (found.tool !== null) kept.drop();
      stored.show(found.tool, true);
      return;
    }
    const { updatedAt } = found.tool;
    kept.set((typed) => ({ ...typed, base: updatedAt }));
    setOver(true);
    stored.show(found.tool, false);
  };
  const forget = () => {
    kept.drop();
    unsaved.set(false);
  };
  const send = async (params: Record<string, unknown>) => {
    if (called === undefined || isSending) return;
    const fields = {
      name,
      connectionParams: params,
      ...called,
      mutating: isMutating,
      ...(connection.secretId === null || scope === '' ? {} : { secretScope: scope }),
    };
    if (isEdit && tool !== null) {
      const hadSecret = tool.secret != null || connection.secretId !== null;
      const done = await update.send({
        input: {
          id: tool.id,
          expectedUpdatedAt: kept.value.base,
          ...fields,
          description: description === '' ? null : description,
          ...(hadSecret ? { secretId: connection.secretId } : {}),
        },
      });
      if (done === null) return;
      forget();
      notify(`Changed the Tool ${name}.`);
      go(`/catalog/tools/${tool.id}`);
      return;
    }
    const done = await create.send({
      input: {
        ...fields,
        serviceId: kept.value.serviceId,
        ...(description === '' ? {} : { description }),
        ...(connection.secretId === null ? {} : { secretId: connection.secretId }),
      },
    });
    const id = done?.createTool.tool?.id;
    if (id === undefined) return;
    forget();
    notify(`Made the Tool ${name}. Try it here.`);
    go(`/catalog/tools/${id}`);
  };

  return (
    <div className="form-page col gap-24" onInput={() => setTouched(true)}>
      <KeptNotice kept={kept} />
      <LeaveDialog
        isUnsaved={kept.isChanged && (isTouched || kept.isBack)}
        note="This browser can keep what you typed until you come back."
      >
        {(leave) => (
          <>
            <button type="button" className="button primary" onClick={leave}>
              Keep it
            </button>
            <button
              type="button"
              className="button danger"
              onClick={() => {
                kept.drop();
                leave();
              }}
            >
              Drop it
            </button>
          </>
        )}
      </LeaveDialog>
      {isNewService ? <ServiceForm onClose={() => setNewService(false)} onDone={again} /> : null}
      {isNewSecret ? (
        <SecretForm secret={null} onClose={() => setNewSecret(false)} onDone={again} />
      ) : null}
      <div className="col gap-12">
        <TextInput
          label="Name"
          note="At most 200 characters. Steps find it by this name."
          docs="tool"
          value={name}
          onSet={(text) => set({ name: text })}
        />
        <TextInput
          label="Description (may be left out)"
          note="Models that may call it choose by this text."
          docs="tool"
          value={description}
          onSet={(text) => set({ description: text })}
        />
        <Choice
          label="Service"
          note={isEdit ? 'A Tool stays on its Service.' : 'The place that it calls.'}
          docs="service"
          all={namesOf(services)}
          value={kept.value.serviceId}
          isDisabled={isEdit}
          onSet={choose}
        />
        {isEdit ? null : (
          <span>
            <button type="button" className="button tiny" onClick={() => setNewService(true)}>
              New Service
            </button>
          </span>
        )}
      </div>
      {service === undefined ? null : (
        <Section title="Connection">
          <div className="col gap-12">
            <ConnectionFields
              key={service.id}
              id="connection"
              schema={service.connectionSchema}
              secrets={secrets}
              value={connection}
              onChange={(next) => set({ connection: next })}
              onSubmit={(params) => void send(params)}
            />
            {connection.secretId === null ? (
              <span>
                <button type="button" className="button tiny" onClick={() => setNewSecret(true)}>
                  New Secret
                </button>
              </span>
            ) : (
              <ScopeField scope={scope} onChange={(next) => set({ scope: next })} />
            )}
          </div>
        </Section>
      )}
      <Section title="Call">
        <div className="col gap-12">
          <OperationFields value={operation} onChange={(next) => set({ operation: next })} />
          <Check
            label="A call may change data"
            note={`Such a Tool is called by Processes only, and once: a failure is not repeated
              unless the step says so.`}
            docs="tool"
            isOn={isMutating}
            onSet={(isOn) => set({ isMutating: isOn })}
          />
        </div>
      </Section>
      <Section title="Inputs">
        {isKept ? (
          <p className="dim small">Its schema is no list of fields, and stays as it is.</p>
        ) : (
          <FieldRows
            label="Inputs of the Tool"
            note="What a call has to give, by name and type. A value of another type is refused."
            docs="tool"
            noun="input"
            list={inputs}
            onChange={(next) => set({ declared: next })}
          />
        )}
      </Section>
      <Section title="Output">
        <OutputSchema schema={output ?? {}} onChange={(next) => set({ output: next })} />
        {output === null ? (
          <p className="small" role="alert">
            This is not a JSON object yet.
          </p>
        ) : null}
      </Section>
      <ToolCallers change={change} refused={update.problems} />
      <Problems problems={[...create.problems, ...update.problems]} />
      {asked !== null && stored.error !== undefined ? (
        <PartFault
          part="The Tool as it is now"
          error={stored.error}
          onRetry={() => void settle(asked)}
        />
      ) : null}
      {isConflict ? (
        <div className="row">
          <button type="button" className="button" onClick={() => void settle('theirs')}>
            Show the new one
          </button>
          <button type="button" className="button" onClick={() => void settle('mine')}>
            Keep mine
          </button>
        </div>
      ) : null}
      {isOver && !isConflict ? (
        <p className="small dim" role="status">
          Saving writes over that change. One that is made after it is asked about again.
        </p>
      ) : null}
      <div className="row">
        <button
          type="submit"
          form="connection"
          className="button primary"
          aria-busy={isSending}
          disabled={name.trim() === '' || service === undefined || output === null || isSending}
        >
          {isEdit ? 'Save' : 'Make the Tool'}
        </button>
      </div>
    </div>
  );
}

/** The fields of the form as a Tool has them, its copy, or none. */
function typedOf(tool: Tool | null, service: Service | undefined, isEdit: boolean): Typed {
  return {
    name: tool === null ? '' : isEdit ? tool.name : `${tool.name} (copy)`,
    description: tool?.description ?? '',
    serviceId: service?.id ?? '',
    connection: {
      params: { ...tool?.connectionParams },
      secretId: tool?.secret?.id ?? null,
    },
    scope: tool?.secretScope ?? '',
    operation:
      tool === null ? emptyOperation(service?.type ?? 'REST_API') : draftOf(tool.operation),
    declared: fieldsOf(tool?.inputSchema ?? {}) ?? { fields: [], rest: {} },
    output: { ...tool?.outputSchema },
    isMutating:
      tool === null || tool.mutating === mutatesByDefault(draftOf(tool.operation))
        ? null
        : tool.mutating,
    base: isEdit && tool !== null ? tool.updatedAt : null,
  };
}

/** An input schema that is no list of fields stays as it is. */
function hasOtherInputs(tool: Tool | null): tool is Tool {
  return tool !== null && fieldsOf(tool.inputSchema) === null;
}

/** The part of the input that steps depend on; undefined while the output is no JSON object. */
function calledPart({ operation, declared, output }: Typed, tool: Tool | null) {
  if (output === null) return undefined;
  return {
    operation: operationOf(operation),
    inputSchema: hasOtherInputs(tool)
      ? tool.inputSchema
      : schemaOf(withVariables(declared, operation)),
    outputSchema: output,
  };
}

/** The Services with that of a Tool, which may stand on a later page or belong to another user. */
function withService(services: readonly Service[], own: Service): readonly Service[] {
  return services.some(({ id }) => id === own.id) ? services : [own, ...services];
}

type Listed = CatalogQuery['services']['nodes'][number];

function rankOf({ owner, type }: Listed, mayChange: (ownerId: string) => boolean): number {
  // Tools of users cannot be on the database of the installation.
  if (owner.id === SYSTEM_USER_ID) return type === 'NEO4J_GRAPH' ? 3 : 2;
  return mayChange(owner.id) ? 0 : 1;
}

function mutatesByDefault(operation: OperationDraft): boolean {
  if (operation.type === 'REST_API')
    return operation.method !== 'GET' && operation.method !== 'HEAD';
  if (operation.type === 'NEO4J_GRAPH') return operation.isWriting;
  return operation.type === 'MCP_SERVER';
}

/** The declared inputs, and those that only the texts of the operation name. */
function withVariables(list: FieldList, operation: OperationDraft): FieldList {
  const known = new Set(list.fields.map(({ name }) => name));
  const others = variablesOf(operation).filter((name) => !known.has(name));
  return { ...list, fields: [...list.fields, ...others.map(newField)] };
}

const SCOPES = {
  '': 'As is usual for this Service',
  bearer: 'Bearer token in Authorization',
  basic: 'Basic, as user:password',
  header: 'In a header of its own',
  query: 'In a query parameter',
} as const;

/** The place of the Secret in a call. */
function ScopeField({
  scope,
  onChange,
}: {
  readonly scope: string;
  readonly onChange: (scope: string) => void;
}) {
  const [kind = '', name = ''] = scope.split(/:(.*)/s);
  const isNamed = kind === 'header' || kind === 'query';
  return (
    <div className="row top">
      <Choice<string>
        label="The Secret goes along"
        note="The place of its value in a call."
        docs="secretPlace"
        all={Object.hasOwn(SCOPES, kind) ? SCOPES : { ...SCOPES, [kind]: scope }}
        value={kind}
        onSet={(next) => onChange(next === 'header' || next === 'query' ? `${next}:${name}` : next)}
      />
      {isNamed ? (
        <div className="grow">
          <TextInput
            label={kind === 'header' ? 'Name of the header' : 'Name of the parameter'}
            note="As the API names it."
            docs="secretPlace"
            isMono
            placeholder={kind === 'header' ? 'x-api-key' : 'api_key'}
            value={name}
            onSet={(text) => onChange(`${kind}:${text.trim()}`)}
          />
        </div>
      ) : null}
    </div>
  );
}
