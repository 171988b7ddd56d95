import { instant } from '../common/clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { type BaseDeps, SYSTEM_USER_ID, SYSTEM_USER_NAME } from '../users/viewer.ts';
import { JOB_CHANGED } from './job.ts';

/** The entry that tells subscribers of a change of a job: its name and what happened, the rest is read when it is shown. */
export function jobEntry(deps: BaseDeps, name: string, what: string, by?: string): OutboxEntry {
  return {
    id: deps.newId(),
    kind: JOB_CHANGED,
    at: instant(deps.clock),
    ownerId: SYSTEM_USER_ID,
    workspace: SYSTEM_USER_NAME,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId: null,
    payload: { name, what, ...(by === undefined ? {} : { by }) },
  };
}
