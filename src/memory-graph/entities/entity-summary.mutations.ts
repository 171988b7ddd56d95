import { instant } from '../../common/clock.ts';
import { notFound, Refusal } from '../../common/refusal.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import { getEntity } from './entity.mutations.ts';
import type { Entity } from './entity.ts';
import { chooseSummary, findSummaryState } from './entity-summary.cypher.ts';
import { unkeptSummary } from './entity-summary.ts';
import { tellSummaries } from './told-summary.cypher.ts';

export interface ChooseEntitySummary {
  readonly entityUuid: string;
  /** Id of a version of this entity: a proposal, or a former summary. */
  readonly summaryId: string;
}

/**
 * Makes a stored version the entity's summary. The text that it replaces stays as a version, and no
 * enrichment replaces the choice.
 * @throws Refusal NOT_FOUND at `entityUuid`, `summaryId`
 */
export async function chooseEntitySummary(
  deps: ConversationDeps,
  viewer: Viewer,
  input: ChooseEntitySummary,
): Promise<Entity> {
  const { userId, workspace } = viewer;
  const { uuid: entityUuid } = await getEntity(deps, viewer, input.entityUuid, ['entityUuid']);
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [userId]);
    const state = await findSummaryState(tx, userId, entityUuid);
    const chosen = state?.versions.find(({ id }) => id === input.summaryId);
    if (state === null || chosen === undefined)
      throw new Refusal([notFound('summary of this entity', ['summaryId'])]);
    const now = instant(deps.clock);
    const unkept = unkeptSummary(state);
    const kept = { id: deps.newId(), createdAt: now, runId: null, isProposal: false };
    const summaries = unkept === null ? [] : [{ ...kept, ...unkept }];
    await chooseSummary(tx, { entityUuid, text: chosen.text, summaries, now });
    await tellSummaries(tx, [entityUuid], now);
    const at = { ownerId: userId, workspace, conversationId: state.conversationId };
    const payload = { entityUuid, summaryId: chosen.id };
    await appendEntries(tx, [memoryGraphEntry(deps, at, 'entity.summaryChosen', payload)]);
  });
  return getEntity(deps, viewer, entityUuid);
}
