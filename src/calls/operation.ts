import type { OutboxEntry } from '../outbox/entry.ts';

/** With these a Tool or Process is gone, and its operation with it. */
export const OPERATION_ENTRY_KINDS = ['tool.deleted', 'process.deleted'] as const;

/** The operation that goes with this entry, or null. */
export function removedOperationOf({ kind, payload }: OutboxEntry): string | null {
  const isRemoval = (OPERATION_ENTRY_KINDS as readonly string[]).includes(kind);
  const id = payload['id'] ?? payload['processId'];
  return isRemoval && typeof id === 'string' ? id : null;
}
