import type { ReadTx } from '../platform/neo4j/graph.ts';
import { targetIds } from './definition/target-checks.ts';
import { findProcessesForCheck } from './process.cypher.ts';
import type { Process } from './process.ts';
import { findTargetsOf, type StepTargets } from './process-step.cypher.ts';

/** A Process, and the targets of its steps that its owner may use. */
export interface OwnedProcess {
  readonly process: Process;
  readonly targets: StepTargets;
}

/**
 * Processes of any owners, by id, in two statements. Each is a function, which throws where this
 * version can't read the Process or one of its targets. Not scoped by a viewer: for checks of what
 * is stored, and of changes that touch other users.
 */
export async function findOwnedProcesses(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, () => OwnedProcess>> {
  const owned = new Map<string, () => OwnedProcess>();
  const readable: Process[] = [];
  for (const [id, read] of await findProcessesForCheck(tx, ids)) {
    try {
      readable.push(read());
    } catch {
      owned.set(id, () => ({ process: read(), targets: NO_TARGETS }));
    }
  }
  const byOwner = [...Map.groupBy(readable, ({ ownerId }) => ownerId)];
  const authors = byOwner.map(([ownerId, own]) => ({
    ...targetIds(own.flatMap(({ steps }) => steps)),
    ownerIds: [ownerId],
  }));
  const targets = await findTargetsOf(tx, authors);
  for (const [index, [, own]] of byOwner.entries())
    for (const process of own)
      owned.set(process.id, () => ({
        process,
        targets: targets[index]?.(targetIds(process.steps)) ?? NO_TARGETS,
      }));
  return owned;
}

const NO_TARGETS: StepTargets = { tools: new Map(), processes: new Map() };
