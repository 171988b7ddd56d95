import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import {
  CatalogDocument,
  type CatalogQuery,
  CreateToolDocument,
  ToolPageDocument,
  type ToolPageQuery,
  UpdateToolDocument,
} from '../generated/documents.ts';
import { Section } from '../runs/section.tsx';
import { Field } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading, Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
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

type Tool = NonNullable<ToolPageQuery['tool']>;
type Service = CatalogQuery['services']['nodes'][number];

const CRUMB = { label: 'Catalog', to: '/catalog' };

/** The form of a Tool; a new one without an id: `?from=` copies one, `?service=` is its Service. */
export function ToolForm({ id }: { readonly id?: string }) {
  const [search] = useSearchParams();
  const isEdit = id !== undefined;
  const toolId = id ?? search.get('from');
  const [{ data, error }, again] = useQuery({ query: CatalogDocument, variables: {} });
  const [{ data: found, error: fault }] = useQuery({
    query: ToolPageDocument,
    variables: { id: toolId ?? '' },
    pause: toolId === null,
  });
  const tool = toolId === null ? null : found?.tool;
  const failed = error ?? fault;
  return (
    <Page
      title={isEdit ? 'Change the Tool' : 'New Tool'}
      crumbs={[
        CRUMB,
        ...(isEdit && tool != null ? [{ label: tool.name, to: `/catalog/tools/${tool.id}` }] : []),
      ]}
    >
      <div className="page-body pad">
        {failed !== undefined && (data === undefined || tool === undefined) ? (
          <Fault error={failed} onRetry={again} />
        ) : data === undefined || tool === undefined ? (
          <Loading rows={8} />
        ) : toolId !== null && tool === null ? (
          <Empty icon={null} title="No such Tool">
            It was deleted, or is not shared with you.
          </Empty>
        ) : data.services.nodes.length === 0 ? (
          <Empty icon={null} title="Make a Service first">
            A Tool is one operation of a Service.
          </Empty>
        ) : (
          <Fields
            key={tool?.id ?? 'new'}
            tool={tool}
            services={data.services.nodes}
            secrets={data.secrets.nodes}
            serviceId={search.get('service')}
            isEdit={isEdit}
          />
        )}
      </div>
    </Page>
  );
}

