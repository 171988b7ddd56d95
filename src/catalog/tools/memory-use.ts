import type { Operation } from '../../operations/operation.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';

/** The use that a call makes of the memory of its run's owner. A writing Tool reads too. */
export type MemoryUse = 'read' | 'write';

/** Operations of the server that touch no data of the owner. */
const WITHOUT_MEMORY = /^CALL aiden\.now\(/;

/**
 * The use that a Tool makes of the memory of the run's owner (docs/decisions/0093). Only Tools of
 * `system` reach it: their graph_query runs on the database of the platform. Null: none.
 */
export function memoryUseOf({
  ownerId,
  operation,
}: {
  readonly ownerId: string;
  readonly operation: Operation;
}): MemoryUse | null {
  if (ownerId !== SYSTEM_USER_ID || operation.type !== 'graph_query') return null;
  if (WITHOUT_MEMORY.test(operation.query.trim())) return null;
  return operation.access === 'write' ? 'write' : 'read';
}
