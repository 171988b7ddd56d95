import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { usePages } from '../api/use-pages.ts';
import { Item, RowMenu } from '../catalog/catalog-actions.tsx';
import {
  DeleteMetricDocument,
  MetricSeriesDocument,
  MetricsDocument,
  type MetricsQuery,
  ProcessNamesDocument,
  type ProcessNamesQuery,
  ServiceNamesDocument,
  type ServiceNamesQuery,
  ToolNamesDocument,
  type ToolNamesQuery,
  ViewerDocument,
} from '../generated/documents.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { useIsGone } from '../ui/deletions.ts';
import { costOf, countOf, durationOf } from '../ui/format.ts';
import { MenuLine } from '../ui/menu.tsx';
import { Fault, Loading } from '../ui/states.tsx';
import { MetricForm } from './metric-form.tsx';

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }));

type Definition = MetricsQuery['metricDefinitions'][number];

const MINUTE_MS = 60_000;
const RANGES = {
  hour: { label: 'Last hour', ms: 60 * MINUTE_MS, bucketSeconds: 60 },
  day: { label: 'Last day', ms: 1_440 * MINUTE_MS, bucketSeconds: 900 },
  week: { label: 'Last week', ms: 10_080 * MINUTE_MS, bucketSeconds: 7_200 },
} as const;
type Range = keyof typeof RANGES;

const SCOPES = [
  ['PROCESS', 'Process'],
  ['TOOL', 'Tool'],
  ['SERVICE', 'Service'],
] as const;

const processesOf = ({ processes }: ProcessNamesQuery) => processes;
const toolsOf = ({ tools }: ToolNamesQuery) => tools;
const servicesOf = ({ services }: ServiceNamesQuery) => services;

/** The names of all objects that metrics are recorded of. */
function useMeasured() {
  const whole = { variables: {}, isWhole: true };
  return {
    PROCESS: usePages({ query: ProcessNamesDocument, listOf: processesOf, ...whole }),
    TOOL: usePages({ query: ToolNamesDocument, listOf: toolsOf, ...whole }),
    SERVICE: usePages({ query: ServiceNamesDocument, listOf: servicesOf, ...whole }),
  };
}

/** Metrics of which each point is a sum. */
const SUMS = ['aiden_calls', 'aiden_tokens', 'aiden_cost_usd', 'aiden_errors', 'aiden_retries'];

