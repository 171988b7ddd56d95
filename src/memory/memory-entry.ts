import { instant } from '../common/clock.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/viewer.ts';
import type { MemoryEntryKind, MemoryEntryPayloads } from './memory-payloads.ts';

export type { MemoryEntryKind, MemoryEntryPayloads };

export function memoryEntry<K extends MemoryEntryKind>(
  { clock, newId }: BaseDeps,
  at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string | null;
  },
  kind: K,
  payload: MemoryEntryPayloads[K],
): OutboxEntry {
  const { ownerId, workspace, conversationId } = at;
  return {
    id: newId(),
    kind,
    at: instant(clock),
    ownerId,
    workspace,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId,
    payload,
  };
}
