import { createHash } from 'node:crypto';
import { instant } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import { notFound, problem, Refusal, refuse } from '../../common/refusal.ts';
import { ownerEntry, ownerFor } from '../../outbox/entry.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import type { RunDeps } from '../run/ports.ts';
import type { StepDecision } from '../run/run.ts';
import { findClosures, findProcessClosure, takeSnapshot } from '../run/snapshot.cypher.ts';
import type { RunSnapshot } from '../run/snapshot.ts';
import {
  agreementParams,
  deleteAgreements,
  findAgreementKeys,
  insertAgreement,
  listMemoryAsks,
  type MemoryAgreement,
} from './agreement.cypher.ts';
import {
  askingProcesses,
  isForeign,
  type MemoryUses,
  memoryDemandOf,
  memoryUsesOf,
} from './memory-demand.ts';
import { agreementKey, type MemoryDemand } from './memory-question.ts';

/** Waiting steps that one decision lets go on. Further ones stay in the inbox. */
const ASKS_MAX = 1_000;

/** The demand of a Process of another user; null where it uses no memory, or is not foreign. */
export function demandOf(
  snapshot: RunSnapshot,
  which: { readonly processId: string; readonly runnerId: string },
): MemoryDemand | null {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return memoryDemandOf(snapshot, which, hash);
}

/** The entry of an agreement, made beforehand or by the approval of a step. */
export function agreedEntry(deps: BaseDeps, viewer: EntryViewer, demand: MemoryDemand) {
  const { processId, version, reads, writes } = demand;
  const payload = { processId, version, reads, writes, by: viewer.userId };
  return ownerEntry(deps, ownerFor(viewer as Viewer), 'memory_agreement.created', payload);
}
type EntryViewer = Pick<Viewer, 'userId' | 'workspace'>;

/**
 * Agrees that a Process of another user, as it is now, uses the viewer's memory. Steps that wait
 * for this go on.
 * @throws Refusal NOT_FOUND; INVALID where the Process needs no agreement; CONFLICT where it is at
 * another version, or is not as the digest says
 */
export async function allowProcessMemory(
  deps: RunDeps,
  viewer: Viewer,
  input: {
    readonly processId: string;
    readonly version: number;
    readonly digest?: string | null | undefined;
  },
): Promise<MemoryAgreement> {
  const { processId, version, digest } = input;
  const runnerId = viewer.userId;
  const { agreement, demand } = await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [processId]);
    const closure = await findProcessClosure(tx, viewer, processId);
    const process = entryOf(closure?.processes ?? {}, processId);
    if (closure === null || process === undefined)
      throw new Refusal([notFound('Process', ['processId'])]);
    const asked = isForeign(process.ownerId, runnerId)
      ? demandOf(await takeSnapshot(tx, viewer, closure), { processId, runnerId })
      : null;
    if (asked === null) {
      const why = isForeign(process.ownerId, runnerId)
        ? 'It uses no memory of yours.'
        : 'Only Processes of other users ask for your memory.';
      throw Refusal.of('INVALID', ['processId'], `There is nothing to allow. ${why}`);
    }
    const changed = (path: string, message: string) => problem('CONFLICT', [path], message);
    refuse([
      ...(version === process.version
        ? []
        : [
            changed(
              'version',
              `This Process is at version ${process.version} by now; ` +
                'read it again and decide anew.',
            ),
          ]),
      ...(digest == null || digest === asked.digest
        ? []
        : [changed('digest', 'A Process or Tool that this Process calls was changed meanwhile.')]),
    ]);
    const id = deps.newId();
    const params = agreementParams(asked, { id, ownerId: runnerId, now: instant(deps.clock) });
    const stored = await insertAgreement(tx, params, agreedEntry(deps, viewer, asked));
    if (stored === null) throw new Refusal([notFound('Process', ['processId'])]);
    return { agreement: stored, demand: asked };
  });
  await settleAsks(deps, viewer, { key: agreementKey(runnerId, demand), decision: 'approve' });
  return agreement;
}

