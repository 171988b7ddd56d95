import { canonicalJson } from '../../common/json.ts';
import { Refusal } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { ProcessTarget } from '../definition/definition.ts';
import { targetIds } from '../definition/target-checks.ts';
import { findProcesses, insertProcess } from '../process.cypher.ts';
import { checkProcess, draftProcess, processEntry, updateProcessIn } from '../process.mutations.ts';
import { type Process, ProcessDefinition } from '../process.ts';
import { insertSteps } from '../process-step.cypher.ts';
import type { BundleProcess } from './bundle.ts';
import type { BundleImport } from './bundle-import.service.ts';

/** Processes may call each other in circles, so all of them get their ids first, then are checked, then written. */
export async function importProcesses(
  run: BundleImport,
  processes: readonly BundleProcess[],
): Promise<void> {
  const known = new Map(
    (await findProcesses(run.tx, run.viewer, run.ownIds('Process'))).map((one) => [one.id, one]),
  );
  const slots: { place: number; process: BundleProcess; id: string; current: Process | null }[] =
    [];
  for (const [place, process] of processes.entries()) {
    await run.collect('Process', process.name, ['processes', place], async (existing) => {
      const current = existing === null ? null : (known.get(existing) ?? null);
      const id = current?.id ?? run.deps.newId();
      slots.push({ place, process, id, current });
      run.ids.set(`Process ${process.name}`, id);
      return null;
    });
  }
  for (const { process, id } of slots) run.ids.set(`Process ${process.name}`, id);

  const pending = new Map<string, ProcessTarget>(
    slots.map(({ process, id }) => [
      id,
      {
        id,
        ownerId: run.viewer.userId,
        name: process.name,
        shared: process.shared,
        initialContext: process.initialContext,
      },
    ]),
  );
  const drafts: { draft: Process; current: Process | null; place: number }[] = [];
  for (const { place, process, id, current } of slots) {
    const draft = draftOf(run, process, id, place);
    if (draft !== null) drafts.push({ draft, current, place });
  }
  const targets = drafts.flatMap(({ draft }) => Object.values(targetIds(draft.steps)).flat());
  await lockResources(run.tx, [
    ...targets,
    ...slots.flatMap(({ current }) => (current === null ? [] : [current.id])),
  ]);
  for (const { draft, place } of drafts) {
    run.note(await checkProcess(run.tx, run.viewer, draft, pending), ['processes', place]);
  }
  if (run.problems.length > 0) return;
  const fresh = drafts.filter(({ current }) => current === null);
  for (const { draft } of fresh) {
    await insertProcess(
      run.tx,
      draft,
      run.viewer.userId,
      processEntry(run.deps, run.viewer, 'process.created', draft),
    );
    run.result.created.push(draft.id);
  }
  for (const { draft } of fresh) await insertSteps(run.tx, draft.id, draft.steps);
  for (const { draft, current, place } of drafts)
    if (current !== null) await updateProcess(run, draft, current, { place, pending });
}

async function updateProcess(
  run: BundleImport,
  draft: Process,
  current: Process,
  { place, pending }: { place: number; pending: ReadonlyMap<string, ProcessTarget> },
): Promise<void> {
  const same =
    canonicalJson(ProcessDefinition.parse(draft)) ===
      canonicalJson(ProcessDefinition.parse(current)) &&
    draft.enabled === current.enabled &&
    draft.shared === current.shared;
  if (same) {
    run.result.unchanged.push(current.id);
    return;
  }
  try {
    await updateProcessIn(run.tx, run.deps, run.viewer, { ...draft, id: current.id }, pending);
    run.result.updated.push(current.id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    run.note(error.problems, ['processes', place]);
  }
}

/** The Process with names resolved to ids; null where something it calls has problems of its own. */
function draftOf(
  run: BundleImport,
  process: BundleProcess,
  id: string,
  place: number,
): Process | null {
  let whole = true;
  const steps = process.steps.map(({ calls, ...step }) => {
    const [kind, key, reference] =
      'tool' in calls
        ? (['Tool', 'toolId', calls.tool] as const)
        : (['Process', 'processId', calls.process] as const);
    const target = run.resolve(kind, reference);
    if (target === undefined) whole = false;
    return { ...step, calls: { [key]: target ?? '' } };
  });
  if (!whole) return null;
  try {
    return { ...draftProcess(run.deps, run.viewer, { ...process, steps }), id };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    run.note(error.problems, ['processes', place]);
    return null;
  }
}
