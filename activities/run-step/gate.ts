import {
  otherDestination,
  pinDestination,
} from '../../src/catalog/secrets/secret-origin.mutations.ts';
import { allowsDestination, destinationOf } from '../../src/catalog/services/endpoint.ts';
import { msSince } from '../../src/common/clock.ts';
import { HEALTH_FRESH_SECONDS } from '../../src/common/limits.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverTarget } from '../../src/platform/drivers/driver.ts';
import type { LiveTool } from '../../src/runs/attempts/attempt.cypher.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import { SYSTEM_USER_ID } from '../../src/users/user.ts';
import type { RunContext } from '../deps.ts';
import { type Attempt, Elsewhere } from './attempt.ts';
import type { StepJob } from './step-job.ts';

/**
 * Checks a Tool as it is now, after the snapshot was taken (S4-EXEC-02, S4-SEC-08): it has to be
 * enabled, visible and healthy, and its Secret has to belong to the run's owner.
 * @param live the Tool as it is now; null where it was deleted
 * @returns the destination of the call, with the Secret decrypted
 * @throws ToolFault TARGET_DISABLED, TARGET_UNHEALTHY (retryable), SECRET_UNAVAILABLE; Elsewhere
 * where the attempt is local and the Tool has to be probed
 */
export async function openGate(
  deps: RunContext,
  { tool, call }: StepJob,
  live: LiveTool | null,
  attempt: Pick<Attempt, 'isLocal'>,
): Promise<DriverTarget> {
  const { ownerId } = call.run;
  const enabled = checkEnabled(tool, live, ownerId);
  const target: DriverTarget = {
    serviceType: tool.serviceType,
    protocol: tool.protocol,
    connectionParams: tool.connectionParams,
    secret: decryptSecret(deps, tool, enabled, ownerId),
    system: tool.ownerId === SYSTEM_USER_ID,
  };
  if (needsProbe(deps, enabled)) {
    if (attempt.isLocal) throw new Elsewhere();
    await probe(deps, tool, enabled, target);
  }
  if (target.secret !== null) {
    const destination = destinationOf(tool.protocol, tool.connectionParams);
    await pinDestination(deps, enabled.secret, destination);
  }
  return target;
}

function checkEnabled(tool: ToolSnapshot, live: LiveTool | null, ownerId: string): LiveTool {
  const refuse = (message: string) => new ToolFault('TARGET_DISABLED', message);
  if (live === null || live.service === null) throw refuse(`The Tool ${tool.name} was deleted.`);
  if (live.ownerId !== ownerId && !live.shared)
    throw refuse(`The Tool ${tool.name} is not shared with you any more.`);
  if (!live.enabled) throw refuse(`The Tool ${tool.name} is disabled.`);
  if (!live.service.enabled)
    throw refuse(`The Service ${live.service.name} of Tool ${tool.name} is disabled.`);
  if (live.service.ownerId !== live.ownerId && !live.service.shared)
    throw refuse(`The Service ${live.service.name} of Tool ${tool.name} is not shared any more.`);
  return live;
}

function decryptSecret(
  deps: RunContext,
  tool: ToolSnapshot,
  { secret }: LiveTool,
  ownerId: string,
): DriverTarget['secret'] {
  if (tool.secretId === null) return null;
  const refuse = (message: string) => new ToolFault('SECRET_UNAVAILABLE', message);
  // The snapshot's destination must not get a Secret that the Tool was given later, perhaps for
  // another destination.
  if (secret === null || secret.id !== tool.secretId)
    throw refuse(
      `The Secret of Tool ${tool.name} was replaced by another one since the run started.`,
    );
  const isOfSystem = secret.ownerId === SYSTEM_USER_ID && tool.ownerId === SYSTEM_USER_ID;
  if (secret.ownerId !== ownerId && !isOfSystem)
    throw refuse(
      `The Secret of Tool ${tool.name} belongs to somebody else; only its owner's runs can use it.`,
    );
  const destination = destinationOf(tool.protocol, tool.connectionParams);
  if (!allowsDestination(secret.allowedOrigins, destination))
    throw refuse(otherDestination(secret.allowedOrigins));
  return { value: decryptValue(deps, tool, secret), scope: tool.secretScope };
}

function decryptValue(
  deps: RunContext,
  tool: ToolSnapshot,
  { id: secretId, ownerId, encryptedValue }: NonNullable<LiveTool['secret']>,
): string {
  try {
    return deps.vault.decrypt({ encryptedValue }, { secretId, ownerId });
  } catch (error) {
    deps.onDefect(error, `decrypt the Secret of Tool ${tool.id}`);
    throw new ToolFault(
      'SECRET_UNAVAILABLE',
      `The Secret of Tool ${tool.name} can't be decrypted; store its value again.`,
    );
  }
}

function needsProbe({ clock }: RunContext, { lastHealthCheck: at, status }: LiveTool): boolean {
  const isFresh = at !== null && msSince(at, clock.nowMs()) <= HEALTH_FRESH_SECONDS * 1_000;
  return status === 'down' || !isFresh;
}

async function probe(
  deps: RunContext,
  tool: ToolSnapshot,
  live: LiveTool,
  target: DriverTarget,
): Promise<void> {
  const { id, serviceId } = tool;
  const found = await deps.health.probe({
    id,
    serviceId,
    type: tool.operation.type,
    target,
    status: live.status,
  });
  if (found.status === 'down')
    throw new ToolFault(
      'TARGET_UNHEALTHY',
      `${tool.name} does not answer: ` +
        `${(found.errorMessage ?? 'its probe failed').replace(/\.$/, '')}.`,
      { retryable: true },
    );
}
