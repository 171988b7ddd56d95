import { z } from 'zod';
import { nameKey } from '../catalog/text-checks.ts';
import { didYouMean } from '../common/did-you-mean.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { readShape } from '../common/shape.ts';
import { BundleProcess } from '../processes/bundle/bundle.ts';
import { validateProcess } from '../processes/definition/validate.service.ts';
import type { ProcessDeps } from '../processes/process.mutations.ts';
import { readStep } from '../processes/process.ts';
import { BLANK } from '../processes/sketch/sketch.ts';
import type { Viewer } from '../users/user.ts';
import { type DraftTarget, listDraftTargets } from './draft-targets.service.ts';

const Note = z.object({
  words: z.string(),
  text: z.string(),
  stepId: z.string().nullable().default(null),
});
const Schedule = z.object({
  cron: z.string(),
  words: z.string().default(''),
  isAssumed: z.boolean().default(false),
});
/** A draft as a sketch or a model writes it. What is no draft is left out. */
const Draft = z.object({
  definition: z.custom<JsonObject>(isJsonObject).nullable().catch(null),
  understood: z.array(Note).catch([]),
  open: z.array(Note).catch([]),
  schedule: Schedule.nullable().catch(null).default(null),
});
const Asked = z.object({
  /** Drafts of a model; the first that can be read counts. */
  drafts: z.array(z.unknown()).max(5).default([]),
  /** Counts where no model wrote one; its list of nearest Processes always does. */
  sketch: z.unknown().optional(),
});

/**
 * Checks a draft as createProcess checks a definition, with its Tools and Processes by name. Writes
 * nothing. `problems` are all its problems but the choices that it leaves open.
 */
export async function checkDraftTool(
  deps: ProcessDeps,
  viewer: Viewer,
  inputs: JsonObject,
): Promise<Json> {
  const { drafts, sketch } = Asked.parse(inputs);
  const read = drafts.flatMap((one) => Draft.safeParse(one).data ?? []);
  const written = read.find(({ definition }) => definition !== null);
  const chosen = written ?? Draft.safeParse(sketch).data ?? Draft.parse({ definition: null });
  const { problems, targetIds } =
    chosen.definition === null
      ? { problems: [], targetIds: [] }
      : await checkDefinition(deps, viewer, chosen.definition);
  const nearest = z.object({ nearest: z.array(z.unknown()) }).safeParse(sketch).data?.nearest ?? [];
  const told = problems.map(({ code, path, message }) => ({ code, path, message }));
  const byModel = written !== undefined;
  const draft = { ...chosen, problems: told, byModel, nearest, targetIds };
  return JSON.parse(JSON.stringify(draft)) as Json;
}

/**
 * The problems of a definition in the words of bundles, with paths that begin at the definition,
 * and the ids of the Tools and Processes that it names.
 */
async function checkDefinition(
  deps: ProcessDeps,
  viewer: Viewer,
  definition: JsonObject,
): Promise<{ readonly problems: Problem[]; readonly targetIds: readonly string[] }> {
  const { value, problems } = readShape(BundleProcess, definition, []);
  if (value === null) return { problems, targetIds: [] };
  const targets = await deps.graph.read((tx) => listDraftTargets(tx, viewer));
  const blanks: string[] = [];
  const targetIds = new Set<string>();
  const resolve = (target: object, path: readonly (string | number)[]) => {
    const { kind, name } = namedIn(target);
    const key = kind === 'tool' ? 'toolId' : 'processId';
    const found = named(targets, kind, name);
    if (found !== undefined) {
      targetIds.add(found.id);
      return { [key]: found.id };
    }
    const at = [...path, kind];
    if (name !== BLANK) problems.push(unknown(targets, kind, name, at));
    blanks.push([...path, key].join('.'));
    return { [key]: '' };
  };
  const steps = value.steps.map(({ calls, tools, id: _never, ...step }, index) => {
    for (const field of ['condition', 'forEach'] as const)
      if (step.execution[field] === BLANK) blanks.push(`steps.${index}.execution.${field}`);
    return {
      ...readStep(step),
      calls: resolve(calls, ['steps', index, 'calls']),
      tools: tools?.map(({ name, description, permission, ...target }, at) => ({
        ...{ name, description, permission },
        ...resolve(target, ['steps', index, 'tools', at]),
      })),
    };
  });
  const checked = await validateProcess(deps, viewer, { ...value, steps });
  const others = checked.problems.filter(({ path }) => !blanks.includes(path.join('.')));
  return { problems: [...problems, ...others], targetIds: [...targetIds] };
}

function namedIn(target: object): { readonly kind: 'tool' | 'process'; readonly name: string } {
  if ('tool' in target) return { kind: 'tool', name: String(target.tool) };
  return { kind: 'process', name: 'process' in target ? String(target.process) : BLANK };
}

function named(
  targets: readonly DraftTarget[],
  kind: DraftTarget['kind'],
  name: string,
): DraftTarget | undefined {
  const key = nameKey(name);
  return targets.find((one) => one.kind === kind && nameKey(one.name) === key);
}

function unknown(
  targets: readonly DraftTarget[],
  kind: DraftTarget['kind'],
  name: string,
  path: readonly (string | number)[],
): Problem {
  const names = targets.filter((one) => one.kind === kind).map((one) => one.name);
  const noun = kind === 'tool' ? 'Tool' : 'Process';
  const message = `There is no ${noun} "${name}" that you may use.${didYouMean(name, names)}`;
  return problem('NOT_FOUND', path, message);
}
