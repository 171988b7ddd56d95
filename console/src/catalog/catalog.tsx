import {
  IconDownload,
  IconHeartbeat,
  IconKey,
  IconPlugConnected,
  IconPlus,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePages } from '../api/use-pages.ts';
import {
  CatalogDocument,
  type CatalogQuery,
  CatalogToolsDocument,
  type CatalogToolsQuery,
  CheckHealthDocument,
} from '../generated/documents.ts';
import { OperationIcon } from '../runs/step-icon.tsx';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { useIsGone } from '../ui/deletions.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MorePages } from '../ui/more-pages.tsx';
import { Page } from '../ui/page.tsx';
import { ActionsHead, RowActions } from '../ui/row-actions.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Empty, PartFault, Problems, Unread } from '../ui/states.tsx';
import { HealthBadge } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useSettled } from '../ui/use-settled.ts';
import { Waiting } from '../ui/working.tsx';
import { type Service, useCatalogActions } from './catalog-actions.tsx';
import type { Template } from './from-template.tsx';
import { SECRET_TYPES } from './secret-types.ts';
import { SERVICE_KINDS } from './service-kinds.ts';
import { useCatalog } from './use-catalog.ts';

const ImportTools = lazy(async () => ({
  default: (await import('./import-tools.tsx')).ImportTools,
}));
const FromTemplate = lazy(async () => ({
  default: (await import('./from-template.tsx')).FromTemplate,
}));
const ServiceForm = lazy(async () => ({
  default: (await import('./service-form.tsx')).ServiceForm,
}));
const SecretForm = lazy(async () => ({
  default: (await import('./secret-form.tsx')).SecretForm,
}));

type Secret = CatalogQuery['secrets']['nodes'][number];

const toolsOf = ({ tools }: CatalogToolsQuery) => tools;

const VIEWS = ['tools', 'services', 'secrets', 'templates'] as const;
type View = (typeof VIEWS)[number];

/**
 * Everything that steps call: Tools, the Services they are on, Secrets (never a value), templates.
 */