/** The metrics of one Process, Tool or Service as charts. */
export function Metrics() {
  const [{ data, error }, again] = useLiveQuery({ query: MetricsDocument, variables: {} });
  const measured = useMeasured();
  const [search, setSearch] = useSearchParams();
  const scope = SCOPES.find(([id]) => id === search.get('kind'))?.[0] ?? 'PROCESS';
  const asked = search.get('time');
  const range: Range = asked !== null && Object.hasOwn(RANGES, asked) ? (asked as Range) : 'day';
  const entityId = search.get('object');
  const [includeSystem, setIncludeSystem] = useState(true);
  /** The form that is open: of a new metric, of a copy, or of one that is changed. */
  const [form, setForm] = useState<MetricFormOf | null>(null);
  const [deleted, setDeleted] = useState<Definition | null>(null);
  const isGone = useIsGone();
  const [{ data: signedIn }] = useQuery({ query: ViewerDocument });
  const isAdmin = signedIn?.viewer.roles.includes('ADMIN') === true;
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const objects = measured[scope].nodes;
  if (data === undefined || objects === undefined) {
    const fault = error ?? measured[scope].error;
    if (fault === undefined) return <Loading rows={6} />;
    const retry = () => {
      again();
      measured[scope].again();
    };
    return <Fault error={fault} onRetry={retry} />;
  }
  const chosen = objects.find(({ id }) => id === entityId) ?? objects[0];
  return (
    <div className="col gap-16">
      <div className="row wrap gap-12">
        <select
          className="input"
          aria-label="Kind"
          value={scope}
          onChange={({ target }) =>
            setSearch({ view: 'metrics', kind: target.value, time: range }, { replace: true })
          }
        >
          {SCOPES.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <select
          className="input"
          aria-label="Object"
          value={chosen?.id ?? ''}
          onChange={({ target }) => set('object', target.value)}
        >
          {objects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="input"
          aria-label="Time"
          value={range}
          onChange={({ target }) => set('time', target.value)}
        >
          {Object.entries(RANGES).map(([id, { label }]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <label className="row small dim">
          <input
            type="checkbox"
            checked={includeSystem}
            onChange={({ target }) => setIncludeSystem(target.checked)}
          />
          With background runs
        </label>
        <span className="grow" />
        {isAdmin ? (
          <button type="button" className="button" onClick={() => setForm(NEW)}>
            <IconPlus size={15} className="icon" />
            New metric
          </button>
        ) : null}
      </div>
      {form === null ? null : <MetricForm {...form} onClose={() => setForm(null)} onDone={again} />}
      {deleted === null ? null : (
        <DeleteDialog
          kind="metric"
          name={deleted.name}
          document={DeleteMetricDocument}
          of={{ id: deleted.id, cascade: true }}
          uses={[]}
          onDeleted={again}
          onClose={() => setDeleted(null)}
        >
          All its values go with it.
        </DeleteDialog>
      )}
      {chosen === undefined ? (
        <p className="dim small">There is none yet.</p>
      ) : (
        <div className="charts">
          {data.metricDefinitions
            .filter((definition) => definition.scope === scope && !isGone(definition))
            .map((definition) => (
              <Series
                key={`${definition.id} ${chosen.id} ${range} ${includeSystem}`}
                definition={definition}
                entityId={chosen.id}
                range={range}
                includeSystem={includeSystem}
                menu={
                  isAdmin && !definition.name.startsWith('aiden_') ? (
                    <MetricMenu
                      definition={definition}
                      onForm={setForm}
                      onDelete={() => setDeleted(definition)}
                    />
                  ) : null
                }
              />
            ))}
        </div>
      )}
    </div>
  );
}

interface MetricFormOf {
  readonly before: Definition | null;
  readonly copyOf: Definition | null;
}
const NEW: MetricFormOf = { before: null, copyOf: null };

function MetricMenu({
  definition,
  onForm,
  onDelete,
}: {
  readonly definition: Definition;
  readonly onForm: (form: MetricFormOf) => void;
  readonly onDelete: () => void;
}) {
  return (
    <RowMenu name={definition.name}>
      <Item icon={IconPencil} onSelect={() => onForm({ ...NEW, before: definition })}>
        Change or rename
      </Item>
      <Item icon={IconCopy} onSelect={() => onForm({ ...NEW, copyOf: definition })}>
        Duplicate
      </Item>
      <MenuLine />
      <Item icon={IconTrash} onSelect={onDelete}>
        Delete
      </Item>
    </RowMenu>
  );
}

function Series({
  definition,
  entityId,
  range,
  includeSystem,
  menu,
}: {
  readonly definition: Definition;
  readonly entityId: string;
  readonly range: Range;
  readonly includeSystem: boolean;
  /** Null: it ships with the product, or the viewer is no admin. */
  readonly menu: ReactNode;
}) {
  const { ms, bucketSeconds } = RANGES[range];
  // A whole bucket is the end, so that the question stays the same while the page is drawn again.
  const [toMs] = useState(() => {
    const bucketMs = bucketSeconds * 1_000;
    return Math.ceil(Date.now() / bucketMs) * bucketMs;
  });
  const [{ data, error }] = useQuery({
    query: MetricSeriesDocument,
    variables: {
      entityId,
      metricId: definition.id,
      from: new Date(toMs - ms).toISOString(),
      to: new Date(toMs).toISOString(),
      bucketSeconds,
      includeSystem,
    },
  });
  const series = data?.metricSeries;
  const points = useMemo(
    () =>
      (series?.points ?? []).flatMap(({ measuredAt, value }) =>
        typeof value === 'number' ? [{ atMs: Date.parse(measuredAt), value }] : [],
      ),
    [series],
  );
  const name = titleOf(definition.name);
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2 title={definition.description ?? ''}>{name}</h2>
        <span className="grow" />
        <span className="num strong">{shownValue(definition.name, series?.aggregate)}</span>
        {menu}
      </header>
      {error !== undefined ? (
        <p className="body dim small">{error.message}</p>
      ) : points.length === 0 ? (
        <p className="body dim small chart-empty">
          {data === undefined ? 'Reading …' : 'No value in this time.'}
        </p>
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <Chart
            label={name}
            points={points}
            areBars={SUMS.includes(definition.name)}
            fromMs={toMs - ms}
            toMs={toMs}
          />
        </Suspense>
      )}
    </section>
  );
}

/** `aiden_cost_usd` as `Cost (USD)`. */
function titleOf(name: string): string {
  const words = name
    .replace(/^aiden_/, '')
    .replace(/_usd$/, ' (USD)')
    .replace(/_seconds$/, ' (seconds)')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shownValue(name: string, value: unknown): string {
  if (typeof value !== 'number') return '–';
  if (name === 'aiden_duration_seconds') return durationOf(value * 1_000);
  return name === 'aiden_cost_usd' ? costOf(value) : countOf(value);
}
