/** The current time. It is injected, so that tests and workflows can set it. */
export interface Clock {
  nowMs(): number;
}

/**
 * A moment in RFC 3339, UTC, with milliseconds. Models, payloads and Cypher parameters all use it.
 */
export type Instant = string;

export function instant(clock: Clock): Instant {
  return new Date(clock.nowMs()).toISOString();
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
