import type { Problem } from '../../common/refusal.ts';
import { Refusal } from '../../common/refusal.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { findSettings } from '../../settings/settings.cypher.ts';
import type { Viewer } from '../../users/user.ts';
import { findProcesses } from '../process.cypher.ts';
import {
  type CreateProcess,
  checkProcess,
  draftProcess,
  type ProcessDeps,
} from '../process.mutations.ts';
import type { Process } from '../process.ts';
import { findToolBounds } from '../process-step.cypher.ts';
import { type ProcessPlan, planProcess } from './plan.ts';
import { targetIds } from './target-checks.ts';
import { findWorstCase, type WorstCase } from './worst-case.ts';

export interface Validation {
  readonly problems: readonly Problem[];
  /** The planned run; null if there are problems. */
  readonly plan: BoundedPlan | null;
}

export interface BoundedPlan extends ProcessPlan {
  readonly worstCase: WorstCase;
}

/** Runs the checks of createProcess and plans a run. Writes nothing. */
export async function validateProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  input: CreateProcess,
): Promise<Validation> {
  let draft: Process;
  try {
    draft = draftProcess(deps, viewer, input);
  } catch (error) {
    if (error instanceof Refusal) return { problems: error.problems, plan: null };
    throw error;
  }
  return deps.graph.read(async (tx) => {
    const problems = await checkProcess(tx, viewer, draft);
    if (problems.length > 0) return { problems, plan: null };
    const called = await findCalled(tx, viewer, draft);
    const plan = planProcess(draft, called);
    const tools = await findToolBounds(tx, viewer, plan.toolIds);
    const settings = await findSettings(tx);
    return {
      problems,
      plan: { ...plan, worstCase: findWorstCase(draft, called, tools, settings) },
    };
  });
}

/** All Processes reachable from this one, by id. One statement per level of calls. */
async function findCalled(
  tx: ReadTx,
  viewer: Viewer,
  process: Process,
): Promise<Map<string, Process>> {
  const called = new Map<string, Process>();
  let wanted = targetIds(process.steps).processIds;
  // No run nests deeper than maxRecursionDepth, so deeper levels are not read.
  for (let depth = 1; depth <= process.maxRecursionDepth && wanted.length > 0; depth++) {
    const found = await findProcesses(tx, viewer, wanted);
    for (const callee of found) called.set(callee.id, callee);
    const next = found.flatMap(({ steps }) => targetIds(steps).processIds);
    wanted = [...new Set(next)].filter((id) => !called.has(id));
  }
  return called;
}
