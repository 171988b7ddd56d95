import { isVerbal } from './clauses.ts';
import { datesIn } from './dates.ts';
import { datesAbroad } from './dates-abroad.ts';
import { entryOf } from './entry-of.ts';
import type { Sentence } from './language.ts';
import type { Names } from './names.ts';
import { isFiller } from './salience.ts';
import { ROLE_LABEL } from './talk.ts';
import { isFunctionWord } from './tongues.ts';

/** What a person said of themselves or of something, in their own words. */
export interface Statement {
  readonly text: string;
  /** The text, or its first words and "…" where they stand for the whole of a long sentence. */
  readonly shown: string;
  readonly sentence: number;
  readonly speaker: string | null;
  /** RFC 3339; null where no time is said. */
  readonly validAt: string | null;
  readonly invalidAt: string | null;
}

const TEXT_CHARS_MAX = 500;

/**
 * The sentences of people that tell something, each as it was said. "He is called Timo" says
 * nothing alone, so it is kept with the sentence before it. An agent's sentences are left out.
 */
export function statementsIn(
  sentences: readonly Sentence[],
  names: Names,
  saidAt: string | null,
): Statement[] {
  const statements: Statement[] = [];
  for (const sentence of sentences) {
    const { index, speaker, text } = sentence;
    if (speaker !== null && ROLE_LABEL.test(speaker)) continue;
    const isConcrete = (names.spans[index] ?? []).length > 0 || CONCRETE.test(text);
    const last = statements.at(-1);
    const before = last?.sentence === index - 1 && last.speaker === speaker ? last : null;
    const leans = isLeaning(sentence) || (before !== null && isFragment(sentence, isConcrete));
    if (!leans && !isTold(sentence, isConcrete)) continue;
    if (leans && !isTold(sentence, isConcrete || before !== null, true)) continue;
    const joined = `${before?.text} ${text}`;
    if (leans && before !== null && joined.length <= TEXT_CHARS_MAX)
      statements[statements.length - 1] = { ...before, ...shownWhole(joined), sentence: index };
    // "She doubled the dose to ten milligrams": who she is stands in the turn before.
    else if ((!leans || isConcrete) && text.length <= TEXT_CHARS_MAX) {
      const next = sentences[index + 1];
      const isFollowed = next !== undefined && next.speaker === speaker && isLeaning(next);
      const parts = partsOf(sentence);
      // Whom "he" means has to stand in the part before it.
      const isLost = isFollowed && !NAMES_ONE.test(parts.at(-1) ?? '');
      for (const part of isLost ? [text] : parts) statements.push(stated(part, sentence, saidAt));
    }
  }
  return statements;
}

/** A name, or somebody of one's own. */
const NAMES_ONE = /\s\p{Lu}\p{Ll}|\b(?:my|our|mein\p{Ll}*|unser\p{Ll}*|mi|nuestr[oa]) \p{L}/u;

const shownWhole = (text: string) => ({ text, shown: text });

const SECOND_PART =
  /,? (?:and|but|und|aber|y|pero) (?=(?:I|we|my|our|ich|wir|meine?|yo|mi|vivo|trabajo)\b)/gu;

