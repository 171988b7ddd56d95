import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { settleFacts } from '../entities/settle-facts.ts';
import { writeFacts } from './resolution.cypher.ts';
import { joinFacts, listFactsToSettle } from './settle-facts.cypher.ts';

/** Compares the facts of an entity by when they were said. Under the owner's lock. */
export async function settleFactsOf(
  tx: WriteTx,
  ownerId: string,
  entityUuid: string,
  now: string,
): Promise<void> {
  const { equal, ended } = settleFacts(await listFactsToSettle(tx, entityUuid), now);
  for (const { episodeUuid, ...end } of ended)
    await writeFacts(tx, {
      ...{ ownerId, episodeUuid, saidAt: now, now, created: [], repeated: [] },
      ended: [end],
    });
  await joinFacts(tx, equal);
}
