import { instant } from '../common/clock.ts';
import { type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { SettingsSource } from '../settings/source.ts';
import type { BaseDeps, Viewer } from '../users/viewer.ts';
import {
  type CallError,
  type CallIdentity,
  type CallStatus,
  isEdgeType,
  mayFollow,
  REMOVED_OPERATION,
} from './call.ts';
import {
  clearCaller,
  findCallStatuses,
  insertCall,
  insertEdge,
  lockCalls,
  setCallStatus,
} from './call-write.cypher.ts';
import type { NewCall, StatusPatch } from './flow-graph.ts';
import { countActiveCalls, lockOperation, removeOperationNode } from './operation.cypher.ts';
import { recordable, recordableError, textOf } from './recordable.ts';

export interface CallDeps extends BaseDeps {
  readonly graph: Graph;
  readonly settings: SettingsSource;
}

/**
 * Stores one call, pending, with its `triggered` edge; what FlowGraph.addCall is in memory (S3-FLOW-02). The identity is the viewer's as it is
 * now, for good. @throws Refusal NOT_FOUND `operationId`, `parentRequestId`; TAKEN `requestId`
 */
export async function addCall(deps: CallDeps, viewer: Viewer, call: NewCall): Promise<void> {
  const rules = await deps.settings.current();
  const parent = call.parentRequestId ?? null;
  const identity: CallIdentity = call.identity ?? { id: viewer.userId, scopes: [...viewer.roles] };
  await deps.graph.write(async (tx) => {
    const hasOperation = await lockOperation(tx, call.operationId);
    await lockCalls(tx, parent === null ? [] : [parent]);
    const known = await findCallStatuses(tx, viewer, [call.requestId, parent ?? call.requestId]);
    refuse([
      ...(hasOperation ? [] : [unknown('operation', 'operationId', call.operationId)]),
      ...(known.has(call.requestId)
        ? [problem('TAKEN', ['requestId'], `There is a call ${call.requestId} already.`)]
        : []),
      ...(parent === null || known.has(parent) ? [] : [unknown('call', 'parentRequestId', parent)]),
    ]);
    const isNew = await insertCall(tx, {
      id: deps.newId(),
      requestId: call.requestId,
      operationId: call.operationId,
      parentRequestId: parent,
      ownerId: viewer.userId,
      workspace: viewer.workspace,
      callerAccountId: call.callerAccountId ?? null,
      identity: JSON.stringify(identity),
      input: textOf(recordable(call.input ?? null, rules)),
      now: instant(deps.clock),
    });
    // Somebody else's, or of a writer who was faster.
    if (!isNew)
      throw new Refusal([
        problem('TAKEN', ['requestId'], `There is a call ${call.requestId} already.`),
      ]);
  });
}

/** FlowGraph.updateStatus, stored. @throws Refusal NOT_FOUND `requestId`; STATE `status` where it may not follow (S3-STATE-01) */
export async function updateCallStatus(
  deps: CallDeps,
  viewer: Viewer,
  requestId: string,
  status: CallStatus,
  patch: StatusPatch = {},
): Promise<void> {
  const rules = await deps.settings.current();
  await deps.graph.write(async (tx) => {
    await lockCalls(tx, [requestId]);
    const current = (await findCallStatuses(tx, viewer, [requestId])).get(requestId);
    if (current === undefined) throw new Refusal([unknown('call', 'requestId', requestId)]);
    refuse(
      mayFollow(current, status)
        ? []
        : [problem('STATE', ['status'], `A call that is ${current} can't become ${status}.`)],
    );
    const error: CallError | null = patch.error ?? null;
    await setCallStatus(tx, {
      requestId,
      status,
      startedAt: patch.startedAt ?? null,
      completedAt: patch.completedAt ?? null,
      output: textOf(recordable(patch.output ?? null, rules)),
      error: error === null ? null : JSON.stringify(recordableError(error, rules)),
      retentionDays: rules.callGraphRetentionDays,
      now: instant(deps.clock),
    });
  });
}

/** An edge of any snake_case type; the same again is the same edge (S3-EDGE-06). @throws Refusal INVALID, NOT_FOUND */
export async function addCallEdge(
  deps: CallDeps,
  viewer: Viewer,
  edge: { readonly source: string; readonly target: string; readonly edgeType: string },
): Promise<void> {
  const { source, target, edgeType } = edge;
  await deps.graph.write(async (tx) => {
    await lockCalls(tx, [source, target]);
    const known = await findCallStatuses(tx, viewer, [source, target]);
    refuse([
      ...(known.has(source) ? [] : [unknown('call', 'source', source)]),
      ...(known.has(target) ? [] : [unknown('call', 'target', target)]),
      ...(source === target
        ? [problem('INVALID', ['target'], 'A call has no edge to itself.')]
        : []),
      ...(isEdgeType(edgeType)
        ? []
        : [problem('INVALID', ['edgeType'], 'A type of edge is a snake_case name.')]),
    ]);
    const isThere = await insertEdge(tx, { ...edge, id: deps.newId(), now: instant(deps.clock) });
    if (!isThere)
      throw new Refusal([
        problem('STATE', ['target'], 'Another call has triggered this one already.'),
      ]);
  });
}

/**
 * Takes an operation away: denied while calls of it are active, else they move to the sentinel (S3-OPS-01, S3-OPS-02).
 * @throws Refusal NOT_FOUND, IMMUTABLE, IN_USE
 */
export async function removeOperation(
  deps: Pick<CallDeps, 'graph'>,
  operationId: string,
): Promise<void> {
  if (operationId === REMOVED_OPERATION.id)
    throw new Refusal([
      problem('IMMUTABLE', ['operationId'], 'Calls of removed operations are kept under this one.'),
    ]);
  await deps.graph.write(async (tx) => {
    if (!(await lockOperation(tx, operationId)))
      throw new Refusal([unknown('operation', 'operationId', operationId)]);
    const active = await countActiveCalls(tx, operationId);
    refuse(
      active === 0
        ? []
        : [problem('IN_USE', ['operationId'], `${active} of its calls are pending or running.`)],
    );
    await removeOperationNode(tx, operationId);
  });
}

/** An account is gone: its calls stay, and nobody made them any more (S3-NODE-06). */
export async function forgetCaller(
  deps: Pick<CallDeps, 'graph'>,
  accountId: string,
): Promise<void> {
  const limit = 2_000;
  for (let changed = limit; changed === limit; )
    changed = await deps.graph.write((tx) => clearCaller(tx, { accountId, limit }));
}

function unknown(noun: string, name: string, value: string): Problem {
  return problem('NOT_FOUND', [name], `There is no ${noun} ${value}, or it is not yours to see.`);
}
