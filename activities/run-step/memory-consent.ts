import { memoryUseOf } from '../../src/catalog/tools/memory-use.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { findConsent, findProcessChain } from '../../src/runs/memory/agreement.cypher.ts';
import { demandOf } from '../../src/runs/memory/agreement.mutations.ts';
import { isForeign } from '../../src/runs/memory/memory-demand.ts';
import {
  agreementKey,
  type MemoryDemand,
  refusalText,
} from '../../src/runs/memory/memory-question.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure } from '../failure.ts';
import type { StepJob } from './step-job.ts';

/**
 * `given`: the Tool may be called. `unasked`: the runner has to be asked first. `refused`: the
 * runner said no in this tree of runs, so the step fails with `fault`.
 */
type Consent =
  | { readonly kind: 'given' }
  | { readonly kind: 'unasked'; readonly memory: MemoryDemand }
  | { readonly kind: 'refused'; readonly fault: ToolFault };

const GIVEN: Consent = { kind: 'given' };

/**
 * Whether a call may use the memory of the run's owner (docs/decisions/0093). It may where no
 * Process of another user is among those from the root run down to this one, or where the owner
 * agreed to the first of these as it is in the snapshot.
 * @throws CANCELLED where a run above is gone
 */
export async function consentOf(
  deps: RunContext,
  { tool, call, key: stepKey }: Pick<StepJob, 'tool' | 'call' | 'key'>,
): Promise<Consent> {
  if (memoryUseOf(tool) === null) return GIVEN;
  const { run, stepId } = call;
  const { ownerId: runnerId, rootRunId, runPath } = run;
  const known = await deps.snapshots.get(run.snapshotHash);
  const isRoot = runPath.length === 1;
  const chain = isRoot
    ? [run.processId]
    : await deps.graph.read((tx) => findProcessChain(tx, { runPath, ownerId: runnerId }));
  if (chain.length < runPath.length) {
    const gone = { code: 'CANCELLED', message: 'The run is gone.', stepId, details: null } as const;
    throw stepFailure(gone, 'final');
  }
  const processId = chain.find((id) => isForeign(known.process(id).ownerId, runnerId));
  if (processId === undefined) return GIVEN;
  const memory = demandOf(known.snapshot, { processId, runnerId });
  // Its closure has this Tool, so there is a demand.
  if (memory === null) throw new Error(`The Process ${processId} does not reach ${tool.id}.`);
  const asked = { key: agreementKey(runnerId, memory), stepKey, rootRunId };
  const { isAgreed, isEnded, isRefused } = await deps.graph.read((tx) => findConsent(tx, asked));
  if (isAgreed || isEnded) return GIVEN;
  if (!isRefused) return { kind: 'unasked', memory };
  return { kind: 'refused', fault: new ToolFault('REJECTED', refusalText(memory, null)) };
}
