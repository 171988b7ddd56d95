import type { CatalogDeps } from '../catalog/deps.ts';
import { probeSoon } from '../catalog/health.ts';
import { findServices } from '../catalog/service.cypher.ts';
import { createServiceIn, updateServiceIn } from '../catalog/service.mutations.ts';
import { findTools } from '../catalog/tool.cypher.ts';
import { createToolIn, updateToolIn } from '../catalog/tool.mutations.ts';
import type { Tool } from '../catalog/tool.ts';
import { canonicalJson } from '../common/json.ts';
import { type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { Viewer } from '../users/viewer.ts';
import { type BundleKind, findThingsByName, type NamedThing } from './bundle.cypher.ts';
import type { Bundle, BundleProcess, BundleService, BundleTool } from './bundle.ts';
import { readBundle } from './bundle-text.ts';
import type { ProcessTarget } from './definition.ts';
import { findProcesses, insertProcess, insertSteps } from './process.cypher.ts';
import {
  checkProcess,
  draftProcess,
  type ProcessDeps,
  processEntry,
  updateProcessIn,
} from './process.mutations.ts';
import { type Process, ProcessDefinition } from './process.ts';
import { targetIds } from './target-ids.ts';

export type BundleDeps = CatalogDeps & ProcessDeps;

export interface ImportBundle {
  /** YAML, see Bundle. */
  readonly document: string;
  /** `check`: say what would happen, and change nothing. */
  readonly mode?: 'write' | 'check';
  /** What `${NAME}` in texts stands for; bundles of users have none. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Ids by what happened to them. Importing the same bundle again leaves all unchanged. */
export interface ImportedBundle {
  readonly created: string[];
  readonly updated: string[];
  readonly unchanged: string[];
}

/** Thrown to roll a checked import back; never leaves this file. */
class Checked extends Error {
  readonly result: ImportedBundle;
  constructor(result: ImportedBundle) {
    super('The bundle was only checked.');
    this.result = result;
  }
}

/**
 * Writes a bundle as the viewer's own, in one transaction: things are told apart by kind and name, those that are there already are
 * updated. @throws Refusal with every fault of every thing, paths into the document; nothing is written then
 */
export async function importBundle(
  deps: BundleDeps,
  viewer: Viewer,
  input: ImportBundle,
): Promise<ImportedBundle> {
  const { bundle, problems } = await readBundle(input.document, input.variables);
  if (bundle === null) throw new Refusal(problems);
  try {
    const { result, tools } = await deps.graph.write(async (tx) => {
      const run = new Import(tx, deps, viewer, bundle);
      await run.all();
      refuse(run.problems);
      if (input.mode === 'check') throw new Checked(run.result);
      return run;
    });
    deps.wake();
    probeSoon(deps, tools);
    return result;
  } catch (error) {
    if (error instanceof Checked) return error.result;
    throw error;
  }
}

/** One import: goes through the bundle in the order in which things need each other, collecting problems as it goes. */
class Import {
  readonly problems: Problem[] = [];
  readonly result: ImportedBundle = { created: [], updated: [], unchanged: [] };
  /** Tools that were written, to be probed after the commit. */
  readonly tools: string[] = [];
  readonly #tx: WriteTx;
  readonly #deps: BundleDeps;
  readonly #viewer: Viewer;
  readonly #bundle: Bundle;
  /** Ids by `kind name`, as found, then as written; null where the bundle's own thing had problems of its own. */
  readonly #ids = new Map<string, string | null>();
  #found: NamedThing[] = [];

  constructor(tx: WriteTx, deps: BundleDeps, viewer: Viewer, bundle: Bundle) {
    this.#tx = tx;
    this.#deps = deps;
    this.#viewer = viewer;
    this.#bundle = bundle;
  }

  async all(): Promise<void> {
    const { secrets, services, tools, processes } = this.#bundle;
    // Two imports of one user queue up here; else both would miss what the other is about to create.
    await lockResources(this.#tx, [this.#viewer.userId]);
    this.#found = await findThingsByName(this.#tx, this.#viewer, this.#names());
    for (const [place, { name }] of secrets.entries())
      this.#secretId(name, ['secrets', place, 'name']);
    const known = new Map(
      (await findServices(this.#tx, this.#viewer, this.#ownIds('Service'))).map((one) => [
        one.id,
        one,
      ]),
    );
    for (const [place, service] of services.entries()) {
      await this.#collect('Service', service.name, ['services', place], (id) =>
        this.#service(service, id === null ? null : (known.get(id) ?? null)),
      );
    }
    const knownTools = new Map(
      (await findTools(this.#tx, this.#viewer, this.#ownIds('Tool'))).map((one) => [one.id, one]),
    );
    for (const [place, tool] of tools.entries()) {
      await this.#collect('Tool', tool.name, ['tools', place], (id) =>
        this.#tool(tool, place, id === null ? null : (knownTools.get(id) ?? null)),
      );
    }
    await this.#processes(processes);
  }

  #names(): { kind: BundleKind; name: string }[] {
    const { secrets, services, tools, processes } = this.#bundle;
    const steps = processes.flatMap(({ steps: own }) => own.map(({ calls }) => calls));
    const wanted: { kind: BundleKind; name: string }[] = [
      ...secrets.map(({ name }) => ({ kind: 'Secret' as const, name })),
      ...tools.flatMap(({ secret }) =>
        secret == null ? [] : [{ kind: 'Secret' as const, name: secret }],
      ),
      ...[...services.map(({ name }) => name), ...tools.map(({ service }) => service)].map(
        (name) => ({ kind: 'Service' as const, name }),
      ),
      ...tools.map(({ name }) => ({ kind: 'Tool' as const, name })),
      ...processes.map(({ name }) => ({ kind: 'Process' as const, name })),
      ...steps.map((calls) =>
        'tool' in calls
          ? { kind: 'Tool' as const, name: calls.tool }
          : { kind: 'Process' as const, name: calls.process },
      ),
    ];
    return [...new Map(wanted.map((one) => [`${one.kind} ${one.name}`, one])).values()];
  }

  #ownIds(kind: BundleKind): string[] {
    return this.#found.filter((one) => one.kind === kind && one.own).map(({ id }) => id);
  }

  /** The viewer's own thing of this name. @throws Refusal CONFLICT where several are called so */
  #own(kind: BundleKind, name: string): string | null {
    const [first, ...others] = this.#found.filter(
      (one) => one.kind === kind && one.name === name && one.own,
    );
    if (others.length > 0) {
      throw new Refusal([
        problem(
          'CONFLICT',
          ['name'],
          `You have ${others.length + 1} of the kind ${kind} called "${name}"; rename all but one.`,
        ),
      ]);
    }
    return first?.id ?? null;
  }

  /** What a reference means: this bundle's, one's own, the system's of that name, else an id. undefined = its own problems come first. */
  #resolve(kind: BundleKind, reference: string): string | undefined {
    const written = this.#ids.get(`${kind} ${reference}`);
    if (written === null) return undefined;
    if (written !== undefined) return written;
    const found = this.#found.filter((one) => one.kind === kind && one.name === reference);
    return (found.find(({ own }) => own) ?? found[0])?.id ?? reference;
  }

  #secretId(name: string, path: readonly (string | number)[]): string | null {
    const own = this.#found.find((one) => one.kind === 'Secret' && one.name === name && one.own);
    if (own === undefined) {
      this.problems.push(
        problem(
          'NOT_FOUND',
          ['document', ...path],
          `You have no Secret called "${name}"; bundles hold no values, so create it first (createSecret).`,
        ),
      );
    }
    return own?.id ?? null;
  }

  /** Runs one thing's write, turns its Refusal into problems with paths into the document, and notes what became of it. */
  async #collect(
    kind: BundleKind,
    name: string,
    path: readonly (string | number)[],
    write: (
      existing: string | null,
    ) => Promise<{ id: string; became: keyof ImportedBundle } | null>,
  ): Promise<void> {
    let id: string | null = null;
    try {
      const outcome = await write(this.#own(kind, name));
      if (outcome !== null) {
        id = outcome.id;
        this.result[outcome.became].push(outcome.id);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#note(error.problems, path);
    }
    this.#ids.set(`${kind} ${name}`, id);
  }

  #note(problems: readonly Problem[], path: readonly (string | number)[]): void {
    for (const { code, message, path: inner } of problems) {
      this.problems.push(problem(code, ['document', ...path, ...inDocument(inner)], message));
    }
  }

  async #service(
    service: BundleService,
    current: Awaited<ReturnType<typeof findServices>>[number] | null,
  ) {
    if (current === null) {
      const { id } = await createServiceIn(this.#tx, this.#deps, this.#viewer, service);
      return { id, became: 'created' as const };
    }
    refuse(
      (['type', 'protocol', 'requiresSecret'] as const)
        .filter((field) => service[field] !== current[field])
        .map((field) =>
          problem(
            'IMMUTABLE',
            [field],
            `${field} of a Service can't change; use another name for another Service.`,
          ),
        ),
    );
    const changes = changed(current, {
      description: service.description ?? null,
      enabled: service.enabled,
      shared: service.shared,
      connectionSchema: service.connectionSchema,
    });
    if (changes === null) return { id: current.id, became: 'unchanged' as const };
    await updateServiceIn(this.#tx, this.#deps, this.#viewer, { id: current.id, ...changes });
    return { id: current.id, became: 'updated' as const };
  }

  async #tool(tool: BundleTool, place: number, current: Tool | null) {
    const serviceId = this.#resolve('Service', tool.service);
    const secretId =
      tool.secret == null ? null : this.#secretId(tool.secret, ['tools', place, 'secret']);
    // The Service's or the Secret's own problem says what to do; a second one here would only repeat it.
    if (serviceId === undefined || (tool.secret != null && secretId === null)) return null;
    const {
      name,
      operation,
      inputSchema,
      outputSchema,
      connectionParams,
      enabled,
      shared,
      mutating,
    } = tool;
    const description = tool.description ?? null;
    if (current === null) {
      const { id } = await createToolIn(this.#tx, this.#deps, this.#viewer, {
        name,
        description,
        serviceId,
        connectionParams,
        operation,
        inputSchema,
        outputSchema,
        secretId,
        secretScope: tool.secretScope ?? null,
        enabled,
        shared,
        mutating: mutating ?? null,
      });
      this.tools.push(id);
      return { id, became: 'created' as const };
    }
    if (serviceId !== current.serviceId) {
      refuse([
        problem(
          'IMMUTABLE',
          ['service'],
          "A Tool can't move to another Service; use another name for another Tool.",
        ),
      ]);
    }
    const changes = changed(current, {
      description,
      connectionParams,
      operation,
      inputSchema,
      outputSchema,
      enabled,
      shared,
      secretId,
      ...(tool.secretScope == null ? {} : { secretScope: tool.secretScope }),
      ...(mutating == null ? {} : { mutating }),
    });
    if (changes === null) return { id: current.id, became: 'unchanged' as const };
    // A moved endpoint has to name its Secret again, and the bundle does.
    await updateToolIn(this.#tx, this.#deps, this.#viewer, {
      id: current.id,
      ...changes,
      ...(secretId === null ? {} : { secretId }),
    });
    this.tools.push(current.id);
    return { id: current.id, became: 'updated' as const };
  }

  /** Processes may call each other in circles, so all of them get their ids first, then are checked, then written. */
  async #processes(processes: readonly BundleProcess[]): Promise<void> {
    const known = new Map(
      (await findProcesses(this.#tx, this.#viewer, this.#ownIds('Process'))).map((one) => [
        one.id,
        one,
      ]),
    );
    const slots: { place: number; process: BundleProcess; id: string; current: Process | null }[] =
      [];
    for (const [place, process] of processes.entries()) {
      await this.#collect('Process', process.name, ['processes', place], async (existing) => {
        const current = existing === null ? null : (known.get(existing) ?? null);
        const id = current?.id ?? this.#deps.newId();
        slots.push({ place, process, id, current });
        this.#ids.set(`Process ${process.name}`, id);
        return null;
      });
    }
    for (const { process, id } of slots) this.#ids.set(`Process ${process.name}`, id);

    const pending = new Map<string, ProcessTarget>(
      slots.map(({ process, id }) => [
        id,
        {
          id,
          ownerId: this.#viewer.userId,
          name: process.name,
          shared: process.shared,
          initialContext: process.initialContext,
        },
      ]),
    );
    const drafts: { draft: Process; current: Process | null; place: number }[] = [];
    for (const { place, process, id, current } of slots) {
      const draft = this.#draft(process, id, place);
      if (draft !== null) drafts.push({ draft, current, place });
    }
    const targets = drafts.flatMap(({ draft }) => Object.values(targetIds(draft.steps)).flat());
    await lockResources(this.#tx, [
      ...targets,
      ...slots.flatMap(({ current }) => (current === null ? [] : [current.id])),
    ]);
    for (const { draft, place } of drafts) {
      this.#note(await checkProcess(this.#tx, this.#viewer, draft, pending), ['processes', place]);
    }
    if (this.problems.length > 0) return;
    const fresh = drafts.filter(({ current }) => current === null);
    for (const { draft } of fresh) {
      await insertProcess(
        this.#tx,
        draft,
        this.#viewer.userId,
        processEntry(this.#deps, this.#viewer, 'process.created', draft),
      );
      this.result.created.push(draft.id);
    }
    for (const { draft } of fresh) await insertSteps(this.#tx, draft.id, draft.steps);
    for (const { draft, current, place } of drafts)
      if (current !== null) await this.#updateProcess(draft, current, { place, pending });
  }

  async #updateProcess(
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
      this.result.unchanged.push(current.id);
      return;
    }
    try {
      await updateProcessIn(
        this.#tx,
        this.#deps,
        this.#viewer,
        { ...draft, id: current.id },
        pending,
      );
      this.result.updated.push(current.id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#note(error.problems, ['processes', place]);
    }
  }

  /** The Process with names resolved to ids; null where something it calls has problems of its own. */
  #draft(process: BundleProcess, id: string, place: number): Process | null {
    let whole = true;
    const steps = process.steps.map(({ calls, ...step }) => {
      const [kind, key, reference] =
        'tool' in calls
          ? (['Tool', 'toolId', calls.tool] as const)
          : (['Process', 'processId', calls.process] as const);
      const target = this.#resolve(kind, reference);
      if (target === undefined) whole = false;
      return { ...step, calls: { [key]: target ?? '' } };
    });
    if (!whole) return null;
    try {
      return { ...draftProcess(this.#deps, this.#viewer, { ...process, steps }), id };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#note(error.problems, ['processes', place]);
      return null;
    }
  }
}

/** The fields that differ, or null where none does. */
function changed<T extends object>(current: object, wanted: T): Partial<T> | null {
  const entries = Object.entries(wanted).filter(
    ([field, value]) =>
      canonicalJson(value ?? null) !==
      canonicalJson((current as Record<string, unknown>)[field] ?? null),
  );
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<T>);
}

const API_NAMES: Readonly<Record<string, string>> = {
  toolId: 'tool',
  processId: 'process',
  serviceId: 'service',
  secretId: 'secret',
};
const OPERATION_FIELDS = new Set(['graphQuery', 'restCall', 'llmCall', 'mcpCall']);

/** A path into the API's input as the document has it: `operation.llmCall.promptTemplate` is `operation.promptTemplate`. */
function inDocument(path: readonly string[]): string[] {
  return path.flatMap((part, index) =>
    path[index - 1] === 'operation' && OPERATION_FIELDS.has(part) ? [] : [API_NAMES[part] ?? part],
  );
}
