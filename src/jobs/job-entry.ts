import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';
import { JOB_CHANGED } from './job.ts';

/** The entry that tells subscribers of a change of a job: its name and what happened, the rest is read when it is shown. */
export function jobEntry(deps: BaseDeps, name: string, what: string, by?: string): OutboxEntry {
  return systemEntry(deps, JOB_CHANGED, { name, what, ...(by === undefined ? {} : { by }) });
}
