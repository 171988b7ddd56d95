import { memoryUseOf } from '../../catalog/tools/memory-use.ts';
import { withEllipsis } from '../../common/ellipsis.ts';
import { entryOf } from '../../common/entry-of.ts';
import { canonicalJson, type Json } from '../../common/json.ts';
import { targetIds } from '../../processes/definition/target-checks.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';
import type { RunSnapshot } from '../run/snapshot.ts';
import type { MemoryDemand } from './memory-question.ts';

/** Uses of the memory, with the names of the system's Tools that make them. */
export interface MemoryUses {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly tools: readonly string[];
}

const NAME_CHARS_MAX = 200;

/** Whether a thing belongs neither to the runner nor to the system. */
export function isForeign(ownerId: string, runnerId: string): boolean {
  return ownerId !== runnerId && ownerId !== SYSTEM_USER_ID;
}

/** A Process and all that it calls or offers, in a snapshot. */
function closureOf(snapshot: RunSnapshot, processId: string) {
  const processIds = new Set([processId]);
  const toolIds = new Set<string>();
  for (const id of processIds) {
    const targets = targetIds(entryOf(snapshot.processes, id)?.steps ?? []);
    for (const called of targets.processIds) processIds.add(called);
    for (const toolId of targets.toolIds) toolIds.add(toolId);
  }
  return {
    processes: [...processIds].flatMap((id) => entryOf(snapshot.processes, id) ?? []),
    tools: [...toolIds].flatMap((id) => entryOf(snapshot.tools, id) ?? []),
  };
}

/** The uses of the memory by a Process and all that it calls or offers. */
export function memoryUsesOf(snapshot: RunSnapshot, processId: string): MemoryUses {
  const used = closureOf(snapshot, processId).tools.flatMap((tool) => {
    const use = memoryUseOf(tool);
    return use === null ? [] : [{ use, name: tool.name }];
  });
  return {
    reads: used.some(({ use }) => use === 'read'),
    writes: used.some(({ use }) => use === 'write'),
    tools: [...new Set(used.map(({ name }) => name))].sort(),
  };
}

/**
 * The facts that an agreement holds for: the versions of the Processes of other users, and the
 * targets and operations of their Tools. A change of any of them asks again.
 */
function factsOf(snapshot: RunSnapshot, processId: string, runnerId: string): Json {
  const { processes, tools } = closureOf(snapshot, processId);
  return {
    processes: processes
      .filter(({ ownerId }) => isForeign(ownerId, runnerId))
      .map(({ id, version }) => `${id}@${version}`)
      .sort(),
    tools: tools
      .filter(({ ownerId }) => isForeign(ownerId, runnerId))
      .map(({ id, serviceId, protocol, connectionParams, operation }) =>
        canonicalJson({ id, serviceId, protocol, connectionParams, operation }),
      )
      .sort(),
  };
}

/**
 * The demand of a Process of another user.
 * @param hash a cryptographic hash of a text
 * @returns null where the Process is not in the snapshot, or uses no memory
 */
export function memoryDemandOf(
  snapshot: RunSnapshot,
  { processId, runnerId }: { readonly processId: string; readonly runnerId: string },
  hash: (text: string) => string,
): MemoryDemand | null {
  const process = entryOf(snapshot.processes, processId);
  if (process === undefined) return null;
  const { reads, writes } = memoryUsesOf(snapshot, processId);
  if (!reads && !writes) return null;
  const { name, ownerId, version } = process;
  const digest = hash(canonicalJson(factsOf(snapshot, processId, runnerId)));
  const processName = withEllipsis(name, NAME_CHARS_MAX);
  return { processId, processName, ownerId, version, reads, writes, digest };
}

/**
 * The Processes of other users that would ask when this one runs: the first ones on each way down
 * from it. A Process that is called by one of them acts for it.
 */
export function askingProcesses(
  snapshot: RunSnapshot,
  processId: string,
  runnerId: string,
): string[] {
  const seen = new Set([processId]);
  const asking: string[] = [];
  for (const id of seen) {
    const process = entryOf(snapshot.processes, id);
    if (process === undefined) continue;
    if (isForeign(process.ownerId, runnerId)) {
      const { reads, writes } = memoryUsesOf(snapshot, id);
      if (reads || writes) asking.push(id);
      continue;
    }
    for (const called of targetIds(process.steps).processIds) seen.add(called);
  }
  return asking;
}
