import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import { derivedId } from '../derived-id.service.ts';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { isNamedIn, nameKey, sentenceKey } from '../entities/name-match.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { userGroupOf } from '../group.ts';
import { writeFacts } from '../resolution/resolution.cypher.ts';
import { type Judge, judgeOf } from './replacing.service.ts';
import { type EndedFact, endedWithStatements, type StatedFact } from './stated-facts.ts';
import {
  listCausesOfEnds,
  listKnownStatements,
  listStatedFacts,
  noteEndedFacts,
  writeStatements,
} from './statement.cypher.ts';
import type { ReadStatements } from './statement.ts';
import { planStatements } from './statement-plan.ts';

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

interface Reading {
  /** Those that the Episode names. */
  readonly entities: readonly NamedEntity[];
  readonly now: string;
  /** Absent: a statement ends another by its words alone. */
  readonly judge?: Judge | undefined;
}

/** A statement was written after the model had compared the known ones. */
class JudgedTooEarly extends Error {}

const toldIn = (turn: StatedIn, { statements }: ReadStatements) =>
  statements.map(({ text }) => ({ ...turn, text }));

/** Like statements may be written so many times while the model compares. */
const TRIES_MAX = 5;

/**
 * Compares the statements of a turn with the known ones by an embedding model, and then writes.
 * Compares again where like ones were written meanwhile, so that of two turns that are read at once
 * the later sees the earlier; the last try writes by words alone.
 */
export async function withJudge<T>(
  deps: { readonly graph: Graph; readonly embeddings: Pick<Embeddings, 'embed' | 'scale'> },
  turn: StatedIn,
  extraction: ReadStatements,
  write: (judge?: Judge) => Promise<T>,
): Promise<T> {
  const fresh = toldIn(turn, extraction);
  for (let left = TRIES_MAX; left > 0; left--) {
    const known =
      fresh.length === 0
        ? []
        : await deps.graph.read((tx) => listKnownStatements(tx, turn, extraction));
    try {
      return await write(await judgeOf(deps.embeddings, fresh, known));
    } catch (error) {
      if (!(error instanceof JudgedTooEarly)) throw error;
    }
  }
  return write();
}

/**
 * Writes the statements of an Episode, and ends those that they supersede or correct, whichever
 * conversation said them, with the facts that these state. Under the owner's lock.
 * @returns uuids of the facts that ended
 * @throws JudgedTooEarly where the judge has to compare again; nothing is written then
 */
export async function stateIn(
  tx: WriteTx,
  turn: StatedIn,
  extraction: ReadStatements,
  { entities, now, judge }: Reading,
): Promise<string[]> {
  const { statements } = extraction;
  if (statements.length === 0) return [];
  const known = await listKnownStatements(tx, turn, extraction);
  if (judge?.hasSeen(toldIn(turn, extraction), known) === false) throw new JudgedTooEarly();
  const plan = planStatements(statements, known, {
    ...turn,
    extraction,
    now,
    replaces: (pair) => judge?.replaces(pair) ?? false,
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
    ownerId,
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
