import { findServices } from '../../catalog/services/service.cypher.ts';
import { findTools } from '../../catalog/tools/tool.cypher.ts';
import { probeSoon } from '../../catalog/tools/tool-health.service.ts';
import { type Problem, Refusal, refuse } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { checkToolCallers } from '../tool-callers.service.ts';
import { type BundleKind, findThingsByName } from './bundle.cypher.ts';
import { type Bundle, withoutConsequences } from './bundle.ts';
import { importService, importTool } from './bundle-catalog.mutations.ts';
import {
  type BundleDeps,
  BundleImport,
  type ImportedBundle,
  type LoadRecord,
} from './bundle-import.service.ts';
import { importProcesses } from './bundle-processes.mutations.ts';
import { readBundle, withLines } from './bundle-text.service.ts';

export interface ImportBundle {
  /** YAML; the type Bundle describes the format. */
  readonly document: string;
  /** `check` reports the outcome and rolls back. Default: `write`. */
  readonly mode?: 'write' | 'check';
  /**
   * Values that replace `${NAME}` in texts. Default: none; only bundles of the installation have
   * variables.
   */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * The record of the former load, for a bundle that ships with the product: parts that an admin
   * edited since are kept. Absent: every field is written.
   */
  readonly loads?: LoadRecord;
}

/** Thrown to roll back a checked import. Caught in this file. */
class Checked extends Error {
  readonly result: ImportedBundle;
  constructor(result: ImportedBundle) {
    super('The bundle was only checked.');
    this.result = result;
  }
}

/**
 * Imports a bundle as the viewer's own, in one transaction. Kind and name identify a resource; an
 * existing one is updated.
 * @throws Refusal with all problems of all resources, with paths into the document; then nothing is
 * written
 */
export async function importBundle(
  deps: BundleDeps,
  viewer: Viewer,
  input: ImportBundle,
): Promise<ImportedBundle> {
  const parsed = await readBundle(input.document, input.variables);
  const { bundle } = parsed;
  try {
    if (bundle === null) throw new Refusal(parsed.problems);
    const { result, tools } = await writeAndWake(deps, async (tx) => {
      const state = new BundleImport(tx, deps, viewer, bundle);
      for (const name of parsed.unreadable) state.ids.set(name, null);
      await importAll(state, input.loads, parsed.problems);
      refuse([...parsed.problems, ...withoutConsequences(state.problems, parsed.mended)]);
      await input.loads?.write(tx, state.given);
      if (input.mode === 'check') throw new Checked(state.result);
      return state;
    });
    probeSoon(deps, tools);
    return result;
  } catch (error) {
    if (error instanceof Checked) return error.result;
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(await withLines(input.document, error.problems));
  }
}

/** Imports in order of dependency: Services, Tools, Processes. Collects all problems. */
async function importAll(
  state: BundleImport,
  loads: LoadRecord | undefined,
  shapeProblems: readonly Problem[],
): Promise<void> {
  const { secrets, services, tools, processes } = state.bundle;
  // Serializes the imports of one user. Otherwise two imports could create the same resource.
  await lockResources(state.tx, [state.viewer.userId]);
  state.lastLoad = (await loads?.find(state.tx)) ?? null;
  state.existing = await findThingsByName(state.tx, state.viewer, namesOf(state.bundle));
  for (const { name, at } of secrets) state.secretId(name, ['secrets', at, 'name']);
  const known = new Map(
    (await findServices(state.tx, state.viewer, state.ownIds('Service'))).map((item) => [
      item.id,
      item,
    ]),
  );
  for (const service of services)
    await state.importItem('Service', service.name, ['services', service.at], (id) =>
      importService(state, service, id === null ? null : (known.get(id) ?? null)),
    );
  const knownTools = new Map(
    (await findTools(state.tx, state.viewer, state.ownIds('Tool'))).map((item) => [item.id, item]),
  );
  for (const tool of tools)
    await state.importItem('Tool', tool.name, ['tools', tool.at], (id) =>
      importTool(state, tool, id === null ? null : (knownTools.get(id) ?? null)),
    );
  const except = await importProcesses(
    state,
    processes,
    shapeProblems.length > 0 ? 'check' : 'write',
  );
  // An installation has to start with the Tools of its version.
  if (loads !== undefined) return;
  for (const { at, ...change } of state.changes) {
    const problems = await checkToolCallers(state.tx, state.viewer, { ...change, except });
    state.addProblems(problems, ['tools', at]);
  }
}

/** All names in the bundle, each once: of its resources and of its references. */
function namesOf(bundle: Bundle): { kind: BundleKind; name: string }[] {
  const { secrets, services, tools, processes } = bundle;
  const targets = processes.flatMap(({ steps: own }) =>
    own.flatMap(({ calls, tools }) => [calls, ...(tools ?? [])]),
  );
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
    ...targets.map((target) =>
      'tool' in target
        ? { kind: 'Tool' as const, name: target.tool }
        : { kind: 'Process' as const, name: target.process },
    ),
  ];
  return [...new Map(wanted.map((item) => [`${item.kind} ${item.name}`, item])).values()];
}
