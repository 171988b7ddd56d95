import { z } from 'zod';
import { nameKey } from '../entities/name-match.ts';
import { attributeIn } from '../statements/attribute.ts';
import { OWNER_SUBJECT } from '../statements/statement.ts';
import { formerIn } from './former.ts';
import type { Ranked } from './rank.ts';

/** The attribute that a question asks for, as statements have it: `home` of `user`. */
export interface Asked {
  readonly attribute: string;
  readonly subject: string;
  /** Of a question of a former value: the value that came after it, null for that of now. */
  readonly former: { readonly before: string | null } | null;
}

/** Questions of the present with their words in the order of an answer; X stands for the answer. */
const ANSWERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^where (?:do|does) (.+?) ((?:live|work|study)\w*)$/, ['$1 $2 in X', '$1 $2 at X']],
  [/^where (?:am|are) (i|we) (living|working|studying)$/, ['$1 am $2 in X', '$1 am $2 at X']],
  [/^what(?: is|['’]s) my (?:job|work|employer|company)$/, ['i work at X']],
  [/^(?:what|where)(?: is|['’]s) my (?:home|home ?town|town|city|address)$/, ['i live in X']],
  [/^(?:who|where|what)(?: is|['’]s| are) ((?:my|our|the) .+|.+['’]s .+)$/, ['$1 is X']],
  [/^(?:when|what day)(?: is|['’]s) ((?:my|our|the) .+)$/, ['$1 is on Friday']],
  [/^what(?: is|['’]s) ((?:my|our) .+?) (?:called|named)$/, ['$1 is X']],
  [/^who ((?:owns|maintains|leads|runs|manages) .+)$/, ['X $1']],
  [/^(?:who|whom) do (i|we) report to$/, ['$1 report to X']],
  [/^wo (wohne|lebe|arbeite|studiere)n? (ich|wir)$/, ['$2 $1 in X', '$2 $1 bei X', '$2 $1 an X']],
  [
    /^(?:wer|was|wie) (?:ist|heißt) mein(?:e)? (?:job|arbeit|arbeitgeber|firma)$/,
    ['ich arbeite bei X'],
  ],
  [/^(?:wer|was|wo) (?:ist|sind) ((?:mein|unser|der|die|das).+)$/, ['$1 ist X']],
  [/^wie (?:heißt|heißen) ((?:mein|unser).+)$/, ['$1 heißt X']],
  [/^d[óo]nde (vivo|vivimos|trabajo|trabajamos|estudio)$/, ['$1 en X']],
  [/^(?:qu[ée]|cu[áa]l) es mi (?:trabajo|empresa)$/, ['trabajo en X']],
  [/^(?:qui[ée]n|cu[áa]l) es ((?:mi|nuestr[oa]|el|la) .+)$/, ['$1 es X']],
  [/^c[óo]mo se llama ((?:mi|nuestr[oa]) .+)$/, ['$1 se llama X']],
];
const NAME = 'Xaver';
/** Words around the question that change nothing of it. */
const AROUND = /^(?:and|so|hey|und|y)[, ]+|[, ]+(?:now|again|currently|jetzt|gerade|ahora)$/g;

/**
 * The attribute that a question asks for: "Where do I live?" asks for what "I rent a flat in Leeds"
 * gives, with no word in common. It is turned into an answer and read as a statement is. One of a
 * former value ("before Leeds") is read as the one of the present. Null for all other texts.
 * @param ownerName the user who asks
 */
export function askedIn(text: string, ownerName: string): Asked | null {
  const question = text
    .trim()
    .replaceAll(/[¿?\s]+$|^[¿\s]+/g, '')
    .replace(/^\p{Lu}/u, (first) => first.toLowerCase())
    .replaceAll(AROUND, '');
  const former = formerIn(question);
  for (const [form, answers] of ANSWERS) {
    const found = new RegExp(form, 'iu').exec(former?.present ?? question);
    if (found === null) continue;
    for (const answer of answers) {
      const said = attributeIn(
        answer.replaceAll(/\$(\d)|X/g, (all, at) => (all === 'X' ? NAME : (found[at] ?? ''))),
      );
      if (said === null) continue;
      const isOwner = said.of === null || nameKey(said.of) === nameKey(ownerName);
      const subject = isOwner ? OWNER_SUBJECT : nameKey(said.of ?? '');
      const before = former === null ? null : { before: former.before };
      return { attribute: said.attribute, subject, former: before };
    }
  }
  return null;
}

/** A statement that gives what is asked for. */
export const AskedStatement = z.object({
  uuid: z.string(),
  /** The Episode that says it, with its text and its speaker. */
  episode: z.string(),
  text: z.string(),
  speaker: z.string(),
  saidAt: z.string(),
  /** Whether it has ended. */
  isOver: z.boolean(),
});
export type AskedStatement = z.infer<typeof AskedStatement>;

const ASKED = { measure: 'question', points: 0, text: 'says what is asked for' } as const;

/** The hits, with the turns that say what is asked for first. */
export function askedFirst(
  ranked: readonly Ranked[],
  said: readonly Pick<AskedStatement, 'uuid' | 'episode'>[],
  kind: 'episode' | 'statement',
): Ranked[] {
  const first = [...new Set(said.map((one) => (kind === 'episode' ? one.episode : one.uuid)))];
  const isFirst = (one: Ranked) =>
    first.includes(one.uuid) || one.same.some(({ uuid }) => first.includes(uuid));
  const score = ranked[0]?.score ?? 1;
  const found = first.map((uuid): Ranked => {
    const one = ranked.find((hit) => hit.uuid === uuid || hit.same.some((is) => is.uuid === uuid));
    const hit = one ?? { kind, uuid, matched: [], reasons: [], same: [] };
    return { ...hit, score, fits: true, reasons: [...hit.reasons, ASKED] };
  });
  return [...found, ...ranked.filter((one) => !isFirst(one))];
}
