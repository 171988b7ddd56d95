import { findServices } from '../../catalog/services/service.cypher.ts';
import { findTools } from '../../catalog/tools/tool.cypher.ts';
import { probeSoon } from '../../catalog/tools/tool-health.service.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { type BundleKind, findThingsByName } from './bundle.cypher.ts';
import type { Bundle } from './bundle.ts';
import { importService, importTool } from './bundle-catalog.mutations.ts';
import { type BundleDeps, BundleImport, type ImportedBundle } from './bundle-import.service.ts';
import { importProcesses } from './bundle-processes.mutations.ts';
import { readBundle } from './bundle-text.service.ts';

/** A bundle as it is given. */
export interface ImportBundle {
  /** YAML, see Bundle. */
  readonly document: string;
  /** `check`: say what would happen, and change nothing. */
  readonly mode?: 'write' | 'check';
  /** What `${NAME}` in texts stands for; bundles of users have none. */
  readonly variables?: Readonly<Record<string, string>>;
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
      const run = new BundleImport(tx, deps, viewer, bundle);
      await importAll(run);
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

/** Goes through the bundle in the order in which things need each other, collecting problems on the way. */
async function importAll(run: BundleImport): Promise<void> {
  const { secrets, services, tools, processes } = run.bundle;
  // Two imports of one user queue up here; else both would miss what the other is about to create.
  await lockResources(run.tx, [run.viewer.userId]);
  run.found = await findThingsByName(run.tx, run.viewer, namesOf(run.bundle));
  for (const [place, { name }] of secrets.entries()) run.secretId(name, ['secrets', place, 'name']);
  const known = new Map(
    (await findServices(run.tx, run.viewer, run.ownIds('Service'))).map((one) => [one.id, one]),
  );
  for (const [place, service] of services.entries()) {
    await run.collect('Service', service.name, ['services', place], (id) =>
      importService(run, service, id === null ? null : (known.get(id) ?? null)),
    );
  }
  const knownTools = new Map(
    (await findTools(run.tx, run.viewer, run.ownIds('Tool'))).map((one) => [one.id, one]),
  );
  for (const [place, tool] of tools.entries()) {
    await run.collect('Tool', tool.name, ['tools', place], (id) =>
      importTool(run, tool, place, id === null ? null : (knownTools.get(id) ?? null)),
    );
  }
  await importProcesses(run, processes);
}

/** All that the bundle names, each once: what it brings and what that refers to. */
function namesOf(bundle: Bundle): { kind: BundleKind; name: string }[] {
  const { secrets, services, tools, processes } = bundle;
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
