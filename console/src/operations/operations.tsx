import { IconPlayerTrackNext } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  CallStatsDocument,
  OperationsDocument,
  PauseJobDocument,
  ResumeJobDocument,
  RunJobDocument,
  ViewerDocument,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { countOf, durationOf, plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Page } from '../ui/page.tsx';
import { ActionsHead, PauseIcon, RowActions } from '../ui/row-actions.tsx';
import { Problems, Unread } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { CALLS_OF, KEPT_DATA } from '../ui/words.ts';
import { BackgroundTokens, HealthParts, Warning } from './health-parts.tsx';
import { Metrics } from './metrics.tsx';
import { RunFigures } from './run-figures.tsx';
import { Settings } from './settings.tsx';

const VIEWS = ['overview', 'metrics', 'costs', 'settings'] as const;
type View = (typeof VIEWS)[number];

/** The state of the installation, its metrics, and its settings for admins. */
export function Operations() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'overview';
  const [{ data: viewer }] = useQuery({ query: ViewerDocument });
  const isAdmin = viewer?.viewer.roles.includes('ADMIN') === true;
  return (
    <Page
      title="Operations"
      actions={
        // They have a query of their own to copy.
        view === 'costs' ? null : (
          <CopyMenu document={OperationsDocument} variables={{}} cli="npx aiden doctor" />
        )
      }
    >
      <Tabs<View>
        label="Parts of Operations"
        tabs={[
          { id: 'overview', label: 'Overview' },
          { id: 'metrics', label: 'Metrics' },
          { id: 'costs', label: 'Times and costs' },
          ...(isAdmin ? [{ id: 'settings' as const, label: 'Settings' }] : []),
        ]}
        chosen={view}
        onChoose={(next) => setSearch(next === 'overview' ? {} : { view: next }, { replace: true })}
      />
      <div className="page-body pad">
        <div className="narrow">
          {view === 'overview' ? (
            <Overview />
          ) : view === 'metrics' ? (
            <Metrics />
          ) : view === 'costs' ? (
            <RunFigures isAdmin={isAdmin} />
          ) : (
            <Settings />
          )}
        </div>
      </div>
    </Page>
  );
}

