import { foundToWrite } from '../catalog/access.ts';
import { counted } from '../catalog/text-checks.ts';
import { instant } from '../common/clock.ts';
import { canonicalJson, type JsonObject } from '../common/json.ts';
import type { Maybe } from '../common/maybe.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { OPEN_RUN_STATUSES } from '../common/run-status.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Graph, ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import { checkDefinition, type ProcessTarget, readDefinition } from './definition/definition.ts';
import { checkProcessInputs, targetIds } from './definition/target-checks.ts';
import {
  deleteProcessNode,
  findProcesses,
  insertProcess,
  updateProcessNode,
} from './process.cypher.ts';
import { type Process, ProcessDefinition } from './process.ts';
import {
  deleteSteps,
  findStepTargets,
  insertSteps,
  type StepTargets,
} from './process-step.cypher.ts';
import { countProcessUses, findCallers } from './process-use.cypher.ts';
import { findProcessVersion } from './process-version.cypher.ts';

export interface ProcessDeps extends BaseDeps {
  readonly graph: Graph;
  /** Wakes the relay after a commit that wrote outbox entries. Returns at once. */
  wake(): void;
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** A definition as the API and bundles give it. draftProcess and checkProcess validate it. */
export interface CreateProcess {
  readonly name: string;
  readonly description?: Maybe<string>;
  readonly initialContext: readonly string[];
  readonly contextSchema?: Maybe<JsonObject>;
  readonly steps: readonly unknown[];
  readonly outputTemplate: string;
  readonly tokenBudget?: Maybe<number>;
  readonly maxRecursionDepth?: Maybe<number>;
  readonly enabled?: Maybe<boolean>;
  readonly shared?: Maybe<boolean>;
  readonly exposeAsTool?: Maybe<boolean>;
}

/**
 * A change of a Process. An absent field stays. Null removes a description, a contextSchema or a
 * token budget; for any other field it counts as absent.
 */
export interface UpdateProcess extends Partial<Nullable<CreateProcess>> {
  readonly id: string;
  /** Refused with CONFLICT if the Process is at another version. Absent: no check. */
  readonly expectedVersion?: Maybe<number>;
}

/**
 * Creates a Process (S4-PROC-02…05, S4-STEP). @throws Refusal with all problems of the definition
 */
export async function createProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  input: CreateProcess,
): Promise<Process> {
  return writeAndWake(deps, async (tx) => {
    const draft = draftProcess(deps, viewer, input);
    await lockResources(tx, [
      ...targetIds(draft.steps).toolIds,
      ...targetIds(draft.steps).processIds,
    ]);
    refuse(await checkProcess(tx, viewer, draft));
    await insertProcess(
      tx,
      draft,
      viewer.userId,
      processEntry(deps, viewer, 'process.created', draft),
    );
    await insertSteps(tx, draft.id, draft.steps);
    return draft;
  });
}

