import { useState } from 'react';
import { useClient } from 'urql';
import { usePages } from '../api/use-pages.ts';
import {
  type CatalogQuery,
  ImportMcpDocument,
  ImportOpenApiDocument,
  type ImportOpenApiMutation,
  McpToolsDocument,
  type McpToolsQuery,
  ServiceToolsDocument,
  type ServiceToolsQuery,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { plural } from '../ui/format.ts';
import { Problems, Unread } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { type Connection, ConnectionFields } from './connection-fields.tsx';
import { operationsOf } from './openapi.ts';

type Service = CatalogQuery['services']['nodes'][number];
type Tools = NonNullable<ServiceToolsQuery['service']>['tools']['nodes'];
type Secrets = CatalogQuery['secrets']['nodes'];

const toolsOf = ({ service }: ServiceToolsQuery) => service?.tools;

interface Importing {
  readonly service: Service;
  readonly tools: Tools;
  readonly secrets: Secrets;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/**
 * A dialog that lists the Tools of an MCP server or an OpenAPI document, and imports the chosen
 * ones.
 */
export function ImportTools({ service, ...rest }: Omit<Importing, 'tools'>) {
  const {
    data,
    nodes: tools,
    error,
    again,
  } = usePages({
    query: ServiceToolsDocument,
    variables: { id: service.id },
    listOf: toolsOf,
    isWhole: true,
  });
  return (
    <Dialog title={`Import Tools of ${service.name}`} isOpen onClose={rest.onClose}>
      {data?.service === null ? (
        <p className="dim">It was deleted, or is not shared with you any more.</p>
      ) : tools === undefined ? (
        <Unread rows={4} error={error} onRetry={again} />
      ) : service.type === 'MCP_SERVER' ? (
        <FromMcp service={service} tools={tools} {...rest} />
      ) : (
        <FromOpenApi service={service} tools={tools} {...rest} />
      )}
    </Dialog>
  );
}

function firstConnection([tool]: Tools): Connection {
  return { params: { ...tool?.connectionParams }, secretId: tool?.secret?.id ?? null };
}

const STATES = {
  NEW: { tone: 'ok', label: 'new' },
  CHANGED: { tone: 'wait', label: 'changed' },
  UNCHANGED: { tone: 'idle', label: 'as it is' },
  GONE: { tone: 'bad', label: 'gone from its source' },
  UNUSABLE: { tone: 'bad', label: 'cannot be called' },
} as const;

function FromMcp({ service, tools, secrets, onClose, onDone }: Importing) {
  const client = useClient();
  const [connection, setConnection] = useState(() => firstConnection(tools));
  const [found, setFound] = useState<McpToolsQuery['mcpServerTools'] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const importing = useChange(ImportMcpDocument);
  const { params, secretId } = connection;

  const look = async () => {
    setLooking(true);
    setFault(null);
    const { data, error } = await client
      .query(
        McpToolsDocument,
        { serviceId: service.id, connectionParams: params, secretId },
        { requestPolicy: 'network-only' },
      )
      .toPromise();
    setLooking(false);
    setFault(error === undefined ? null : error.message.replace(/^\[\w+\] /, ''));
    setFound(data?.mcpServerTools ?? null);
    setChosen(
      new Set(
        data?.mcpServerTools
          .filter(({ state }) => state === 'NEW' || state === 'CHANGED')
          .map(({ name }) => name),
      ),
    );
  };
  const send = async () => {
    const done = await importing.send({
      input: { serviceId: service.id, connectionParams: params, secretId, names: [...chosen] },
    });
    if (done === null) return;
    notify(`Imported ${plural(done.importMcpTools.tools.length, 'Tool')}.`);
    onDone();
    onClose();
  };
  return (
    <>
      <ConnectionFields
        id="mcp"
        schema={service.connectionSchema}
        secrets={secrets}
        value={connection}
        onChange={setConnection}
        onSubmit={() => void look()}
      />
      <div className="row">
        <button type="submit" form="mcp" className="button" disabled={isLooking}>
          {isLooking ? 'Asking the server …' : 'Ask the server'}
        </button>
      </div>
      {fault === null ? null : (
        <div className="notice tone-bad" role="alert">
          {fault}
        </div>
      )}
      {found === null ? null : (
        <>
          <Choices
            choices={found.map(({ name, description, state, changedFields, problem }) => ({
              name,
              note: problem ?? description ?? '',
              tag: STATES[state].label,
              tone: STATES[state].tone,
              more: changedFields.length === 0 ? '' : `changes ${changedFields.join(', ')}`,
              isFixed: state !== 'NEW' && state !== 'CHANGED',
            }))}
            chosen={chosen}
            onChoose={setChosen}
          />
          <Problems problems={importing.problems} />
          <div className="row">
            <button
              type="button"
              className="button primary"
              aria-busy={importing.isSending}
              disabled={chosen.size === 0 || importing.isSending}
              onClick={() => void send()}
            >
              Import {plural(chosen.size, 'Tool')}
            </button>
          </div>
        </>
      )}
    </>
  );
}

type Compared = ImportOpenApiMutation['importOpenApiTools']['operations'];

function FromOpenApi({ service, tools, secrets, onClose, onDone }: Importing) {
  const [connection, setConnection] = useState(() => firstConnection(tools));
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  // The answer of a dry run; null before it, and after a change of its input.
  const [compared, setCompared] = useState<Compared | null>(null);
  const importing = useChange(ImportOpenApiDocument);
  const operations = text.trim() === '' ? null : operationsOf(text);
  const found = new Map(compared?.map((one) => [one.operationId, one]));
  const shown = chosen ?? new Set(operations?.map(({ id }) => id));
  const wanted = [...shown].filter((id) => {
    const state = found.get(id)?.state;
    return state === 'NEW' || state === 'CHANGED';
  });
  const inputOf = (operationIds: readonly string[], dryRun: boolean) => ({
    input: {
      serviceId: service.id,
      connectionParams: connection.params,
      secretId: connection.secretId,
      document: text,
      operationIds: [...operationIds],
      dryRun,
    },
  });
  const compare = async () => {
    const done = await importing.send(inputOf([...shown], true));
    setCompared(done?.importOpenApiTools.operations ?? null);
  };
  const send = async () => {
    const done = await importing.send(inputOf(wanted, false));
    if (done === null) return;
    notify(`Imported ${plural(done.importOpenApiTools.tools.length, 'Tool')}.`);
    onDone();
    onClose();
  };
  return (
    <>
      <Field id="openapi" label="OpenAPI document, as JSON or YAML">
        <textarea
          id="openapi"
          className="input mono"
          rows={8}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(null);
            setCompared(null);
          }}
        />
        {text.trim() !== '' && operations === null ? (
          <span className="small" role="alert">
            This has no paths yet.
          </span>
        ) : null}
      </Field>
      <ConnectionFields
        id="rest"
        schema={service.connectionSchema}
        secrets={secrets}
        value={connection}
        onChange={(next) => {
          setConnection(next);
          setCompared(null);
        }}
        onSubmit={() => void compare()}
      />
      {operations === null ? null : (
        <Choices
          choices={operations.map(({ id, call, summary }) => {
            const one = found.get(id);
            const changes = one?.changedFields ?? [];
            return {
              name: id,
              note: one?.problem ?? summary,
              tag: one === undefined ? 'not compared' : STATES[one.state].label,
              tone: one === undefined ? 'idle' : STATES[one.state].tone,
              more: changes.length === 0 ? call : `${call} · changes ${changes.join(', ')}`,
              isFixed: one?.state === 'UNCHANGED' || one?.state === 'UNUSABLE',
            };
          })}
          chosen={shown}
          onChoose={setChosen}
        />
      )}
      <Problems problems={importing.problems} />
      <div className="row">
        <button
          type="submit"
          form="rest"
          className={`button${compared === null ? ' primary' : ''}`}
          aria-busy={importing.isSending}
          disabled={operations === null || shown.size === 0 || importing.isSending}
        >
          {importing.isSending ? 'Asking …' : 'Compare with your Tools'}
        </button>
        {compared === null ? null : (
          <button
            type="button"
            className="button primary"
            disabled={wanted.length === 0 || importing.isSending}
            onClick={() => void send()}
          >
            Import {plural(wanted.length, 'Tool')}
          </button>
        )}
      </div>
    </>
  );
}

function Choices({
  choices,
  chosen,
  onChoose,
}: {
  readonly choices: readonly {
    readonly name: string;
    readonly note: string;
    readonly tag: string;
    readonly tone: string;
    readonly more: string;
    /** It cannot be imported. */
    readonly isFixed: boolean;
  }[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}) {
  return (
    <ul className="list boxed choices" aria-label="Tools to import">
      {choices.map(({ name, note, tag, tone, more, isFixed }) => (
        <li key={name}>
          <label className="item">
            <input
              type="checkbox"
              disabled={isFixed}
              checked={chosen.has(name)}
              onChange={({ target }) => {
                const next = new Set(chosen);
                if (target.checked) next.add(name);
                else next.delete(name);
                onChoose(next);
              }}
            />
            <span className="col gap-0 grow clip">
              <span className="strong clip">{name}</span>
              <span className="small dim clip">{note}</span>
            </span>
            <span className="small faint mono clip">{more}</span>
            <span className={`status tone-${tone}`}>{tag}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
