import type { findServices } from '../../catalog/services/service.cypher.ts';
import { createServiceIn, updateServiceIn } from '../../catalog/services/service.mutations.ts';
import { createToolIn, updateToolIn } from '../../catalog/tools/tool.mutations.ts';
import type { Tool } from '../../catalog/tools/tool.ts';
import { problem, refuse } from '../../common/refusal.ts';
import type { BundleService, BundleTool } from './bundle.ts';
import type { BundleImport } from './bundle-import.service.ts';

/**
 * Creates a Service of the bundle, or updates the fields of the existing one that differ.
 * @throws Refusal with paths into the Service
 */
export async function importService(
  state: BundleImport,
  service: BundleService,
  current: Awaited<ReturnType<typeof findServices>>[number] | null,
) {
  const key = `Service ${service.name}` as const;
  const { enabled, shared, connectionSchema } = service;
  const parts = {
    description: { description: service.description ?? null },
    enabled: { enabled },
    shared: { shared },
    'connection schema': { connectionSchema },
  };
  state.recordGiven(key, parts);
  if (current === null) {
    const { id } = await createServiceIn(state.tx, state.deps, state.viewer, service);
    return { id, outcome: 'created' as const };
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
  const written = state.writable(key, current, parts);
  const changes = {
    ...written.description,
    ...written.enabled,
    ...written.shared,
    ...written['connection schema'],
  };
  if (Object.keys(changes).length === 0) return { id: current.id, outcome: 'unchanged' as const };
  await updateServiceIn(state.tx, state.deps, state.viewer, { id: current.id, ...changes });
  return { id: current.id, outcome: 'updated' as const };
}

/**
 * Creates or updates a Tool of the bundle. Null if its Service or Secret has problems.
 */
export async function importTool(state: BundleImport, tool: BundleTool, current: Tool | null) {
  const serviceId = state.resolve('Service', tool.service, ['tools', tool.at, 'service']);
  const secretId =
    tool.secret == null ? null : state.secretId(tool.secret, ['tools', tool.at, 'secret']);
  // The problem of the Service or the Secret is reported already; a second one would repeat it.
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
  const key = `Tool ${name}` as const;
  const parts = {
    description: { description },
    // Together, so that a key never goes to an endpoint that an admin chose.
    connection: {
      connectionParams,
      secretId,
      ...(tool.secretScope == null ? {} : { secretScope: tool.secretScope }),
    },
    operation: {
      operation,
      inputSchema,
      outputSchema,
      ...(mutating == null ? {} : { mutating }),
    },
    enabled: { enabled },
    shared: { shared },
  };
  state.recordGiven(key, parts);
  if (current === null) {
    const { id } = await createToolIn(state.tx, state.deps, state.viewer, {
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
    state.tools.push(id);
    return { id, outcome: 'created' as const };
  }
  if (serviceId !== current.serviceId)
    refuse([
      problem(
        'IMMUTABLE',
        ['service'],
        "A Tool can't move to another Service; use another name for another Tool.",
      ),
    ]);
  const written = state.writable(key, current, parts);
  const changes = {
    ...written.description,
    // Has the `secretId`, which a Tool with a changed endpoint needs again (checkMoved).
    ...written.connection,
    ...written.operation,
    ...written.enabled,
    ...written.shared,
  };
  if (Object.keys(changes).length === 0) return { id: current.id, outcome: 'unchanged' as const };
  const change = { id: current.id, ...changes };
  const next = await updateToolIn(state.tx, state.deps, state.viewer, change);
  state.changes.push({ current, next, at: tool.at });
  state.tools.push(current.id);
  return { id: current.id, outcome: 'updated' as const };
}
