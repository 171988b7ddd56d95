export const RUN_STATUSES = [
  'pending',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Statuses of runs that have not ended. A Process with such a run can't be deleted. */
export const OPEN_RUN_STATUSES = [
  'pending',
  'running',
  'waiting',
  'paused',
] as const satisfies RunStatus[];

export function isOpen(status: RunStatus): boolean {
  return OPEN_RUN_STATUSES.some((open) => open === status);
}
