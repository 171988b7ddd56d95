import type { OperationType } from '../operations/operation.ts';

/** One place of a pool, taken while a step runs. Its node in Neo4j is the Worker (S4-WRK-05). */
export interface WorkerSlot {
  readonly workerId: string;
  /** Frees the place. A second call does nothing. */
  release(): void;
}

/**
 * The places of this process, by operation type. A step from a task queue has a place, because a
 * pool polls for no more steps than places. A step that a workflow runs itself may take a place
 * that is left over.
 */
export interface WorkerSlots {
  /**
   * The place of a step from the queue. Waits where steps that came by `spare` hold the last ones.
   * @throws if no place is free: a defect
   */
  acquire(type: OperationType): Promise<WorkerSlot>;
  /** A place for a step that came from no queue; null unless more than half of the pool is free. */
  spare(type: OperationType): WorkerSlot | null;
}

interface Pool {
  members: ReadonlySet<string>;
  free: string[];
  readonly busy: Set<string>;
  /** Places taken by `spare`. */
  spares: number;
  readonly waiting: ((workerId: string) => void)[];
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
      const pool = pools.get(type) ?? newPool();
      pool.members = new Set(workerIds);
      pool.free = workerIds.filter((id) => !pool.busy.has(id));
      pools.set(type, pool);
      admit(pool);
    },
    list: () =>
      [...pools].flatMap(([type, { members, busy }]) =>
        [...members].map((workerId) => ({ type, workerId, isBusy: busy.has(workerId) })),
      ),
    async acquire(type) {
      const pool = pools.get(type);
      if (pool === undefined) throw noneFree(type);
      const workerId = pool.free.shift();
      if (workerId !== undefined) return slotOf(pool, workerId);
      if (pool.waiting.length >= pool.spares) throw noneFree(type);
      return new Promise((resolve) => {
        pool.waiting.push((freed) => resolve(slotOf(pool, freed)));
      });
    },
    spare(type) {
      const pool = pools.get(type);
      if (pool === undefined || pool.free.length * 2 <= pool.members.size) return null;
      const workerId = pool.free.shift();
      if (workerId === undefined) return null;
      pool.spares += 1;
      return slotOf(pool, workerId, () => {
        pool.spares -= 1;
      });
    },
  };
}

function newPool(): Pool {
  return { members: new Set(), free: [], busy: new Set(), spares: 0, waiting: [] };
}

const noneFree = (type: OperationType): Error =>
  new Error(`No free worker for ${type} in this process.`);

function slotOf(pool: Pool, workerId: string, onRelease = () => {}): WorkerSlot {
  pool.busy.add(workerId);
  return {
    workerId,
    release() {
      if (!pool.busy.delete(workerId)) return;
      onRelease();
      if (pool.members.has(workerId)) pool.free.push(workerId);
      admit(pool);
    },
  };
}

/** Gives free places to the steps that wait for one, in order of arrival. */
function admit({ free, waiting }: Pool): void {
  while (free.length > 0) {
    const enter = waiting.shift();
    if (enter === undefined) return;
    enter(free.shift() as string);
  }
}
