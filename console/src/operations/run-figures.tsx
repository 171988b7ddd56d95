import { IconChartBar } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { RunTimesOfAllDocument, type RunTimesOfAllQuery } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { costOf, countOf, durationOf, plural } from '../ui/format.ts';
import { Sparkline } from '../ui/sparkline.tsx';
import { Empty, Unread } from '../ui/states.tsx';
import { rangeOf, TimeRangeChoice, windowOf } from '../ui/time-range.tsx';

type OfAll = RunTimesOfAllQuery['runTimes'];
type Times = OfAll['total'];
type Sums = Omit<Times, 'isWhole' | 'buckets'>;

const PROCESSES_MAX = 200;

type Value = number | null | undefined;
const NONE = '–';
const seconds = (value: Value) => (value == null ? NONE : durationOf(value * 1_000));
const many = (value: Value) => (value == null || value === 0 ? NONE : countOf(value));
const money = (value: Value) => (value == null ? NONE : costOf(value));

/** The figures of a row, each with its column; the ones of the side are in one line on a phone. */
const FIGURES = [
  { id: 'runs', title: 'Runs', hint: 'Ended runs', shown: many, isSide: false },
  { id: 'failedRuns', title: 'Failed', hint: 'Failed or timed out', shown: many, isSide: true },
  {
    id: 'p50Seconds',
    title: 'Half within',
    hint: 'Half of the runs took at most this long',
    shown: seconds,
    isSide: false,
  },
  {
    id: 'p90Seconds',
    title: '90 % within',
    hint: '90 % of the runs took at most this long',
    shown: seconds,
    isSide: true,
  },
  {
    id: 'p99Seconds',
    title: '99 % within',
    hint: '99 % of the runs took at most this long',
    shown: seconds,
    isSide: true,
  },
  { id: 'tokens', title: 'Tokens', hint: 'Of models, in and out', shown: many, isSide: true },
  {
    id: 'costUsd',
    title: 'Cost (USD)',
    hint: 'Of Tools with a price',
    shown: money,
    isSide: false,
  },
] as const satisfies readonly {
  readonly id: keyof Sums;
  readonly title: string;
  readonly hint: string;
  readonly shown: (value: Value) => string;
  readonly isSide: boolean;
}[];
type Figure = (typeof FIGURES)[number];

/** How long the runs of all Processes took, how many failed, and their cost, over time. */
export function RunFigures({ isAdmin }: { readonly isAdmin: boolean }) {
  const [range, setRange] = useState(() => rangeOf('Last day'));
  const [includeSystem, setIncludeSystem] = useState(false);
  const [ofEveryone, setOfEveryone] = useState(false);
  const variables = { ...windowOf(range), first: PROCESSES_MAX, includeSystem, ofEveryone };
  const [{ data, error }, again] = useQuery({ query: RunTimesOfAllDocument, variables });
  const all = data?.runTimes;
  return (
    <div className="col gap-16">
      <div className="row wrap gap-12">
        <TimeRangeChoice span={range.span} onChoose={setRange} />
        <Choice label="With background runs" isOn={includeSystem} onChange={setIncludeSystem} />
        {isAdmin ? (
          <Choice label="Runs of all users" isOn={ofEveryone} onChange={setOfEveryone} />
        ) : null}
        <span className="grow" />
        <CopyMenu
          document={RunTimesOfAllDocument}
          variables={variables}
          cli={
            `npx aiden query '{ runTimes(from: "${variables.from}") { processes { process ` +
            "{ name } times { runs p50Seconds p90Seconds p99Seconds tokens costUsd } } } }'"
          }
        />
      </div>
      {all === undefined ? (
        <Unread rows={6} error={error} onRetry={again} />
      ) : all.processCount === 0 ? (
        <Empty
          icon={<IconChartBar size={28} className="icon" stroke={1.5} />}
          title="No run ended in this time"
          actions={
            <Link href="/runs?start=choose" className="button primary">
              Start a run
            </Link>
          }
        >
          Choose a longer time above. The durations, failures, tokens and cost of runs are here as
          soon as one has ended.
        </Empty>
      ) : (
        <Table all={all} range={range} />
      )}
    </div>
  );
}

