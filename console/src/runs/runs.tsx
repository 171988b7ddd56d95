import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { AnswerersDocument, type RunRowFragment, RunsDocument } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { costOf, countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { RunProgress } from './run-progress.tsx';
import { FILTERS, type Filter, isFilter, isOpen } from './run-status.ts';
import { useRuns } from './use-runs.ts';

const StartRun = lazy(async () => ({ default: (await import('./start-run.tsx')).StartRun }));

export function Runs() {
  const [search, setSearch] = useSearchParams();
  const status = search.get('status');
  const filter: Filter = isFilter(status) ? status : 'all';
  const processId = search.get('process');
  const includeSystem = search.get('background') === 'yes';
  const start = search.get('start');
  const variables = { status: FILTERS[filter].statuses, processId, includeSystem };
  const list = useRuns(variables);
  const [{ data: named }] = useQuery({ query: AnswerersDocument });

  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );

  return (
    <Page
      title="Runs"
      meta={
        <span className="faint small num">{list.runs === null ? '' : countOf(list.total)}</span>
      }
      actions={
        <>
          <CopyMenu document={RunsDocument} variables={{ ...variables, first: 50 }} />
          <button type="button" className="button primary" onClick={() => set('start', 'choose')}>
            <IconPlus size={15} className="icon" />
            Start a run
          </button>
        </>
      }
    >
      <Tabs
        label="Runs by status"
        tabs={Object.entries(FILTERS).map(([id, { label }]) => ({ id, label }))}
        chosen={filter}
        onChoose={(id) => set('status', id === 'all' ? null : id)}
        end={
          <div className="row gap-12 tabs-end">
            <label className="row small dim">
              <input
                type="checkbox"
                checked={includeSystem}
                onChange={({ target }) => set('background', target.checked ? 'yes' : null)}
              />
              Background runs
            </label>
            <select
              className="input"
              aria-label="Process"
              value={processId ?? ''}
              onChange={({ target }) => set('process', target.value === '' ? null : target.value)}
            >
              <option value="">All Processes</option>
              {named?.processes.nodes.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        }
      />
      <div className="page-body">
        {list.runs === null && list.error !== null ? (
          <Fault error={list.error} onRetry={list.again} />
        ) : list.runs === null ? (
          <Loading rows={10} />
        ) : list.runs.length === 0 ? (
          <Empty
            icon={<IconPlayerPlay size={28} className="icon" stroke={1.5} />}
            title={filter === 'all' ? 'Nothing has run yet' : 'No run has this state'}
            actions={
              filter === 'all' ? (
                <button
                  type="button"
                  className="button primary"
                  onClick={() => set('start', 'choose')}
                >
                  Start a run
                </button>
              ) : (
                <Link href="/runs" className="button">
                  Show all runs
                </Link>
              )
            }
          >
            {filter === 'all'
              ? 'A run executes a Process once and keeps every step on record: its inputs, its output, its tokens. The tour is a good first one.'
              : 'Runs of the product itself, such as reading memories, are shown with “Background runs”.'}
          </Empty>
        ) : (
          <RunTable runs={list.runs} />
        )}
        {list.hasMore ? (
          <div className="row" style={{ justifyContent: 'center', padding: 16 }}>
            <button
              type="button"
              className="button"
              disabled={list.isLoadingMore}
              onClick={list.loadMore}
            >
              {list.isLoadingMore ? 'Loading …' : 'Older runs'}
            </button>
          </div>
        ) : null}
      </div>
      {start === null ? null : (
        <Suspense fallback={null}>
          <StartRun
            processId={start === 'choose' ? null : start}
            onClose={() => set('start', null)}
          />
        </Suspense>
      )}
    </Page>
  );
}

export function RunTable({ runs }: { readonly runs: readonly RunRowFragment[] }) {
  const [, go] = useLocation();
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Status</th>
          <th>Process</th>
          <th className="hide-small">Now, or how it ended</th>
          <th className="hide-small">By</th>
          <th>Started</th>
          <th className="right">Took</th>
          <th className="right hide-small">Tokens</th>
          <th className="right hide-small">Cost</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => {
          const { usage } = run;
          const tokens = usage.inputTokens + usage.outputTokens;
          return (
            <tr key={run.id} className="clickable" onClick={() => go(`/runs/${run.id}`)}>
              <td>
                <StatusBadge status={run.status} />
              </td>
              <td>
                <Link
                  href={`/runs/${run.id}`}
                  className="row gap-4 strong"
                  onClick={(event) => event.stopPropagation()}
                >
                  <span className="clip">{run.processName}</span>
                  <span className="faint small">v{run.processVersion}</span>
                  {run.depth > 0 ? <span className="tag">sub-run</span> : null}
                  {run.origin === 'SYSTEM' ? <span className="tag">background</span> : null}
                </Link>
              </td>
              <td className="hide-small dim wide">
                <RunProgress run={run} />
              </td>
              <td className="hide-small dim">{run.owner.name}</td>
              <td className="dim">
                <Time at={run.createdAt} />
              </td>
              <td className="right">
                <Duration
                  from={run.startedAt ?? run.createdAt}
                  to={run.completedAt}
                  isLive={isOpen(run.status)}
                />
              </td>
              <td className="right hide-small num dim">{tokens === 0 ? '–' : countOf(tokens)}</td>
              <td className="right hide-small num dim">
                {usage.costUsd == null ? '–' : costOf(usage.costUsd)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