/** Workers, jobs, calls, background work and retention of the installation. */
function Overview() {
  const [{ data, error }, again] = useLiveQuery({
    query: OperationsDocument,
    variables: {},
    everyMs: 5_000,
  });
  const pause = useChange(PauseJobDocument);
  const resume = useChange(ResumeJobDocument);
  const run = useChange(RunJobDocument);
  const jobs = data?.jobs ?? null;
  const retention = data?.retention ?? null;
  if (data === undefined || jobs === null || retention === null)
    return <Unread rows={12} error={error} onRetry={again} />;
  const { health, workers, memorySettings } = data;
  const work = memorySettings.backgroundWork;
  const byType = Map.groupBy(workers, ({ type }) => type);
  return (
    <div className="col gap-16">
      <div className="row gap-12 small dim">
        <StatusBadge status={health.status} />
        <span>version {health.version}</span>
      </div>
      {health.warnings.map((warning) => (
        <div key={`${warning.subject} ${warning.startedAt}`} className="notice tone-wait">
          <Warning warning={warning} />
        </div>
      ))}
      <div className="ops-grid">
        <Card title="Workers" note={plural(workers.length, 'Worker')}>
          <table className="table">
            <thead>
              <tr>
                <th>For</th>
                <th className="right">Busy</th>
                <th className="right">Idle</th>
                <th className="right">Offline</th>
                <th className="right">Steps</th>
                <th className="right">Failed</th>
              </tr>
            </thead>
            <tbody>
              {[...byType].map(([type, members]) => {
                const count = (status: string) =>
                  members.filter((one) => one.status === status).length;
                const sum = (of: (one: (typeof members)[number]) => number) =>
                  members.reduce((total, one) => total + of(one), 0);
                return (
                  <tr key={type}>
                    <td>{CALLS_OF[type]}</td>
                    <td className="right num">{count('BUSY')}</td>
                    <td className="right num dim">{count('IDLE')}</td>
                    <td className="right num dim">{count('OFFLINE')}</td>
                    <td className="right num dim">{countOf(sum((one) => one.processedCount))}</td>
                    <td className="right num dim">{countOf(sum((one) => one.errorCount))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Card>
        <Card
          title="Background work today"
          note={`until ${new Date(work.resetsAt).toISOString().slice(11, 16)} UTC`}
        >
          <div className="body col gap-12">
            <BackgroundTokens work={work} />
            {work.waiting.length === 0 ? (
              <p className="dim small">Nothing waits.</p>
            ) : (
              <ul className="col gap-4 small">
                {work.waiting.map(({ processName, reason, count, oldestAt }) => (
                  <li key={`${processName} ${reason}`} className="row">
                    <span className="grow">
                      {plural(count, 'piece')} of {processName}{' '}
                      {reason === 'BUDGET'
                        ? 'wait for tomorrow’s tokens'
                        : 'failed and are tried again'}
                    </span>
                    <span className="faint">
                      <Time at={oldestAt} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <HealthParts health={health} />
          </div>
        </Card>
      </div>
      <Card title="Jobs">
        <Problems problems={[...pause.problems, ...resume.problems, ...run.problems]} />
        <table className="table">
          <thead>
            <tr>
              <th>Job</th>
              <th className="hide-small">When</th>
              <th>Last</th>
              <th className="hide-small">Next</th>
              <th className="right hide-small" title="Pieces of work that wait for it">
                Waiting
              </th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.name}>
                <td>
                  <span className="strong">{job.name}</span>{' '}
                  {job.paused ? <span className="tag">paused</span> : null}
                  {job.lastError == null ? null : (
                    <div className="small toned tone-bad clip-2">{job.lastError}</div>
                  )}
                </td>
                <td className="hide-small mono dim">{job.cron}</td>
                <td className="dim">
                  {job.lastRunAt == null ? 'never' : <Time at={job.lastRunAt} />}
                </td>
                <td className="hide-small dim">
                  {job.nextRunAt == null ? '–' : <Time at={job.nextRunAt} />}
                </td>
                <td className="right hide-small num dim">{countOf(job.backlog)}</td>
                <td>
                  <RowActions>
                    <IconButton
                      label={`Run ${job.name} now`}
                      onClick={async () => {
                        if ((await run.send({ input: { name: job.name } })) !== null)
                          notify(`${job.name} runs now.`);
                      }}
                    >
                      <IconPlayerTrackNext size={16} className="icon" />
                    </IconButton>
                    <IconButton
                      label={job.paused ? `Resume ${job.name}` : `Pause ${job.name}`}
                      onClick={async () => {
                        const send = job.paused ? resume.send : pause.send;
                        if ((await send({ input: { name: job.name } })) === null) return;
                        again();
                        notify(
                          job.paused ? `Resumed ${job.name}.` : `Paused ${job.name}.`,
                          'ok',
                          () => {
                            const undo = job.paused ? pause.send : resume.send;
                            void undo({ input: { name: job.name } }).then(again);
                          },
                        );
                      }}
                    >
                      <PauseIcon isPaused={job.paused} />
                    </IconButton>
                  </RowActions>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <div className="ops-grid">
        <CallStats />
        <Card title="Retention">
          <table className="table">
            <thead>
              <tr>
                <th>Data</th>
                <th className="right">Kept</th>
                <th className="right" title="Objects that the next run of the job deletes">
                  Due for deletion
                </th>
              </tr>
            </thead>
            <tbody>
              {retention.map(({ kind, days, due, setting }) => (
                <tr key={kind}>
                  <td title={`The setting ${setting}`}>{KEPT_DATA[kind]}</td>
                  <td className="right num dim">{days === 0 ? 'always' : plural(days, 'day')}</td>
                  <td className="right num dim">{countOf(due)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      </div>
    </div>
  );
}

/** Calls by operation, the most frequent first. */
function CallStats() {
  const [includeSystem, setIncludeSystem] = useState(false);
  const [{ data }] = useLiveQuery({
    query: CallStatsDocument,
    variables: { includeSystem },
    everyMs: 5_000,
  });
  const stats = data?.operationStats ?? [];
  return (
    <Card
      title="Calls"
      note={
        <label className="row gap-4">
          <input
            type="checkbox"
            checked={includeSystem}
            onChange={({ target }) => setIncludeSystem(target.checked)}
          />
          with background runs
        </label>
      }
    >
      {stats.length === 0 ? (
        <p className="body dim small">Calls of Tools and Processes are counted here.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>Operation</th>
              <th className="right">Calls</th>
              <th className="right">Median</th>
              <th className="right">99 %</th>
              <th className="right">Errors</th>
            </tr>
          </thead>
          <tbody>
            {stats.slice(0, 20).map((stat) => (
              <tr key={stat.operationId}>
                <td className="clip">{stat.name}</td>
                <td className="right num">{countOf(stat.calls)}</td>
                <td className="right num dim">{durationOf(stat.p50Ms)}</td>
                <td className="right num dim">{durationOf(stat.p99Ms)}</td>
                <td className="right num dim">
                  {stat.errorRate === 0 ? '–' : `${(stat.errorRate * 100).toFixed(1)} %`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Card({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="grow" />
        {note === undefined ? null : (
          <span className="faint small" style={{ paddingRight: 8 }}>
            {note}
          </span>
        )}
      </header>
      {children}
    </section>
  );
}