/** "Batch size is 500, Tom owns the service": a comma before a subject and its verb. */
const ENGLISH_PART =
  /(?:,? (?:and|but)|,(?: so)?) (?=(?:I|we|my|our)\b(?! (?:mean|meant|guess|think|suppose|hope|know)\b)|(?:[\p{L}\d_'’-]+ ){1,3}(?:is|are) |\p{Lu}\p{L}+ (?:owns|leads|runs|has|works|lives|manages) )/gu;
const SPANISH_NOUN = '(?:mi|mis|nuestr[oa]s?|el|la|los|las) (?:[\\p{L}-]+ ){1,3}';
const SPANISH_OWN =
  'soy|estoy|tengo|voy|vivo|trabajo|estudio|bebo|juego|toco|hago|llevo|tomo|uso|pago|he|hemos|' +
  'somos|estamos|tenemos|vamos|(?!café|paté|puré|bebé|comité|qué)\\p{Ll}{2,}é|\\p{Ll}{2,}[aei]mos';
const SPANISH_IS =
  'es|son|está|están|se llaman?|viven?|trabajan?|cuestan?|duran?|empiezan?|llevan?|tienen?';
/** "Vivo en Vigo y trabajo en Zara, mi jefe es Ramón". */
const SPANISH_PART = new RegExp(
  '(?:,? (?:y|e|pero)|,) (?=(?:(?:ahora|ya|luego|entonces|también) )?(?:' +
    `(?:(?:me|nos|no|ya no|lo|la) )*(?:${SPANISH_OWN})|${SPANISH_NOUN}(?:${SPANISH_IS})|` +
    `\\p{Lu}\\p{L}+ (?:${SPANISH_IS}|dirige|mantiene))(?!\\p{L}))`,
  'gu',
);
const SPANISH_VERB = new RegExp(
  `(?<!\\p{L})(?:${SPANISH_OWN}|${SPANISH_IS}|ha|han|hay|dirige|mantiene|\\p{L}{3,}(?:ó|aron|ieron))(?!\\p{L})`,
  'iu',
);
const SPANISH_BOUND =
  /^(?:y |pero )?(?:cuando|mientras|porque|como|aunque|si|desde que|hasta que|antes|después|perdón|en realidad)(?!\p{L})|(?<!\p{L})(?:dijo|dice|dijeron|cree|piensa|si|porque|cuando|mientras|aunque|quien|cuy[oa])(?!\p{L})|["“”«»]/iu;

/**
 * Clauses of further languages: joints, the subjects and finite verbs by which a main clause begins
 * (one subject, then its verb), and words by which one clause is bound to another.
 */
interface Clauses {
  readonly part: RegExp;
  readonly verb: RegExp;
  readonly bound: RegExp;
}
function clauses(of: {
  readonly and: string;
  readonly subjects: string;
  readonly nouns: string;
  /** Of these, words that begin a relative clause, too. */
  readonly relative?: string;
  readonly verbs: string;
  readonly fresh: string;
  readonly bound: string;
}): Clauses {
  const verbs = `(?:${of.verbs})(?!\\p{L})`;
  const noun = `(?:${of.nouns}) (?:[\\p{L}-]+ ){1,3}|(?:\\p{Lu}[\\p{L}-]+ ){1,2}`;
  const subject = `(?:(?:${of.subjects}) \\p{Ll}|(?:${noun})${verbs})`;
  const head = `(?:${subject}|(?:${of.fresh}) \\p{L})`;
  // "Einen Bruder, der in Kiel wohnt": the verb ends the clause, which tells of a word before it.
  const clauseEnd = '(?:\\s*[.,;:!?–-]|\\s*$| und | oder )';
  const relative = `(?:${of.relative ?? '(?!)'}) (?:[\\p{L}-]+ ){1,3}${verbs}${clauseEnd}`;
  return {
    part: new RegExp(`(?:,? (?:${of.and})|,(?! ${relative})|;| [–-]) (?=${head})`, 'gu'),
    verb: new RegExp(
      `(?<!\\p{L})(?:${of.verbs}|(?:${of.subjects}) \\p{Ll}+|${of.fresh})(?!\\p{L})`,
      'iu',
    ),
    bound: new RegExp(`(?<!\\p{L})(?:${of.bound})(?!\\p{L})|["“”„«»]`, 'iu'),
  };
}
const CLAUSES: Readonly<Record<string, Clauses>> = {
  de: clauses({
    and: 'und|aber',
    subjects: 'ich|wir|er|sie|es',
    nouns: 'meine?|unsere?|der|die|das',
    relative: 'der|die|das',
    verbs:
      'ist|sind|bin|hat|haben|habe|hab|heißt|heißen|wird|war|waren|wohnt|arbeitet|studiert|macht|spielt|kommt|geht|läuft|kostet|gehört|darf|kann|muss|will|zieht|fährt',
    fresh: 'neue[rs]?',
    bound:
      'dass|weil|wenn|ob|falls|obwohl|während|bevor|nachdem|damit|sondern|sagte?|meinte?|meint|glaube?|denke?|eigentlich|quatsch|sorry',
  }),
  nl: clauses({
    and: 'en|maar',
    subjects: 'ik|wij|we|hij|zij|ze|het',
    nouns: 'mijn|onze|ons|de|het',
    verbs:
      'is|zijn|ben|heb|heeft|hebben|heet|heten|wordt|was|waren|woont|werkt|studeert|doet|speelt|komt|gaat|kost|mag|kan|moet|wil|loopt',
    fresh: 'nieuwe?',
    bound: 'dat|omdat|als|of|hoewel|terwijl|voordat|nadat|zodat|zei|zegt|denk|eigenlijk|sorry',
  }),
  fr: clauses({
    and: 'et|mais',
    subjects: 'je|nous|on|il|elle|ils|elles',
    nouns: 'mon|ma|mes|notre|nos|le|la|les',
    verbs:
      'est|sont|suis|ai|a|ont|avons|habite|travaille|étudie|fait|joue|vient|va|coûte|veut|peut|doit|s.appelle',
    fresh: 'nouve(?:au|lle)',
    bound: 'que|qui|parce que|quand|si|comme|pendant que|dit|disait|pense|crois|en fait|pardon',
  }),
  it: clauses({
    and: 'e|ma',
    subjects: 'io|noi|lui|lei',
    nouns: 'mio|mia|i miei|nostr[oa]|il|la|lo|i|le',
    verbs:
      'è|sono|ho|ha|hanno|abbiamo|vivo|vive|lavoro|lavora|studio|studia|fa|gioca|viene|va|costa|' +
      'vuole|può|deve|si chiama',
    fresh: 'nuov[oa]',
    bound: 'che|perché|quando|se|mentre|come|dice|detto|penso|credo|anzi|scusa',
  }),
};

/** One clause says the time, the condition or the words of the other, or puts it right. */
const BOUND =
  /^(?:and |but |so )?(?:when|while|since|because|as|after|before|although|though|until|once|unless|if|actually|sorry)\b|\b(?:said|says|told \p{L}+|thinks?|thought|hopes?|guess|know|means?|meant|asked|wrote|replied|who|which|whose|if|unless)\b|["“”«»]/iu;

/**
 * "I live in Rome and I work at Fiat" is two statements, so that the end of one is not the end of
 * the other. "My wife and I" stays whole: a part has a verb.
 */
function partsOf(sentence: Sentence): string[] {
  const joints = [...sentence.text.matchAll(jointsOf(sentence))];
  const least = sentence.tongue === 'en' ? WORDS_MIN : 2;
  const isWhole = (part: string) => part.split(/[ '’]/).length >= least && hasVerb(part, sentence);
  const parts: string[] = [];
  let from = 0;
  for (const [at, { 0: joint, index }] of joints.entries()) {
    const next = index + joint.length;
    const [before, after] = [
      sentence.text.slice(from, index),
      sentence.text.slice(next, joints[at + 1]?.index),
    ];
    if (!isWhole(before) || !isWhole(after)) continue;
    // "The house my late wife and I bought": the joint is within a subject.
    const phrase = before.slice(before.search(/[^,;–—]*$/u));
    if (/^ /.test(joint) && phrase !== before && !hasVerb(phrase, sentence)) continue;
    parts.push(before);
    from = next;
  }
  return [...parts, sentence.text.slice(from)];
}

function jointsOf({ tongue, text }: Sentence): RegExp {
  if (tongue === 'en') return BOUND.test(text) ? SECOND_PART : ENGLISH_PART;
  if (tongue === 'es') return SPANISH_BOUND.test(text) ? SECOND_PART : SPANISH_PART;
  const own = entryOf(CLAUSES, tongue);
  return own === undefined || own.bound.test(text) ? SECOND_PART : own.part;
}

const SPEAKING = /(?:^|[^\p{L}])(?:ich|wir|yo)(?!\p{L})|^\p{L}+(?:o|mos) /iu;

const I_AM = /\b(?:i|we)['’](?:m|re|ve|ll)\b/i;
const OF_OTHERS = /^\p{Lu}\p{L}+ \p{Ll}+s |^(?:[\p{L}\d_'’-]+ ){1,3}(?:is|are|runs) /u;

/** Verbs of other languages are not known: there the part has to name its speaker. */
function hasVerb(part: string, { tongue, tokens }: Sentence): boolean {
  if (tongue === 'es' && SPANISH_VERB.test(part)) return true;
  if (entryOf(CLAUSES, tongue)?.verb.test(part) === true) return true;
  if (tongue !== 'en') return SPEAKING.test(part);
  const isOwn = entryOf(FIRST_PERSON, tongue)?.test(part) === true;
  if (!isOwn && !OF_OTHERS.test(part)) return false;
  if (I_AM.test(part)) return true;
  const words = new Set(part.split(/[\s,.!]+/));
  return tokens.some(
    ({ text, pos, lower }) =>
      words.has(text) && (pos === 'VERB' || pos === 'AUX' || isVerbal(lower)),
  );
}

function stated(
  text: string,
  { index, speaker, tongue, text: whole }: Sentence,
  saidAt: string | null,
): Statement {
  return {
    ...{ text, shown: text === whole ? shortened(text) : text, sentence: index, speaker },
    ...timesOf(text, tongue, saidAt),
  };
}

const SHOWN_WORDS = 3;

function shortened(text: string): string {
  const words = text.split(' ');
  return words.length > SHOWN_WORDS + 2 ? `${words.slice(0, SHOWN_WORDS).join(' ')} …` : text;
}

/** First words of sentences that ask, wish, suppose, or only react. */
const NO_STATEMENT: Readonly<Record<string, RegExp>> = {
  en: /^(?:if|maybe|perhaps|imagine|suppose|please|can|could|would|will|should|do|does|did|what|how|why|who|which|when|where|i (?:wish|wonder|hope|guess|bet|see|mean)|you|your|that|that['’]s|this|these|those|it|it['’]s|there|here|remind|tell|show|give|write|make|find|explain|summari[sz]e|remember|forget|help|try|look|wow|so (?:happy|glad|sorry|excited) for)\b/i,
  de: /^(?:guten|gute|danke|vielen|bitte|wie|was|wer|wo|wann|warum|kannst|könntest|würdest|hast du|bist du|das (?:freut|klingt|ist|wäre)|bis (?:bald|dann|morgen|später)|alles klar|schön|super|toll|kein problem|gern|ja|nein|vielleicht|falls|wenn|hallo|herzlichen|viel (?:spaß|glück|erfolg)|du|dein|es)\b/i,
  es: /^[¡¿]?(?:hola|buen(?:[oa]s)?|gracias|muchas gracias|de nada|hasta|qué|quién|cómo|cuándo|dónde|por qué|me alegro|encantad[oa]|vale|claro|perfecto|no te preocupes|felicidades|cuídate|si(?! bien)|quizás?|tal vez|ojalá|puedes|podrías|sí|no,|eso|esto|tú|tu)(?!\p{L})/iu,
};
const ASKING = /[?？]\s*["'”’)]*$|^[¿]/u;
/** Pronouns whose meaning stands in the sentence before. */
const LEANING: Readonly<Record<string, RegExp>> = {
  en: /^(?:and |but |so )?(?:he|she|they|his|her|their|he['’]s|she['’]s|they['’]re)\b/i,
  de: /^(?:und |aber )?(?:er|sie|ihr|sein)\b/i,
  es: /^(?:y |pero )?(?:él|ella|ellos|ellas)\b/i,
};
const FIRST_PERSON: Readonly<Record<string, RegExp>> = {
  en: /\b(?:i|i['’]?(?:m|ve)|i['’](?:ll|d)|we|we['’](?:re|ve|ll)|my|our|me|us|mine|ours)\b/i,
  de: /\b(?:ich|wir|mich|mir|uns|mein\p{L}*|unser\p{L}*)\b/iu,
  es: /\b(?:yo|me|mi|mis|nos|nosotr[oa]s|nuestr[oa]s?)\b/i,
};
/** "Rehearsals are at the school now": what has changed is news, whosever it is. */
const SAYS_CHANGE =
  /\b(?:now|no longer|any ?more|turns? out|called off|cancell?ed|postponed|moved (?:to|from)|switched|replaced|renamed|instead of)\b/i;
/** A name of a thing, such as payment-sync or max_connections. */
const CODE = /(?<![\p{L}\d])\p{L}[\p{L}\d]*(?:[_-][\p{L}\d]+)+/u;
const CONTRACTED = /\p{L}(?:n['’]t|['’](?:m|re|ve|ll|d|s))\b/u;
const WORDS_MIN = 3;

/** "Hi, I'm Ada", "Hola, me llamo Ada": the greeting is not all of it. */
const OPENING =
  /^[¡¿]?(?:(?:oh|well|yes|no|hey|hi|so|and|but|ok|okay|yeah|hello)[,!]? |(?:hallo|ja|nein|also|guten (?:abend|morgen|tag)|hola|sí|bueno|vale|buenas|buen(?:os|as) (?:días|tardes|noches))(?: a todos| zusammen)?[,!] )+/i;

/** A number, a day or a month. */
const CONCRETE =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/i;

/** "£4.80 now", "Jazz above all": a value without a verb, of the sentence before. */
function isFragment({ text, tongue, tokens }: Sentence, isConcrete: boolean): boolean {
  if (tongue !== 'en' || !isConcrete || ASKING.test(text)) return false;
  const hasVerb = tokens.some(
    ({ pos, lower }) => pos === 'VERB' || pos === 'AUX' || isVerbal(lower),
  );
  return !hasVerb && !CONTRACTED.test(text) && text.split(' ').length <= FRAGMENT_WORDS_MAX;
}
const FRAGMENT_WORDS_MAX = 6;

/**
 * Whether a sentence tells something of a person or a thing that is worth keeping.
 * @param leans whether it stands with the sentence before, which has its subject
 */
function isTold(sentence: Sentence, isConcrete: boolean, leans = false): boolean {
  const { text, tongue, tokens, isProse } = sentence;
  if (!isProse || isFiller(sentence) || ASKING.test(text)) return false;
  const said = text.replace(OPENING, '');
  if (entryOf(NO_STATEMENT, tongue)?.test(said) === true) return false;
  const words = tokens.filter(({ text: word }) => /[\p{L}\d]/u.test(word));
  const content = words.filter(({ lower, content: own }) => own && !isFunctionWord(tongue, lower));
  if ((words.length < WORDS_MIN && !leans) || content.length === 0) return false;
  // The parts of speech of other languages are not read.
  if (tongue !== 'en') return true;
  const hasVerb =
    CONTRACTED.test(text) ||
    words.some(({ pos, lower }) => pos === 'VERB' || pos === 'AUX' || isVerbal(lower));
  if (isKind(said, isConcrete)) return false;
  const isOwn = entryOf(FIRST_PERSON, tongue)?.test(text) === true || isOfSpeaker(said, sentence);
  // "Poll interval of payment-sync back to 2 minutes": a note of a named thing and its number.
  const isNote = isConcrete && words.length > WORDS_MIN && /\d/.test(text) && CODE.test(text);
  return leans || isNote || (hasVerb && (isConcrete || isOwn || SAYS_CHANGE.test(text)));
}

const PAST =
  /^(?:got|bought|sold|left|quit|met|built|chose|went|wrote|became|came|made|took|flew|drove|ran|found|began|gave|lost|won|broke|cut|\p{L}{3,}ed)$/u;
/** Moods, and words that look like a past. */
const NO_PAST =
  /^(?:indeed|agreed|noted|sounded|looked|seemed|thanked|succeed|proceed|exceed|excited|tired|amazed|impressed|relieved|worried|stressed|interested|bored|shocked|surprised|pleased|scared|confused|loved|liked|enjoyed|talked|exhausted|annoyed|overwhelmed|delighted|disappointed)$/;

/** In chat the "I" is left out: "switched to tea", "stopped doing Sundays". */
function isOfSpeaker(said: string, { tokens }: Sentence): boolean {
  const [first = '', next = ''] = said.toLowerCase().split(/[^\p{L}'’-]+/u);
  const isAdjective = tokens.some(({ lower, pos }) => lower === first && pos === 'ADJ');
  if (isAdjective || NO_PAST.test(first)) return false;
  if (/^new \p{Ll}+ arrived\b/iu.test(said)) return true;
  return PAST.test(first) && !/^(?:by|is|was|are|it|that)$/.test(next);
}

/** Words of kindness and mood: they tell nothing to keep, unless they name something. */
const MOOD =
  /^(?:i['’]?(?:m| am) (?:so |really |very |just |always )*(?:proud|glad|happy|sorry|excited|sure|here|grateful|thrilled|looking forward)|(?:so |really )?(?:sorry|glad|happy|excited|proud)|(?:i )?(?:can['’]?t|cannot) wait|i['’]?ll (?:do my best|keep|let|definitely|try)|i (?:really )?(?:appreciate|agree|know|understand|believe|feel|felt|miss|needed)|sounds|looks|let me|lemme|just|keep|take care|wishing|sending|don['’]?t (?:feel|worry))\b/i;
const TO_YOU = /\b(?:you|your|yours|yourself|ya|u)\b|['’]ya\b/i;
/** "I eat fish now, before you ask." */
const ASIDE =
  /,? (?:before you ask|if you (?:care|ask me|must know|wonder)|as you know|you know|would you believe(?: it)?|mind you|you see)\b/gi;
const OF_ME = /\b(?:my|our)\b/i;

function isKind(text: string, isConcrete: boolean): boolean {
  const main = text.replaceAll(ASIDE, '');
  if (TO_YOU.test(main) && !OF_ME.test(text)) return true;
  return MOOD.test(text) && !isConcrete && !OF_ME.test(text);
}

function isLeaning({ text, tongue }: Sentence): boolean {
  return entryOf(LEANING, tongue)?.test(text) === true;
}

const TENSES: Readonly<Record<string, { readonly ahead: RegExp; readonly past: RegExp }>> = {
  en: {
    ahead:
      /\b(?:will|going to|starts?|starting|begins?|next|tomorrow|from)\b|['’]ll\b|\b(?:I|we)(?:['’](?:m|re)| am| are) \p{L}+ing\b|\b(?:my|our) (?:last|final) (?:\p{L}+ )?day\b(?!.* was\b)/iu,
    past: /\b(?:ago|last (?!(?:\p{L}+ )?day\b)|yesterday|(?:19|20)\d\d|was|were|had|\p{L}{2,}ed)\b/u,
  },
  // The present tense with a day speaks of a day to come.
  de: {
    ahead:
      /^(?!.*\b(?:bin|habe|haben|hat|ist|sind)\b.*\b\p{L}*ge\p{L}+(?:t|en)\b)(?!.*\b(?:war|waren|wurde|hatte|gestern)\b)/iu,
    past: /\b(?:bin|habe|haben|hat|ist|sind)\b.*\b\p{L}*ge\p{L}+(?:t|en)\b|\b(?:war|waren|wurde)\b/iu,
  },
  es: {
    ahead:
      /(?:ar|er|ir)(?:é|ás|á|emos|án)(?!\p{L})|^(?!.*\p{L}(?:é|ó|í|aron|ieron)(?!\p{L}))(?!.*(?<!\p{L})(?:he|ha|hemos|han|era|fue) )/iu,
    past: /\p{L}(?<!(?:ar|er|ir))(?:é|ó|í|aron|ieron)(?!\p{L})|(?<!\p{L})(?:he|ha|hemos|han) \p{L}+d[oa]/iu,
  },
};

/**
 * "I start at Axis on 3 June" holds from then, and "I leave on 3 June" ends then; "the concert
 * starts on 3 June" holds already.
 */
const TURNING: Readonly<Record<string, RegExp>> = {
  en: /\b(?:I|we)(?:['’]ll| will|['’]m| am|['’]re| are)?(?: going to)? (?:start|begin|mov|join|tak|switch|chang|leav|quit|resign|retir|stop)|\b(?:my|our) (?:last|final) (?:\p{L}+ )?day\b/iu,
  de: /(?<!\p{L})(?:(?:ziehe|kündige|verlasse|fange|höre|beginne|starte|wechsel|wechsle|werde)n?|letzter (?:arbeits)?tag)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:muda|mudo|mude|dej[aoe]|renunci|empe[zc]|empiez|comenz|comienz|cambi|incorpor|último día|me voy)/iu,
};
const NONE = /(?!)/;

/** The day of an event to come is no day from which its sentence is true; a new home's is. */
function timesOf(text: string, tongue: string, saidAt: string | null) {
  const tense = entryOf(TENSES, tongue) ?? { ahead: NONE, past: NONE };
  const read = (direction: 'future' | 'past') =>
    tongue === 'en'
      ? datesIn(text.toLowerCase(), saidAt, direction)
      : datesAbroad(text, tongue, saidAt, direction);
  const isPast = tense.past.test(text);
  const dates = read(tense.ahead.test(text) ? 'future' : 'past');
  // "I live in Rome until March": a present ends in time to come.
  const until = (isPast ? dates : read('future')).find(({ role }) => role === 'until')?.at ?? null;
  const since = dates.find(({ role }) => role === 'since')?.at ?? null;
  // "I heard today that she moved on 3 June": the later one is the event's.
  const on = dates.findLast(({ role }) => role === 'on')?.at ?? null;
  const isTurning = (entryOf(TURNING, tongue) ?? NONE).test(text);
  return { validAt: since ?? (isTurning || isPast ? on : null), invalidAt: until };
}
