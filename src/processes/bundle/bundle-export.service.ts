import { stringify } from 'yaml';
import { findSecrets } from '../../catalog/secrets/secret.cypher.ts';
import { findServicesOfTools } from '../../catalog/services/service.cypher.ts';
import type { StoredService } from '../../catalog/services/service.ts';
import { findTools } from '../../catalog/tools/tool.cypher.ts';
import type { Tool } from '../../catalog/tools/tool.ts';
import { notFound, refuse } from '../../common/refusal.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import { targetIds } from '../definition/target-checks.ts';
import { findProcesses } from '../process.cypher.ts';
import type { Process, ProcessStep } from '../process.ts';
import { listOwnProcessIds } from './bundle.cypher.ts';

const PROCESSES_MAX = 1_000;
const LEVELS_MAX = 51;

/**
 * Exports Processes as a bundle (YAML), with all Services and Tools of the viewer that they use.
 * Secrets have name and type only.
 * Resources of other owners are referenced: those of the system by name, any other by id.
 * @param processIds absent = all Processes of the viewer
 * @throws Refusal NOT_FOUND at `processIds.<n>`
 */
export async function exportBundle(
  { graph }: { readonly graph: Graph },
  viewer: Viewer,
  { processIds }: { readonly processIds?: readonly string[] | null | undefined },
): Promise<string> {
  return graph.read(async (tx) => {
    const roots = processIds ?? (await listOwnProcessIds(tx, viewer, PROCESSES_MAX));
    const processes = new Map<string, Process>();
    let wanted = [...new Set(roots)];
    for (
      let level = 0;
      level < LEVELS_MAX && wanted.length > 0 && processes.size < PROCESSES_MAX;
      level++
    ) {
      const found = await findProcesses(tx, viewer, wanted);
      for (const process of found) processes.set(process.id, process);
      if (level === 0)
        refuse(
          roots.flatMap((id, index) =>
            processes.has(id) ? [] : [notFound('Process', ['processIds', String(index)])],
          ),
        );
      const called = found
        .filter(({ ownerId }) => ownerId === viewer.userId)
        .flatMap(({ steps }) => targetIds(steps).processIds);
      wanted = [...new Set(called)].filter((id) => !processes.has(id));
    }
    const asked = new Set(roots);
    // A Process named by id is exported for any owner. A Process that it calls is exported only if
    // it is the viewer's own.
    const exported = [...processes.values()].filter(
      ({ id, ownerId }) => ownerId === viewer.userId || asked.has(id),
    );
    const tools = await findTools(tx, viewer, [
      ...new Set(exported.flatMap(({ steps }) => targetIds(steps).toolIds)),
    ]);
    const own = <T extends { readonly ownerId: string }>(things: readonly T[]) =>
      things.filter(({ ownerId }) => ownerId === viewer.userId);
    const ownTools = own(tools);
    const services = await findServicesOfTools(tx, viewer, [
      ...new Set(ownTools.map(({ serviceId }) => serviceId)),
    ]);
    const secretIds = ownTools.flatMap(({ secretId }) => (secretId === null ? [] : [secretId]));
    const secrets =
      secretIds.length === 0 ? [] : await findSecrets(tx, viewer, [...new Set(secretIds)]);

    const references = new Map<string, string>();
    for (const list of [services, secrets, tools, [...processes.values()]])
      nameAll(list, viewer, references);
    const named = (id: string) => references.get(id) ?? id;
    return stringify(
      {
        aiden: 1,
        ...section(
          'secrets',
          secrets.map(({ id, type }) => ({ name: named(id), type })),
        ),
        ...section(
          'services',
          own(services).map((service) => serviceItem(service, named)),
        ),
        ...section(
          'tools',
          ownTools.map((tool) => toolItem(tool, named)),
        ),
        ...section(
          'processes',
          exported.map((process) => processItem(process, named)),
        ),
      },
      { lineWidth: 100, aliasDuplicateObjects: false },
    );
  });
}

/**
 * Gives each resource of the viewer and of the system a name that is unique in its list. Resources
 * of other owners keep their ids.
 */
function nameAll(
  things: readonly { readonly id: string; readonly name: string; readonly ownerId: string }[],
  viewer: Viewer,
  references: Map<string, string>,
): void {
  const taken = new Set<string>();
  for (const { id, name, ownerId } of things) {
    if (ownerId !== viewer.userId && ownerId !== SYSTEM_USER_ID) continue;
    const unique = taken.has(name) ? `${name} ${id.slice(-8)}` : name;
    taken.add(unique);
    references.set(id, unique);
  }
}

type Named = (id: string) => string;

const section = (name: string, items: readonly object[]): Record<string, readonly object[]> =>
  items.length === 0 ? {} : { [name]: items };

/** Removes fields with a null or a default value. */
const compact = (
  item: Record<string, unknown>,
  defaults: Record<string, unknown> = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) => value !== null && value !== undefined && defaults[key] !== value,
    ),
  );

const FLAGS = { enabled: true, shared: false };

function serviceItem(service: StoredService, named: Named) {
  const { id, description, type, protocol, requiresSecret, enabled, shared, connectionSchema } =
    service;
  return compact(
    {
      name: named(id),
      description,
      type,
      protocol,
      requiresSecret,
      enabled,
      shared,
      connectionSchema,
    },
    { ...FLAGS, requiresSecret: false },
  );
}

function toolItem(tool: Tool, named: Named) {
  const {
    id,
    description,
    serviceId,
    secretId,
    secretScope,
    connectionParams,
    operation,
    inputSchema,
    outputSchema,
    enabled,
    shared,
    mutating,
  } = tool;
  return compact(
    {
      name: named(id),
      description,
      service: named(serviceId),
      secret: secretId === null ? null : named(secretId),
      secretScope,
      connectionParams,
      operation: compact(operation),
      inputSchema,
      outputSchema,
      mutating,
      enabled,
      shared,
    },
    FLAGS,
  );
}

function processItem(process: Process, named: Named) {
  const {
    id,
    description,
    initialContext,
    contextSchema,
    steps,
    outputTemplate,
    tokenBudget,
    maxRecursionDepth,
    enabled,
    shared,
    exposeAsTool,
  } = process;
  return compact(
    {
      name: named(id),
      description,
      initialContext,
      contextSchema,
      tokenBudget,
      maxRecursionDepth,
      enabled,
      shared,
      exposeAsTool: exposeAsTool || null,
      steps: steps.map((step) => stepItem(step, named)),
      outputTemplate,
    },
    FLAGS,
  );
}

function stepItem(
  { id, description, calls, inputs, output, execution, dependsOn, tools, agent }: ProcessStep,
  named: Named,
) {
  const targetOf = (target: ProcessStep['calls']) =>
    'toolId' in target ? { tool: named(target.toolId) } : { process: named(target.processId) };
  const mode = compact(execution, { mode: 'sequential', interactionMode: 'auto' });
  return compact({
    stepId: id,
    description,
    calls: targetOf(calls),
    inputs,
    output: compact(output, { required: true }),
    execution: Object.keys(mode).length === 0 ? null : mode,
    dependsOn: dependsOn.length === 0 ? null : dependsOn,
    tools:
      tools?.map(({ name, description, permission, ...target }) =>
        compact({ ...targetOf(target), name, description, permission }),
      ) ?? null,
    agent: agent == null ? null : compact(agent),
  });
}
