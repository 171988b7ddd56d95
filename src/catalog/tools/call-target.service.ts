import type { JsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { ServiceType } from '../../operations/operation.ts';
import type { Protocol } from '../../operations/operation-type.ts';
import type { DriverTarget } from '../../platform/drivers/driver.ts';
import { type Vault, VaultFault } from '../../platform/vault/vault.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import type { SealedSecret } from '../secrets/secret.cypher.ts';
import { otherDestination, pinDestination } from '../secrets/secret-origin.mutations.ts';
import { completeConnection } from '../services/connection.ts';
import { allowsDestination, destinationOf } from '../services/endpoint.ts';

/**
 * The parts of a Tool that decide the destination and the Secret of a call. A CallTarget has them
 * all.
 */
export interface Callable {
  readonly ownerId: string;
  readonly connectionParams: JsonObject;
  readonly secretScope: string | null;
  readonly service: {
    readonly type: ServiceType;
    readonly protocol: Protocol;
    readonly connectionSchema: JsonObject;
    readonly requiresSecret: boolean;
  };
  readonly secret: SealedSecret | null;
}

/**
 * openTarget for a call that will be made: a Secret without allowedOrigins gets the destination.
 * @throws ToolFault SECRET_UNAVAILABLE
 */
export async function openCallTarget(
  deps: Pick<CatalogDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'vault'>,
  tool: Callable,
  callerId: string,
): Promise<DriverTarget> {
  const target = openTarget(deps.vault, tool, callerId);
  await pinDestination(deps, tool.secret, destinationOf(target.protocol, target.connectionParams));
  return target;
}

/**
 * Decrypts the Tool's Secret and returns the driver's target for a call by `callerId`. Give the
 * target to the driver and to nothing else.
 * @throws ToolFault SECRET_UNAVAILABLE (S4-SEC-08), before decryption if possible
 */
export function openTarget(
  vault: Pick<Vault, 'decrypt'>,
  tool: Callable,
  callerId: string,
): DriverTarget {
  const { service, secret } = tool;
  const connectionParams = completeConnection(service.connectionSchema, tool.connectionParams);
  const target = {
    serviceType: service.type,
    protocol: service.protocol,
    connectionParams,
    system: tool.ownerId === SYSTEM_USER_ID,
  };
  if (secret === null) {
    if (service.requiresSecret)
      throw unavailable('The Service requires a Secret, and this Tool has none.');
    return { ...target, secret: null };
  }
  // A Secret of the system serves every caller, through the system's own Tools. Any other Secret
  // serves its owner only.
  const isSystemSecret = secret.ownerId === SYSTEM_USER_ID;
  if (secret.ownerId !== tool.ownerId || (!isSystemSecret && secret.ownerId !== callerId))
    throw unavailable(
      "This Tool's Secret belongs to another user; create your own Tool with your own Secret.",
    );
  const destination = destinationOf(service.protocol, connectionParams);
  if (!allowsDestination(secret.allowedOrigins, destination))
    throw unavailable(otherDestination(secret.allowedOrigins));
  return { ...target, secret: { value: decryptSecret(vault, secret), scope: tool.secretScope } };
}

function decryptSecret(vault: Pick<Vault, 'decrypt'>, secret: SealedSecret): string {
  try {
    return vault.decrypt(secret, { secretId: secret.id, ownerId: secret.ownerId });
  } catch (error) {
    if (error instanceof VaultFault)
      throw unavailable(`${error.message} Give the Secret a new value.`);
    throw error;
  }
}

const unavailable = (message: string): ToolFault => new ToolFault('SECRET_UNAVAILABLE', message);
