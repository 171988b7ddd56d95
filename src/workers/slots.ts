import type { OperationType } from '../operations/operation.ts';

/** One place of a pool, taken while a step runs. Its node in Neo4j is the Worker (S4-WRK-05). */
export interface WorkerSlot {
  readonly workerId: string;
  /** Frees the place. A second call does nothing. */
  release(): void;
}

/**
 * The places of this process, by operation type. Temporal's task queues dispatch the steps; a slot
 * only names the Worker that does a step.
 */
export interface WorkerSlots {
  /** @throws if no place is free: a defect, because a pool polls for no more steps than places */
  acquire(type: OperationType): WorkerSlot;
}

interface Pool {
  members: ReadonlySet<string>;
  free: string[];
  readonly busy: Set<string>;
}

export interface WorkerSlotTable extends WorkerSlots {
  /** Sets the Workers of a pool, also to replace those that another process has taken over. */
  place(type: OperationType, workerIds: readonly string[]): void;
  list(): { readonly type: OperationType; readonly workerId: string; readonly isBusy: boolean }[];
}

export function createSlots(): WorkerSlotTable {
  const pools = new Map<OperationType, Pool>();
  return {
    place(type, workerIds) {
      const pool = pools.get(type) ?? { members: new Set(), free: [], busy: new Set() };
      pool.members = new Set(workerIds);
      pool.free = workerIds.filter((id) => !pool.busy.has(id));
      pools.set(type, pool);
    },
    list: () =>
      [...pools].flatMap(([type, { members, busy }]) =>
        [...members].map((workerId) => ({ type, workerId, isBusy: busy.has(workerId) })),
      ),
    acquire(type) {
      const pool = pools.get(type);
      const workerId = pool?.free.shift();
      if (pool === undefined || workerId === undefined) {
        throw new Error(`No free worker for ${type} in this process.`);
      }
      pool.busy.add(workerId);
      return {
        workerId,
        release() {
          if (pool.busy.delete(workerId) && pool.members.has(workerId)) pool.free.push(workerId);
        },
      };
    },
  };
}
