import { contentWords } from '../../text/content-words.ts';
import type { Caused, Fact } from '../entities/fact.ts';
import type { Statement } from './statement.ts';

/** A fact with the statements that may state it: of one of its Episodes, about both its ends. */
export interface StatedFact {
  readonly fact: Fact;
  readonly statements: readonly Statement[];
}

/** The end of a fact, with the statement that ended last of those that state it. */
export interface EndedFact extends Caused {
  readonly endedLast: string;
}

/**
 * Facts that end with their statements. In each Episode those state a fact that share the most
 * words with it; a fact holds as long as one of them does.
 */
export function endedWithStatements(stated: readonly StatedFact[], now: string): EndedFact[] {
  return stated.flatMap(({ fact, statements }) => {
    const stating = fact.episodes.flatMap((episode) =>
      closest(
        fact,
        statements.filter(({ episodes }) => episodes.includes(episode)),
      ),
    );
    const ends = stating.flatMap(({ uuid, invalidAt }) =>
      invalidAt === null ? [] : [{ uuid, invalidAt }],
    );
    if (ends.length < stating.length) return [];
    const last = ends.toSorted((a, b) => a.invalidAt.localeCompare(b.invalidAt)).at(-1);
    if (last === undefined) return [];
    const { validAt } = fact;
    const invalidAt = validAt !== null && validAt > last.invalidAt ? validAt : last.invalidAt;
    if (fact.invalidAt !== null && fact.invalidAt <= invalidAt) return [];
    return [{ uuid: fact.uuid, invalidAt, expiredAt: now, byFact: null, endedLast: last.uuid }];
  });
}

/** Those with the most words of the fact: "Dr. Weiss is my dentist", not "I know Dr. Weiss". */
function closest({ fact }: Fact, statements: readonly Statement[]): Statement[] {
  const words = new Set(contentWords(fact).map(({ stem }) => stem));
  const shared = statements.map(
    ({ text }) => contentWords(text).filter(({ stem }) => words.has(stem)).length,
  );
  const most = Math.max(...shared);
  return statements.filter((_one, at) => shared[at] === most);
}
