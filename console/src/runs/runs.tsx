import { IconGitCompare, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { AnswerersDocument, RunsDocument } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Waiting } from '../ui/working.tsx';
import { FILTERS, type Filter, isFilter } from './run-status.ts';
import { RunTable } from './run-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { useRuns } from './use-runs.ts';

const StartRun = lazy(async () => ({ default: (await import('./start-run.tsx')).StartRun }));

export function Runs() {
  const [search, setSearch] = useSearchParams();
  const status = search.get('status');
  const filter: Filter = isFilter(status) ? status : 'all';
  const processId = search.get('process');
  const includeSystem = search.get('background') === 'yes';
  const start = search.get('start');
  const rootsOnly = search.get('subs') !== 'yes';
  const variables = { status: FILTERS[filter].statuses, processId, includeSystem, rootsOnly };
  const [picked, setPicked] = useState<readonly string[]>([]);
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
            <SavedViews
              search={searchOf(search)}
              onChoose={(next) => setSearch(new URLSearchParams(next))}
            />
            <label className="row small dim">
              <input
                type="checkbox"
                checked={!rootsOnly}
                onChange={({ target }) => set('subs', target.checked ? 'yes' : null)}
              />
              Sub-runs
            </label>
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
              ? 'A run executes a Process once and keeps every step on record: its inputs, its ' +
                'output, its tokens. The tour is a good first one.'
              : 'Runs of the product itself, such as reading memories, are shown with ' +
                '“Background runs”.'}
          </Empty>
        ) : (
          <RunTable
            runs={list.runs}
            picked={picked}
            onPick={setPicked}
            {...(list.hasMore && !list.isLoadingMore ? { onEnd: list.loadMore } : {})}
          />
        )}
        {list.hasMore ? (
          <p className="small faint pad-20" role="status">
            {list.isLoadingMore ? 'Loading older runs …' : 'Scroll for older runs.'}
          </p>
        ) : null}
      </div>
      {picked.length === 0 ? null : (
        <div className="picked" role="status">
          <span className="grow">
            {picked.length === 1 ? 'Tick a second run to compare.' : 'Two runs are ticked.'}
          </span>
          <button type="button" className="button plain" onClick={() => setPicked([])}>
            Clear
          </button>
          {picked.length === 2 ? (
            <Link
              href={`/runs/compare?left=${picked[0]}&right=${picked[1]}`}
              className="button primary"
            >
              <IconGitCompare size={15} className="icon" />
              Compare
            </Link>
          ) : null}
        </div>
      )}
      {start === null ? null : (
        <Suspense fallback={<Waiting />}>
          <StartRun
            processId={start === 'choose' ? null : start}
            onClose={() => set('start', null)}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** The filters in the address, without the form that is open over them. */
function searchOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  kept.delete('start');
  return kept.toString();
}