export function Catalog() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'tools';
  const { data, error: fault, again: readRest } = useCatalog(10_000);
  const [text, setText] = useState('');
  const wanted = useSettled(text.trim());
  // The other views hide the search, so it narrows nothing there.
  const narrowed = { query: view === 'tools' && wanted !== '' ? wanted : null };
  const found = usePages({
    query: CatalogToolsDocument,
    variables: narrowed,
    listOf: toolsOf,
    everyMs: 10_000,
  });
  const again = () => {
    readRest();
    found.again();
  };
  const check = useChange(CheckHealthDocument);
  const [importing, setImporting] = useState<Service | null>(null);
  const [used, setUsed] = useState<Template | null>(null);
  const [isNewService, setNewService] = useState(false);
  /** `new`, or the one to change. */
  const [secret, setSecret] = useState<Secret | 'new' | null>(null);
  const actions = useCatalogActions({
    again,
    onChangeSecret: setSecret,
  });
  const isGone = useIsGone();
  const kept = <One extends { readonly id: string }>(
    list: { readonly nodes: readonly One[] } | undefined,
  ) => (list?.nodes ?? []).filter((one) => !isGone(one));
  const tools = (found.nodes ?? []).filter((one) => !isGone(one));
  const [services, secrets] = [kept(data?.services), kept(data?.secrets)];
  const templates: Template[] = [
    ...kept(data?.serviceTemplates).map((one) => ({ kind: 'service' as const, ...one })),
    ...kept(data?.toolTemplates).map((one) => ({ kind: 'tool' as const, ...one })),
  ];
  const total = found.data?.tools.totalCount;
  // Deleted ones leave the list before the API.
  const toolCount =
    total === undefined ? {} : { count: total - ((found.nodes?.length ?? 0) - tools.length) };
  return (
    <Page
      title="Catalog"
      actions={
        <>
          {view === 'tools' ? (
            <SearchField label="Search Tools" value={text} onSet={setText} />
          ) : null}
          <CopyMenu
            document={view === 'tools' ? CatalogToolsDocument : CatalogDocument}
            variables={view === 'tools' ? narrowed : {}}
          />
          {view === 'tools' ? (
            <Link href="/catalog/tools/new" className="button primary">
              <IconPlus size={15} className="icon" />
              New Tool
            </Link>
          ) : view === 'services' ? (
            <NewButton label="New Service" onClick={() => setNewService(true)} />
          ) : view === 'secrets' ? (
            <NewButton label="New Secret" onClick={() => setSecret('new')} />
          ) : null}
        </>
      }
    >
      <Tabs<View>
        label="Parts of the catalog"
        tabs={[
          { id: 'tools', label: 'Tools', ...toolCount },
          { id: 'services', label: 'Services', ...countOf(data && services) },
          { id: 'secrets', label: 'Secrets', ...countOf(data && secrets) },
          { id: 'templates', label: 'Templates', ...countOf(data && templates) },
        ]}
        chosen={view}
        onChoose={(next) => setSearch(next === 'tools' ? {} : { view: next }, { replace: true })}
      />
      <div className="page-body">
        <Problems problems={[...check.problems, ...actions.problems]} />
        {view !== 'tools' && data !== undefined && fault !== undefined ? (
          <PartFault part="The rest of this list" error={fault} onRetry={readRest} />
        ) : null}
        {view === 'tools' ? (
          found.nodes === undefined ? (
            <Unread rows={10} error={found.error} onRetry={found.again} />
          ) : (
            <>
              {tools.length > 0 || wanted === '' || found.isFormer ? null : (
                <p className="pad-20 dim">No Tool has “{wanted}” in its name or description.</p>
              )}
              <table className="table">
                <thead>
                  <tr>
                    <th>Tool</th>
                    <th>Service</th>
                    <th className="hide-small">Does</th>
                    <th className="hide-small">Used by</th>
                    <th>Health</th>
                    <ActionsHead />
                  </tr>
                </thead>
                <tbody>
                  {tools.map((tool) => (
                    <tr key={tool.id}>
                      <td>
                        <Link href={`/catalog/tools/${tool.id}`} className="row strong">
                          <OperationIcon type={tool.operation.__typename} />
                          {tool.name}
                          {tool.enabled ? null : <span className="tag">disabled</span>}
                        </Link>
                      </td>
                      <td className="dim">{tool.service.name}</td>
                      <td className="hide-small dim wide">
                        <span className="clip" title={tool.description ?? ''}>
                          {tool.description}
                        </span>
                      </td>
                      <td className="hide-small dim">
                        {tool.usedBy.totalCount === 0
                          ? '–'
                          : tool.usedBy.totalCount === 1
                            ? tool.usedBy.nodes[0]?.name
                            : `${tool.usedBy.totalCount} Processes`}
                      </td>
                      <td>
                        <HealthBadge of={tool} />
                      </td>
                      <td className="right">
                        <RowActions>{actions.toolMenu(tool)}</RowActions>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <MorePages pages={found} noun="Tool" shown={found.nodes.length} total={total} />
            </>
          )
        ) : data === undefined ? (
          <Unread rows={10} error={fault} onRetry={readRest} />
        ) : view === 'services' ? (
          <table className="table">
            <thead>
              <tr>
                <th>Service</th>
                <th className="hide-small">Kind</th>
                <th className="hide-small">Tools</th>
                <th className="hide-small">Checked</th>
                <th>Health</th>
                <ActionsHead />
              </tr>
            </thead>
            <tbody>
              {services.map((service) => (
                <tr key={service.id}>
                  <td>
                    <span className="row gap-4 strong">
                      {service.name}
                      {service.enabled ? null : <span className="tag">disabled</span>}
                    </span>
                    <div className="small dim clip-2">
                      {service.errorMessage ?? service.description}
                    </div>
                  </td>
                  <td className="hide-small dim">{SERVICE_KINDS[service.type].label}</td>
                  <td className="hide-small dim">
                    <Names names={service.tools.nodes} total={service.tools.totalCount} />
                  </td>
                  <td className="hide-small dim">
                    {service.lastHealthCheckAt == null ? (
                      'never'
                    ) : (
                      <Time at={service.lastHealthCheckAt} />
                    )}
                  </td>
                  <td>
                    <HealthBadge of={service} />
                  </td>
                  <td className="right">
                    <RowActions>
                      {service.type === 'MCP_SERVER' || service.type === 'REST_API' ? (
                        <IconButton
                          label={`Import Tools of ${service.name}`}
                          onClick={() => setImporting(service)}
                        >
                          <IconDownload size={16} className="icon" />
                        </IconButton>
                      ) : null}
                      <IconButton
                        label={`Check ${service.name} now`}
                        disabled={check.isSending}
                        onClick={async () => {
                          if ((await check.send({ input: { id: service.id } })) !== null)
                            notify(`Checked ${service.name}.`);
                        }}
                      >
                        <IconHeartbeat size={16} className="icon" />
                      </IconButton>
                      {actions.serviceMenu(service)}
                    </RowActions>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : view === 'secrets' ? (
          secrets.length === 0 ? (
            <Empty
              icon={<IconKey size={28} className="icon" stroke={1.5} />}
              title="No Secret"
              actions={<NewButton label="New Secret" onClick={() => setSecret('new')} />}
            >
              A Secret holds a credential, encrypted at rest. Its value goes to its origins only and
              is never shown again.
            </Empty>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th>Secret</th>
                  <th className="hide-small">Kind</th>
                  <th>May go to</th>
                  <th className="hide-small">Used by</th>
                  <th className="hide-small">Value given</th>
                  <ActionsHead />
                </tr>
              </thead>
              <tbody>
                {secrets.map((one) => (
                  <tr key={one.id}>
                    <td className="strong">{one.name}</td>
                    <td className="hide-small dim">{SECRET_TYPES[one.type]}</td>
                    <td className="dim">
                      {one.allowedOrigins.join(', ') || 'the next use decides'}
                    </td>
                    <td className="hide-small dim">
                      <Names names={one.tools.nodes} total={one.tools.totalCount} />
                    </td>
                    <td className="hide-small dim">
                      <Time at={one.rotatedAt ?? one.createdAt} />
                    </td>
                    <td className="right">
                      <RowActions>{actions.secretMenu(one)}</RowActions>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        ) : templates.length === 0 ? (
          <Empty
            icon={<IconPlugConnected size={28} className="icon" stroke={1.5} />}
            title="No template"
          >
            A template is a Service or Tool to copy from, such as a vendor’s API without its
            address. The menu of each Service and Tool makes one.
          </Empty>
        ) : (
          <ul className="list">
            {templates.map((template) => (
              <li key={template.id}>
                <div className="item">
                  <span className="tag">{template.kind === 'tool' ? 'Tool' : 'Service'}</span>
                  <span className="strong">{template.name}</span>
                  <span className="dim clip grow">{template.description}</span>
                  <button
                    type="button"
                    className="button tiny"
                    aria-label={`Use ${template.name}`}
                    onClick={() => setUsed(template)}
                  >
                    Use
                  </button>
                  {actions.templateMenu(template)}
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {actions.dialog}
      {isNewService ? (
        <Suspense fallback={<Waiting />}>
          <ServiceForm onClose={() => setNewService(false)} onDone={again} />
        </Suspense>
      ) : null}
      {secret === null ? null : (
        <Suspense fallback={<Waiting />}>
          <SecretForm
            secret={secret === 'new' ? null : secret}
            onClose={() => setSecret(null)}
            onDone={again}
          />
        </Suspense>
      )}
      {importing === null || data === undefined ? null : (
        <Suspense fallback={<Waiting />}>
          <ImportTools
            service={importing}
            secrets={data.secrets.nodes}
            onClose={() => setImporting(null)}
            onDone={again}
          />
        </Suspense>
      )}
      {used === null || data === undefined ? null : (
        <Suspense fallback={<Waiting />}>
          <FromTemplate template={used} data={data} onClose={() => setUsed(null)} onDone={again} />
        </Suspense>
      )}
    </Page>
  );
}

function NewButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="button primary" onClick={onClick}>
      <IconPlus size={15} className="icon" />
      {label}
    </button>
  );
}

/** The Tools behind a number: the first three by name, each a link. */
function Names({
  names,
  total,
}: {
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
}) {
  if (total === 0) return <span className="faint">none</span>;
  const shown = names.slice(0, 3);
  return (
    <span className="row wrap gap-4">
      {shown.map(({ id, name }, index) => (
        <span key={id}>
          <Link href={`/catalog/tools/${id}`} className="link">
            {name}
          </Link>
          {index < shown.length - 1 ? ',' : ''}
        </span>
      ))}
      {total > shown.length ? <span className="faint">and {total - shown.length} more</span> : null}
    </span>
  );
}

function countOf(list: readonly unknown[] | undefined): { count?: number } {
  return list === undefined ? {} : { count: list.length };
}
