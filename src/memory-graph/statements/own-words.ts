import { sentencesOf } from '../../text/sentences.ts';

// Which words of a sentence the speaker says of life as it is: no words of others, no fiction, no
// maybes. One table of each kind for all languages.

/** Marks of quotation in pairs; one that does not close goes on to the end. */
const QUOTED =
  /„[^“”"]*(?:[“”"]|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|»[^«]*«|‘(?:[^’]|’(?=\p{L}))*(?:’|$)|(?<!\d)"[^"]*(?:"|$)|(?<![\p{L}\d.,!?])'(?=[\p{L}¿¡])(?:[^']|'(?=\p{L}))*'(?!\p{L})/gu;
/** The end of a quotation that an earlier sentence began: `And I moved." That is all.` */
const CLOSED = /^[^"“„«»”]*[^\s\d("“„«»”]["”»](?=[\s.,;!?]|$)/u;
const FIRST_PERSON = 'i|we|my|our|ich|wir|meine?[rmns]?|unsere?[rmns]?|yo|mi|mis';
const MINE = new RegExp(`^\\P{L}*(?:${FIRST_PERSON})(?!\\p{L})`, 'iu');
/** "The band “Blue Rain”": a name in quotation marks is no quotation. */
const NAME = /^\P{L}*\p{Lu}[^\s.!?]*(?: [\p{Lu}\d][^\s.!?]*){0,3}\P{L}*$/u;
const SPEECH = [
  'says?|said|wrote|writes|texted|replied|answered|told me|wrote me|wrote to me',
  'sagte?|schrieb|schreibt|antwortete|meinte|hat (?:mir )?geschrieben',
  'dijo|dice|escribió|escribe|respondió|contestó',
].join('|');
const BEFORE_QUOTE = new RegExp(`[:,]\\s*$|^\\s*$|(?<!\\p{L})(?:${SPEECH})\\s*$`, 'iu');

const TEXTS =
  'e-?mail|mail|letter|message|text|song|lyrics|poem|chat|transcript|article|post|tweet|story|sentence|line|paragraph|draft|scene|brief|nachricht|lied|gedicht|satz|absatz|artikel|geschichte|entwurf|szene|correo|carta|mensaje|texto|canción|letra|poema|frase|párrafo|artículo|cuento|borrador|escena';
const FICTION =
  'novel|film|movie|story|book|song|game|dream|screenplay|script|poem|comic|roman|buch|lied|spiel|traum|drehbuch|gedicht|geschichte|novela|película|libro|cuento|historia|canción|juego|sueño|guion|guión|relato|poema';

/** A pattern of these parts, one after the other, whole words only. */
const ofWords = (...parts: readonly string[]) =>
  new RegExp(`(?<!\\p{L})${parts.join('')}`.replaceAll('\\b', '(?!\\p{L})'), 'iu');

/** "Translate this: …", "here is the letter: …": what follows is a text to work on. */
const GIVEN: readonly RegExp[] = [
  ofWords(
    '(?<=^(?:(?:please|bitte|por favor|can you|could you|kannst du|puedes),? )*)',
    '(?:translate|proofread|summari[sz]e|rewrite|rephrase|shorten|übersetze?n?|korrigiere?|kürze|',
    'traduce|traducir|traduzca|corrige|resume|reescribe)\\b[^:]*:',
  ),
  ofWords(
    "(?<=^(?:here(?:['’]s| is| are)?|this is|hier (?:ist|kommt)|das ist|aquí (?:está|tienes|va)|",
    `est[ea] es) [^:]*)(?:${TEXTS})\\b[^:]*:`,
  ),
];
/** Sentences of which no word is the speaker's own, or none is meant as what is. */
const NOT_OWN: readonly RegExp[] = [
  /^\s*>/u,
  // "Bo wrote: …", "Bo says I …"; "I said: …" is the speaker's.
  ofWords(
    '(?<!(?<!\\p{L})(?:i|we|ich|wir|that)(?: (?:have|just|already))? )',
    `(?:${SPEECH})\\b(?! (?:ich|wir)\\b)`,
    `(?:[^.!?:]{0,40}:|,? (?:${FIRST_PERSON})\\b)`,
  ),
  // "I quit, said Bo."
  new RegExp(`[,!?] (?:${SPEECH}) (?!(?:i|we|ich|wir|yo|mir|me)(?!\\p{L}))`, 'iu'),
  ...GIVEN,
  ofWords(`(?:${TEXTS}) (?:goes|says|said|reads|lautet|geht|sagt|dice|decía|va)\\b[^:]{0,20}:`),
  ofWords(`(?<=\\p{L}['’]s )(?:${TEXTS})\\b[^:]{0,20}:`),
  // "In my book club" and "in my dream house" are life.
  ofWords(
    '(?:in (?:my|our|his|her|meine[mr]|unsere[mr])|en (?:mi|nuestr[oa])) ',
    `(?:new |first |next |neuen |ersten |nuev[oa] )?(?:${FICTION})s?\\b`,
    '(?! (?:club|shop|store|company|studio|job|house|home|flat|apartment|car|city|team)\\b)',
  ),
  ofWords('(?:i dream(?:t|ed)(?: that)? (?:i|we)|habe geträumt|ich träumte|soñé)\\b'),
  ofWords(
    "(?<=^)(?:imagine|suppose|pretend|let['’]s say|stell dir vor|angenommen|imagina|supongamos|",
    'supón)\\b',
  ),
];

const HEDGES = [
  'maybe|perhaps|possibly|probably|presumably',
  'vielleicht|eventuell|wahrscheinlich|vermutlich|möglicherweise',
  'quizás?|tal vez|a lo mejor|probablemente|posiblemente|seguramente',
].join('|');
const HEDGE = new RegExp(
  `(?<!\\p{L})(?:${HEDGES}|might|könnten?|könnte(?:st|t)|dürften?|podrían?|podríamos)(?!\\p{L})`,
  'iu',
);
/** The verb, not the month. */
const MAY =
  /(?<!\b(?:in|since|of|from|until|till|by|last|next|this|early|late|mid|\d+) )\bmay\b(?= (?!\d)\p{Ll})/u;
/** "Perhaps, in June, …" and "…, maybe" are of the whole sentence. */
const HEDGES_ALL = new RegExp(
  `^(?:${HEDGES})(?!\\p{L})(?!.*(?:;| but | aber | pero ))|[,–—(-]\\s*(?:${HEDGES})\\s*[.!?)…]*$`,
  'iu',
);
const SUPPOSED =
  /^\s*(?:(?:and|but|und|aber|y|pero) )?(?:if|unless|whether|falls|wenn|si|ojalá) /iu;
const IS_HEDGED = [HEDGE, MAY, SUPPOSED];
const CLAUSE = /(?<=[,;:–—])\s+|\s+(?=(?:and|but|und|aber|y|pero) )/iu;

/** What remains of a text without quotations, words of others, fiction and maybes. */
export function ownWordsOf(text: string): string {
  const own = text
    .replace(CLOSED, ' ')
    .replaceAll(QUOTED, (quoted: string, at: number) =>
      isQuotation(quoted, text.slice(0, at)) ? ' ' : quoted,
    );
  return sentencesOf(own).map(ownClausesOf).join(' ').trim();
}

const isQuotation = (quoted: string, before: string): boolean =>
  !NAME.test(quoted) || MINE.test(quoted) || BEFORE_QUOTE.test(before);

const QUOTED_LINE = /^[ \t]*>.*$/gmu;

/**
 * A turn with spaces for the words of others that may be several sentences: quotations, quoted
 * lines, and a text that it gives to work on, to the end of its paragraph.
 */
export function withoutOthers(turn: string): string {
  const blank = (text: string) => text.replace(/[^\n]/gu, ' ');
  const own = turn
    .replaceAll(QUOTED_LINE, blank)
    .replaceAll(QUOTED, (quoted: string, at: number) =>
      isQuotation(quoted, turn.slice(0, at)) ? blank(quoted) : quoted,
    );
  const paragraphs = own.split(/(\n[ \t]*\n)/u);
  return paragraphs
    .map((paragraph) => {
      const sentence = sentencesOf(paragraph).find((one) => GIVEN.some((mark) => mark.test(one)));
      if (sentence === undefined) return paragraph;
      const from = paragraph.indexOf(':', paragraph.indexOf(sentence));
      return paragraph.slice(0, from) + blank(paragraph.slice(from));
    })
    .join('');
}

function ownClausesOf(sentence: string): string {
  if (NOT_OWN.some((mark) => mark.test(sentence)) || HEDGES_ALL.test(sentence)) return '';
  const own = sentence
    .split(CLAUSE)
    .filter((clause) => !IS_HEDGED.some((mark) => mark.test(clause)));
  return own.some((clause) => /\p{L}/u.test(clause)) ? own.join(' ') : '';
}
