import { type Backoff, backoffMs } from '../common/backoff.ts';
import { type Instant, instantOf, msSince } from '../common/clock.ts';
import { entryOf } from '../common/entry-of.ts';
import type { JsonObject } from '../common/json.ts';

/** How often a kind of background work is tried, and how long one try may take. */
export interface WorkKind {
  /** Timeout of its run, in seconds. */
  readonly secondsMax: number;
  /** After so many failures in a row the work is given up. Its fault stays. Default 10. */
  readonly attemptsMax?: number;
  /** The work is done when the output of its run is used. Default: when its run is completed. */
  readonly endsWithUse?: true;
  /** A cancelled run is tried again. Default: the work is given up. */
  readonly retriesCancelled?: true;
}

const ATTEMPTS_MAX = 10;

/** The Processes of the product that work for users (examples/system.yaml), by name. */
export const WORK_KINDS = {
  'extract memories': { secondsMax: 900, endsWithUse: true },
  'enrich entity': { secondsMax: 900, endsWithUse: true },
  'compress conversation': {
    secondsMax: 900,
    attemptsMax: Number.POSITIVE_INFINITY,
    retriesCancelled: true,
  },
  // S4-INTR-09: the agent needs time to search and to reorganise.
  introspect: {
    secondsMax: 3_600,
    attemptsMax: Number.POSITIVE_INFINITY,
    retriesCancelled: true,
  },
  'summarise memory': { secondsMax: 120, attemptsMax: 3 },
} as const satisfies Record<string, WorkKind>;
export type WorkProcess = keyof typeof WORK_KINDS;

/**
 * Why work is not at work. `due`: it may start; `quiet`: a change ends its rest; `budget`: the
 * owner's tokens of the day are used up; `fault`: the last try failed; `running`: it has begun.
 */
export const WORK_REASONS = ['due', 'quiet', 'budget', 'fault', 'running'] as const;
export type WorkReason = (typeof WORK_REASONS)[number];

/** A kind of work, and the thing of a user that it is for. */
export interface WorkItem {
  readonly ownerId: string;
  /**
   * Name of the Process that does it. `Process/part`: a queue of its own for a part of the work.
   */
  readonly kind: string;
  /** Id of the alternative, entity, conversation or node. */
  readonly itemId: string;
  /** Read by the code of the kind only. */
  readonly payload?: JsonObject | null;
}

/** The state that work is put into; an absent `attempts` stays. */
export interface WorkState {
  readonly reason: WorkReason;
  /** Time from which it may start; null while its run is at work. */
  readonly runAt: Instant | null;
  /** Number of failures in a row. */
  readonly attempts?: number;
}

/** Background work on record. Work that starts at once and succeeds has no record. */
export interface Work extends WorkItem, WorkState {
  readonly attempts: number;
  /** Rises with each change. Work that changed while it was done is done again. */
  readonly revision: number;
  /** When `runAt` was set. */
  readonly setAt: Instant;
}

/** Work and its owner's day begin with the id of the owner; a deletion finds them so. */
export function workKey({ ownerId, kind, itemId }: WorkItem): string {
  return `${ownerId}/${kind}/${itemId}`;
}

export function processOf(kind: string): string {
  return kind.split('/', 1)[0] ?? kind;
}

export function kindOf(kind: string): WorkKind | undefined {
  return entryOf<WorkKind>(WORK_KINDS, processOf(kind));
}

const RETRY: Backoff = { firstMs: 60_000, maxMs: 24 * 60 * 60_000 };

/**
 * The state after one more failure: the first pause is a minute, each next one twice as long, at
 * most a day. Null: the work is given up.
 */
export function afterFailure(
  { kind, attempts: before }: Pick<Work, 'kind' | 'attempts'>,
  nowMs: number,
): (WorkState & { readonly attempts: number }) | null {
  const attempts = before + 1;
  if (attempts >= (kindOf(kind)?.attemptsMax ?? ATTEMPTS_MAX)) return null;
  return { reason: 'fault', attempts, runAt: instantOf(nowMs + backoffMs(RETRY, attempts)) };
}

/** The state after a refused start. It costs nothing, so it is tried again soon. */
export function afterRefusal(nowMs: number): WorkState {
  return { reason: 'fault', runAt: instantOf(nowMs + RETRY.firstMs) };
}

/** Whether failed work still pauses. A pause that a clock ahead of ours began is over. */
export function pauses({ reason, runAt, setAt }: Work, nowMs: number): boolean {
  return (
    reason === 'fault' &&
    runAt !== null &&
    Date.parse(runAt) > nowMs &&
    msSince(setAt, nowMs) !== Number.POSITIVE_INFINITY
  );
}
