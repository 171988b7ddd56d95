import type { findServices } from '../../catalog/services/service.cypher.ts';
import { createServiceIn, updateServiceIn } from '../../catalog/services/service.mutations.ts';
import { createToolIn, updateToolIn } from '../../catalog/tools/tool.mutations.ts';
import type { Tool } from '../../catalog/tools/tool.ts';
import { canonicalJson } from '../../common/json.ts';
import { problem, refuse } from '../../common/refusal.ts';
import type { BundleService, BundleTool } from './bundle.ts';
import type { BundleImport } from './bundle-import.service.ts';

/** Writes a Service of the bundle, or what differs in the one that is there. @throws Refusal with paths into the Service */
export async function importService(
  run: BundleImport,
  service: BundleService,
  current: Awaited<ReturnType<typeof findServices>>[number] | null,
) {
  if (current === null) {
    const { id } = await createServiceIn(run.tx, run.deps, run.viewer, service);
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
  await updateServiceIn(run.tx, run.deps, run.viewer, { id: current.id, ...changes });
  return { id: current.id, became: 'updated' as const };
}

/** As importService, of a Tool at `place`; null where what it needs has problems of its own. */
export async function importTool(
  run: BundleImport,
  tool: BundleTool,
  place: number,
  current: Tool | null,
) {
  const serviceId = run.resolve('Service', tool.service);
  const secretId =
    tool.secret == null ? null : run.secretId(tool.secret, ['tools', place, 'secret']);
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
    const { id } = await createToolIn(run.tx, run.deps, run.viewer, {
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
    run.tools.push(id);
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
  await updateToolIn(run.tx, run.deps, run.viewer, {
    id: current.id,
    ...changes,
    ...(secretId === null ? {} : { secretId }),
  });
  run.tools.push(current.id);
  return { id: current.id, became: 'updated' as const };
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
