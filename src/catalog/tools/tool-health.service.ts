import { instant } from '../../common/clock.ts';
import { HEALTH_FRESH_SECONDS, PROBE_MS_MAX } from '../../common/limits.ts';
import { notFound, Refusal } from '../../common/refusal.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { DriverTarget, Probe } from '../../platform/drivers/driver.ts';
import { SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../../users/user.ts';
import { ownerIdsOf } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { findServices } from '../services/service.cypher.ts';
import type { Service } from '../services/service.ts';
import { openTarget } from './call-target.service.ts';
import {
  type CallTarget,
  findCallTargets,
  findDueTools,
  findToolsToCheck,
  recordProbe,
} from './target.cypher.ts';

/** Time for a driver to end its own probe with a message, before the signal aborts it. */
const LEEWAY_MS = 2_000;
const PROBES_AT_ONCE = 8;

/** Dependencies of health checks. */
export type HealthDeps = Pick<CatalogDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'vault'> & {
  readonly toolCalls: Pick<CatalogDeps['toolCalls'], 'probe'>;
};

/** Probes one Tool and records the result (S4-SVC-05, S4-TOOL-02). Null if the Tool was deleted. */
export async function probeTool(deps: HealthDeps, toolId: string): Promise<Probe | null> {
  const [target] = await deps.graph.read((tx) => findCallTargets(tx, [toolId]));
  if (target === undefined) return null;
  const probe = await probeTarget(deps, target);
  await recordResult(deps, target, probe);
  return probe;
}

/** As probeTool, for a caller with a decrypted target (the checks before a step). */
export async function probeOpened(
  deps: HealthDeps,
  { toolId, target }: { readonly toolId: string; readonly target: DriverTarget },
): Promise<Probe> {
  const [stored] = await deps.graph.read((tx) => findCallTargets(tx, [toolId]));
  if (stored === undefined) return { status: 'down', errorMessage: 'The Tool was deleted.' };
  const probe = await runProbe(deps, stored, target);
  await recordResult(deps, stored, probe);
  return probe;
}

/** Probes these Tools, at most 8 at once; returns how many still existed. */
export async function probeTools(deps: HealthDeps, toolIds: readonly string[]): Promise<number> {
  const queue = [...toolIds];
  let probed = 0;
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if ((await probeTool(deps, id)) !== null) probed += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(PROBES_AT_ONCE, queue.length) }, worker));
  return probed;
}

/**
 * Probes in the background. Ignores errors: the Tools stay due, and the health job probes them
 * again.
 */
export function probeSoon(deps: HealthDeps, toolIds: readonly string[]): void {
  probeTools(deps, toolIds).catch(() => {});
}

/**
 * One run of the health job: probes up to `limit` Tools whose last probe is at least
 * `olderThanSeconds` old. Returns how many.
 */
export async function probeDueTools(
  deps: HealthDeps,
  { limit = 500, olderThanSeconds = HEALTH_FRESH_SECONDS } = {},
): Promise<number> {
  const beforeMs = deps.clock.nowMs() - olderThanSeconds * 1_000;
  const before = instant({ nowMs: () => beforeMs });
  const due = await deps.graph.read((tx) => findDueTools(tx, { before, limit }));
  return probeTools(deps, due);
}

/**
 * Probes the viewer's own Tools of a visible Service and returns the Service with its new health.
 * @throws Refusal NOT_FOUND
 */
export async function checkServiceHealth(
  deps: HealthDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<Service> {
  const find = () => deps.graph.read((tx) => findServices(tx, viewer, [input.id]));
  const [known] = await find();
  if (known === undefined) throw new Refusal([notFound('Service')]);
  const params = { serviceId: input.id, ownerIds: ownerIdsOf(viewer) };
  await probeTools(deps, await deps.graph.read((tx) => findToolsToCheck(tx, params)));
  const [service] = await find();
  if (service === undefined) throw new Refusal([notFound('Service')]);
  return service;
}

async function probeTarget(deps: HealthDeps, target: CallTarget): Promise<Probe> {
  try {
    return await runProbe(deps, target, openTarget(deps.vault, target, target.ownerId));
  } catch (error) {
    if (error instanceof ToolFault) return { status: 'down', errorMessage: error.message };
    throw error;
  }
}

async function runProbe(
  deps: HealthDeps,
  { operation }: CallTarget,
  target: DriverTarget,
): Promise<Probe> {
  try {
    return await deps.toolCalls.probe(
      operation.type,
      target,
      AbortSignal.timeout(PROBE_MS_MAX + LEEWAY_MS),
    );
  } catch (error) {
    if (error instanceof ToolFault) return { status: 'down', errorMessage: error.message };
    return { status: 'down', errorMessage: 'The probe failed.' };
  }
}

async function recordResult(deps: HealthDeps, target: CallTarget, probe: Probe): Promise<void> {
  const changed = probe.status !== target.status || probe.errorMessage !== target.errorMessage;
  const entries = changed
    ? [
        catalogEntry(deps, ownerOf(target), 'tool.checked', target, {
          status: probe.status,
          serviceId: target.service.id,
        }),
      ]
    : [];
  await deps.graph.write((tx) =>
    recordProbe(tx, target, probe, { now: instant(deps.clock), entries }),
  );
  if (changed) deps.wake();
}

/** A probe has no caller, so its entry belongs to the Tool's owner. */
function ownerOf({ ownerId }: CallTarget): Viewer {
  const workspace = ownerId === SYSTEM_USER_ID ? SYSTEM_USER_NAME : ownerId;
  return { userId: ownerId, name: '', roles: [], workspace };
}
