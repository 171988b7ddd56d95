import { instant } from '../../common/clock.ts';
import { notFound, problem, Refusal, refuse } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import { addFacets } from '../entities/enrichment.ts';
import { findEntities } from '../entities/entity.cypher.ts';
import type { Entity } from '../entities/entity.ts';
import { nameKey } from '../entities/name-match.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { userGroupOf } from '../group.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import { mergeInto } from './merge.cypher.ts';

interface MergeDeps extends BaseDeps {
  readonly graph: Graph;
  wake(): void;
}

/**
 * Merges `mergeUuid` into `keepUuid` (S4-ENT-07). Where only `mergeUuid` was created by a user,
 * that entity is kept instead.
 * @throws Refusal NOT_FOUND at either; INVALID at `mergeUuid` where both are one already
 */
export async function mergeEntities(
  deps: MergeDeps,
  viewer: Viewer,
  { keepUuid, mergeUuid }: { readonly keepUuid: string; readonly mergeUuid: string },
): Promise<Entity> {
  const merged = await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [viewer.userId]);
    const found = await findEntities(tx, viewer.userId, [keepUuid, mergeUuid]);
    const [keep, merge] = [found.get(keepUuid), found.get(mergeUuid)];
    refuse([
      ...(keep === undefined ? [notFound('entity', ['keepUuid'])] : []),
      ...(merge === undefined ? [notFound('entity', ['mergeUuid'])] : []),
      ...(keep !== undefined && keep.uuid === merge?.uuid
        ? [problem('INVALID', ['mergeUuid'], 'These are one entity already.')]
        : []),
    ]);
    if (keep === undefined || merge === undefined) throw new Refusal([notFound('entity')]);
    const isTurned = isUsers(merge) && !isUsers(keep);
    const [kept, lost] = isTurned ? [merge, keep] : [keep, merge];
    await makeOne(deps, tx, viewer, kept, lost);
    return (await findEntities(tx, viewer.userId, [kept.uuid])).get(kept.uuid);
  });
  if (merged === undefined) throw new Error('A merged entity is gone.');
  return merged;
}

/** Texts of two entities that are one, each said once. */
const joined = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.flatMap((text) => text || []))].join('\n');

export function isUsers({ sources }: Entity): boolean {
  return sources.some(({ type }) => type === 'user');
}

/** Merges `lost` into `kept`, under the owner's lock. */
export async function makeOne(
  deps: BaseDeps,
  tx: WriteTx,
  { userId, workspace }: Pick<Viewer, 'userId' | 'workspace'>,
  kept: Entity,
  lost: Entity,
): Promise<void> {
  const { uuid: entityUuid, name, groupId } = kept;
  const at = { ownerId: userId, workspace, conversationId: null };
  const isOwnGroup = groupId === userGroupOf(userId);
  await mergeInto(tx, {
    kept,
    lost,
    userId,
    owner: userGroupOf(userId),
    nameKey: nameKey(name),
    now: instant(deps.clock),
    summary: joined([kept.summary, lost.summary]),
    written: joined([kept.written, lost.written]) || null,
    label: kept.entityType === null ? lost.entityType : null,
    facets: addFacets(kept.facets, lost.facets ?? {}),
    typing: kept.typing ?? lost.typing,
    entry: memoryGraphEntry(
      deps,
      { ...at, conversationId: isOwnGroup ? null : groupId },
      'entity.merged',
      { entityUuid, lostUuid: lost.uuid },
    ),
  });
  await tellSummaries(tx, [entityUuid], instant(deps.clock));
}