/** Builds a Process without writing it, and checks its shape. @throws Refusal REQUIRED, INVALID */
export function draftProcess(deps: BaseDeps, viewer: Viewer, input: CreateProcess): Process {
  const now = instant(deps.clock);
  return {
    ...readDefinition(input),
    id: deps.newId(),
    ownerId: viewer.userId,
    version: 1,
    enabled: input.enabled ?? true,
    shared: input.shared ?? false,
    exposeAsTool: input.exposeAsTool ?? false,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Checks a definition with its targets. Returns all problems at once.
 * @param pending Processes of the same transaction (bundles), which may call each other
 */
export async function checkProcess(
  tx: ReadTx,
  viewer: Viewer,
  process: Process,
  pending: ReadonlyMap<string, ProcessTarget> = new Map(),
): Promise<Problem[]> {
  const { tools, processes } = await findStepTargets(tx, viewer, targetIds(process.steps));
  return checkWithTargets(process, { tools, processes: new Map([...processes, ...pending]) });
}

/** Checks a definition with targets that its owner may use. Returns all problems at once. */
export function checkWithTargets(process: Process, { tools, processes }: StepTargets): Problem[] {
  return checkDefinition(process, {
    tools,
    // A Process may call itself, in its new version.
    processes: new Map([...processes, [process.id, process as ProcessTarget]]),
    sharing: process.shared ? 'shared' : 'private',
  });
}

/**
 * Changes a Process (S4-PROC-02). An absent field stays.
 * @throws Refusal NOT_FOUND, FORBIDDEN, CONFLICT, IN_USE, and as createProcess
 */
export async function updateProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  input: UpdateProcess,
): Promise<Process> {
  return writeAndWake(deps, (tx) => updateProcessIn(tx, deps, viewer, input));
}

/** updateProcess inside the caller's transaction (bundles). The caller wakes the relay. */
export async function updateProcessIn(
  tx: WriteTx,
  deps: ProcessDeps,
  viewer: Viewer,
  input: UpdateProcess,
  pending: ReadonlyMap<string, ProcessTarget> = new Map(),
): Promise<Process> {
  // Lock the Process before reading it, so that no concurrent update is lost. Its targets are
  // locked below, once they are known.
  await lockResources(tx, [input.id]);
  const current = foundToWrite(await findProcesses(tx, viewer, [input.id]), viewer, 'Process');
  if (input.expectedVersion != null && input.expectedVersion !== current.version)
    throw Refusal.of(
      'CONFLICT',
      ['expectedVersion'],
      `This Process is at version ${current.version} by now; read it again and decide anew.`,
    );
  const definition = readDefinition(applyChanges(current, input));
  const changed = canonicalJson(definition) !== canonicalJson(ProcessDefinition.parse(current));
  const next: Process = {
    ...current,
    ...definition,
    version: current.version + (changed ? 1 : 0),
    enabled: input.enabled ?? current.enabled,
    shared: input.shared ?? current.shared,
    exposeAsTool: input.exposeAsTool ?? current.exposeAsTool,
    updatedAt: instant(deps.clock),
  };
  if (changed || (next.shared && !current.shared)) {
    const { toolIds, processIds } = targetIds(next.steps);
    await lockResources(tx, [...toolIds, ...processIds.filter((id) => id !== next.id)]);
    refuse([
      ...(await checkProcess(tx, viewer, next, pending)),
      ...(await checkCallers(tx, current, next)),
    ]);
  } else {
    refuse(await checkCallers(tx, current, next));
  }
  await updateProcessNode(tx, next, viewer.userId, {
    entry: processEntry(deps, viewer, 'process.updated', next),
    version: changed ? 'new' : 'same',
  });
  if (changed) {
    await deleteSteps(tx, next.id);
    await insertSteps(tx, next.id, next.steps);
  }
  return next;
}

const applyChanges = (current: Process, input: UpdateProcess): CreateProcess => ({
  name: input.name ?? current.name,
  description: input.description === undefined ? current.description : input.description,
  initialContext: input.initialContext ?? current.initialContext,
  contextSchema: input.contextSchema === undefined ? current.contextSchema : input.contextSchema,
  steps: input.steps ?? current.steps,
  outputTemplate: input.outputTemplate ?? current.outputTemplate,
  tokenBudget: input.tokenBudget === undefined ? current.tokenBudget : input.tokenBudget,
  maxRecursionDepth: input.maxRecursionDepth ?? current.maxRecursionDepth,
});

/**
 * A change must not break steps that call this Process. To stop such steps, the owner disables it.
 */
async function checkCallers(tx: ReadTx, current: Process, next: Process): Promise<Problem[]> {
  const unshares = current.shared && !next.shared;
  const asks = ({ initialContext, contextSchema }: Process) =>
    canonicalJson([[...initialContext].sort(), contextSchema ?? null]);
  const changesContext = asks(current) !== asks(next);
  if (!unshares && !changesContext) return [];
  const callers = await findCallers(tx, current.id);
  const needing = unshares ? callers.filter(({ needsShared }) => needsShared).length : 0;
  const broken = changesContext
    ? callers.filter(
        ({ inputs }) => inputs !== null && checkProcessInputs(inputs, [], next).length > 0,
      ).length
    : 0;
  return [
    ...(needing === 0
      ? []
      : [
          problem(
            'IN_USE',
            ['shared'],
            `This Process is called by ${counted(needing, 'step')} that may do so only while ` +
              'it is shared. Disable it to stop them.',
          ),
        ]),
    ...(broken === 0
      ? []
      : [
          problem(
            'IN_USE',
            ['initialContext'],
            `The inputs of ${counted(broken, 'step')} that call this Process would not fit.`,
          ),
        ]),
  ];
}

/**
 * Deletes a Process without uses (S4-PROC-06). Returns the id.
 * @throws Refusal NOT_FOUND, FORBIDDEN, IN_USE
 */
export async function deleteProcess(
  deps: ProcessDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [input.id]);
    const current = foundToWrite(await findProcesses(tx, viewer, [input.id]), viewer, 'Process');
    const uses = Object.entries(await countProcessUses(tx, input.id, OPEN_RUN_STATUSES));
    if (uses.length > 0) {
      const listed = uses.map(([kind, count]) => counted(count, kind)).join(', ');
      throw Refusal.of(
        'IN_USE',
        ['id'],
        `This Process is used by ${listed}. Disable it to stop it from running.`,
      );
    }
    await deleteProcessNode(tx, input.id, processEntry(deps, viewer, 'process.deleted', current));
  });
  return input.id;
}

/**
 * Makes an old definition the newest version. Versions are only added, never removed.
 * @throws Refusal NOT_FOUND, and as updateProcess
 */
export async function restoreProcessVersion(
  deps: ProcessDeps,
  viewer: Viewer,
  input: { readonly id: string; readonly version: number },
): Promise<Process> {
  return writeAndWake(deps, async (tx) => {
    const old = await findProcessVersion(tx, viewer, {
      processId: input.id,
      version: input.version,
    });
    if (old === null) {
      const [current] = await findProcesses(tx, viewer, [input.id]);
      throw new Refusal([
        current === undefined ? notFound('Process') : notFound('version', ['version']),
      ]);
    }
    const { description, contextSchema, tokenBudget, ...definition } = old.definition;
    return updateProcessIn(tx, deps, viewer, {
      ...definition,
      contextSchema: contextSchema ?? null,
      description: description ?? null,
      tokenBudget: tokenBudget ?? null,
      id: input.id,
    });
  });
}

export function processEntry(
  deps: BaseDeps,
  viewer: Viewer,
  kind: `process.${string}`,
  process: Process,
): OutboxEntry {
  const payload: JsonObject = {
    id: process.id,
    by: viewer.userId,
    name: process.name,
    version: process.version,
    enabled: process.enabled,
    shared: process.shared,
  };
  return ownerEntry(deps, ownerFor(viewer, process.ownerId), kind, payload);
}