/**
 * Withdraws the viewer's agreements for all versions of a Process. Runs ask again at their next
 * call that uses the memory.
 * @returns the id of the Process
 * @throws Refusal NOT_FOUND where there is no agreement
 */
export async function revokeProcessMemory(
  deps: Pick<RunDeps, 'graph' | 'wake' | keyof BaseDeps>,
  viewer: Viewer,
  { processId }: { readonly processId: string },
): Promise<string> {
  const payload = { processId, by: viewer.userId };
  const entry = ownerEntry(deps, ownerFor(viewer), 'memory_agreement.deleted', payload);
  const deleted = await deps.graph.write((tx) =>
    deleteAgreements(tx, { ownerId: viewer.userId, processId, entry }),
  );
  if (deleted === 0)
    throw Refusal.of('NOT_FOUND', ['processId'], 'You did not allow this Process your memory.');
  deps.wake();
  return processId;
}

/**
 * Gives the decision on a demand to the other steps that wait for the same one: an approval to all
 * of the viewer's, a rejection to those of the same run tree.
 * @param rootRunId of a rejection
 */
export async function settleAsks(
  deps: Pick<RunDeps, 'graph' | 'signals'>,
  viewer: Viewer,
  {
    key,
    decision,
    rootRunId = null,
    note = null,
  }: {
    readonly key: string;
    readonly decision: StepDecision;
    readonly rootRunId?: string | null;
    readonly note?: string | null;
  },
): Promise<void> {
  const which = { ownerId: viewer.userId, key, rootRunId, limit: ASKS_MAX };
  const asks = await deps.graph.read((tx) => listMemoryAsks(tx, which));
  await Promise.all(
    asks.map(({ workflowId, stepId, index }) =>
      deps.signals.decide(workflowId, {
        stepId,
        index,
        decision,
        inputs: null,
        output: null,
        note,
        decidedBy: viewer.userId,
      }),
    ),
  );
}

/** The uses of the viewer's memory by a Process, and the Processes in it that ask first. */
export interface MemoryAccess extends MemoryUses {
  readonly processId: string;
  /** Demands without an agreement. */
  readonly asking: readonly MemoryDemand[];
  /** Of the Process itself; null where it is not another user's, or uses no memory. */
  readonly digest: string | null;
}

/** The uses of the viewer's memory by Processes as they are now, by id of the Process. */
export async function findMemoryAccess(
  tx: ReadTx,
  viewer: Viewer,
  processIds: readonly string[],
): Promise<ReadonlyMap<string, MemoryAccess>> {
  const runnerId = viewer.userId;
  const closure = await findClosures(tx, viewer, processIds);
  const snapshot = await takeSnapshot(tx, viewer, { rootProcessId: '', ...closure });
  const demands = new Map<string, MemoryDemand>();
  const askingOf = new Map<string, readonly string[]>();
  for (const processId of processIds) {
    const asking = askingProcesses(snapshot, processId, runnerId);
    askingOf.set(processId, asking);
    for (const id of asking) {
      const demand = demands.has(id) ? null : demandOf(snapshot, { processId: id, runnerId });
      if (demand !== null) demands.set(id, demand);
    }
  }
  const keys = [...demands.values()].map((demand) => agreementKey(runnerId, demand));
  const agreed = await findAgreementKeys(tx, keys);
  return new Map(
    processIds
      .filter((id) => Object.hasOwn(snapshot.processes, id))
      .map((processId) => {
        const asking = (askingOf.get(processId) ?? []).flatMap((id) => {
          const demand = demands.get(id);
          return demand === undefined || agreed.has(agreementKey(runnerId, demand)) ? [] : [demand];
        });
        const digest = demands.get(processId)?.digest ?? null;
        return [processId, { processId, ...memoryUsesOf(snapshot, processId), asking, digest }];
      }),
  );
}
