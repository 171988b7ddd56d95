import { instant } from '../../common/clock.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { ownerEntry } from '../../outbox/entry.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { allowsDestination } from '../services/endpoint.ts';
import { findSealedSecret, setAllowedOrigins } from './secret.cypher.ts';

type PinDeps = Pick<CatalogDeps, 'graph' | 'clock' | 'newId' | 'wake'>;

interface UsedSecret {
  readonly id: string;
  readonly ownerId: string;
  readonly allowedOrigins: readonly string[];
}

/**
 * Gives a Secret without allowedOrigins the destination of its first use, so that no later change
 * sends it elsewhere (S4-SEC-08). Secrets of the system follow the operator's settings instead.
 * @throws ToolFault SECRET_UNAVAILABLE where another use was first
 */
export async function pinDestination(
  deps: PinDeps,
  secret: UsedSecret | null,
  destination: string | null,
): Promise<void> {
  if (secret === null || destination === null || secret.ownerId === SYSTEM_USER_ID) return;
  if (secret.allowedOrigins.length > 0) return;
  const { id, ownerId } = secret;
  const origins = await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [id]);
    const stored = await findSealedSecret(tx, id);
    if (stored === null || stored.allowedOrigins.length > 0) return stored?.allowedOrigins ?? [];
    const payload = { id, by: ownerId, changed: ['allowedOrigins'] };
    const owner = { ownerId, workspace: ownerId };
    const entry = ownerEntry(deps, owner, 'secret.updated', payload);
    await setAllowedOrigins(tx, { id, origins: [destination], now: instant(deps.clock) }, entry);
    return [destination];
  });
  if (!allowsDestination(origins, destination))
    throw new ToolFault('SECRET_UNAVAILABLE', otherDestination(origins));
}

/** The message for a Secret that may not be sent to a Tool's destination. */
export function otherDestination(origins: readonly string[]): string {
  return (
    `This Tool's Secret may be sent to ${origins.join(', ')} only, its allowedOrigins, not to ` +
    "this Tool's endpoint. Its owner may change them by updateSecret."
  );
}
