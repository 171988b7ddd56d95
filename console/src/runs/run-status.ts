import type { RunStatus, StepStatus } from '../generated/documents.ts';

const OPEN: readonly string[] = ['PENDING', 'RUNNING', 'WAITING', 'PAUSED'];

/** Whether the run or step may still change. */
export function isOpen(status: RunStatus | StepStatus): boolean {
  return OPEN.includes(status);
}

/** Filters of the list of runs, by their name in the URL. */
export const FILTERS = {
  all: { label: 'All', statuses: undefined },
  open: { label: 'In progress', statuses: ['PENDING', 'RUNNING', 'WAITING', 'PAUSED'] },
  waiting: { label: 'Needs approval', statuses: ['WAITING'] },
  failed: { label: 'Failed', statuses: ['FAILED', 'TIMED_OUT'] },
  completed: { label: 'Completed', statuses: ['COMPLETED'] },
  cancelled: { label: 'Cancelled', statuses: ['CANCELLED'] },
} as const satisfies Record<
  string,
  { readonly label: string; readonly statuses: readonly RunStatus[] | undefined }
>;

export type Filter = keyof typeof FILTERS;

export function isFilter(name: string | null): name is Filter {
  return name !== null && Object.hasOwn(FILTERS, name);
}
