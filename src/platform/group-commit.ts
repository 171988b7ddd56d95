import { AsyncLocalStorage } from 'node:async_hooks';

/** One part of a group, for its owner. */
export interface Member<Item> {
  readonly ownerId: string;
  /** A group holds one member of a key. */
  readonly key: string;
  readonly bytes: number;
  readonly item: Item;
}

export interface GroupLimits {
  readonly membersMax: number;
  /** A larger member is a group of its own. */
  readonly bytesMax: number;
  /** A group that takes longer lets the next one go beside it, and its owners change the lane. */
  readonly slowMs: number;
}

const LIMITS: GroupLimits = { membersMax: 64, bytesMax: 1024 * 1024, slowMs: 250 };

/** Each has one group at a time. Owners of a slow group are in `slow` until a quick one. */
type Lane = 'quick' | 'slow';
const LANES: readonly Lane[] = ['quick', 'slow'];

interface Waiting<Item, Result> extends Member<Item> {
  /** Calls a function in the context that added the member: a group is in its first one's trace. */
  readonly within: <T>(work: () => T) => T;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits members in groups: those that arrive while a transaction is at work go together in the
 * next one. A member that arrives alone goes at once. Owners take turns, so an owner with many
 * members delays another one by a group at most. An owner whose members wait for locks is in few
 * groups of the others: it has one group at work, and the owners of a slow group go apart from
 * those of quick ones.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #failsAll: (error: unknown) => boolean;
  readonly #limits: GroupLimits;
  /** In the order in which owners are served; an owner that was served moves to the end. */
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();
  readonly #atWork = new Set<string>();
  readonly #slow = new Set<string>();
  readonly #busy = new Set<Lane>();
  #next: NodeJS.Immediate | null = null;

  /**
   * @param commit has to commit all items or none, and gives their results in the same order
   * @param failsAll whether this error of a group would be that of each member; else the members
   * are committed one by one, so that a bad one fails alone
   */
  constructor(
    commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    failsAll: (error: unknown) => boolean,
    limits: Partial<GroupLimits> = {},
  ) {
    this.#commit = commit;
    this.#failsAll = failsAll;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The member's result after its commit. @throws as `commit`, for this member */
  add(member: Member<Item>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(member.ownerId) ?? [];
      queue.push({ ...member, within: AsyncLocalStorage.snapshot(), resolve, reject });
      this.#waiting.set(member.ownerId, queue);
      this.#goOn();
    });
  }

  /** Members that arrive in the same turn of the event loop go together. */
  #goOn(): void {
    this.#next ??= setImmediate(() => {
      this.#next = null;
      this.#begin();
    });
  }

  #begin(): void {
    for (const lane of LANES) {
      const group = this.#busy.has(lane) ? [] : this.#take(lane);
      if (group.length > 0) void this.#run(group, lane);
    }
  }

  #take(lane: Lane): Waiting<Item, Result>[] {
    const { membersMax, bytesMax } = this.#limits;
    const group: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let bytes = 0;
    for (const [ownerId, queue] of this.#waiting) {
      const [first] = queue;
      if (first === undefined || keys.has(first.key)) continue;
      if (this.#atWork.has(ownerId) || this.#laneOf(ownerId) !== lane) continue;
      if (group.length > 0 && (group.length === membersMax || bytes + first.bytes > bytesMax))
        break;
      queue.shift();
      // Set again, so that the loop comes back to this owner after the others.
      this.#waiting.delete(ownerId);
      if (queue.length > 0) this.#waiting.set(ownerId, queue);
      keys.add(first.key);
      bytes += first.bytes;
      group.push(first);
    }
    return group;
  }

  #laneOf(ownerId: string): Lane {
    return this.#slow.has(ownerId) ? 'slow' : 'quick';
  }

  async #run(group: readonly Waiting<Item, Result>[], lane: Lane): Promise<void> {
    this.#busy.add(lane);
    const owners = new Set(group.map(({ ownerId }) => ownerId));
    for (const ownerId of owners) this.#atWork.add(ownerId);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#busy.delete(lane);
      this.#goOn();
    }, this.#limits.slowMs);
    await this.#settle(group);
    clearTimeout(timer);
    for (const ownerId of owners) {
      this.#atWork.delete(ownerId);
      if (isSlow) this.#slow.add(ownerId);
      else this.#slow.delete(ownerId);
    }
    if (!isSlow) this.#busy.delete(lane);
    this.#goOn();
  }

  async #settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = group.map(({ item }) => item);
      const results = await (group[0]?.within(() => this.#commit(items)) ?? []);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (group.length === 1 || this.#failsAll(error))
        for (const { reject } of group) reject(error);
      else for (const member of group) await this.#settle([member]);
    }
  }
}
