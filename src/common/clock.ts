import { CLOCK_SKEW_MS_MAX } from './limits.ts';

/**
 * The current time, for stored times only. It may jump, so waits inside a process are measured by
 * `performance.now()`. It is injected, so that tests and workflows can set it.
 */
export interface Clock {
  nowMs(): number;
}

/**
 * A moment in RFC 3339, UTC, with milliseconds. Models, payloads and Cypher parameters all use it.
 */
export type Instant = string;

/** The current time. */
export function instant(clock: Clock): Instant {
  return instantOf(clock.nowMs());
}

/** Converts Unix milliseconds to an Instant. */
export function instantOf(ms: number): Instant {
  return new Date(ms).toISOString();
}

/**
 * The limit above which a stored time is the work of a wrong clock. A wait whose beginning lies
 * beyond it is over: otherwise it would last as long as the clock was ahead.
 */
export function aheadOf(nowMs: number): Instant {
  return instantOf(nowMs + CLOCK_SKEW_MS_MAX);
}

/** Milliseconds since a stored time; Infinity when a wrong clock wrote it. */
export function msSince(at: Instant, nowMs: number): number {
  const ms = nowMs - Date.parse(at);
  return ms < -CLOCK_SKEW_MS_MAX ? Number.POSITIVE_INFINITY : ms;
}

/** Names of the months in English, January first. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
