import { z } from 'zod';
import { type Work, type WorkItem, type WorkProcess, workKey } from '../../background/work.ts';
import { parseStored } from '../../common/stored.ts';
import { ownerOfStore } from '../store.ts';
import {
  type CalendarLevel,
  type LevelRef,
  type NodeRef,
  periodOf,
  segmentNodeId,
  TOC_LEVELS,
  type TocLevel,
} from './toc.ts';

/** Name of the system's Process (examples/system.yaml); an admin may give it another Tool. */
export const SUMMARISE_PROCESS = 'summarise memory' satisfies WorkProcess;

/** The queue of a level. */
export function tocKind(level: TocLevel): string {
  return `${SUMMARISE_PROCESS}/${level}`;
}

const Payload = z.object({ startMs: z.int() });

/** A new summary of a node as a piece of background work. */
export function tocItem({ level, startMs, ...ref }: LevelRef): WorkItem {
  return { ...itemOf(level, ref), payload: { startMs } };
}

const itemOf = (level: TocLevel, { store, nodeId }: NodeRef): WorkItem => ({
  ownerId: ownerOfStore(store),
  kind: tocKind(level),
  itemId: `${store} ${nodeId}`,
});

export interface TocWork extends Work, NodeRef {
  readonly startMs: number;
}

/** @throws DamagedRow */
export function toTocWork(work: Work): TocWork {
  const { startMs } = parseStored(Payload, work.payload, () => `Work ${workKey(work)}`);
  // The id of a node has no space; a store may have some.
  const space = work.itemId.lastIndexOf(' ');
  const [store, nodeId] = [work.itemId.slice(0, space), work.itemId.slice(space + 1)];
  return { ...work, store, nodeId, startMs };
}

/**
 * For each level below a period, the first and the last key that work on a node of it may have. The
 * ids of a level sort by time, and every period lies within its parent.
 */
export function keysBelow(
  level: CalendarLevel,
  { store, startMs: ms }: { readonly store: string; readonly startMs: number },
): { readonly from: string; readonly to: string }[] {
  const { startMs, endMs } = periodOf(level, ms);
  return TOC_LEVELS.slice(TOC_LEVELS.indexOf(level) + 1).map((below) => {
    const keyAt = (at: number, suffix: string) =>
      workKey(
        itemOf(below, {
          store,
          nodeId: below === 'segment' ? segmentNodeId(at, suffix) : periodOf(below, at).nodeId,
        }),
      );
    return { from: keyAt(startMs, ''), to: keyAt(endMs, '~') };
  });
}