function Fields({
  tool,
  services,
  secrets,
  serviceId,
  isEdit,
}: {
  readonly tool: Tool | null;
  readonly services: readonly Service[];
  readonly secrets: CatalogQuery['secrets']['nodes'];
  readonly serviceId: string | null;
  readonly isEdit: boolean;
}) {
  const [, go] = useLocation();
  const [name, setName] = useState(tool === null ? '' : isEdit ? tool.name : `${tool.name} (copy)`);
  const [description, setDescription] = useState(tool?.description ?? '');
  const [chosen, setChosen] = useState(tool?.service.id ?? serviceId ?? services[0]?.id ?? '');
  const service = services.find(({ id }) => id === chosen);
  const [connection, setConnection] = useState<Connection>({
    params: { ...tool?.connectionParams },
    secretId: tool?.secret?.id ?? null,
  });
  const [scope, setScope] = useState(tool?.secretScope ?? '');
  const [operation, setOperation] = useState<OperationDraft>(() =>
    tool === null ? emptyOperation(service?.type ?? 'REST_API') : draftOf(tool.operation),
  );
  const [declared, setDeclared] = useState<FieldList>(
    () => fieldsOf(tool?.inputSchema ?? {}) ?? { fields: [], rest: {} },
  );
  const [output, setOutput] = useState<Record<string, unknown> | null>({ ...tool?.outputSchema });
  const usual = mutatesByDefault(operation);
  const [isMutating, setMutating] = useState<boolean | null>(
    tool === null || tool.mutating === usual ? null : tool.mutating,
  );
  const create = useChange(CreateToolDocument);
  const update = useChange(UpdateToolDocument);
  const isSending = create.isSending || update.isSending;
  const inputs = useMemo(() => withVariables(declared, operation), [declared, operation]);
  // An input schema that is no list of fields stays as it is.
  const isKept = tool !== null && fieldsOf(tool.inputSchema) === null;

  const choose = (id: string) => {
    const next = services.find((one) => one.id === id);
    setChosen(id);
    setConnection({ ...connection, params: {} });
    if (next !== undefined && next.type !== operation.type) setOperation(emptyOperation(next.type));
  };
  const send = async (params: Record<string, unknown>) => {
    if (output === null || isSending) return;
    const fields = {
      name,
      connectionParams: params,
      operation: operationOf(operation),
      inputSchema: isKept ? tool.inputSchema : schemaOf(inputs),
      outputSchema: output,
      mutating: isMutating ?? usual,
      ...(connection.secretId === null || scope === '' ? {} : { secretScope: scope }),
    };
    if (isEdit && tool !== null) {
      const hadSecret = tool.secret != null || connection.secretId !== null;
      const done = await update.send({
        input: {
          id: tool.id,
          ...fields,
          description: description === '' ? null : description,
          ...(hadSecret ? { secretId: connection.secretId } : {}),
        },
      });
      if (done === null) return;
      notify(`Changed the Tool ${name}.`);
      go(`/catalog/tools/${tool.id}`);
      return;
    }
    const done = await create.send({
      input: {
        ...fields,
        serviceId: chosen,
        ...(description === '' ? {} : { description }),
        ...(connection.secretId === null ? {} : { secretId: connection.secretId }),
      },
    });
    const id = done?.createTool.tool?.id;
    if (id === undefined) return;
    notify(`Made the Tool ${name}. Try it here.`);
    go(`/catalog/tools/${id}`);
  };

  return (
    <div className="form-page col gap-24">
      <div className="col gap-12">
        <Field id="tool-name" label="Name">
          <input
            id="tool-name"
            className="input"
            dir="auto"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field id="tool-description" label="Description (may be left out)">
          <input
            id="tool-description"
            className="input"
            dir="auto"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
          <span className="small faint">Models that may call it choose by this text.</span>
        </Field>
        <Field id="tool-service" label="Service">
          <select
            id="tool-service"
            className="input"
            value={chosen}
            disabled={isEdit}
            onChange={({ target }) => choose(target.value)}
          >
            {services.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
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
              onChange={setConnection}
              onSubmit={(params) => void send(params)}
            />
            {connection.secretId === null ? null : <ScopeField scope={scope} onChange={setScope} />}
          </div>
        </Section>
      )}
      <Section title="Call">
        <div className="col gap-12">
          <OperationFields value={operation} onChange={setOperation} />
          <label className="row small">
            <input
              type="checkbox"
              checked={isMutating ?? usual}
              onChange={({ target }) => setMutating(target.checked)}
            />
            A call may change data
          </label>
          <span className="small faint">
            Such a Tool is called by Processes only, and once: a failure is not repeated unless the
            step says so.
          </span>
        </div>
      </Section>
      <Section title="Inputs">
        {isKept ? (
          <p className="dim small">Its schema is no list of fields, and stays as it is.</p>
        ) : (
          <FieldRows label="Inputs of the Tool" noun="input" list={inputs} onChange={setDeclared} />
        )}
      </Section>
      <Section title="Output">
        <OutputSchema schema={tool?.outputSchema ?? {}} onChange={setOutput} />
        {output === null ? (
          <p className="small" role="alert">
            This is not a JSON object yet.
          </p>
        ) : null}
      </Section>
      <Problems problems={[...create.problems, ...update.problems]} />
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
      <Field id="scope" label="The Secret goes along">
        <select
          id="scope"
          className="input"
          value={kind}
          onChange={({ target: { value } }) =>
            onChange(value === 'header' || value === 'query' ? `${value}:${name}` : value)
          }
        >
          {Object.entries(SCOPES).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
          {Object.hasOwn(SCOPES, kind) ? null : <option value={kind}>{scope}</option>}
        </select>
      </Field>
      {isNamed ? (
        <div className="grow">
          <Field
            id="scope-name"
            label={kind === 'header' ? 'Name of the header' : 'Name of the parameter'}
          >
            <input
              id="scope-name"
              className="input mono"
              placeholder={kind === 'header' ? 'x-api-key' : 'api_key'}
              value={name}
              onChange={({ target }) => onChange(`${kind}:${target.value.trim()}`)}
            />
          </Field>
        </div>
      ) : null}
    </div>
  );
}
