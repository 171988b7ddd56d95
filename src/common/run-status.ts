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

/** Runs that may still do something; a Process with one of them can't be deleted. */
export const OPEN_RUN_STATUSES = [
  'pending',
  'running',
  'waiting',
  'paused',
] as const satisfies RunStatus[];

const NEXT: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  pending: ['running', 'cancelled', 'failed'],
  running: ['waiting', 'paused', 'completed', 'failed', 'cancelled', 'timed_out'],
  waiting: ['running', 'paused', 'completed', 'failed', 'cancelled', 'timed_out'],
  paused: ['running', 'waiting', 'completed', 'failed', 'cancelled', 'timed_out'],
  completed: [],
  failed: [],
  cancelled: [],
  timed_out: [],
};

/** The state machine of a run: what is over stays over. */
export function canBecome(from: RunStatus, to: RunStatus): boolean {
  return NEXT[from].includes(to);
}

export function isOpen(status: RunStatus): boolean {
  return NEXT[status].length > 0;
}
