import { entryOf } from '../../common/entry-of.ts';
import { NOUNS } from './attribute-words.ts';

/** `favourite colour` for "Lieblingsfarbe", `dentist` for "Zahnärztin". @param noun lower case */
export function keyOf(noun: string): string {
  const german = /^lieblings(\p{L}+)$/u.exec(noun)?.[1];
  const spanish = /^(\p{L}+) (?:favorit|preferid)[oa]$/u.exec(noun)?.[1];
  const favourite = german ?? spanish;
  const one = (word: string) => entryOf(NOUNS, word) ?? word;
  return favourite === undefined
    ? noun.split(' ').map(one).join(' ')
    : `favourite ${one(favourite)}`;
}

/** Nouns of which one has one, in English too: `doctor`, `gp`, `boss`. */
export const ROLES: ReadonlySet<string> = new Set([...Object.keys(NOUNS), ...Object.values(NOUNS)]);
