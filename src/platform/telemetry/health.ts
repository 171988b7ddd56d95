import type { HealthStatus } from '../../common/health.ts';

/** A Temporal worker that ended by itself. */
export interface EndedWorker {
  readonly taskQueue: string;
  /** Ends in the last 10 minutes. */
  readonly ends: number;
  /** The first of them, in ms since 1970. */
  readonly sinceMs: number;
  readonly isRunning: boolean;
}

/**
 * State of the platform's parts. `status` is `down` without Neo4j; without another part it is
 * degraded.
 */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly neo4j: HealthStatus;
  readonly temporal: HealthStatus;
  readonly eventBus: HealthStatus;
  readonly version: string;
  /** Workers of this process that ended by themselves in the last minutes; absent: none. */
  readonly endedWorkers?: readonly EndedWorker[];
}

/** Each check resolves when the part answers and rejects when it does not. */
export interface HealthChecks {
  neo4j(): Promise<unknown>;
  temporal(): Promise<unknown>;
  eventBus(): Promise<unknown>;
}

const CHECK_MS_MAX = 5_000;
// Results are cached for this time: frequent probes must not load the backing services.
const FRESH_MS = 1_000;

interface HealthSettings {
  readonly version: string;
  /** Default: none. */
  readonly endedWorkers?: () => readonly EndedWorker[];
  /** Default: a clock that never jumps. */
  readonly nowMs?: () => number;
}

export function openHealth(
  checks: HealthChecks,
  { version, endedWorkers = () => [], nowMs = () => performance.now() }: HealthSettings,
) {
  let last: { report: Promise<HealthReport>; atMs: number } | null = null;

  async function look(): Promise<HealthReport> {
    const [neo4j, temporal, eventBus] = await Promise.all([
      answers(checks.neo4j),
      answers(checks.temporal),
      answers(checks.eventBus),
    ]);
    const ended = endedWorkers();
    const works = temporal === 'healthy' && eventBus === 'healthy';
    const rest = works && ended.every(({ isRunning }) => isRunning) ? 'healthy' : 'degraded';
    const status = neo4j === 'down' ? 'down' : rest;
    const report = { status, neo4j, temporal, eventBus, version } as const;
    return ended.length === 0 ? report : { ...report, endedWorkers: ended };
  }

  return (): Promise<HealthReport> => {
    if (last === null || nowMs() - last.atMs > FRESH_MS) {
      const report = look();
      // Until it ends, further callers share it: a service that hangs gets one check at a time.
      const current = { report, atMs: Number.POSITIVE_INFINITY };
      last = current;
      void report.then(() => {
        current.atMs = nowMs();
      });
    }
    return last.report;
  };
}

/** Parts that a process can not work without: it is ready while all of them answer. */
export function partsDown({ neo4j, temporal }: HealthReport): ('neo4j' | 'temporal')[] {
  const down: ('neo4j' | 'temporal')[] = [];
  if (neo4j === 'down') down.push('neo4j');
  if (temporal === 'down') down.push('temporal');
  return down;
}

async function answers(check: () => Promise<unknown>): Promise<HealthStatus> {
  const timeout = new AbortController();
  const late = new Promise<HealthStatus>((resolve) => {
    const timer = setTimeout(() => resolve('down'), CHECK_MS_MAX);
    timeout.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const answered = check().then(
    (): HealthStatus => 'healthy',
    (): HealthStatus => 'down',
  );
  return Promise.race([answered, late]).finally(() => timeout.abort());
}
