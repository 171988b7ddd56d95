import { z } from 'zod';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';
import { TOC_LEVELS, type TocLevel } from './toc.ts';

/** Kind of the entry that says that nodes of a level have to be summed up. */
export const TOC_CHANGED = 'memory.toc';
export const TocChanged = z.object({ level: z.enum(TOC_LEVELS) });

/** The entry that has the job of a level begin at once; what there is to do stands beside it. */
export function tocChanged(deps: BaseDeps, level: TocLevel): OutboxEntry {
  return systemEntry(deps, TOC_CHANGED, { level });
}
