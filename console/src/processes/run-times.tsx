import { lazy, Suspense, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { RunTimesDocument } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { costOf, countOf, durationOf } from '../ui/format.ts';
import { Fault } from '../ui/states.tsx';
import { rangeOf, TimeRangeChoice, windowOf } from '../ui/time-range.tsx';

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }));

/** How long the user's runs of a Process took, and their cost over time. */
export function RunTimes({ processId }: { readonly processId: string }) {
  const [chosen, setChosen] = useState(() => rangeOf('Last 7 days'));
  const { span, fromMs, toMs } = chosen;
  const variables = { processId, ...windowOf(chosen) };
  const [{ data, error }, again] = useQuery({ query: RunTimesDocument, variables });
  const times = data?.processRunTimes;
  const drawn = useMemo(() => {
    const buckets = times?.buckets ?? [];
    const timed = buckets.filter(({ p50Seconds }) => p50Seconds !== null);
    const pointOf = (value: (bucket: (typeof buckets)[number]) => number | null | undefined) =>
      buckets.flatMap((bucket) => {
        const known = value(bucket);
        return known == null ? [] : [{ atMs: Date.parse(bucket.startedAt), value: known }];
      });
    return {
      median: pointOf(({ p50Seconds }) => p50Seconds),
      slower: [
        { label: '90 %', values: timed.map(({ p90Seconds }) => p90Seconds ?? null) },
        { label: '99 %', values: timed.map(({ p99Seconds }) => p99Seconds ?? null) },
      ],
      cost: pointOf(({ costUsd }) => costUsd),
      runs: pointOf(({ runs }) => runs),
    };
  }, [times]);
  const range = { fromMs, toMs };
  return (
    <section className="col gap-12 pad-20" aria-label="Times and cost">
      <div className="row wrap gap-12">
        <TimeRangeChoice span={span} onChoose={setChosen} />
        {times === undefined ? null : (
          <span className="small dim num">
            {countOf(times.runs)} ended, {countOf(times.failedRuns)} failed
            {times.isWhole ? '' : '; only the newest 10,000 are counted'}
          </span>
        )}
        <span className="grow" />
        <CopyMenu document={RunTimesDocument} variables={variables} />
      </div>
      {error === undefined ? null : <Fault error={error} onRetry={again} />}
      {times === undefined || times.runs === 0 ? null : (
        <div className="charts">
          <Figure
            title="Duration (seconds)"
            value={[
              ['half within', shownSeconds(times.p50Seconds), 'line-1'],
              ['90 %', shownSeconds(times.p90Seconds), 'line-2'],
              ['99 %', shownSeconds(times.p99Seconds), 'line-3'],
            ]}
          >
            <Chart
              label="Duration in seconds"
              points={drawn.median}
              more={drawn.slower}
              {...range}
            />
          </Figure>
          {times.costUsd == null ? (
            <Figure title="Runs" value={[['', countOf(times.runs), '']]}>
              <Chart areBars label="Runs" points={drawn.runs} {...range} />
            </Figure>
          ) : (
            <Figure title="Cost (USD)" value={[['', costOf(times.costUsd), '']]}>
              <Chart areBars label="Cost (USD)" points={drawn.cost} {...range} />
            </Figure>
          )}
        </div>
      )}
    </section>
  );
}

function Figure({
  title,
  value,
  children,
}: {
  readonly title: string;
  /** Each with its name and the class of its line's colour. */
  readonly value: readonly (readonly [name: string, shown: string, line: string])[];
  readonly children: React.ReactNode;
}) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="grow" />
        {value.map(([name, shown, line]) => (
          <span key={name} className="row gap-4 small">
            {line === '' ? null : <span className={`line-mark ${line}`} />}
            <span className="dim">{name}</span>
            <span className="num strong">{shown}</span>
          </span>
        ))}
      </header>
      <Suspense fallback={<div className="chart" />}>{children}</Suspense>
    </section>
  );
}

function shownSeconds(seconds: number | null | undefined): string {
  return seconds == null ? '–' : durationOf(seconds * 1_000);
}
