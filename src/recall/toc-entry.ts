import { z } from 'zod';
import { instant } from '../common/clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { type BaseDeps, SYSTEM_USER_ID, SYSTEM_USER_NAME } from '../users/viewer.ts';
import { TOC_LEVELS, type TocLevel } from './toc.ts';

/** Kind of the entry that says that nodes of a level have to be summed up. */
export const TOC_CHANGED = 'memory.toc';
export const TocChanged = z.object({ level: z.enum(TOC_LEVELS) });

/** The entry that has the job of a level begin at once; what there is to do stands beside it. */
export function tocChanged({ newId, clock }: BaseDeps, level: TocLevel): OutboxEntry {
  return {
    id: newId(),
    kind: TOC_CHANGED,
    at: instant(clock),
    ownerId: SYSTEM_USER_ID,
    workspace: SYSTEM_USER_NAME,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId: null,
    payload: { level },
  };
}
