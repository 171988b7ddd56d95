import type { Instant } from '../common/clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { runPayload } from '../runs/events/run-payloads.ts';
import { METRIC_SCOPES, type MetricScope, type Summary } from './metric.ts';
import { BUILT_IN_BUCKET_MS } from './series.ts';

/** Built-in metrics, one per scope each; the same list as in their migration. */
export const BUILT_IN_METRICS = [
  'aiden_calls',
  'aiden_duration_seconds',
  'aiden_tokens',
  'aiden_cost_usd',
  'aiden_errors',
  'aiden_retries',
] as const;
export type BuiltInMetric = (typeof BUILT_IN_METRICS)[number];

/** The id of a built-in definition is the same in every installation. */
export function builtInId(scope: MetricScope, metric: BuiltInMetric): string {
  const [s, m] = [METRIC_SCOPES.indexOf(scope), BUILT_IN_METRICS.indexOf(metric)];
  return `00000000-0000-7000-8000-0000000a0${s}0${m}`;
}

export const MEASURED_KINDS = ['step.ended', 'run.ended'] as const;

/** One number from an outbox entry. */
export interface Measurement {
  readonly scope: MetricScope;
  readonly metric: BuiltInMetric;
  readonly entityId: string;
  readonly value: number;
}

/** A number for an installation-wide counter; its labels come from fixed lists, never ids. */
export interface Tally {
  readonly name: TotalName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Installation-wide counters and gauges for Prometheus. */
export const INSTALLATION = {
  aiden_installation_steps_total: {
    help: 'Number of ended step attempts, by operation type and status.',
    labelNames: ['type', 'status'],
  },
  aiden_installation_step_seconds_total: {
    help: 'Total duration of ended step attempts in seconds, by operation type.',
    labelNames: ['type'],
  },
  aiden_installation_retries_total: {
    help: 'Number of retried step attempts, by operation type.',
    labelNames: ['type'],
  },
  aiden_installation_runs_total: {
    help: 'Number of ended runs, sub-runs included, by status.',
    labelNames: ['status'],
  },
  aiden_installation_run_seconds_total: {
    help: 'Total duration of ended runs in seconds.',
    labelNames: [],
  },
  aiden_installation_tokens_total: {
    help: 'Number of language model tokens, by direction.',
    labelNames: ['direction'],
  },
  aiden_installation_cost_usd_total: {
    help: 'Cost of language model tokens in US dollars, only of Tools with pricing.',
    labelNames: [],
  },
  aiden_installation_workers: {
    help: 'Number of Workers, by type and status.',
    labelNames: ['type', 'status'],
  },
} as const satisfies Record<string, { help: string; labelNames: readonly string[] }>;
export type TotalName = Exclude<keyof typeof INSTALLATION, 'aiden_installation_workers'>;

/** All numbers of one outbox entry (S4-MVAL-02). Pure, so a replay gives the same numbers. */
export function measure(entry: OutboxEntry): {
  readonly measurements: readonly Measurement[];
  readonly tallies: readonly Tally[];
} {
  if (entry.kind === 'step.ended') return measureStep(entry);
  return entry.kind === 'run.ended' ? measureRun(entry) : NOTHING;
}
const NOTHING = { measurements: [], tallies: [] };

function measureStep(entry: OutboxEntry): ReturnType<typeof measure> {
  const step = runPayload('step.ended', entry);
  const { call, type, status, usage, attempt, cached } = step;
  if (call === null) return NOTHING;
  const numbers: Numbers = {
    aiden_calls: 1,
    aiden_duration_seconds: secondsBetween(call.startedAt, entry.at),
    aiden_tokens: usage.inputTokens + usage.outputTokens,
    aiden_cost_usd: usage.costUsd,
    aiden_errors: status === 'completed' ? 0 : 1,
    aiden_retries: attempt > 1 ? 1 : 0,
  };
  const retried: Numbers = attempt > 1 ? { aiden_retries: 1 } : {};
  return {
    measurements: [
      // An answer from the cache used a Worker, but no Tool and no Service.
      ...(cached ? [] : of('tool', call.targetId, numbers)),
      ...(cached ? [] : of('service', call.serviceId, numbers)),
      ...of('worker', call.workerId, numbers),
      ...of('process', call.processId, retried),
      ...of('conversation', entry.conversationId, retried),
    ],
    tallies: [
      tally('aiden_installation_steps_total', { type, status }, 1),
      tally('aiden_installation_step_seconds_total', { type }, numbers.aiden_duration_seconds),
      tally('aiden_installation_retries_total', { type }, numbers.aiden_retries),
      tally('aiden_installation_tokens_total', { direction: 'in' }, usage.inputTokens),
      tally('aiden_installation_tokens_total', { direction: 'out' }, usage.outputTokens),
      tally('aiden_installation_cost_usd_total', {}, usage.costUsd),
    ].flat(),
  };
}

function measureRun(entry: OutboxEntry): ReturnType<typeof measure> {
  const run = runPayload('run.ended', entry);
  const seconds = run.startedAt === null ? null : secondsBetween(run.startedAt, entry.at);
  // A run's usage includes its sub-runs, so a Process' numbers include those it calls.
  const numbers: Numbers = {
    aiden_calls: 1,
    aiden_duration_seconds: seconds,
    aiden_tokens: run.usage.inputTokens + run.usage.outputTokens,
    aiden_cost_usd: run.usage.costUsd,
    aiden_errors: run.status === 'failed' || run.status === 'timed_out' ? 1 : 0,
  };
  return {
    measurements: [
      ...of('process', run.processId, numbers),
      ...(entry.runPath.length > 1 ? [] : of('conversation', entry.conversationId, numbers)),
    ],
    tallies: [
      tally('aiden_installation_runs_total', { status: run.status }, 1),
      tally('aiden_installation_run_seconds_total', {}, seconds),
    ].flat(),
  };
}

type Numbers = { readonly [Metric in BuiltInMetric]?: number | null };

function of(scope: MetricScope, entityId: string | null, numbers: Numbers): Measurement[] {
  if (entityId === null) return [];
  return BUILT_IN_METRICS.flatMap((metric) => {
    const value = numbers[metric] ?? null;
    return value === null ? [] : [{ scope, metric, entityId, value }];
  });
}

const tally = (
  name: TotalName,
  labels: Tally['labels'],
  value: number | null | undefined,
): Tally[] => (value == null || value === 0 ? [] : [{ name, labels, value }]);

const secondsBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000;

/** A stored bucket: one metric of one entity and owner over one minute. */
export interface Bucket extends Summary {
  /** `system`: of the product's background runs; null: of users' runs, and of Workers. */
  readonly origin: 'system' | null;
  readonly key: string;
  readonly metricId: string;
  readonly entityId: string;
  readonly ownerId: string;
  readonly at: Instant;
}

/**
 * Sums the numbers of several entries per bucket, so each bucket is written once per batch.
 * @param systemRuns ids of the root runs that are the product's own
 */
export function bucketsOf(
  entries: readonly OutboxEntry[],
  systemRuns: ReadonlySet<string> = new Set(),
): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const entry of entries) {
    const startMs = Math.floor(Date.parse(entry.at) / BUILT_IN_BUCKET_MS) * BUILT_IN_BUCKET_MS;
    const at = new Date(startMs).toISOString();
    const isSystem = systemRuns.has(entry.rootRunId ?? '');
    for (const { scope, metric, entityId, value } of measure(entry).measurements) {
      const metricId = builtInId(scope, metric);
      const origin = isSystem && scope !== 'worker' ? 'system' : null;
      const own = `${metricId}/${entityId}/${entry.ownerId}/${startMs}`;
      const key = origin === null ? own : `${own}/${origin}`;
      const known = buckets.get(key);
      buckets.set(key, {
        ...{ key, metricId, entityId, ownerId: entry.ownerId, at, origin },
        count: (known?.count ?? 0) + 1,
        sum: (known?.sum ?? 0) + value,
        min: Math.min(known?.min ?? value, value),
        max: Math.max(known?.max ?? value, value),
        last: value,
      });
    }
  }
  return [...buckets.values()];
}

export interface Total extends Tally {
  readonly key: string;
}

/** The tallies of several entries, one per counter and labels. */
export function totalsOf(entries: readonly OutboxEntry[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { name, labels, value } of entries.flatMap((entry) => measure(entry).tallies)) {
    const key = [name, ...Object.entries(labels).flat()].join(' ');
    totals.set(key, { key, name, labels, value: (totals.get(key)?.value ?? 0) + value });
  }
  return [...totals.values()];
}
