import { setTimeout } from 'node:timers';
import type { HealthReport } from './health.ts';
import type { Log, LogFields } from './log.ts';

/** A service whose outage is logged once, however many operations it fails. */
export interface WatchedService {
  /** For messages: Neo4j. */
  readonly name: string;
  readonly part: 'neo4j' | 'temporal';
  /** Whether this error says that the service was away. Causes are asked too. */
  isAway(error: unknown): boolean;
}

const LOOK_EVERY_MS = 1_000;
/**
 * An outage is over when no health check and no operation has failed for so long. A server that has
 * just started may answer one call and refuse the next, and a call that began in the outage fails
 * only after its own limit, which is 10 s for Temporal.
 */
const STEADY_MS = 15_000;
const CAUSES_MAX = 8;

/**
 * Wraps a log. During an outage of a watched service it writes one entry at the beginning and one
 * at the end; entries of operations that fail by the outage are written at level debug.
 */
export function openOutages(
  log: Log,
  services: readonly WatchedService[],
  { lookEveryMs = LOOK_EVERY_MS, steadyMs = STEADY_MS } = {},
) {
  let health: (() => Promise<HealthReport>) | null = null;
  /** `backMs`: the first health check that succeeded after the last failure; null = none yet. */
  const away = new Map<
    WatchedService,
    { sinceMs: number; failedMs: number; backMs: number | null }
  >();
  let timer: NodeJS.Timeout | undefined;

  function noteFailure(service: WatchedService, nowMs: number): void {
    const sinceMs = away.get(service)?.sinceMs ?? nowMs;
    away.set(service, { sinceMs, failedMs: nowMs, backMs: null });
  }

  function begin(service: WatchedService): void {
    const isKnown = away.has(service);
    noteFailure(service, performance.now());
    if (isKnown) return;
    log.warn(`${service.name} does not answer; work that needs it waits`);
    lookLater();
  }

  function lookLater(): void {
    if (away.size === 0) return;
    timer = setTimeout(() => void look(), lookEveryMs);
    timer.unref();
  }

  async function look(): Promise<void> {
    const report = await health?.();
    const nowMs = performance.now();
    for (const [service, outage] of away) {
      if (report === undefined || report[service.part] === 'down') {
        noteFailure(service, nowMs);
        continue;
      }
      outage.backMs ??= nowMs;
      if (nowMs - outage.failedMs < steadyMs) continue;
      away.delete(service);
      const seconds = ((outage.backMs - outage.sinceMs) / 1_000).toFixed(1);
      log.warn(`${service.name} answers again after ${seconds} s`);
    }
    lookLater();
  }

  const at =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}): void => {
      const service = health === null ? null : serviceOf(services, fields.error);
      if (service !== null) begin(service);
      log[service === null ? level : 'debug'](message, fields);
    };

  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as Log,
    /** Notes that a service has ended, before an operation fails by it. */
    note(part: WatchedService['part']): void {
      const service = services.find((one) => one.part === part);
      if (service !== undefined && health !== null) begin(service);
    },
    /** Before this call entries are not held back. */
    watch(check: () => Promise<HealthReport>): void {
      health = check;
    },
    close(): void {
      clearTimeout(timer);
      away.clear();
    },
  };
}

function serviceOf(services: readonly WatchedService[], error: unknown): WatchedService | null {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause != null; depth++) {
    const current = cause;
    const found = services.find((service) => service.isAway(current));
    if (found !== undefined) return found;
    cause = (current as { cause?: unknown }).cause;
  }
  return null;
}
