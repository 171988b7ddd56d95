import { contentWords } from '../../text/content-words.ts';
import type { Caused, Fact } from '../entities/fact.ts';
import type { Statement } from './statement.ts';

/** A fact with the statements that may state it: of one of its Episodes, about both its ends. */
export interface StatedFact {
  readonly fact: Fact;
  readonly statements: readonly Statement[];
}

/**
 * Facts that end with their statements. In each Episode those state a fact that share the most
 * words with it; a fact holds as long as one of them does.
 */
export function endedWithStatements(stated: readonly StatedFact[], now: string): Caused[] {
  return stated.flatMap(({ fact, statements }) => {
    const ends = fact.episodes.flatMap((episode) =>
      closest(
        fact,
        statements.filter(({ episodes }) => episodes.includes(episode)),
      ).map(({ invalidAt }) => invalidAt),
    );
    if (ends.length === 0 || ends.includes(null)) return [];
    const [last = ''] = ends
      .flatMap((end) => end ?? [])
      .toSorted()
      .toReversed();
    const invalidAt = fact.validAt !== null && fact.validAt > last ? fact.validAt : last;
    if (fact.invalidAt !== null && fact.invalidAt <= invalidAt) return [];
    return [{ uuid: fact.uuid, invalidAt, expiredAt: now, byFact: null }];
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
