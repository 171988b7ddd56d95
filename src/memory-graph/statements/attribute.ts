import { entryOf } from '../../common/entry-of.ts';
import { sentencesOf } from '../../text/sentences.ts';
import {
  ADVERBS,
  AUXILIARIES,
  CHANGED_TO,
  CHANGES,
  COMMON,
  COPULAS,
  DAYS,
  EXCHANGED,
  EXCHANGED_TO,
  FRESH,
  LEAVES,
  LINKS,
  MEASURES,
  MINE,
  NEGATIONS,
  NO_PERSON,
  NOUNS,
  OF,
  OTHER,
  OWNERS,
  PARTNERS,
  PLANS,
  PRONOUNS,
  SAYS_MORE,
  STATE_VERBS,
  type StateVerb,
  SUPPOSING,
  THE,
  TONGUES,
  type Tongue,
} from './attribute-words.ts';
import { ownWordsOf } from './own-words.ts';

/** What a sentence says of one subject: the predicate, with the place of its object left open. */
export interface SaidAttribute {
  /** A key such as `home`, of which one has one at a time. */
  readonly attribute: string;
  /** The name or thing that has it: `Ada`, `my brother`, `the interval`; null: the speaker. */
  readonly of: string | null;
  /** The object, as written; '' where none is said. */
  readonly value: string;
}

/** Whether a sentence says a plan, such as "I am moving to Faro". */
export function isPlan(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => PLANS.has(word));
}

/**
 * A thing that is named by "the" alone, such as `the interval`, is that of its conversation.
 * @param subject of a statement
 */
export function isOfConversation(subject: string): boolean {
  return subject.startsWith('the ');
}

interface Token {
  readonly text: string;
  readonly lower: string;
}

/**
 * Reads the attribute that a sentence gives, in English, German and Spanish. Null for a sentence
 * that says an event, a taste or one of many, that supposes, or that adds to what holds. Words of
 * others, fiction and maybes give none.
 * @param isEnd whether the sentence says an end, so that "no longer" is no negation
 */
