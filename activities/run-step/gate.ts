import { allowsDestination, destinationOf } from '../../src/catalog/services/endpoint.ts';
import type { HealthStatus } from '../../src/catalog/tools/operation.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { HEALTH_FRESH_SECONDS } from '../../src/common/limits.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverTarget } from '../../src/platform/drivers/driver.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';
import type { LiveTool } from '../../src/runs/steps/step-claim.cypher.ts';
import { SYSTEM_USER_ID } from '../../src/users/user.ts';
import type { RunContext } from '../deps.ts';

interface Gate {
  readonly tool: ToolSnapshot;
  /** As it is now; null where the Tool was deleted. */
  readonly live: LiveTool | null;
  /** Who started the run. */
  readonly ownerId: string;
}

/**
 * What has to hold now, whatever held when the run started (S4-EXEC-02, S4-SEC-08): enabled, visible, healthy, and the Secret
 * the caller's own. Answers where to call, the Secret decrypted.
 * @throws ToolFault TARGET_DISABLED, TARGET_UNHEALTHY (retryable), SECRET_UNAVAILABLE
 */
export async function openGate(deps: RunContext, gate: Gate): Promise<DriverTarget> {
  const { tool } = gate;
  const live = checkEnabled(gate);
  const target: DriverTarget = {
    serviceType: tool.serviceType,
    protocol: tool.protocol,
    connectionParams: tool.connectionParams,
    secret: decryptSecret(deps, gate, live),
    system: tool.ownerId === SYSTEM_USER_ID,
  };
  await checkHealth(deps, tool, live, target);
  return target;
}

function checkEnabled({ tool, live, ownerId }: Gate): LiveTool {
  const refuse = (message: string) => new ToolFault('TARGET_DISABLED', message);
  if (live === null || live.service === null) throw refuse(`The Tool ${tool.name} was deleted.`);
  if (live.ownerId !== ownerId && !live.shared)
    throw refuse(`The Tool ${tool.name} is not shared with you any more.`);
  if (!live.enabled) throw refuse(`The Tool ${tool.name} is disabled.`);
  if (!live.service.enabled)
    throw refuse(`The Service ${live.service.name} of Tool ${tool.name} is disabled.`);
  if (live.service.ownerId !== live.ownerId && !live.service.shared) {
    throw refuse(`The Service ${live.service.name} of Tool ${tool.name} is not shared any more.`);
  }
  return live;
}

function decryptSecret(
  deps: RunContext,
  { tool, ownerId }: Gate,
  live: LiveTool,
): DriverTarget['secret'] {
  if (tool.secretId === null) return null;
  const refuse = (message: string) => new ToolFault('SECRET_UNAVAILABLE', message);
  const secret = live.secret;
  // A Tool bound to another Secret since then may also go to another place; the snapshot's place must not get that one.
  if (secret === null || secret['id'] !== tool.secretId) {
    throw refuse(
      `The Secret of Tool ${tool.name} was replaced by another one since the run started.`,
    );
  }
  const ofSystem = secret['ownerId'] === SYSTEM_USER_ID && tool.ownerId === SYSTEM_USER_ID;
  if (secret['ownerId'] !== ownerId && !ofSystem) {
    throw refuse(
      `The Secret of Tool ${tool.name} belongs to somebody else; only its owner's runs can use it.`,
    );
  }
  const origins = Array.isArray(secret['allowedOrigins'])
    ? (secret['allowedOrigins'] as string[])
    : [];
  if (!allowsDestination(origins, destinationOf(tool.protocol, tool.connectionParams))) {
    throw refuse(`The Secret of Tool ${tool.name} may not be sent to the Tool's endpoint.`);
  }
  return { value: decryptValue(deps, tool, secret), scope: tool.secretScope };
}

function decryptValue(deps: RunContext, tool: ToolSnapshot, secret: JsonObject): string {
  try {
    return deps.vault.decrypt(
      { encryptedValue: String(secret['encryptedValue']) },
      { secretId: String(secret['id']), ownerId: String(secret['ownerId']) },
    );
  } catch (error) {
    deps.onDefect(error, `decrypt the Secret of Tool ${tool.id}`);
    throw new ToolFault(
      'SECRET_UNAVAILABLE',
      `The Secret of Tool ${tool.name} can't be decrypted; store its value again.`,
    );
  }
}

async function checkHealth(
  deps: RunContext,
  tool: ToolSnapshot,
  live: LiveTool,
  target: DriverTarget,
): Promise<void> {
  const checkedMs = live.lastHealthCheck === null ? 0 : Date.parse(live.lastHealthCheck);
  const isFresh = deps.clock.nowMs() - checkedMs <= HEALTH_FRESH_SECONDS * 1_000;
  if (live.status === 'healthy' && isFresh) return;
  const { id, serviceId } = tool;
  const probe = await deps.health.probe({
    id,
    serviceId,
    type: tool.operation.type,
    target,
    status: live.status as HealthStatus,
  });
  if (probe.status === 'down') {
    throw new ToolFault(
      'TARGET_UNHEALTHY',
      `${tool.name} does not answer: ${probe.errorMessage ?? 'its probe failed'}.`,
      { retryable: true },
    );
  }
}
