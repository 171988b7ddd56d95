import { setTimeout } from 'node:timers';
import { type Clock, instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { type Lease, saveCheckpoints } from './relay.cypher.ts';

/**
 * The progress of a relay's projections, saved in batches. A projection may get an entry twice, so
 * a late checkpoint is safe.
 */
export interface Checkpoints {
  /** Never waits, never throws. */
  note(projection: string, seq: number): void;
  /** Writes the pending checkpoints. */
  close(): Promise<void>;
}

/** @param everyMs how long checkpoints are collected before one statement writes them all */
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
