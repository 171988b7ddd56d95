import { instant } from '../../common/clock.ts';
import { withEllipsis } from '../../common/ellipsis.ts';
import { HEALTH_FRESH_SECONDS, PROBE_MS_MAX } from '../../common/limits.ts';
import { found, refuseMissing } from '../../common/refusal.ts';
import { someOf } from '../../common/some-of.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RestProbe } from '../../operations/rest-call.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import type { DriverTarget, Probe } from '../../platform/drivers/driver.ts';
import { SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../../users/user.ts';
import { ownerIdsOf } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { pinDestination } from '../secrets/secret-origin.mutations.ts';
import { destinationOf } from '../services/endpoint.ts';
import { findServices } from '../services/service.cypher.ts';
import type { Service } from '../services/service.ts';
import { openTarget } from './call-target.service.ts';
import {
  type CallTarget,
  findCallTargets,
  findDueTools,
  findToolsToCheck,
  type ProbedTool,
  recordProbe,
} from './target.cypher.ts';

/** Time for a driver to end its own probe with a message, before the signal aborts it. */
const LEEWAY_MS = 2_000;
const PROBES_AT_ONCE = 8;

/** Dependencies of health checks. */
export type HealthDeps = Pick<CatalogDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'vault'> & {
  readonly toolCalls: Pick<CatalogDeps['toolCalls'], 'probe'>;
};

/** Probes a Tool and records the result, for a caller with a decrypted target (before a step). */
export async function probeOpened(
  deps: HealthDeps,
  { toolId, target }: { readonly toolId: string; readonly target: DriverTarget },
): Promise<Probe> {
  const [stored] = await deps.graph.read((tx) => findCallTargets(tx, [toolId]));
  if (stored === undefined) return { status: 'down', errorMessage: 'The Tool was deleted.' };
  const probe = await runProbe(deps, stored, target);
  const probed = { target: stored, probe: probeOfTool(stored, probe) };
  await recordResult(deps, [probed], 'asked');
  return probed.probe;
}

/** Whether a caller waits for the result, or the health job keeps it fresh. */
type ProbeReason = 'asked' | 'background';

/**
 * Probes these Tools and records the results (S4-SVC-05, S4-TOOL-02): one probe per owner, Service,
 * connection and Secret, at most 8 at once.
 * @returns how many Tools still existed
 */
export async function probeTools(
  deps: HealthDeps,
  toolIds: readonly string[],
  reason: ProbeReason = 'asked',
): Promise<number> {
  const targets = await deps.graph.read((tx) => findCallTargets(tx, toolIds));
  const queue = [...Map.groupBy(targets, connectionKey).values()];
  const worker = async () => {
    for (let alike = queue.shift(); alike !== undefined; alike = queue.shift())
      await probeAlike(deps, alike, reason);
  };
  await Promise.all(Array.from({ length: Math.min(PROBES_AT_ONCE, queue.length) }, worker));
  return targets.length;
}

/** Equal for Tools that a probe can not tell apart. */
export function connectionKey(target: CallTarget): string {
  const { ownerId, operation, connectionParams, secretScope, service, secret } = target;
  const secretId = secret?.id ?? null;
  return JSON.stringify([
    ownerId,
    operation.type,
    service.id,
    connectionParams,
    secretId,
    secretScope,
    probeOf(operation),
  ]);
}

/** Probes one of these Tools and records the result for all. Null without a Tool. */
export async function probeAlike(
  deps: HealthDeps,
  alike: readonly CallTarget[],
  reason: ProbeReason = 'asked',
): Promise<Probe | null> {
  const [target] = alike;
  if (target === undefined) return null;
  const probe = await probeTarget(deps, target);
  const probed = alike.map((one) => ({ target: one, probe: probeOfTool(one, probe) }));
  await recordResult(deps, probed, reason);
  return probe;
}

/** Names of a server may have any length. */
const MESSAGE_CHARS_MAX = 1_000;

/** What the probe of a connection says of one of its Tools. */
function probeOfTool({ operation }: CallTarget, probe: Probe): Probe {
  const { tools } = probe;
  if (operation.type !== 'mcp_call' || tools === undefined) return probe;
  if (tools.includes(operation.tool)) return { ...probe, tells: 'call' };
  const message = `The MCP server does not list the tool ${operation.tool}.`;
  const listed = tools.length === 0 ? 'It lists none.' : `It lists ${someOf(tools)}.`;
  const errorMessage = withEllipsis(`${message} ${listed}`, MESSAGE_CHARS_MAX);
  return { status: 'degraded', errorMessage };
}

/**
 * Probes in the background. Ignores errors: the Tools stay due, and the health job probes them
 * again.
 */
export function probeSoon(deps: HealthDeps, toolIds: readonly string[]): void {
  probeTools(deps, toolIds).catch(() => {});
}

/** Half of the allowed age, else the next job run would find the result too old. */
const FIRST_SECONDS = HEALTH_FRESH_SECONDS / 2;
/**
 * The longest wait between two probes of a Tool that no one uses. A step or a check by a user
 * probes a result that is too old itself, and shortens the wait again.
 */
const MAX_SECONDS = 15 * 60;

/**
 * One run of the health job: probes up to `limit` Tools that are due. The wait after each probe is
 * twice as long as before. Returns how many.
 */
export async function probeDueTools(deps: HealthDeps, { limit = 500 } = {}): Promise<number> {
  return probeTools(deps, await dueTools(deps, limit), 'background');
}

/** Whether a Tool is due for a probe. */
export async function hasDueTools(deps: HealthDeps): Promise<boolean> {
  return (await dueTools(deps, 1)).length > 0;
}

function dueTools({ graph, clock }: HealthDeps, limit: number): Promise<string[]> {
  const params = { nowMs: clock.nowMs(), firstSeconds: FIRST_SECONDS, limit };
  return graph.read((tx) => findDueTools(tx, params));
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
  refuseMissing(await find(), 'Service');
  const params = { serviceId: input.id, ownerIds: ownerIdsOf(viewer) };
  await probeTools(deps, await deps.graph.read((tx) => findToolsToCheck(tx, params)));
  return found(await find(), 'Service');
}

async function probeTarget(deps: HealthDeps, target: CallTarget): Promise<Probe> {
  try {
    const opened = openTarget(deps.vault, target, target.ownerId);
    const probe = await runProbe(deps, target, opened);
    // A place that does not answer may be misspelt, so it is no first use of a Secret.
    if (probe.status === 'healthy') {
      const destination = destinationOf(opened.protocol, opened.connectionParams);
      await pinDestination(deps, target.secret, destination);
    }
    return probe;
  } catch (error) {
    if (error instanceof ToolFault) return { status: 'down', errorMessage: error.message };
    throw error;
  }
}

const probeOf = (operation: Operation): RestProbe | null =>
  operation.type === 'rest_call' ? (operation.probe ?? null) : null;

/** A failure of the probe is a result. */
export async function runProbe(
  deps: HealthDeps,
  { operation }: CallTarget,
  target: DriverTarget,
): Promise<Probe> {
  try {
    return await deps.toolCalls.probe(
      operation.type,
      { ...target, probe: probeOf(operation) },
      AbortSignal.timeout(PROBE_MS_MAX + LEEWAY_MS),
    );
  } catch (error) {
    if (error instanceof ToolFault) return { status: 'down', errorMessage: error.message };
    return { status: 'down', errorMessage: 'The probe failed.' };
  }
}

async function recordResult(
  deps: HealthDeps,
  probed: readonly ProbedTool[],
  reason: ProbeReason,
): Promise<void> {
  const hasChanged = await deps.graph.write(async (tx) => {
    const ids = await recordProbe(tx, probed, {
      now: instant(deps.clock),
      isBackground: reason === 'background',
      firstSeconds: FIRST_SECONDS,
      maxSeconds: MAX_SECONDS,
    });
    const changes = probed
      .filter(({ target }) => ids.includes(target.id))
      .flatMap((one) => entriesOf(deps, one));
    await appendEntries(tx, changes);
    return changes.length > 0;
  });
  if (hasChanged) deps.wake();
}

/** Empty if nothing changed; otherwise every Tool would write an entry twice a minute. */
function entriesOf(deps: HealthDeps, { target, probe }: ProbedTool) {
  const { status, errorMessage, service } = target;
  if (probe.status === status && probe.errorMessage === errorMessage) return [];
  const payload = { status: probe.status, serviceId: service.id };
  return [catalogEntry(deps, ownerOf(target), 'tool.checked', target, payload)];
}

/** A probe has no caller, so its entry belongs to the Tool's owner. */
function ownerOf({ ownerId }: CallTarget): Viewer {
  const workspace = ownerId === SYSTEM_USER_ID ? SYSTEM_USER_NAME : ownerId;
  return { userId: ownerId, name: '', roles: [], workspace };
}