export function attributeIn(text: string, isEnd = false): SaidAttribute | null {
  if (SAYS_MORE.test(text)) return null;
  for (const clause of sentencesOf(ownWordsOf(text)).slice(0, 1).flatMap(clausesOf)) {
    const tongues = tonguesOf(clause);
    for (const read of isEnd ? [byVerb, byCopula, byMeasure] : READERS) {
      for (const tongue of tongues) {
        const tokens = tokensOf(clause, tongue);
        const [first] = tokens;
        if (first === undefined || SUPPOSING.has(first.lower)) continue;
        const isNone = ({ lower }: Token) => NEGATIONS.has(lower) || LEAVES.has(lower);
        if (!isEnd && tokens.some(isNone)) continue;
        const own = isEnd ? tokens.filter(({ lower }) => !ENDING.test(lower)) : tokens;
        const found = read(own, tongue);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

const READERS = [byExchange, byVerb, byCopula, byMeasure, byFresh];

const SMALL_WORDS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: smallWords('en'),
  de: smallWords('de'),
  es: smallWords('es'),
};

function smallWords(tongue: Tongue): ReadonlySet<string> {
  const tables = [ADVERBS, AUXILIARIES, OWNERS, MINE, THE, OF, LINKS];
  const pronouns = tongue === 'en' ? ['me', 'us'] : [];
  return new Set([...tables.flatMap((table) => [...table[tongue]]), ...pronouns]);
}

/** The languages that a clause may be of, by its small words. */
function tonguesOf(clause: string): readonly Tongue[] {
  const words = clause.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const counts = TONGUES.map(
    (tongue) => words.filter((word) => SMALL_WORDS[tongue].has(word)).length,
  );
  const most = Math.max(...counts);
  // One word may be of several languages.
  return TONGUES.filter((_, index) => (counts[index] ?? 0) >= most - 1).toSorted(
    (one, other) => (counts[TONGUES.indexOf(other)] ?? 0) - (counts[TONGUES.indexOf(one)] ?? 0),
  );
}

const ENDING =
  /^(?:no|longer|not|don't|doesn't|any|more|anymore|nicht|mehr|keine?n?|länger|ya|isn't|aren't|'m|am)$/;
const CLAUSE =
  /[,;:()–—]\s| (?:and|but|und|aber|y|pero) (?=(?:i|we|my|our|the|now|ich|wir|meine?|der|die|das|jetzt|nun|yo|mi|el|la|ahora|viv[oi]\p{L}*|trabaj[oé]\p{L}*|estudi[oé]\p{L}*)\b)| (?:because|weil|denn|porque) | so (?=(?:I|we)\b)/iu;

export function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE).filter((part) => part.trim() !== '');
}

function tokensOf(clause: string, tongue: Tongue): Token[] {
  const spaced = clause
    .replaceAll('’', "'")
    .replace(/\b(I|[Ww]e)'(m|re|ve|ll)\b/g, "$1 '$2")
    .replace(/[.!?"“”„«»¡¿]+(?=\s|$)|["“”„«»¡¿]/g, ' ');
  const all = spaced
    .split(/\s+/)
    .filter((text) => /[\p{L}\d]/u.test(text))
    .map((text) => ({ text, lower: text.toLowerCase() }));
  // "Seit Mai", "Since May", "last month": a time at the start moves nothing.
  const from = timeLength(all, tongue);
  return all.slice(from);
}

const TIME_OPENING: Readonly<Record<Tongue, RegExp>> = {
  en: /^(?:(?:since|last|in|this|from|as of|starting|on) )?(?:the )?(?:beginning of )?(?:today|yesterday|now|recently|finally|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|week|month|year|spring|summer|autumn|fall|winter|\d{4}|update|fyi|actually|meanwhile|so|then|well|these days) /i,
  de: /^(?:(?:seit|im|am|ab|letzten?|letztes|diesen?|dieses|vor) )?(?:heute|gestern|jetzt|inzwischen|mittlerweile|kurzem|nun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|woche|monat|jahr|frühjahr|sommer|herbst|winter|übrigens|also) /i,
  es: /^(?:(?:desde|en|el|la|este|esta|a partir de) )?(?:hoy|ayer|ahora|actualmente|lunes|martes|miércoles|jueves|viernes|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|(?:semana|mes|año|verano|invierno|otoño)(?: pasad[oa])?|por cierto|ya) /i,
};

function timeLength(tokens: readonly Token[], tongue: Tongue): number {
  const text = tokens.map((token) => `${token.text} `).join('');
  const found = TIME_OPENING[tongue].exec(text)?.[0] ?? '';
  return found.split(' ').length - 1;
}

const isName = ({ text, lower }: Token) =>
  /^[\p{Lu}\d]/u.test(text) && /\p{L}/u.test(text) && !DAYS.has(lower) && lower !== 'i';
const isCode = ({ text }: Token) => /^[\p{L}\d]+[_./-][\p{L}\d_./-]+$/u.test(text);
const isNumber = ({ text }: Token) => /^[$€£]?\d/.test(text);
const joined = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(' ');

/** A verb of the table: "Ada lives in Lund", "invoice-mailer belongs to team Lynx". */
function byVerb(tokens: readonly Token[], tongue: Tongue): SaidAttribute | null {
  for (const [at, token] of tokens.entries()) {
    for (const entry of STATE_VERBS[tongue]) {
      if (!entry.forms.has(token.lower) || at > 9) continue;
      const said = readVerb(tokens, { at, entry, tongue });
      if (said !== null) return said;
    }
  }
  return null;
}

interface VerbAt {
  readonly at: number;
  readonly entry: StateVerb;
  readonly tongue: Tongue;
}

function readVerb(tokens: readonly Token[], { at, entry, tongue }: VerbAt): SaidAttribute | null {
  const { attribute, object, before, nouns } = entry;
  if (tokens[at]?.lower === 'lived' && !/^(?:have|has|'ve)$/.test(tokens[at - 1]?.lower ?? ''))
    return null;
  const within = tongue === 'de' ? tokens : tokens.slice(at + 1);
  if (nouns.size > 0 && !within.some(({ lower }) => hasNoun(nouns, lower))) return null;
  const isLast = tongue === 'de' && GERMAN_LAST.test(tokens[at]?.lower ?? '');
  const [lead, rest] = isLast ? partedAtAuxiliary(tokens, at) : parted(tokens, at, tongue);
  if (lead === null) return null;
  const subject = subjectOf(lead, tongue);
  if (attribute === 'diet') return subject && { attribute, of: subject.of, value: attribute };
  const value = objectOf(rest, { before, tongue, isName: object === 'name' });
  if (value === null) return null;
  if (object !== 'thing') {
    const isBare = subject === null && tongue === 'es' && isFirstPerson(tokens, at);
    if (subject === null && !isBare) return null;
    // A thing "moved to" and "runs on" a host; "I run on Tuesdays" says none.
    const isThing = subject?.of != null && lead.some(isCode);
    if (/^runn?/.test(tokens[at]?.lower ?? '') && attribute === 'place' && !isThing) return null;
    const key = attribute === 'home' && isThing ? 'place' : attribute;
    return { attribute: key, of: subject?.of ?? null, value: joined(value) };
  }
  return ofThing(attribute, { lead, value, tongue });
}

const GERMAN_LAST =
  /^(?:gezogen|umgezogen|gefunden|gemietet|angestellt|angefangen|gewechselt|gekündigt|eingestellt|übernommen|verheiratet|verlobt|vegan|vegetarier|vegetarierin|veganer|veganerin)$/;

/** Compounds too: `Lager-Team`, `Buchungsteam`. */
const hasNoun = (nouns: ReadonlySet<string>, lower: string): boolean =>
  nouns.has(lower) || [...nouns].some((noun) => noun.length > 3 && lower.endsWith(noun));

/** What stands before the verb, and after it. German turns: "Seit Mai wohne ich in Kiel". */
function parted(
  tokens: readonly Token[],
  at: number,
  tongue: Tongue,
): [readonly Token[], readonly Token[]] {
  const [before, after] = [tokens.slice(0, at), tokens.slice(at + 1)];
  const [next] = after;
  if (tongue !== 'de' || next === undefined) return [before, after];
  const isOwner = OWNERS.de.has(next.lower);
  const isTurned = before.length === 0 && (MINE.de.has(next.lower) || isCode(next));
  if (!isOwner && !isTurned) return [before, after];
  const size = isOwner || isCode(next) ? 1 : 2;
  return [after.slice(0, size), after.slice(size)];
}

/** "Rikard hat die Abteilung übernommen": the subject stands at the auxiliary. */
function partedAtAuxiliary(
  tokens: readonly Token[],
  at: number,
): [readonly Token[] | null, readonly Token[]] {
  const auxiliary = tokens.findIndex(({ lower }) => AUXILIARIES.de.has(lower));
  if (auxiliary < 0 || auxiliary > at) return [null, []];
  const [lead, rest] = parted(tokens.slice(0, at), auxiliary, 'de');
  return [lead, rest];
}

function isFirstPerson(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at).map(({ lower }) => lower);
  if (!before.every((word) => ADVERBS.es.has(word) || AUXILIARIES.es.has(word))) return false;
  const word = tokens[at]?.lower ?? '';
  const isOther = before.some((one) => /^(?:se|ha|han|está|es)$/.test(one));
  return !isOther && (/(?:o|é|mos)$/.test(word) || before.some((one) => /^(?:me|nos)$/.test(one)));
}

interface Subject {
  readonly of: string | null;
}

/** The subject at the end of the words before a verb; null where it is none that is known. */
function subjectOf(lead: readonly Token[], tongue: Tongue): Subject | null {
  const words = [...lead];
  while (words.length > 0) {
    const last = words.at(-1)?.lower ?? '';
    const isPassed = ADVERBS[tongue].has(last) || AUXILIARIES[tongue].has(last);
    if (!isPassed) break;
    words.pop();
  }
  const last = words.at(-1);
  if (last === undefined) return null;
  if (OWNERS[tongue].has(last.lower))
    return words.length === 1 || !LINKS[tongue].has(words.at(-2)?.lower ?? '')
      ? { of: null }
      : null;
  const phrase = nounPhrase(words, tongue);
  return phrase === null ? null : { of: phrase };
}

const PHRASE_WORDS_MAX = 5;

/** A known thing at the end of these words: a name, `my brother`, `the interval of billing-db`. */
function nounPhrase(words: readonly Token[], tongue: Tongue): string | null {
  for (let from = Math.max(0, words.length - PHRASE_WORDS_MAX); from < words.length; from++) {
    const [first, ...rest] = words.slice(from);
    if (first === undefined || LINKS[tongue].has(words[from - 1]?.lower ?? '')) continue;
    const isMine = MINE[tongue].has(first.lower);
    const isThe = THE[tongue].has(first.lower);
    if ((isMine || isThe) && rest.length > 0) {
      const inner = rest.filter(({ lower }) => !FRESH.has(lower));
      const hasLink = inner.some(
        ({ lower }) => LINKS[tongue].has(lower) && !OF[tongue].has(lower) && lower !== 'de',
      );
      if (hasLink || inner.length === 0) continue;
      // "My friend Tom" is Tom, "the service ledger-sync" is ledger-sync.
      const name = inner.slice(1).filter((word) => isName(word) || isCode(word));
      if (tongue !== 'de' && name.length > 0 && name.length === inner.length - 1)
        return joined(name);
      return holder(isMine ? 'my' : 'the', inner);
    }
    if (/'s$/.test(first.lower) && rest.length > 0 && isName(first))
      return joined([first, ...rest]);
  }
  const names = trailing(words, (word) => isName(word) || isCode(word));
  const before = words.at(-names.length - 1)?.lower ?? '';
  if (names.length === 0 || LINKS[tongue].has(before)) return null;
  if (names.some(({ lower }) => PRONOUNS[tongue].has(lower))) return null;
  // A small word before a name tells what it is: "team Lynx".
  const kind = words.at(-names.length - 1);
  const isKind = kind !== undefined && /^(?:team|squad|group|equipo)$/.test(kind.lower);
  return joined(isKind ? [kind, ...names] : names);
}

/** "The booking team" is one whatever the conversation; "the team" is that of its conversation. */
function holder(mark: 'my' | 'the', words: readonly Token[]): string {
  const isAlone = words.length === 1 && !words.some(isCode);
  return mark === 'my' || isAlone ? `${mark} ${joined(words)}` : joined(words);
}

function trailing(words: readonly Token[], is: (word: Token) => boolean): Token[] {
  const stop = words.findLastIndex((word) => !is(word));
  return words.slice(stop + 1);
}

interface ValueAt {
  readonly before: ReadonlySet<string>;
  readonly tongue: Tongue;
  readonly isName: boolean;
}

const VALUE_WORDS_MAX = 4;

/** "In a small flat in Lund". */
const BEFORE_NAME =
  /^(?:a|an|the|der|dem|den|die|el|la|un|una|small|old|new|flat|apartment|house|village|town|of|in|near|called|de|del|einer?|kleinen?)$/;

/** The object after a verb; null where it is none of the wanted kind. */
function objectOf(rest: readonly Token[], at: ValueAt): Token[] | null {
  const { before, tongue } = at;
  const from = before.size === 0 ? 0 : rest.findIndex(({ lower }) => before.has(lower)) + 1;
  if (before.size > 0 && (from === 0 || from > 7)) return null;
  let words = rest.slice(from);
  // "He laid off", "taken over": the word before may be two.
  while (words[0] !== undefined && (before.has(words[0].lower) || isPassed(words[0], tongue)))
    words = words.slice(1);
  const [first] = words;
  if (first === undefined) return before.size === 0 ? null : [];
  const cut = words.findIndex(
    ({ lower }, index) =>
      index > 0 && (LINKS[tongue].has(lower) || DAYS.has(lower)) && !isJoin(lower),
  );
  const own = (cut < 0 ? words : words.slice(0, cut))
    .filter((word) => !isPassed(word, tongue))
    .slice(0, VALUE_WORDS_MAX + 2);
  if (!at.isName) return own.length > 0 ? own : null;
  // "In a small flat in Lund": the first name of the following phrases.
  const near = words.slice(0, 7);
  const name = near.findIndex((word) => isName(word) || isCode(word));
  const hasArticleOnly = near
    .slice(0, Math.max(0, name))
    .every(({ lower }) => BEFORE_NAME.test(lower));
  if (name < 0 || !hasArticleOnly) return null;
  return near.slice(name, name + trailingLength(near, name));
}

const isJoin = (lower: string) => lower === 'de' || lower === 'of';
const isPassed = ({ lower }: Token, tongue: Tongue) => ADVERBS[tongue].has(lower);

function trailingLength(words: readonly Token[], from: number): number {
  const stop = words.findIndex((word, index) => index > from && !isName(word));
  return (stop < 0 ? words.length : stop) - from;
}

/** "Karin leads the booking team": the team has the attribute, and Karin is it. */
function ofThing(
  attribute: string,
  { lead, value, tongue }: { lead: readonly Token[]; value: readonly Token[]; tongue: Tongue },
): SaidAttribute | null {
  const who = subjectOf(lead, tongue);
  const thing = thingOf(value, tongue);
  // "Das Lager-Team leitet Karin" begins with the object.
  if (tongue === 'de' && who !== null && who.of !== null && THE.de.has(lead[0]?.lower ?? ''))
    return value.every(isName) ? { attribute, of: who.of, value: joined(value) } : null;
  if (attribute === 'employer') {
    const hired = value[0]?.lower === 'a' ? value.slice(1) : value;
    const isMe = /^(?:me|mich|us)$/.test(hired[0]?.lower ?? '');
    if (who === null || who.of === null) return null;
    if (isMe) return { attribute, of: null, value: who.of };
    return hired.length > 0 && hired.every(isName)
      ? { attribute, of: joined(hired), value: who.of }
      : null;
  }
  if (thing === null || who === null) return null;
  return { attribute, of: thing, value: who.of ?? 'I' };
}

function thingOf(words: readonly Token[], tongue: Tongue): string | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  if (THE[tongue].has(first.lower) || MINE[tongue].has(first.lower))
    return rest.length === 0 ? null : holder(MINE[tongue].has(first.lower) ? 'my' : 'the', rest);
  return isCode(first) || isName(first) ? joined(words) : null;
}

/** "My dentist is Dr. Lind", "the interval of billing-db is 20 minutes", "mi jefa se llama Ana". */
function byCopula(tokens: readonly Token[], tongue: Tongue): SaidAttribute | null {
  const at = tokens.findIndex(
    ({ lower }, index) =>
      index > 0 &&
      (COPULAS[tongue].has(lower) ||
        CHANGES[tongue].has(lower) ||
        lower === 'has' ||
        lower === 'was' ||
        lower === 'wurde'),
  );
  const head = at < 0 ? null : headOf(tokens.slice(0, at), tongue);
  if (head === null) return null;
  const value = complementOf(tokens.slice(at), tongue);
  if (value === null) return null;
  const [first] = value;
  const isFavourite = /^(?:favou?rite |lieblings|.* (?:favorit|preferid)[oa]$)/.test(head.noun);
  const key = keyOf(head.noun);
  if (PARTNERS.has(head.noun)) {
    const isPerson = first !== undefined && isName(first) && !NO_PERSON.test(first.text);
    return isPerson ? { attribute: 'partner', of: head.of, value: joined(value) } : null;
  }
  const lastNoun = head.noun.split(' ').at(-1) ?? '';
  const isMany = COMMON.has(lastNoun) || COMMON.has(head.noun.split(' ')[0] ?? '');
  if (isMany && !isFavourite) return null;
  const isValue =
    first !== undefined &&
    (isName(first) || isNumber(first) || isCode(first) || DAYS.has(first.lower));
  if (!isValue && !isFavourite) return null;
  if (first !== undefined && NO_PERSON.test(first.text) && !isFavourite) return null;
  const kind = kindOf(tokens.slice(at), value, isFavourite);
  return { attribute: `${key}${kind}`, of: head.of, value: joined(value) };
}

/** "The review is on Tuesday" and "is at 3" both hold, as do "my car is a Volvo" and "at Bo's". */
function kindOf(rest: readonly Token[], value: readonly Token[], isFavourite: boolean): string {
  const [first, second] = value;
  if (first === undefined || isFavourite) return '';
  if (DAYS.has(first.lower) || (isNumber(first) && DAYS.has(second?.lower ?? ''))) return ' day';
  if (isNumber(first)) return '';
  const before = rest[rest.indexOf(first) - 1]?.lower ?? '';
  return /^(?:in|at|on|am|im|bei|en)$/.test(before) ? ' place' : '';
}

const HAVING: Readonly<Record<Tongue, RegExp>> = {
  en: /^(?:have|'ve|got|found|hired)$/,
  de: /^(?:habe|haben|bekommen|gefunden)$/,
  es: /^(?:tengo|tenemos|encontré|encontramos)$/,
};
const NEW = /^(?:new|neue[nrs]?|nuev[oa])$/;
const BEFORE_NEW = /^(?:an?|eine?n?|una?|now|just|finally|jetzt|nun|ahora|ya|got)$/;

/** "I've got a new dentist", "new phone arrived": the old one is one no more. */
function byFresh(tokens: readonly Token[], tongue: Tongue): SaidAttribute | null {
  const at = tokens.findIndex(({ lower }) => NEW.test(lower));
  const noun = tokens[at + 1];
  if (at < 0 || noun === undefined) return null;
  if (COMMON.has(noun.lower) || LINKS[tongue].has(noun.lower)) return null;
  const value = joined(tokens.slice(at + 2));
  const said = { attribute: keyOf(noun.lower), of: null, value };
  if (at === 0) return /^arrived\b/.test(value) ? said : null;
  const verb = tokens.findIndex(({ lower }) => HAVING[tongue].test(lower));
  if (verb < 0 || !tokens.slice(verb + 1, at).every(({ lower }) => BEFORE_NEW.test(lower)))
    return null;
  const lead = tokens.slice(0, verb).filter((word) => !isPassed(word, tongue));
  const isOwn =
    tongue === 'es'
      ? lead.length === 0
      : lead.length === 1 && OWNERS[tongue].has(lead[0]?.lower ?? '');
  return isOwn ? said : null;
}

/** "I changed my dentist to Greta Moe" is read as "my dentist is Greta Moe". */
function byExchange(tokens: readonly Token[], tongue: Tongue): SaidAttribute | null {
  const isVerb = ({ lower }: Token) => EXCHANGED[tongue].has(lower) || CHANGES[tongue].has(lower);
  const isTo = ({ lower }: Token) =>
    EXCHANGED_TO[tongue].has(lower) || CHANGED_TO[tongue].has(lower);
  const verb = tokens.findIndex(isVerb);
  const mine = tokens.findIndex(({ lower }) => MINE[tongue].has(lower) || THE[tongue].has(lower));
  const to = tokens.findIndex((token, at) => at > mine && isTo(token));
  const isOwn =
    tongue === 'es' || tokens.slice(0, mine).some((one) => OWNERS[tongue].has(one.lower));
  if (verb < 0 || mine < 0 || to < 0 || !isOwn) return null;
  const lead = tokens.slice(mine, to);
  const from = lead.findIndex(({ lower }) => lower === 'from' || OF[tongue].has(lower));
  const noun = from < 0 ? lead : lead.slice(0, from);
  const value = tokens.slice(to + 1).filter((token) => !isVerb(token));
  const [is = ''] = COPULAS[tongue];
  return byCopula([...noun, { text: is, lower: is }, ...value], tongue);
}

/** The noun that has a value, and whose it is. */
function headOf(
  lead: readonly Token[],
  tongue: Tongue,
): { readonly noun: string; readonly of: string | null } | null {
  const words = lead.filter(
    ({ lower }) => !ADVERBS[tongue].has(lower) && !(tongue === 'es' && lower === 'se'),
  );
  const [first, ...rest] = words;
  if (first === undefined || rest.length > 6) return null;
  if (words.some(({ lower }) => OTHER.has(lower))) return null;
  const inner = rest.filter(({ lower }) => !FRESH.has(lower));
  const of = inner.findIndex(({ lower }, index) => index > 0 && OF[tongue].has(lower));
  const isMine = MINE[tongue].has(first.lower);
  const isThe = THE[tongue].has(first.lower);
  const nounWords = of < 0 ? inner : inner.slice(0, of);
  const noun = joined(nounWords).toLowerCase();
  if (!isMine && !isThe && !/'s$/.test(first.lower)) return bareHeadOf(words, tongue);
  if (nounWords.length === 0 || nounWords.length > 3) return null;
  if (nounWords.some(({ lower }) => LINKS[tongue].has(lower))) return null;
  if (/'s$/.test(first.lower) && (isName(first) || isCode(first)))
    return { noun, of: first.text.replace(/'s$/, '') };
  if (!isMine && !isThe) return null;
  if (of >= 0) {
    const whose = inner.slice(of + 1);
    const thing = thingOf(whose, tongue) ?? joined(whose);
    return thing === '' ? null : { noun, of: thing };
  }
  if (isMine) return { noun, of: null };
  return COMMON.has(noun) ? null : { noun: 'is', of: holder('the', inner) };
}

/** Nouns of which one has one, in English too: `doctor`, `gp`, `boss`. */
const ROLES: ReadonlySet<string> = new Set([...Object.keys(NOUNS), ...Object.values(NOUNS)]);

const NO_NOUN =
  /^(?:i|we|you|he|she|it|they|this|that|these|those|there|here|what|who|which|all|some|any|no|a|an|his|her|their|its|your|\p{L}+(?:thing|body|one|ing|ly))$/u;

/** In notes the article is left out: "Doctor is Lind", "batch size is 500", "new boss is Ana". */
function bareHeadOf(
  words: readonly Token[],
  tongue: Tongue,
): { readonly noun: string; readonly of: string | null } | null {
  const inner = words.filter(({ lower }) => !FRESH.has(lower));
  const [first, ...rest] = inner;
  if (tongue !== 'en' || first === undefined || rest.length > 2) return null;
  const tables = [LINKS.en, AUXILIARIES.en, NEGATIONS, COMMON];
  const isNoNoun = (word: Token) =>
    NO_NOUN.test(word.lower) || isCode(word) || tables.some((table) => table.has(word.lower));
  if (inner.some(isNoNoun) || rest.some(isName)) return null;
  const noun = joined(inner).toLowerCase();
  const isRole = ROLES.has(noun) || PARTNERS.has(noun);
  if (isRole || inner.length < words.length) return { noun, of: null };
  // "Tom is 5": a capital may begin a name.
  if (rest.length === 0 && isName(first)) return null;
  return { noun: 'is', of: holder('the', inner).toLowerCase() };
}

/** `favourite colour` for "Lieblingsfarbe", `dentist` for "Zahnärztin". */
function keyOf(noun: string): string {
  const german = /^lieblings(\p{L}+)$/u.exec(noun)?.[1];
  const spanish = /^(\p{L}+) (?:favorit|preferid)[oa]$/u.exec(noun)?.[1];
  const favourite = german ?? spanish;
  const one = (word: string) => entryOf(NOUNS, word) ?? word;
  return favourite === undefined
    ? noun.split(' ').map(one).join(' ')
    : `favourite ${one(favourite)}`;
}

const NAMING =
  /^(?:called|named|due|set|at|on|in|down|up|scheduled|planned|booked|of|to|for|am|um|im|bei|auf|für|geplant|de|del|el|la|en|los|a|para|previst[oa]|now|dr|mr|mrs|ms|frau|herr|doctora?|señora?|don|doña|profesora?|the|das|der|die)$/;

/** The words of the value, from the copula on; null where none is said. */
function complementOf(rest: readonly Token[], tongue: Tongue): Token[] | null {
  let [verb, ...words] = rest;
  const change = rest.findIndex(({ lower }) => CHANGES[tongue].has(lower));
  if (change >= 0 && change <= 3) {
    if (tongue === 'de' && change > 0) words = rest.slice(1, change);
    else words = rest.slice(change + 1);
    const to = words.findIndex(({ lower }) => CHANGED_TO[tongue].has(lower));
    if (to < 0) return null;
    words = words.slice(to + 1);
  } else if (tongue === 'de' && rest.some(({ lower }) => CHANGES.de.has(lower))) {
    const to = words.findIndex(({ lower }) => CHANGED_TO.de.has(lower));
    if (to < 0) return null;
    words = words.slice(to + 1);
  } else if (!COPULAS[tongue].has(verb?.lower ?? '')) return null;
  // "A Dr. Okafor" is a name.
  if (/^an?$/.test(words[0]?.lower ?? '') && /^(?:dr|mrs?|ms)$/.test(words[1]?.lower ?? ''))
    words = words.slice(1);
  while (words[0] !== undefined && (NAMING.test(words[0].lower) || isPassed(words[0], tongue)))
    words = words.slice(1);
  const own = words.slice(0, VALUE_WORDS_MAX);
  return own.length === 0 ? null : own;
}

const SINCE = /^(?:since|until|till|seit|bis|ab|desde|hasta|as)$/;

/** "I weigh 78 kg", "der Abgleich dauert 25 Minuten": one amount of one unit. */
function byMeasure(tokens: readonly Token[], tongue: Tongue): SaidAttribute | null {
  const at = tokens.findIndex(({ lower }) => MEASURES[tongue].has(lower));
  const after = tokens.slice(at + 1).filter((word) => !isPassed(word, tongue));
  const number = after.findIndex(isNumber);
  if (at < 0 || number < 0 || number > 2) return null;
  const [lead] = parted(tokens, at, tongue);
  const subject = subjectOf(lead, tongue);
  const isBare = subject === null && tongue === 'es' && isFirstPerson(tokens, at);
  if (subject === null && !isBare) return null;
  const unit = after[number + 1]?.lower ?? '';
  const verb = (tokens[at]?.lower ?? '').replace(/s$/, '');
  // "I pay 30 euros for the phone" is not what the gym costs.
  const [link, ...rest] = after.slice(number + 2);
  const isOther = link !== undefined && LINKS[tongue].has(link.lower) && !SINCE.test(link.lower);
  const purpose = isOther ? joined([link, ...rest]).toLowerCase() : '';
  return {
    attribute: `${verb} ${unit} ${purpose}`.trim().slice(0, 60),
    of: subject?.of ?? null,
    value: joined(after.slice(number, number + 2)),
  };
}
