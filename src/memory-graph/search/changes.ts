import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import { firstChars } from '../../common/well-formed.ts';
import { stemOf } from '../../text/stem.ts';
import { stemsIn } from '../../text/words.ts';
import type { Ranked } from './rank.ts';
import type { SearchQuery } from './search-query.ts';

export const Told = z.object({ uuid: z.string(), text: z.string(), attribute: textOrNull });
export type Told = z.infer<typeof Told>;

/** A statement that ended, with the statements of the turn that ended it. */
export interface Change extends Told {
  readonly endedAt: string;
  readonly by: readonly Told[];
}

/** Words that ask for changes, and say nothing of their subject. */
const ASKING: ReadonlySet<string> = new Set(
  'changed change new different happened geändert verändert neu anders cambiado cambió nuevo'
    .split(' ')
    .map(stemOf),
);
const OLD_CHARS_MAX = 120;

/**
 * The changes that a query asks for, oldest first: each new statement, with the old statements that
 * it ended and their days in its reasons. Words of the query beside the time select among them.
 */
export function changesOf(query: SearchQuery, changes: readonly Change[]): Ranked[] {
  const times = new Set(query.times.flatMap(({ words }) => words.map(stemOf)));
  const subject = query.stems.filter((stem) => !ASKING.has(stem) && !times.has(stem));
  const isOf = ({ text, by }: Change) => {
    const stems = stemsIn([text, ...by.map((one) => one.text)].join(' '));
    return subject.length === 0 || subject.some((stem) => stems.has(stem));
  };
  const told = changes.filter(isOf).map((change) => ({ change, now: insteadOf(change) }));
  const byNow = Map.groupBy(told, ({ now, change }) => now?.uuid ?? change.uuid);
  return [...byNow].map(([uuid, of]) => ({
    ...{ kind: 'statement', uuid, score: 1, fits: true, matched: [], same: [] },
    reasons: of.map(({ change: { text, endedAt }, now }) => {
      const day = endedAt.slice(0, 10);
      const old = firstChars(text, OLD_CHARS_MAX);
      const said = now === null ? `ended on ${day}` : `ended on ${day}: “${old}”`;
      return { measure: 'time', points: 0, text: said } as const;
    }),
  }));
}

const insteadOf = ({ attribute, by }: Change): Told | null =>
  by.find((one) => one.attribute === attribute) ?? by[0] ?? null;