function Choice({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="row gap-4 small dim">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}

function Table({
  all: { total, processes, processCount },
  range,
}: {
  readonly all: OfAll;
  readonly range: ReturnType<typeof rangeOf>;
}) {
  const [sort, setSort] = useState<{ readonly by: Figure['id']; readonly isUp: boolean }>({
    by: 'runs',
    isUp: false,
  });
  const figure = FIGURES.find(({ id }) => id === sort.by) ?? FIGURES[0];
  const rows = useMemo(() => {
    const sorted = ({ times }: OfAll['processes'][number]) => times[sort.by] ?? -1;
    return processes.toSorted((one, other) => (sorted(one) - sorted(other)) * (sort.isUp ? 1 : -1));
  }, [processes, sort]);
  return (
    <section className="card" aria-label="Runs by Process">
      <table className="table figures-table">
        <thead>
          <tr>
            <th>Process</th>
            <th className="hide-small">{figure.title} over time</th>
            {FIGURES.map(({ id, title, hint, isSide }) => (
              <th
                key={id}
                className={`right${isSide ? ' hide-small' : ''}`}
                aria-sort={id !== sort.by ? undefined : sort.isUp ? 'ascending' : 'descending'}
              >
                <button
                  type="button"
                  className="sort"
                  title={hint}
                  onClick={() => setSort({ by: id, isUp: id === sort.by && !sort.isUp })}
                >
                  {title}
                  {id !== sort.by ? null : <span aria-hidden> {sort.isUp ? '↑' : '↓'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ processId, process, times }) => (
            <Row key={processId} times={times} figure={figure} range={range}>
              {process == null ? (
                <span className="dim" title={`It is deleted, or of another user: ${processId}`}>
                  A deleted Process
                </span>
              ) : (
                <Link href={`/processes/${process.id}`} className="strong">
                  {process.name}
                </Link>
              )}
            </Row>
          ))}
        </tbody>
        <tfoot>
          <Row times={total} figure={figure} range={range}>
            <span className="strong">All runs</span>
          </Row>
        </tfoot>
      </table>
      <p className="body small dim">
        A run counts with its sub-runs, and a sub-run for its own Process too; the last row counts
        each once. A Tool without a price costs nothing here.
        {total.isWhole ? null : ' Only the newest 10,000 runs are counted.'}
        {processCount > processes.length
          ? ` ${plural(processCount - processes.length, 'more Process')} are not shown.`
          : null}
      </p>
    </section>
  );
}

function Row({
  times,
  figure,
  range: { fromMs, toMs, bucketSeconds },
  children,
}: {
  readonly times: Times;
  /** The one whose line is drawn. */
  readonly figure: Figure;
  readonly range: ReturnType<typeof rangeOf>;
  readonly children: React.ReactNode;
}) {
  const values = useMemo(() => {
    const known = new Map(
      times.buckets.map((bucket) => [Date.parse(bucket.startedAt), bucket[figure.id] ?? null]),
    );
    const bucketMs = bucketSeconds * 1_000;
    // A time without a run has no duration, and zero of all else.
    const none = figure.shown === seconds ? null : 0;
    return Array.from(
      { length: (toMs - fromMs) / bucketMs },
      (_, at) => known.get(fromMs + at * bucketMs) ?? none,
    );
  }, [times, figure, fromMs, toMs, bucketSeconds]);
  const highest = figure.shown(Math.max(...values.map((value) => value ?? 0)));
  return (
    <tr>
      <td>
        <div className="clip">{children}</div>
        <div className="only-small small dim num">
          {FIGURES.filter(({ isSide }) => isSide).map(({ id, title, shown }) => (
            <div key={id}>
              {title} {shown(times[id])}
            </div>
          ))}
        </div>
      </td>
      <td className="hide-small">
        <Sparkline label={`${figure.title} over time, at most ${highest}`} values={values} />
      </td>
      {FIGURES.map(({ id, shown, isSide }) => (
        <td key={id} className={`right num${isSide ? ' dim hide-small' : ''}`}>
          {shown(times[id])}
        </td>
      ))}
    </tr>
  );
}
