import { contentWords, type Word } from '../../text/content-words.ts';
import { ownWordsOf } from './own-words.ts';
import type { Statement } from './statement.ts';

/** How a statement ends earlier ones. */
export type CorrectionKind = 'over' | 'cancelled' | 'parted' | 'left' | 'meant';

/** Words that say an end or a correction, one table for each language. A new one is a row here. */
const CUES: Readonly<Record<string, readonly (readonly [CorrectionKind, RegExp])[]>> = {
  en: [
    [
      'parted',
      /\b(?:broke up|broken up|split up|separated|divorced|got a divorce|ended things|no longer together|not together any ?more)\b/i,
    ],
    [
      'cancelled',
      /\b(?:cancell?ed|called off|call(?:ing)? off|fell through|scrapped|not happening|won['’]t happen|is off|are off|not going through with|never happened|(?:did not|didn['’]t) happen|came to nothing)\b/i,
    ],
    [
      'over',
      /\b(?:no longer|not any ?longer|any ?more(?! \p{L}+s\b)|gave up|given up|quit|stopped|got rid of|sold|retired from|resigned|(?:was|got|been) fired|laid off|made (?:\p{L}+ )?redundant|let me go|ditched|dropped out of|former)\b/iu,
    ],
    // "I am off the tablets"; "I am off to Rome" is a journey.
    [
      'over',
      /\b(?:am|is|came|went|['’][ms]) off (?=(?:the|my|his|her|all)\b)(?! my (?:way|feet))/iu,
    ],
    // "I am leaving Rome" may be a journey, so it ends an employer only.
    [
      'left',
      /\b(?:[Mm]y|[Oo]ur) (?:last|final) (?:working )?day\b(?! (?:of|in)\b)|\b(?:will|['’]ll|going to|am|are|['’]m|['’]re) (?:leave|leaving)(?= (?:(?:my (?:job|position|role) (?:at|with|in) )?\p{Lu}|(?:on|at the end of|in) (?:the )?(?:\p{Lu}|\d|month|year)))/u,
    ],
    [
      'meant',
      /^(?:actually|sorry(?! (?:to|for|about|that|if|you|i)\b)|(?:small |one )?correction|wait|scratch that|oops|my mistake|on second thought)\b|\b(?:i meant|i misspoke|that was wrong|not [\p{L}\d ]{1,20}, but)\b|(?:^|[,.;:–—-]\s*)make (?:it|that)\b/iu,
    ],
  ],
  de: [
    [
      'parted',
      /\bgetrennt\b|\bgeschieden\b|\bscheiden lassen\b|\bschluss gemacht\b|\bnicht mehr zusammen\b/i,
    ],
    [
      'cancelled',
      /\babgesagt\b|\bstorniert\b|\babgeblasen\b|\bfällt (?:\p{L}+ )?aus\b|\bfindet nicht statt\b/iu,
    ],
    [
      'over',
      /\bnicht mehr\b|\bkeine?\p{Ll}{0,2} \p{L}+ mehr\b|\baufgehört\b|\bgekündigt\b|\b(?:hin)?geschmissen\b|\baufgegeben\b|\bverkauft\b|\bnicht länger\b/iu,
    ],
    [
      'left',
      /\b[Kk]ündige(?= (?:zum|bei|am|ab|Ende)\b)|\b[Vv]erlasse(?= \p{Lu})|\bletzter (?:Arbeitst|T)ag\b/u,
    ],
    [
      'meant',
      /^(?:eigentlich|korrektur|entschuldigung|sorry(?! (?:to|for|about|that|if|you|i)\b)|moment)\b|\b(?:ich meinte|doch nicht|stimmt nicht)\b/i,
    ],
  ],
  es: [
    [
      'parted',
      /\b(?:hemos roto|rompimos|rompí con|lo hemos dejado|lo dejamos|separado|separada|divorciad[oa]|divorciamos)\b/i,
    ],
    [
      'cancelled',
      /(?<!\p{L})(?:cancelad[oa]s?|cancelamos|cancelé|anulad[oa]s?|se canceló)(?!\p{L})/iu,
    ],
    ['over', /(?<!\p{L})(?:ya no|dejé de|he dejado de|dejamos de)(?!\p{L})/iu],
    ['over', /(?<!\p{L})(?:renuncié|he renunciado|dimití|he dimitido)(?!\p{L})/iu],
    ['over', /(?<!\p{L})(?:vendí|vendimos|he vendido|hemos vendido)(?!\p{L})/iu],
    // "Dejé Iberia", "he dejado mi trabajo en Iberia"; "dejé las llaves" ends nothing, nor does
    // "dejó Iberia", of which the subject is not said.
    [
      'over',
      /(?<!\p{L})(?:[Dd]ejé|[Hh]e dejado)(?= (?:(?:mi|el) (?:trabajo|puesto|empleo) (?:en|de) )?\p{Lu})/u,
    ],
    // "He dejado la cerámica": nothing follows that says where it was left.
    ['over', /(?<!\p{L})(?:dejé|he dejado) (?:el|la|los|las) (?=\p{L}+(?:[,.;!]|$))/iu],
    [
      'left',
      /(?<!\p{L})(?:[Dd]ejaré|[Dd]ejo|[Vv]oy a dejar)(?= (?:mi (?:trabajo|puesto|empleo) en )?\p{Lu})|(?<!\p{L})(?:[Mm]i|[Nn]uestro) último día(?! de)(?!\p{L})|(?<!\p{L})[Rr]enunciaré(?!\p{L})/u,
    ],
    [
      'meant',
      /^(?:en realidad|perdón|corrección|perdona)(?!\p{L})|(?<!\p{L})(?:quise decir|quería decir|me equivoqué)(?!\p{L})/iu,
    ],
  ],
};

/** "I won't quit", "we have not cancelled it": nothing ends. */
const DENIED =
  /(?:\b(?:not|never|cannot|nicht|nie|niemals|keine?\p{Ll}{0,2}|nunca|jamás|no)|n['’]t)(?: [\p{L}'’]+){0,3} $/iu;
/** Ends that are said by a denial. */
const BY_DENIAL = /more|longer|mehr|länger|not|nicht|ya no|won['’]t/i;

/** How a sentence says an end in the speaker's own words; null where it says none. */
export function correctionIn(sentence: string): CorrectionKind | null {
  const text = ownWordsOf(sentence);
  for (const rows of Object.values(CUES)) {
    const found = rows.find(([kind, cue]) => {
      const [said] = cue.exec(text) ?? [];
      if (said === undefined) return false;
      const before = text.slice(0, text.indexOf(said));
      return kind === 'meant' || BY_DENIAL.test(said) || !DENIED.test(before);
    });
    if (found !== undefined) return found[0];
  }
  return null;
}

const PARTNER =
  /\b(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|married|engaged|dating|frau|mann|freundin|freund|verlobte[rn]?|verheiratet|mujer|marido|espos[oa]|novi[oa]|pareja|casad[oa])\b/iu;
const CLAUSE =
  /[,;:–—]| because | weil | porque | denn | since the | and (?=(?:i|we|now|bought|got)\b)| und (?=(?:ich|wir|jetzt|habe|haben|bin)\b)| y (?=(?:yo|me|nos|ahora|he|hemos)\b)/iu;
/** Words of time and of ending, which an ended statement need not share. */
const TIME =
  /^(?:now|today|yesterday|tomorrow|week|month|year|day|last|next|ago|since|winter|spring|summer|autumn|fall|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|jahr|woche|monat|tag|letzt\w*|frühjahr|jetzt|heute|gestern|año|mes|semana|ayer|hoy|ahora)s?$/iu;
/** Verbs that say little, and words that are drawn out or only greet: "sooo", "btw". */
const LIGHT =
  /^(?:do|doing|did|go|going|goes|mache?n?|macht|gehe?n?|geht|hab|habe|haben|hago|hacer|hacemos|btw|lol|haha|omg|ugh|(?:\p{L}*(\p{L})\1\1\p{L}*))$/u;
/** Share of the words of an end that the ended statement must have. */
const SHARE_MIN = 0.6;
/** A correction without words of its own, such as "make it two hours", is of the last minutes. */
const MEANT_MINUTES_MAX = 60;

type Said = Pick<
  Statement,
  'uuid' | 'text' | 'saidBy' | 'subject' | 'attribute' | 'saidAt' | 'invalidAt'
> & {
  /** The conversations in which it was said. */
  readonly conversations?: readonly string[];
};

/**
 * The statements that a new one ends or corrects, among those that hold and were said before. A
 * correction that fits none ends none.
 * @param known of the same owner, whatever their conversation
 */
export function endedBy<Known extends Said>(said: Said, known: readonly Known[]): Known[] {
  const kind = correctionIn(said.text);
  const fresh = { ...said, text: ownWordsOf(said.text) };
  const open = known.filter(
    ({ uuid, saidAt, invalidAt }) =>
      uuid !== fresh.uuid &&
      !(saidAt > fresh.saidAt) &&
      (invalidAt === null || invalidAt > fresh.saidAt),
  );
  if (kind === null) {
    const exchanges = exchangesIn(fresh.text);
    return exchanges.length === 0 ? [] : open.filter((one) => isExchanged(exchanges, fresh, one));
  }
  const earlier = open
    // An end is ended by nothing: "we cancelled it" stays true.
    .filter(({ text }) => kind === 'meant' || correctionIn(text) === null);
  if (kind === 'left') {
    const isUnnamed = UNNAMED.test(fresh.text) && namesIn(fresh).length === 0;
    if (isUnnamed && !earlier.some((one) => isOfJob(fresh, one))) return [];
    return earlier.filter((one) => isEmployer(fresh, one));
  }
  if (kind === 'parted') return earlier.filter((one) => isPartner(fresh, one));
  if (kind === 'meant') {
    const corrected = correctedBy(fresh, earlier);
    return corrected.length > 0 ? corrected : deniedBy(fresh, earlier);
  }
  const words = ownWords(clauseOf(fresh.text), fresh.saidBy);
  if (words.length === 0) return [];
  return earlier.filter((one) => mayBeOfSame(fresh, one) && shareIn(words, one.text) >= SHARE_MIN);
}

/** "Switched from law to history", "swapped judo for climbing", "von Jura zu Physik gewechselt". */
const EXCHANGED = [
  /\b(?:switched|changed|swapped|converted|migrated|moved|upgraded|went) (?<what>(?:[\p{L}\d_./-]+ ){0,4}?)from (?<old>.+?) to \S/iu,
  /\b(?:switched|swapped|traded|exchanged|replaced) (?<old>.+?) (?:for|with|by) \S/iu,
  /(?<!\p{L})von (?<old>.+?) (?:zu|zum|zur|auf) .+ (?:gewechselt|umgestiegen|umgestellt)/iu,
  /(?<!\p{L})(?:cambiado|cambié|cambiamos|pasado|pasé|pasamos) de (?<old>.+?) a \S/iu,
];
/** Tastes and what was do not end when one takes something else. */
const LASTING =
  /\b(?:love|like|enjoy|hate|miss|was|were|went|visited|used to|grew up|mag|liebe|gusta)\b/i;

/** A value that a sentence exchanges for another one, and the thing whose value it is. */
interface Exchange {
  readonly old: readonly Word[];
  readonly thing: readonly Word[];
}

const exchangesIn = (text: string): Exchange[] =>
  EXCHANGED.flatMap((form) => {
    const { old = '', what = '' } = form.exec(text)?.groups ?? {};
    const words = contentWords(old);
    return words.length === 0 ? [] : [{ old: words, thing: contentWords(what) }];
  });

/** Whether a sentence names the value of an earlier one as the one that is exchanged. */
function isExchanged(exchanges: readonly Exchange[], fresh: Said, one: Said): boolean {
  if (fresh.saidBy !== one.saidBy || LASTING.test(one.text)) return false;
  const stems = new Set(contentWords(one.text).map(({ stem }) => stem));
  const isIn = ({ stem }: Word) => stems.has(stem);
  return (
    exchanges.some(
      ({ old, thing }) => old.every(isIn) && (thing.length === 0 || thing.some(isIn)),
    ) && mayBeOfSame(fresh, one)
  );
}

/** Also "my brother", where one of the two sentences tells it by its words alone. */
function mayBeOfSame(fresh: Said, one: Said): boolean {
  if (fresh.subject === one.subject) return true;
  const says = ({ subject }: Said, { text }: Said) => {
    const words = contentWords(subject);
    const stems = new Set(contentWords(text).map(({ stem }) => stem));
    return words.length > 0 && words.every(({ stem }) => stems.has(stem));
  };
  return fresh.saidBy === one.saidBy && (says(one, fresh) || says(fresh, one));
}

/** The part of the sentence that says the end: "The trip is off, flights are dear". */
function clauseOf(text: string): string {
  const parts = text.split(CLAUSE).filter((part) => /\p{L}/u.test(part));
  const telling = parts.find((part) => correctionIn(part.trim()) !== null);
  return telling === undefined || ownWords(telling, '').length === 0 ? text : telling;
}

const withoutCue = (text: string): string =>
  Object.values(CUES)
    .flat()
    .reduce((left, [, cue]) => left.replace(new RegExp(cue, `${cue.flags}g`), ' '), text);

/** What a sentence is about, besides its speaker, its times and the words of ending. */
function ownWords(text: string, saidBy: string): Word[] {
  const own = new Set(contentWords(saidBy).map(({ stem }) => stem));
  return contentWords(withoutCue(text)).filter(
    ({ stem, key, kind }) =>
      kind !== 'number' && !own.has(stem) && !TIME.test(key) && !LIGHT.test(key),
  );
}

function shareIn(words: readonly Word[], text: string): number {
  const stems = new Set(contentWords(text).map(({ stem }) => stem));
  const shared = words.filter(({ stem }) => stems.has(stem));
  // A name that it lacks is another matter: "the trip to Norway" is not the trip to Rome.
  const isOther = words.some(({ kind, stem }) => kind === 'name' && !stems.has(stem));
  return isOther || words.length === 0 ? 0 : shared.length / words.length;
}

/** "I will leave on June 15": a job only where the talk was of one. */
const UNNAMED = /\b(?:leave|leaving) (?:on|in|at the end)\b/;
const OF_JOB = /\b(?:notice|resign\p{L}*|job|contract|boss|employer|severance)\b/iu;

function isOfJob(fresh: Said, one: Said): boolean {
  const { conversations = [] } = one;
  const isNear =
    conversations.some((id) => fresh.conversations?.includes(id)) &&
    Date.parse(fresh.saidAt) - Date.parse(one.saidAt) <= MEANT_MINUTES_MAX * 60_000;
  return isNear && (one.attribute === 'employer' || OF_JOB.test(one.text));
}

function isEmployer(fresh: Said, one: Said): boolean {
  if (one.attribute !== 'employer' || one.subject !== fresh.subject) return false;
  const names = namesIn(fresh);
  const stems = new Set(contentWords(one.text).map(({ stem }) => stem));
  return names.every((stem) => stems.has(stem));
}

function isPartner(fresh: Said, one: Said): boolean {
  if (one.attribute !== 'partner' && !PARTNER.test(one.text)) return false;
  const names = namesIn(fresh);
  const stems = new Set(contentWords(one.text).map(({ stem }) => stem));
  return names.length === 0
    ? one.attribute === 'partner' && one.subject === fresh.subject
    : names.some((stem) => stems.has(stem));
}

function namesIn({ text, saidBy }: Said): string[] {
  const own = new Set(contentWords(saidBy).map(({ stem }) => stem));
  return contentWords(withoutCue(text))
    .filter(
      ({ kind, text: word, stem, key }) =>
        (kind === 'name' || kind === 'opening') &&
        /^\p{Lu}/u.test(word) &&
        !own.has(stem) &&
        !TIME.test(key),
    )
    .map(({ stem }) => stem);
}

/** "Not in Rome", "doch nicht nach Rom", "no a Roma": the name of the value that is taken back. */
const TAKEN_BACK =
  /(?<!\p{L})(?:not|nicht|no|instead of|rather than|statt|anstatt|en (?:vez|lugar) de)(?: (?:in|to|at|on|for|nach|zu|a|en|al|the|el|la|der|die|das))* (\p{Lu}[\p{L}\d-]+)/gu;

/**
 * The last statement of the speaker, in whatever conversation, with the name that a correction
 * takes back and a further word of it.
 */
export function deniedBy<Known extends Said>(fresh: Said, earlier: readonly Known[]): Known[] {
  const names = [...fresh.text.matchAll(TAKEN_BACK)].flatMap(([, name = '']) => contentWords(name));
  if (names.length === 0) return [];
  const denied = new Set(names.map(({ stem }) => stem));
  const others = ownWords(fresh.text, fresh.saidBy).filter(({ stem }) => !denied.has(stem));
  const last = earlier.findLast(({ text, saidBy }) => {
    const stems = new Set(contentWords(text).map(({ stem }) => stem));
    return (
      saidBy === fresh.saidBy &&
      [...denied].every((stem) => stems.has(stem)) &&
      others.some(({ stem }) => stems.has(stem))
    );
  });
  return last === undefined ? [] : [last];
}

/** The last statement that speaks of the same, or of the same kind of value in the last minutes. */
function correctedBy<Known extends Said>(fresh: Said, earlier: readonly Known[]): Known[] {
  const words = ownWords(fresh.text, fresh.saidBy);
  const own = earlier.filter(({ saidBy }) => saidBy === fresh.saidBy).toReversed();
  const recent = own.filter(({ conversations = [] }) =>
    conversations.some((id) => fresh.conversations?.includes(id)),
  );
  const plain = words.filter(({ kind }) => kind === 'plain');
  const shares = (one: Known) => {
    const stems = new Set(contentWords(one.text).map(({ stem }) => stem));
    return words.filter(({ stem }) => stems.has(stem)).length;
  };
  if (plain.length > 0) {
    const same = recent.find((one) => {
      const most = Math.min(words.length, ownWords(one.text, one.saidBy).length);
      return shares(one) >= 1 && shares(one) / Math.max(1, most) >= 0.5;
    });
    return same === undefined ? [] : [same];
  }
  const hasNumber = /\d/.test(fresh.text);
  const minutes = (one: Known) => (Date.parse(fresh.saidAt) - Date.parse(one.saidAt)) / 60_000;
  const isNear = (one: Known) => minutes(one) <= MEANT_MINUTES_MAX;
  const last =
    own.find((one) => isNear(one) && shares(one) >= 1) ??
    recent.find(
      (one) => isNear(one) && (hasNumber ? /\d/.test(one.text) : namesIn(one).length > 0),
    );
  return last === undefined ? [] : [last];
}
