import type { CatalogDeps } from '../catalog/deps.ts';
import { planToolChange, type ToolChange } from '../catalog/tools/tool.mutations.ts';
import type { Tool } from '../catalog/tools/tool.ts';
import type { UpdateTool } from '../catalog/tools/tool-plan.ts';
import { canonicalJson } from '../common/json.ts';
import { type Problem, problem, Refusal } from '../common/refusal.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import { findOwnedProcesses, type OwnedProcess } from './owned-process.service.ts';
import { checkWithTargets } from './process.mutations.ts';
import type { Process } from './process.ts';
import { findToolCallers } from './process-use.cypher.ts';

/** Callers that one change is checked against; a Tool with more is not changed under them. */
const CALLERS_MAX = 500;
const NAMED_MAX = 5;

type Changed = 'inputSchema' | 'outputSchema';
/** A Process with steps that call the Tool, and whether they fit the changed Tool as before. */
export interface ToolCaller {
  readonly process: Process;
  readonly fits: boolean;
}

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
  { except, ...change }: ToolChange & { readonly except?: ReadonlySet<string> },
): Promise<Problem[]> {
  const field = changedField(change);
  if (field === null) return [];
  const callers = await callersOf(tx, change, except);
  return callers === 'too many' ? [tooMany(field)] : breaks(viewer, field, callers);
}

/** Whom a change of a Tool would touch. */
export interface ToolUpdatePreview {
  /** The viewer's Processes with steps that call the Tool. */
  readonly callers: readonly ToolCaller[];
  /** Processes of other users that call it, and those of them that the change would break. */
  readonly others: number;
  readonly othersBroken: number;
  /** Why the change would be refused; empty: it would be made. */
  readonly problems: readonly Problem[];
}

const NONE = { callers: [], others: 0, othersBroken: 0 };

/**
 * Makes all checks of updateTool and writes nothing. Where more Processes call the Tool than a
 * change may touch, none is listed.
 */
export async function previewToolUpdate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTool,
): Promise<ToolUpdatePreview> {
  try {
    return await deps.graph.read(async (tx) => {
      const { problems, ...change } = await planToolChange(tx, deps, viewer, input);
      return previewOf(viewer, change, problems, await callersOf(tx, change));
    });
  } catch (error) {
    if (error instanceof Refusal) return { ...NONE, problems: error.problems };
    throw error;
  }
}

function previewOf(
  viewer: Viewer,
  change: ToolChange,
  problems: readonly Problem[],
  found: ToolCaller[] | 'too many',
): ToolUpdatePreview {
  const field = changedField(change);
  if (found === 'too many')
    return { ...NONE, problems: [...problems, ...(field === null ? [] : [tooMany(field)])] };
  const isOwn = ({ process }: ToolCaller) => process.ownerId === viewer.userId;
  const others = found.filter((caller) => !isOwn(caller));
  return {
    callers: found.filter(isOwn),
    others: others.length,
    othersBroken: others.filter(({ fits }) => !fits).length,
    problems: [...problems, ...(field === null ? [] : breaks(viewer, field, found))],
  };
}

function changedField({ current, next }: ToolChange): Changed | null {
  const changed = (['inputSchema', 'outputSchema'] as const).filter(
    (field) => canonicalJson(current[field]) !== canonicalJson(next[field]),
  );
  return changed[0] ?? null;
}

/** The Processes of all users with steps that call the Tool, in three statements. */
async function callersOf(
  tx: ReadTx,
  change: ToolChange,
  except: ReadonlySet<string> = new Set(),
): Promise<ToolCaller[] | 'too many'> {
  const ids = await findToolCallers(tx, change.current.id, CALLERS_MAX + 1);
  if (ids.length > CALLERS_MAX) return 'too many';
  const owned = await findOwnedProcesses(
    tx,
    ids.filter((id) => !except.has(id)),
  );
  return [...owned.values()].map((read) => {
    const { process, targets } = read();
    return { process, fits: stillFits({ process, targets }, change) };
  });
}

function stillFits({ process, targets }: OwnedProcess, { current, next }: ToolChange): boolean {
  const called = targets.tools.get(current.id);
  // The owner may not use the Tool any more, so the steps don't run as it is.
  if (called === undefined) return true;
  const problemsWith = ({ inputSchema, outputSchema }: Tool) =>
    checkWithTargets(process, {
      ...targets,
      tools: new Map([...targets.tools, [called.id, { ...called, inputSchema, outputSchema }]]),
    }).map((found) => canonicalJson([found.code, [...found.path]]));
  const before = new Set(problemsWith(current));
  return problemsWith(next).every((found) => before.has(found));
}

function tooMany(field: Changed): Problem {
  const message = `More than ${CALLERS_MAX} Processes call this Tool. Make another Tool for it.`;
  return problem('IN_USE', [field], message);
}

function breaks({ userId }: Viewer, field: Changed, callers: readonly ToolCaller[]): Problem[] {
  const broken = callers.filter(({ fits }) => !fits).map(({ process }) => process);
  if (broken.length === 0) return [];
  const own = broken.filter(({ ownerId }) => ownerId === userId);
  const names = own.slice(0, NAMED_MAX).map(({ name }) => `"${name}"`);
  if (own.length > NAMED_MAX) names.push(`${own.length - NAMED_MAX} more of yours`);
  const others = broken.length - own.length;
  if (others > 0) names.push(`${others} of other users`);
  const message =
    `Steps of these Processes would not fit any more: ${names.join(', ')}. ` +
    'Make another Tool and move them to it, or disable this one to stop them.';
  return [problem('IN_USE', [field], message)];
}
