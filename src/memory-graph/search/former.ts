import { timesIn } from './query-times.ts';

// Questions of a former value: "Where did I live before Leeds?", "Wer war mein früherer Arzt?",
// "¿Dónde trabajaba antes?". They are read as the question of the present that they are one of.

/** A question of a former value as one of the present. */
export interface FormerQuestion {
  readonly present: string;
  /** The name of the value that came after; null: the one of now. */
  readonly before: string | null;
}

/** The clause that places it, at the end or at the beginning. */
const BEFORE =
  /(?:^|,? )(?:before|prior to|bevor|vor|antes(?: de(?: que)?)?)(?: (?<rest>[^,?]+?))?(?=$|,| (?:gewohnt|gelebt|gearbeitet|studiert)$)/iu;
/** Words that say a former time without another value. */
const FORMERLY =
  /(?<!\p{L})(?:previously|formerly|earlier|vorher|zuvor|früher|davor|previous|former|old|last|vorherige[rns]?|vorige[rns]?|frühere[rns]?|alte[rns]?|letzte[rns]?|ehemalige[rns]?|anterior|antigu[oa]|últim[oa])(?!\p{L}) ?/giu;
const USED_TO = /\buse(?:d)? to\b/i;

/** The past of a question, and its present. */
const PAST: readonly (readonly [RegExp, string])[] = [
  [/^where did (?<who>.+?) (?:use to |used to )?(?<verb>live|work|study)$/iu, 'where do $1 $2'],
  [/^where (?:was|were) (i|we) (living|working|studying)$/iu, 'where am $1 $2'],
  [/^(who|what|where) (?:was|were|used to be) (.+?)(?: called)?$/iu, '$1 is $2'],
  [/^(who|whom) did (i|we) report to$/iu, '$1 do $2 report to'],
  [/^wo (?:habe|hab) (ich) (?:gewohnt|gelebt)$/iu, 'wo wohne $1'],
  [/^wo (?:habe|hab) (ich) gearbeitet$/iu, 'wo arbeite $1'],
  [/^wo (?:wohnte|lebte) (ich)$/iu, 'wo wohne $1'],
  [/^wo arbeitete (ich)$/iu, 'wo arbeite $1'],
  [/^wer war (.+)$/iu, 'wer ist $1'],
  [/^wie (?:hieß|hiess) (.+)$/iu, 'wie heißt $1'],
  [/^d[óo]nde (viv|trabaj|estudi)(?:[íi]a|aba)(?:mos)?$/iu, 'dónde $1o'],
  [/^(qui[ée]n|cu[áa]l) (?:era|fue) (.+)$/iu, '$1 es $2'],
  [/^c[óo]mo se llamaba (.+)$/iu, 'cómo se llama $1'],
];

/**
 * The question of the present whose former value is asked for; null for all others. A question of a
 * day or a month has a time of its own.
 * @param question without marks around it
 */
export function formerIn(question: string): FormerQuestion | null {
  if (timesIn(question).length > 0) return null;
  const placed = BEFORE.exec(question);
  const isFormer = placed !== null || question.search(FORMERLY) >= 0 || USED_TO.test(question);
  if (!isFormer) return null;
  const asked = question
    .replace(BEFORE, ' ')
    .replaceAll(FORMERLY, ' ')
    .replaceAll(/[\s,]+/g, ' ')
    .trim();
  for (const [form, present] of PAST)
    if (form.test(asked))
      return { present: asked.replace(form, present), before: nameIn(placed?.groups?.['rest']) };
  return null;
}

const nameIn = (rest = ''): string | null =>
  /(?<!\p{L})(?!(?:I|Dr|Mrs?|Ms|Herrn?|Frau)\b)\p{Lu}[\p{L}-]+/u.exec(rest)?.[0] ?? null;
