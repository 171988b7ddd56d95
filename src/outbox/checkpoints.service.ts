import { setTimeout } from 'node:timers';
import { type Clock, instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { type Lease, saveCheckpoints } from './relay.cypher.ts';

/** How far the projections of one relay have come; written seldom and together, because a projection may see an entry again anyway. */
export interface Checkpoints {
  /** Never waits, never throws. */
  note(projection: string, seq: number): void;
  /** Writes what is not yet written. */
  close(): Promise<void>;
}

/** @param everyMs from what is noted first until it is written, all in one statement */
export function openCheckpoints(
  { graph, clock, log }: { readonly graph: Graph; readonly clock: Clock; readonly log: Log },
  lease: Lease,
  everyMs: number,
): Checkpoints {
  let noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let inWork: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function save(): Promise<void> {
    if (noted.size === 0) return;
    const due = noted;
    noted = new Map();
    const checkpoints = [...due].map(([name, seq]) => ({ name, seq }));
    try {
      await graph.write((tx) => saveCheckpoints(tx, { lease, checkpoints, now: instant(clock) }));
    } catch (error) {
      log.warn('Checkpoints were not saved and are saved again', { error });
      noted = new Map([...due, ...noted]);
      arm();
    }
  }

  function arm(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      inWork = inWork.then(save);
    }, everyMs);
  }

  return {
    note(projection, seq) {
      noted.set(projection, seq);
      arm();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await inWork.then(save);
    },
  };
}
