import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { UNNAMED_UPLOAD_DAYS_MIN } from '../common/limits.ts';
import type { NumberSetting, Settings } from '../settings/settings.ts';

/** A kind of record that is deleted after a time. Conversations and memory are kept for ever. */
export const RETENTION_KINDS = [
  'runs',
  'systemRuns',
  'runInputs',
  'entries',
  'sessions',
  'systemSessions',
  'idempotencyRecords',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** The setting that holds the days of each kind. */
export const DAYS_OF = {
  runs: 'runRetentionDays',
  systemRuns: 'systemRunRetentionDays',
  runInputs: 'callGraphRetentionDays',
  entries: 'entryRetentionDays',
  sessions: 'sessionRetentionDays',
  systemSessions: 'systemRunRetentionDays',
  idempotencyRecords: 'idempotencyRetentionDays',
} as const satisfies Record<RetentionKind, NumberSetting>;

const DAY_MS = 86_400_000;
/** Before the first record of any installation. */
const NEVER: Instant = '1970-01-01T00:00:00.000Z';

/** The time before which records of each kind are deleted. 0 days: none. */
export type Cutoffs = Readonly<Record<RetentionKind, Instant>>;

export function cutoffsOf(settings: Settings, nowMs: number): Cutoffs {
  const before = (kind: RetentionKind): Instant => {
    const days = settings[DAYS_OF[kind]];
    return days === 0 ? NEVER : new Date(nowMs - days * DAY_MS).toISOString();
  };
  return Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, before(kind)])) as Record<
    RetentionKind,
    Instant
  >;
}

/** Age from which uploads that nothing names are deleted: that of runs at least. 0: none is. */
export function uploadDays({ runRetentionDays }: Pick<Settings, 'runRetentionDays'>): number {
  return runRetentionDays === 0 ? 0 : Math.max(runRetentionDays, UNNAMED_UPLOAD_DAYS_MIN);
}

export function latest(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}

/** Records of one kind that the last job run with any deleted. */
export const Forgotten = z.object({
  kind: z.enum(RETENTION_KINDS),
  deleted: z.int(),
  at: z.string(),
});
export type Forgotten = z.infer<typeof Forgotten>;
