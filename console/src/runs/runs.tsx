import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { RunsDocument } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Waiting } from '../ui/working.tsx';
import { isInternal } from './internal.ts';
import { useProcessChoices } from './process-choices.ts';
import { RunFilters, TIMES } from './run-filters.tsx';
import { FILTERS, type Filter, isFilter } from './run-status.ts';
import { RunTable } from './run-table.tsx';
import { SelectedRuns } from './selected-runs.tsx';
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
  const query = search.get('q');
  const time = search.get('time');
  const from = useMemo(() => startOf(time), [time]);
  const variables = {
    status: FILTERS[filter].statuses,
    processId,
    includeSystem,
    rootsOnly,
    query,
    from,
  };
  const [picked, setPicked] = useState<readonly string[]>([]);
  const list = useRuns(variables);
  const chosen = (list.runs ?? []).filter(({ id }) => picked.includes(id));
  const isNarrowed = query !== null || from !== null || processId !== null;
  const processes = useProcessChoices();

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
      />
      <RunFilters
        search={search}
        processes={processes.filter((one) => includeSystem || !isInternal(one))}
        kept={searchOf(search)}
        onSet={set}
        onView={(next) => setSearch(new URLSearchParams(next))}
      />
      <div className="page-body">
        {list.runs === null && list.error !== null ? (
          <Fault error={list.error} onRetry={list.again} />
        ) : list.runs === null ? (
          <Loading rows={10} />
        ) : list.runs.length === 0 ? (
          <Empty
            icon={<IconPlayerPlay size={28} className="icon" stroke={1.5} />}
            title={
              isNarrowed
                ? 'No run fits these filters'
                : filter === 'all'
                  ? 'Nothing has run yet'
                  : 'No run has this state'
            }
            actions={
              filter === 'all' && !isNarrowed ? (
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
            {filter === 'all' && !isNarrowed
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
      {chosen.length === 0 ? null : (
        <SelectedRuns runs={chosen} onClear={() => setPicked([])} onDone={list.again} />
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

/** The time at which a span begins; null where any time is listed. */
function startOf(time: string | null): string | null {
  if (time === null || !Object.hasOwn(TIMES, time)) return null;
  return new Date(Date.now() - TIMES[time as keyof typeof TIMES].ms).toISOString();
}

/** The filters in the address, without the form that is open over them. */
function searchOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  kept.delete('start');
  return kept.toString();
}
