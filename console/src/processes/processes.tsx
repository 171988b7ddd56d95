import { IconPlus, IconSitemap } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { usePages } from '../api/use-pages.ts';
import { ProcessesDocument, type ProcessesQuery } from '../generated/documents.ts';
import { isInternal } from '../runs/internal.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { useIsGone } from '../ui/deletions.ts';
import { MorePages } from '../ui/more-pages.tsx';
import { Page } from '../ui/page.tsx';
import { ActionsHead, RowActions } from '../ui/row-actions.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Empty, Loading, Unread } from '../ui/states.tsx';
import { Dot, labelOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { ProcessMenu } from './process-menu.tsx';

type Process = ProcessesQuery['processes']['nodes'][number];

const processesOf = ({ processes }: ProcessesQuery) => processes;

/** Every Process with its latest runs, and the Tools that would make it fail now. */
export function Processes() {
  const [text, setText] = useState('');
  const [, go] = useLocation();
  const [showsInternal, setShowsInternal] = useState(false);
  const wanted = useSettled(text);
  const narrowed = { query: wanted === '' ? null : wanted };
  const pages = usePages({
    query: ProcessesDocument,
    variables: narrowed,
    listOf: processesOf,
    everyMs: 10_000,
  });
  const { data, nodes, error, isFormer, again } = pages;
  const isGone = useIsGone();
  const all = (nodes ?? []).filter((process) => !isGone(process));
  const listed = all.filter((process) => showsInternal || wanted !== '' || !isInternal(process));
  const hidden = all.length - listed.length;
  return (
    <Page
      title="Processes"
      meta={<span className="faint small num">{data === undefined ? '' : listed.length}</span>}
      actions={
        <>
          <SearchField label="Search Processes" value={text} onSet={setText} />
          <CopyMenu document={ProcessesDocument} variables={narrowed} cli="npx aiden export" />
          <Link href="/processes/new" className="button primary">
            <IconPlus size={15} className="icon" />
            New Process
          </Link>
        </>
      }
    >
      <div className="page-body">
        {data === undefined ? (
          <Unread rows={10} error={error} onRetry={again} />
        ) : listed.length === 0 && isFormer ? (
          <Loading rows={10} />
        ) : listed.length === 0 ? (
          <Empty
            icon={<IconSitemap size={28} className="icon" stroke={1.5} />}
            title={wanted === '' ? 'No Process yet' : `No Process is named “${wanted}”`}
            actions={
              <Link href="/processes/new" className="button primary">
                New Process
              </Link>
            }
          >
            A Process orders Tools: steps in parallel or in sequence, with conditions, retries and
            approvals. Files load with <code>npx aiden apply -f process.yaml</code>.
          </Empty>
        ) : (
          <table className="table processes-table">
            <thead>
              <tr>
                <th>Process</th>
                <th className="hide-small">Does</th>
                <th>Health</th>
                <th className="hide-small">Latest runs</th>
                <th className="right hide-small">Version</th>
                <th className="hide-small">Changed</th>
                <ActionsHead />
              </tr>
            </thead>
            <tbody>
              {listed.map((process) => (
                <tr
                  key={process.id}
                  className="clickable"
                  onClick={() => go(`/processes/${process.id}`)}
                >
                  <td>
                    <Link href={`/processes/${process.id}`} className="strong">
                      {process.name}
                    </Link>
                  </td>
                  <td className="hide-small dim wide">
                    <span className="clip" title={process.description ?? ''}>
                      {process.description}
                    </span>
                  </td>
                  <td>
                    <Health process={process} />
                  </td>
                  <td className="hide-small">
                    <span className="row gap-4" title={`${process.runs.totalCount} in all`}>
                      {process.runs.nodes.length === 0 ? <span className="faint">none</span> : null}
                      {process.runs.nodes.toReversed().map(({ id, status }) => (
                        <span key={id}>
                          <Dot status={status} />
                          <span className="visually-hidden">{labelOf(status)}</span>
                        </span>
                      ))}
                    </span>
                  </td>
                  <td className="right num dim hide-small">v{process.version}</td>
                  <td className="hide-small dim">
                    <Time at={process.updatedAt} />
                  </td>
                  {/* biome-ignore lint/a11y/useKeyWithClickEvents: keeps clicks from the row */}
                  <td className="right" onClick={(event) => event.stopPropagation()}>
                    <RowActions>
                      <ProcessMenu process={process} again={again} />
                    </RowActions>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {data === undefined ? null : (
          <MorePages
            pages={pages}
            noun="Process"
            shown={nodes?.length}
            total={data.processes.totalCount}
          />
        )}
        {hidden === 0 && !showsInternal ? null : (
          <p className="pad-20">
            <button
              type="button"
              className="button plain tiny"
              onClick={() => setShowsInternal(!showsInternal)}
            >
              {showsInternal
                ? 'Hide the internal Processes'
                : `Show ${hidden} internal Processes, such as the reading of memories`}
            </button>
          </p>
        )}
      </div>
    </Page>
  );
}

function Health({ process }: { readonly process: Process }) {
  if (!process.enabled) return <span className="status tone-idle">Disabled</span>;
  const bad = process.steps
    .map(({ target }) => target)
    .filter(
      (target) => target.__typename === 'Tool' && (target.status === 'DOWN' || !target.enabled),
    );
  const [first] = bad;
  if (first === undefined) return <span className="status tone-ok">Ready</span>;
  return <span className="status tone-bad">{first.name} is not available</span>;
}
