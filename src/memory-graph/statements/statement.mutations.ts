import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { derivedId } from '../derived-id.service.ts';
import { isNamedIn, nameKey, sentenceKey } from '../entities/name-match.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { userGroupOf } from '../group.ts';
import { writeFacts } from '../resolution/resolution.cypher.ts';
import { correctionIn } from './correction.ts';
import { type EndedFact, endedWithStatements, type StatedFact } from './stated-facts.ts';
import {
  listCausesOfEnds,
  listKnownStatements,
  listStatedFacts,
  noteEndedFacts,
  writeStatements,
} from './statement.cypher.ts';
import type { ReadStatements } from './statement.ts';
import { attributeOf, planStatements } from './statement-plan.ts';

/** The turn that states, and who speaks in it. */
export interface StatedIn {
  readonly ownerId: string;
  readonly ownerName: string;
  readonly episodeUuid: string;
  readonly conversationId: string;
  readonly saidAt: string;
  readonly saidBy: string;
  /** Whether the owner of the memory speaks. */
  readonly isOwner: boolean;
}

interface NamedEntity {
  readonly name: string;
  readonly uuid: string;
}

/**
 * Writes the statements of an Episode, and ends those that they supersede or correct, whichever
 * conversation said them, with the facts that these state. Under the owner's lock.
 * @param entities those that the Episode names
 * @returns uuids of the facts that ended
 */
export async function stateIn(
  tx: WriteTx,
  turn: StatedIn,
  extraction: ReadStatements,
  { entities, now }: { readonly entities: readonly NamedEntity[]; readonly now: string },
): Promise<string[]> {
  const { statements } = extraction;
  if (statements.length === 0) return [];
  const known = await listKnownStatements(tx, turn.ownerId, {
    attributes: [...new Set(statements.flatMap((one) => attributeOf(one) ?? []))],
    texts: statements.flatMap(({ text, ends }) => [text, ...ends]),
    uuids: statements.flatMap(({ text }) => extraction.ended.get(sentenceKey(text)) ?? []),
    corrects: statements.some(({ text }) => correctionIn(text) !== null),
    saidAt: turn.saidAt,
  });
  const plan = planStatements(statements, known, {
    ...turn,
    extraction,
    now,
    groupId: userGroupOf(turn.ownerId),
    uuidOf: ({ text }) => derivedId('statement', turn.episodeUuid, sentenceKey(text)),
  });
  const given = new Map(statements.map((one) => [sentenceKey(one.text), one.about]));
  await writeStatements(tx, turn.ownerId, plan, {
    episodeUuid: turn.episodeUuid,
    entitiesOf({ text, saidBy }) {
      const about = new Set((given.get(sentenceKey(text)) ?? []).map(nameKey));
      const speaker = nameKey(saidBy);
      const named = entities.filter(({ name }) => {
        const key = nameKey(name);
        return about.has(key) || key === speaker || isNamedIn(text, name);
      });
      return [...new Set(named.map(({ uuid }) => uuid))];
    },
  });
  const over = plan.created.filter(({ invalidAt }) => invalidAt !== null).map(({ uuid }) => uuid);
  const stated = await listStatedFacts(tx, [...plan.ended.keys(), ...over]);
  const ended = endedWithStatements(stated, now);
  await writeFacts(tx, { ...turn, now, created: [], repeated: [], ended });
  return tellEnded(tx, stated, ended, now);
}

/** Makes the summaries of the ends of ended facts anew. @returns uuids of the facts */
async function tellEnded(
  tx: WriteTx,
  stated: readonly StatedFact[],
  ended: readonly EndedFact[],
  now: string,
): Promise<string[]> {
  const changed = new Set(ended.map(({ uuid }) => uuid));
  const ends = stated
    .filter(({ fact }) => changed.has(fact.uuid))
    .flatMap(({ fact: { sourceUuid, targetUuid } }) => [sourceUuid, targetUuid]);
  await tellSummaries(tx, ends, now);
  return [...changed];
}

/**
 * Ends the facts that these ended statements state, as of the Episode that ended the last of them,
 * so that they hold again when that one leaves the screen. Under the owner's lock.
 */
export async function endFactsOf(
  tx: WriteTx,
  ownerId: string,
  statementUuids: readonly string[],
  now: string,
): Promise<void> {
  const stated = await listStatedFacts(tx, statementUuids);
  const ended = endedWithStatements(stated, now);
  const causes = await listCausesOfEnds(
    tx,
    ended.map(({ endedLast }) => endedLast),
  );
  const byCause = Map.groupBy(ended, ({ endedLast }) => causes.get(endedLast) ?? '');
  for (const [episodeUuid, of] of byCause) {
    const none = { created: [], repeated: [] };
    await writeFacts(tx, { ownerId, episodeUuid, saidAt: now, now, ...none, ended: of });
    await noteEndedFacts(tx, { episodeUuid, factUuids: of.map(({ uuid }) => uuid) });
  }
  await tellEnded(tx, stated, ended, now);
}
