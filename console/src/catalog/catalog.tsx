import { IconHeartbeat, IconPlugConnected } from '@tabler/icons-react';
import { Link, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { CatalogDocument, CheckHealthDocument } from '../generated/documents.ts';
import { OperationIcon } from '../runs/step-icon.tsx';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading, Problems } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

const VIEWS = ['tools', 'services', 'secrets', 'templates'] as const;
type View = (typeof VIEWS)[number];

/** Everything that steps call: Tools, the Services they are on, Secrets (never a value), templates. */
export function Catalog() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'tools';
  const [{ data, error }, again] = useLiveQuery({
    query: CatalogDocument,
    variables: {},
    everyMs: 10_000,
  });
  const check = useChange(CheckHealthDocument);
  const templates = [...(data?.serviceTemplates.nodes ?? []), ...(data?.toolTemplates.nodes ?? [])];
  return (
    <Page title="Catalog" actions={<CopyMenu document={CatalogDocument} variables={{}} />}>
      <Tabs<View>
        label="Parts of the catalog"
        tabs={[
          { id: 'tools', label: 'Tools', ...countOf(data?.tools.nodes) },
          { id: 'services', label: 'Services', ...countOf(data?.services.nodes) },
          { id: 'secrets', label: 'Secrets', ...countOf(data?.secrets.nodes) },
          { id: 'templates', label: 'Templates', ...countOf(data && templates) },
        ]}
        chosen={view}
        onChoose={(next) => setSearch(next === 'tools' ? {} : { view: next }, { replace: true })}
      />
      <div className="page-body">
        <Problems problems={check.problems} />
        {data === undefined ? (
          error === undefined ? (
            <Loading rows={10} />
          ) : (
            <Fault error={error} onRetry={again} />
          )
        ) : view === 'tools' ? (
          <table className="table">
            <thead>
              <tr>
                <th>Tool</th>
                <th>Service</th>
                <th className="hide-small">Does</th>
                <th className="hide-small">Used by</th>
                <th>Health</th>
              </tr>
            </thead>
            <tbody>
              {data.tools.nodes.map((tool) => (
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
                    <StatusBadge status={tool.status} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : view === 'services' ? (
          <table className="table">
            <thead>
              <tr>
                <th>Service</th>
                <th>Type</th>
                <th className="hide-small">Tools</th>
                <th className="hide-small">Checked</th>
                <th>Health</th>
                <th>
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.services.nodes.map((service) => (
                <tr key={service.id}>
                  <td>
                    <span className="strong">{service.name}</span>
                    <div className="small dim clip-2">
                      {service.errorMessage ?? service.description}
                    </div>
                  </td>
                  <td className="dim">
                    {service.type.toLowerCase().replace('_', ' ')} over{' '}
                    {service.protocol.toLowerCase()}
                  </td>
                  <td className="hide-small num dim">{service.tools.totalCount}</td>
                  <td className="hide-small dim">
                    {service.lastHealthCheckAt == null ? (
                      'never'
                    ) : (
                      <Time at={service.lastHealthCheckAt} />
                    )}
                  </td>
                  <td>
                    <StatusBadge status={service.status} />
                  </td>
                  <td className="right">
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
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : view === 'secrets' ? (
          data.secrets.nodes.length === 0 ? (
            <Empty
              icon={<IconPlugConnected size={28} className="icon" stroke={1.5} />}
              title="No Secret"
            >
              A Secret holds a credential, encrypted at rest. Its value goes to its origins only and
              is never shown again.
            </Empty>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th>Secret</th>
                  <th>Type</th>
                  <th>May go to</th>
                  <th>Used by</th>
                  <th>Rotated</th>
                </tr>
              </thead>
              <tbody>
                {data.secrets.nodes.map((secret) => (
                  <tr key={secret.id}>
                    <td className="strong">{secret.name}</td>
                    <td className="dim">{secret.type.toLowerCase().replace('_', ' ')}</td>
                    <td className="dim">
                      {secret.allowedOrigins.join(', ') || 'the next use decides'}
                    </td>
                    <td className="dim num">{secret.tools.totalCount}</td>
                    <td className="dim">
                      <Time at={secret.rotatedAt ?? secret.createdAt} />
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
            address.
          </Empty>
        ) : (
          <ul className="list">
            {templates.map(({ id, name, description }) => (
              <li key={id}>
                <div className="item">
                  <span className="strong">{name}</span>
                  <span className="dim clip grow">{description}</span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}

function countOf(list: readonly unknown[] | undefined): { count?: number } {
  return list === undefined ? {} : { count: list.length };
}
