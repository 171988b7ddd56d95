/** The time, injected, so that tests and workflows decide what now is. */
export interface Clock {
  nowMs(): number;
}

/** RFC 3339 in UTC with milliseconds: the one form of a moment in models, payloads and Cypher parameters. */
export type Instant = string;

export function instant(clock: Clock): Instant {
  return new Date(clock.nowMs()).toISOString();
}
