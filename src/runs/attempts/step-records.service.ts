import { jsonBytes } from '../../common/json.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import { type Graph, isNeo4jAway, type WriteTx } from '../../platform/neo4j/graph.ts';
import {
  findStepStates,
  keyOf,
  type StepLook,
  type StepState,
  type StepWrite,
  writeAttempts,
} from './attempt.cypher.ts';
import { lockBudget, setBudget } from './budget.cypher.ts';
import { type CallCost, reserve, settle } from './budget.ts';

/** `changed`: the step is in another state than the write was decided on, so nothing is written. */
export type Written = 'done' | 'changed';

/**
 * The records of steps, for all runs of a process. Reads and writes go in groups; those of a budget
 * go alone, because they wait for the lock of the run tree.
 */
export interface StepRecords {
  /** Null where the run is gone. */
  look(ownerId: string, look: StepLook): Promise<StepState | null>;
  write(write: StepWrite): Promise<Written>;
  /** Records entries of a step that is at work. */
  append(ownerId: string, entries: readonly OutboxEntry[]): Promise<void>;
  /**
   * Writes the start of an LLM call and reserves its estimated cost.
   * @returns `unaffordable` where the call does not fit the budget of this version
   */
  reserve(write: StepWrite, estimate: CallCost): Promise<Written | Unaffordable>;
  /**
   * Writes the end of an LLM call and replaces its reservation by its cost.
   * @param cost `reserved`: the call was lost with its worker, so all of the reservation counts as
   * spent, because the provider's bill is unknown; `used`: the usage of the write
   */
  settle(write: StepWrite, cost: 'used' | 'reserved'): Promise<Written>;
}

export interface Unaffordable {
  readonly budgetVersion: number;
}

/** A member of a group: the write of an attempt, or entries alone. */
type StepMember = StepWrite | Pick<StepWrite, 'entries'>;

async function writeGroup(tx: WriteTx, group: readonly StepMember[]): Promise<boolean[]> {
  const isStep = (member: StepMember) => 'run' in member;
  const steps = group.filter(isStep);
  const [written] = await Promise.all([
    writeAttempts(tx, steps),
    appendEntries(
      tx,
      group.flatMap((member) => (isStep(member) ? [] : member.entries)),
    ),
  ]);
  return group.map((member) => !isStep(member) || written[steps.indexOf(member)] === true);
}

/** Bytes of a member beside its inputs and output. */
const MEMBER_BYTES = 2_048;
/** Values are stored in the step and in its entry. */
const COPIES = 2;

/** @param onGroup gets the size of each group of writes */
export function openStepRecords(
  graph: Pick<Graph, 'read' | 'write'>,
  onGroup: (members: number) => void = () => {},
): StepRecords {
  const looks = new GroupCommit(
    (group: readonly StepLook[]) => graph.read((tx) => findStepStates(tx, group)),
    isNeo4jAway,
  );
  const writes = new GroupCommit((group: readonly StepMember[]) => {
    onGroup(group.length);
    return graph.write((tx) => writeGroup(tx, group));
  }, isNeo4jAway);
  const writtenOf = (isDone: boolean | undefined): Written => (isDone ? 'done' : 'changed');
  return {
    look: (ownerId, look) => looks.add({ ownerId, key: look.key, bytes: MEMBER_BYTES, item: look }),
    async write(write) {
      const values = (write.start?.inputs?.length ?? 0) + (write.end?.output?.length ?? 0);
      const bytes = MEMBER_BYTES + values * COPIES;
      const { ownerId } = write.run;
      return writtenOf(await writes.add({ ownerId, key: keyOf(write), bytes, item: write }));
    },
    async append(ownerId, entries) {
      const [first] = entries;
      if (first === undefined) return;
      const bytes = jsonBytes(entries.map(({ payload }) => payload));
      await writes.add({ ownerId, key: first.id, bytes, item: { entries } });
    },
    reserve: (write, estimate) =>
      graph.write(async (tx) => {
        const place = { rootRunId: write.run.rootRunId, key: keyOf(write) };
        const locked = await lockBudget(tx, { ...place, now: write.now });
        if (locked === null) return { budgetVersion: 0 };
        const after = reserve(locked.budget, locked.reserved, estimate);
        if (after === null) return { budgetVersion: locked.budget.budgetVersion };
        const [isDone] = await writeAttempts(tx, [write]);
        if (isDone) await setBudget(tx, place, after, estimate);
        return writtenOf(isDone);
      }),
    settle: (write, cost) =>
      graph.write(async (tx) => {
        const place = { rootRunId: write.run.rootRunId, key: keyOf(write) };
        const locked = await lockBudget(tx, { ...place, now: write.now });
        const [isDone] = await writeAttempts(tx, [write]);
        if (!isDone || locked === null || write.end === null) return writtenOf(isDone);
        const { inputTokens, outputTokens, costUsd } = write.end.usage;
        const used = { tokens: inputTokens + outputTokens, cost: costUsd ?? 0 };
        const spent = cost === 'used' ? used : locked.reserved;
        await setBudget(tx, place, settle(locked.budget, locked.reserved, spent), null);
        return 'done';
      }),
  };
}
