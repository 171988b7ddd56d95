import { instant } from '../../common/clock.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { BaseDeps } from '../../users/user.ts';
import { findConversationOwner } from '../tasks/task.cypher.ts';
import { workingMemoryEntry } from '../working-memory-entry.ts';
import { copySummaries, findForkedSummaries } from './fork-summaries.cypher.ts';
import { areBound, copiesOf } from './fork-summaries.ts';

/**
 * Copies the Summaries of the path that a fork copied, once all its Episodes are bound, so that
 * nothing is compressed again. Idempotent; does nothing for other conversations.
 * @returns whether the fork still waits for Episodes
 */
export async function keepForkedSummaries(
  deps: BaseDeps & { readonly graph: Graph; wake(): void },
  conversationId: string,
): Promise<'waits' | 'ready'> {
  // Usually there is nothing to copy. The read without a lock keeps the writers from waiting.
  const before = await deps.graph.read((tx) => findForkedSummaries(tx, conversationId));
  if (before === null || before.summaries.length === 0) return 'ready';
  if (!areBound(before.episodes)) return 'waits';
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [conversationId]);
    const found = await findForkedSummaries(tx, conversationId);
    const owner = await findConversationOwner(tx, conversationId);
    if (found === null || owner === null) return;
    const { userId: ownerId, workspace } = owner.viewer;
    const copies = copiesOf(found.summaries, found.episodes).map((copy) => {
      const id = deps.newId();
      const uuid = deps.newId();
      const { content } = copy;
      const groupId = conversationId;
      const source = 'summary' as const;
      return { ...copy, id, bound: { uuid, holderId: id, source, content, groupId, ownerId } };
    });
    const at = { ownerId, workspace, conversationId };
    await copySummaries(tx, {
      conversationId,
      copies,
      now: instant(deps.clock),
      entries: copies.map(({ id }) =>
        workingMemoryEntry(deps, at, 'summary.added', { summaryId: id }),
      ),
    });
  });
  return 'ready';
}
