import { canonicalJson } from '../../common/json.ts';
import { Refusal } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { ProcessTarget } from '../definition/definition.ts';
import { targetIds } from '../definition/target-checks.ts';
import { findProcesses, insertProcess } from '../process.cypher.ts';
import { checkProcess, draftProcess, processEntry, updateProcessIn } from '../process.mutations.ts';
import { type Process, ProcessDefinition, readStep } from '../process.ts';
import { insertSteps } from '../process-step.cypher.ts';
import type { BundleProcess } from './bundle.ts';
import type { BundleImport } from './bundle-import.service.ts';

/**
 * Creates and updates the Processes of a bundle. Processes may call each other in circles, so all
 * get their ids first, then all are checked, then all are written (mode `write`).
 * @returns ids of the Processes that were checked, each in its new form
 */
export async function importProcesses(
  state: BundleImport,
  processes: readonly BundleProcess[],
  mode: 'check' | 'write',
): Promise<ReadonlySet<string>> {
  const known = new Map(
    (await findProcesses(state.tx, state.viewer, state.ownIds('Process'))).map((item) => [
      item.id,
      item,
    ]),
  );
  const slots: { index: number; process: BundleProcess; id: string; current: Process | null }[] =
    [];
  for (const process of processes) {
    const index = process.at;
    await state.importItem('Process', process.name, ['processes', index], async (existing) => {
      const current = existing === null ? null : (known.get(existing) ?? null);
      const id = current?.id ?? state.deps.newId();
      slots.push({ index, process, id, current });
      state.ids.set(`Process ${process.name}`, id);
      return null;
    });
  }
  for (const { process, id } of slots) state.ids.set(`Process ${process.name}`, id);

  const pending = new Map<string, ProcessTarget>(
    slots.map(({ process, id }) => [
      id,
      {
        id,
        ownerId: state.viewer.userId,
        name: process.name,
        shared: process.shared,
        initialContext: process.initialContext,
        contextSchema: process.contextSchema,
      },
    ]),
  );
  const drafts: { draft: Process; current: Process | null; index: number }[] = [];
  for (const { index, process, id, current } of slots) {
    const draft = buildDraft(state, process, id, index);
    if (draft !== null) drafts.push({ draft: withEdits(state, draft, current), current, index });
  }
  const targets = drafts.flatMap(({ draft }) => Object.values(targetIds(draft.steps)).flat());
  await lockResources(state.tx, [
    ...targets,
    ...slots.flatMap(({ current }) => (current === null ? [] : [current.id])),
  ]);
  for (const { draft, index } of drafts)
    state.addProblems(await checkProcess(state.tx, state.viewer, draft, pending), [
      'processes',
      index,
    ]);
  const checked = new Set(slots.map(({ id }) => id));
  if (state.problems.length > 0 || mode === 'check') return checked;
  const fresh = drafts.filter(({ current }) => current === null);
  for (const { draft } of fresh) {
    await insertProcess(
      state.tx,
      draft,
      state.viewer.userId,
      processEntry(state.deps, state.viewer, 'process.created', draft),
    );
    state.result.created.push(draft.id);
  }
  for (const { draft } of fresh) await insertSteps(state.tx, draft.id, draft.steps);
  for (const { draft, current, index } of drafts)
    if (current !== null) await updateProcess(state, draft, current, { index, pending });
  return checked;
}

/**
 * The draft, with the parts of the current Process that an admin edited (BundleImport.writable).
 */
function withEdits(state: BundleImport, draft: Process, current: Process | null): Process {
  const key = `Process ${draft.name}` as const;
  const { enabled, shared, exposeAsTool } = draft;
  const parts = {
    definition: { definition: ProcessDefinition.parse(draft) },
    enabled: { enabled },
    shared: { shared },
    exposeAsTool: { exposeAsTool },
  };
  state.recordGiven(key, parts);
  if (current === null) return draft;
  const present = { ...current, definition: ProcessDefinition.parse(current) };
  const written = state.writable(key, present, parts);
  return {
    ...current,
    ...written.definition?.definition,
    ...written.enabled,
    ...written.shared,
    ...written.exposeAsTool,
    id: draft.id,
  };
}

async function updateProcess(
  state: BundleImport,
  draft: Process,
  current: Process,
  { index, pending }: { index: number; pending: ReadonlyMap<string, ProcessTarget> },
): Promise<void> {
  const same =
    canonicalJson(ProcessDefinition.parse(draft)) ===
      canonicalJson(ProcessDefinition.parse(current)) &&
    draft.enabled === current.enabled &&
    draft.shared === current.shared &&
    draft.exposeAsTool === current.exposeAsTool;
  if (same) {
    state.result.unchanged.push(current.id);
    return;
  }
  try {
    await updateProcessIn(
      state.tx,
      state.deps,
      state.viewer,
      { ...draft, id: current.id },
      pending,
    );
    state.result.updated.push(current.id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    state.addProblems(error.problems, ['processes', index]);
  }
}

/** The Process with references resolved to ids. Null if a called resource has problems. */
function buildDraft(
  state: BundleImport,
  process: BundleProcess,
  id: string,
  index: number,
): Process | null {
  let whole = true;
  const resolved = (
    target: BundleProcess['steps'][number]['calls'],
    path: readonly (string | number)[],
  ) => {
    const [kind, key, reference] =
      'tool' in target
        ? (['Tool', 'toolId', target.tool] as const)
        : (['Process', 'processId', target.process] as const);
    const at = ['processes', index, 'steps', ...path, kind.toLowerCase()];
    const id = state.resolve(kind, reference, at);
    if (id === undefined) whole = false;
    return { [key]: id ?? '' };
  };
  const steps = process.steps.map(({ calls, tools, id: _never, ...step }, stepIndex) => ({
    ...readStep(step),
    calls: resolved(calls, [stepIndex, 'calls']),
    tools:
      tools?.map(({ name, description, permission, ...target }, at) => ({
        ...resolved(target, [stepIndex, 'tools', at]),
        name,
        description,
        permission,
      })) ?? null,
  }));
  if (!whole) return null;
  try {
    return { ...draftProcess(state.deps, state.viewer, { ...process, steps }), id };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    state.addProblems(error.problems, ['processes', index]);
    return null;
  }
}
