import type { Operation } from '../../operations/operation.ts';
import { mutatingByDefault } from '../../operations/operation.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';

/**
 * Whether a Tool may change data, by its operation: a POST does, and so does any tool of an MCP
 * server, also where the author says that it is not `mutating`. Only the system's word counts
 * (docs/decisions/0094).
 */
export function mayChange({
  ownerId,
  mutating,
  operation,
}: {
  readonly ownerId: string;
  readonly mutating: boolean;
  readonly operation: Operation;
}): boolean {
  return mutating || (ownerId !== SYSTEM_USER_ID && mutatingByDefault(operation));
}
