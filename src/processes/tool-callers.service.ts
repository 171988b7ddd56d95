import type { ToolChange } from '../catalog/tools/tool.mutations.ts';
import type { Tool } from '../catalog/tools/tool.ts';
import { canonicalJson } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import { targetIds } from './definition/target-checks.ts';
import { findProcesses } from './process.cypher.ts';
import { checkWithTargets } from './process.mutations.ts';
import type { Process } from './process.ts';
import { findStepTargets } from './process-step.cypher.ts';
import { findToolCallers } from './process-use.cypher.ts';

/** Callers that one change is checked against; a Tool with more is not changed under them. */
const CALLERS_MAX = 500;
const NAMED_MAX = 5;

/**
 * Checks the steps that call a Tool, also those of other users, against a change of it, as a change
 * of a Process is checked (S4-STEP-05): a step that fits the Tool now has to fit it afterwards.
 * @param change `except`: ids of Processes that are written with the change, and checked there
 * @returns IN_USE at `inputSchema` or `outputSchema` with the Processes that the change would
 * break; those of other users are counted, not named
 */
export async function checkToolCallers(
  tx: ReadTx,
  viewer: Viewer,
  { current, next, except = new Set() }: ToolChange & { readonly except?: ReadonlySet<string> },
): Promise<Problem[]> {
  const changed = (['inputSchema', 'outputSchema'] as const).filter(
    (field) => canonicalJson(current[field]) !== canonicalJson(next[field]),
  );
  const [field] = changed;
  if (field === undefined) return [];
  const callers = await findToolCallers(tx, current.id, CALLERS_MAX + 1);
  if (callers.length > CALLERS_MAX) {
    const message = `More than ${CALLERS_MAX} Processes call this Tool. Make another Tool for it.`;
    return [problem('IN_USE', [field], message)];
  }
  const broken: Process[] = [];
  for (const [ownerId, own] of Map.groupBy(callers, (caller) => caller.ownerId)) {
    const owner: Viewer = { ...viewer, userId: ownerId, roles: [] };
    const ids = own.map(({ processId }) => processId).filter((id) => !except.has(id));
    broken.push(...(await brokenOf(tx, owner, { ids, current, next })));
  }
  return broken.length === 0 ? [] : [problem('IN_USE', [field], messageOf(broken, viewer))];
}

async function brokenOf(
  tx: ReadTx,
  owner: Viewer,
  { ids, current, next }: { readonly ids: string[]; readonly current: Tool; readonly next: Tool },
): Promise<Process[]> {
  const processes = await findProcesses(tx, owner, ids);
  const wanted = targetIds(processes.flatMap(({ steps }) => steps));
  const targets = await findStepTargets(tx, owner, wanted);
  const called = targets.tools.get(current.id);
  if (called === undefined) return [];
  const problemsWith = (process: Process, { inputSchema, outputSchema }: Tool) =>
    checkWithTargets(process, {
      ...targets,
      tools: new Map([...targets.tools, [called.id, { ...called, inputSchema, outputSchema }]]),
    }).map((found) => canonicalJson([found.code, [...found.path]]));
  return processes.filter((process) => {
    const before = new Set(problemsWith(process, current));
    return problemsWith(process, next).some((found) => !before.has(found));
  });
}

function messageOf(broken: readonly Process[], { userId }: Viewer): string {
  const own = broken.filter(({ ownerId }) => ownerId === userId);
  const names = own.slice(0, NAMED_MAX).map(({ name }) => `"${name}"`);
  if (own.length > NAMED_MAX) names.push(`${own.length - NAMED_MAX} more of yours`);
  const others = broken.length - own.length;
  if (others > 0) names.push(`${others} of other users`);
  return (
    `Steps of these Processes would not fit any more: ${names.join(', ')}. ` +
    'Make another Tool and move them to it, or disable this one to stop them.'
  );
}
