import { isPersonNoun, isPersonsVerb, kindAbroad } from './kinds-abroad.ts';
import type { Sentence, Token } from './language.ts';
import { NAME_CHARS_MAX } from './limits.ts';
import {
  type EntityKind,
  kindByContext,
  kindByShape,
  lexiconKind,
  PERSON_VERBS,
} from './name-kinds.ts';
import { isFunctionWord } from './tongues.ts';
import { CONNECTORS, isNeverName, NAME_OPENERS } from './words.ts';

export interface NamedEntity {
  readonly name: string;
  readonly kind: EntityKind;
  /** Indexes of the sentences that name it, rising. */
  readonly sentences: readonly number[];
  readonly mentions: number;
}

/** One naming of an entity: tokens `start` to before `end` of a sentence. */
export interface Span {
  readonly entity: string;
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

export interface Names {
  readonly entities: readonly NamedEntity[];
  readonly spans: readonly (readonly Span[])[];
}

/** A name that the prompt lists. */
export interface KnownName {
  readonly name: string;
  readonly kind?: EntityKind;
}

const NAME_LENGTH_MAX = 80;
const ROLE_LABEL = /^(user|assistant|system|agent|tool)$/i;

/**
 * The names in a text: runs of capitalised words. At the start of a sentence an ordinary word is no
 * name, unless it is written large elsewhere too. A name found once is found wherever it stands.
 * In order of first mention.
 * @param known names from elsewhere; found in the text also where it alone does not show them
 */
export function findNames(sentences: readonly Sentence[], known: readonly KnownName[] = []): Names {
  const kinds = new Map<string, EntityKind>();
  const learn = (name: string, kind: EntityKind): void => {
    if (name.length > NAME_LENGTH_MAX) return;
    const before = kinds.get(name);
    if (before === undefined || before === 'other') kinds.set(name, kind);
  };
  for (const { speaker } of sentences)
    if (speaker !== null && !ROLE_LABEL.test(speaker)) learn(speaker, 'person');
  for (const { name, kind } of known) if (isListedName(name)) learn(name, kind ?? kindOf(name));
  const read = withinLimit(sentences.filter(({ isProse }) => isProse));
  const sure = surelyNames(
    read,
    known.map(({ name }) => name),
  );
  for (const sentence of read) {
    let [before, last] = [0, ''];
    const runs = runsIn(sentence, sure);
    for (const { start, end } of [...runs, ...markedNames(sentence)]) {
      const name = joined(sentence.tokens.slice(start, end));
      if (/^project /i.test(name) && end - start > 1)
        learn(joined(sentence.tokens.slice(start + 1, end)), 'project');
      else learn(name, kindAround(sentence, start, end) ?? kindOf(name));
      // "My dogs Daisy and Max": the second is of the kind of the first.
      const joint = joined(sentence.tokens.slice(before, start)).trim();
      if (before > 0 && /^(,|and|, and|&)$/.test(joint) && kinds.get(name) === 'other')
        learn(name, kinds.get(last) ?? 'other');
      [before, last] = [end, name];
    }
  }
  return locate(sentences, kinds);
}

function kindAround(sentence: Sentence, start: number, end: number): EntityKind | null {
  if (sentence.tongue === 'en') return kindByContext(sentence.tokens, start, end);
  const isIdentifier = IDENTIFIER.test(joined(sentence.tokens.slice(start, end)));
  return isIdentifier ? null : kindAbroad(sentence, start, end);
}

function kindOf(name: string): EntityKind {
  if (IDENTIFIER.test(name)) return 'object';
  const shape = kindByShape(name);
  return shape === 'other' ? lexiconKind(name) : shape;
}

function isListedName(name: string): boolean {
  return /\p{Lu}|[\d_]/u.test(name) && !ROLE_LABEL.test(name);
}

function withinLimit(sentences: readonly Sentence[]): Sentence[] {
  let length = 0;
  return sentences.filter(({ text }) => {
    length += text.length;
    return length <= NAME_CHARS_MAX;
  });
}

const isCapital = (token: Token | undefined): token is Token =>
  token !== undefined && (token.named || (/^\p{Lu}/u.test(token.text) && token.pos !== 'X'));

/**
 * Whether the writer had to begin this word large: it opens a sentence, a quotation or a clause.
 */
function isInitial(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /^["'“”‘’([*_¿¡-]+$/.test(tokens[before]?.text ?? '')) before--;
  if (before < 0) return true;
  if (before < at - 1 && /^["“]/.test(tokens[at - 1]?.text ?? '')) return true;
  return /^[:;.!?…•–—]+$/.test(tokens[before]?.text ?? '');
}

/** "MEETING NOTES FOR TODAY", "The Ten Best Places": capitals that say nothing of single words. */
function isShouting({ tokens }: Sentence): boolean {
  const words = tokens.filter(({ text }) => /^\p{L}{2,}/u.test(text)).slice(1);
  const large = words.filter(({ text, known }) => known && /^\p{Lu}/u.test(text)).length;
  return words.length >= 3 && large / words.length >= 0.7;
}

/** Most of its small words are no English ones, so a capital at its start shows nothing. */
function isForeign({ tokens }: Sentence): boolean {
  const small = tokens.filter(({ text }) => /^\p{Ll}{2,}$/u.test(text));
  return small.length >= 3 && small.filter(({ known }) => known).length / small.length < 0.5;
}

/** Words that stand capitalised where nothing but a name asks for it. */
function surelyNames(sentences: readonly Sentence[], known: readonly string[]): Set<string> {
  const sure = new Set(known.flatMap((name) => (isListedName(name) ? name.split(' ') : [])));
  for (const sentence of sentences) {
    if (sentence.speaker !== null) for (const word of sentence.speaker.split(' ')) sure.add(word);
    if (isShouting(sentence) || sentence.tongue !== 'en') continue;
    sentence.tokens.forEach((token, at) => {
      if (isCapital(token) && !isInitial(sentence.tokens, at) && !isNeverName(token.text))
        sure.add(token.text);
    });
  }
  return sure;
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Languages in which a capital within a sentence begins a name; each noun of German has one. */
const CAPITALS_NAME: ReadonlySet<string> = new Set(['en', 'es', 'fr', 'it', 'pt', 'nl', 'pl']);

function runsIn(sentence: Sentence, sure: ReadonlySet<string>): Run[] {
  if (sentence.tongue === 'en') return runsOf(sentence, sure);
  if (CAPITALS_NAME.has(sentence.tongue)) return foreignRuns(sentence, sure);
  const shaped = shapedNames(sentence);
  return sentence.tongue === 'de' ? [...shaped, ...germanNames(sentence, sure)] : shaped;
}

/**
 * Runs of capitals within a sentence. "La Gare", "mi Amor": one word after an article is no name. A
 * run goes on over "de" ("Universidad de León"), but not over "y".
 */
function foreignRuns(sentence: Sentence, sure: ReadonlySet<string>): Run[] {
  const { tokens, tongue } = sentence;
  const runs: Run[] = [];
  const isLarge = (at: number) => isCapital(tokens[at]) && tokens[at]?.lower !== 'i';
  for (let start = 0; start < tokens.length && !isShouting(sentence); start++) {
    const first = tokens[start];
    if (!isLarge(start) || first === undefined) continue;
    if (isInitial(tokens, start) && !sure.has(first.text)) continue;
    let end = start + 1;
    for (;;) {
      if (isLarge(end) && isJoined(tokens, end)) end++;
      else if (/^(?:de|del|di|da|do|du|van)$/.test(tokens[end]?.lower ?? '') && isLarge(end + 1))
        end += 2;
      else break;
    }
    const before = tokens[start - 1]?.lower ?? '';
    // "Un Desarrollador Web" is a kind.
    if (/^(?:una?|une?|uma?|een)$/.test(before)) continue;
    const isBare = start === 0 || !isFunctionWord(tongue, before) || PREPOSITIONS.has(before);
    if (isBare || end - start > 1 || sure.has(first.text)) runs.push({ start, end });
    start = end - 1;
  }
  return runs;
}

/** Small words that stand right before names: "en Lima", "a João". */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    'a en de con para por y e o u es soy que desde hasta entre sobre sin como à au dans avec ' +
    'chez pour par sur et ou est suis di da in con per su è sono em com por do no na is van met ' +
    'voor naar of bij uit z w od i u'
  ).split(' '),
);

/** Words of German before a name; before another noun most of them want an article. */
const BEFORE_NAME = new Set(
  'in nach aus bei heiße heißt heißen herr herrn frau dr namens'.split(' '),
);
const GERMAN_NOUNS: ReadonlySet<string> = new Set(
  (
    'Angst Frieden Rente Urlaub Hause Haus Arbeit Zukunft Ordnung Eile Ruhe Not Gefahr Betracht ' +
    'Kraft Frage Form Bezug Zusammenhang Teilzeit Vollzeit Kontakt Richtung Erfahrung Zeiten ' +
    'Jahren Monaten Wochen Tagen Stunden Minuten Büro Familie Freizeit Schule Kindheit Liebe ' +
    'Gruppen Kürze Verbindung Bewegung Behandlung Therapie Bedarf Regen Wetter Sonne Interesse ' +
    'Problemen Freunden Kollegen Bekannten Eltern Mittag Feierabend Holz Elternzeit Ausbildung ' +
    'Feierlaune Pension Ruhestand Panik Ferien Stimmung Zahlung Anspruch Raten Deutsch Englisch'
  ).split(' '),
);

/** Adverbs and pronouns before the verb at the start of a sentence: "Abends kocht Torben." */
const OPENS_GERMAN =
  /^(?:\p{L}*(?:tags?|abends?|morgens?|mittags?|nachts?|malig|weile|zeit|mals)|(?:manch|ein|noch)mal|mittwochs?|übermorgen|vorgestern|früher|später|bald|oft|meistens|seitdem|danach|davor|nachher|vorher|zuerst|zuletzt|neulich|kürzlich|endlich|da|nun|deshalb|daher|außerdem|leider|vielleicht|trotzdem|nebenan|oben|unten|drüben|niemand|jemand|keiner|jede[rs]?|alle|beide|viele|diese[rs]?|jene[rs]?|eine[rs]?|man|wer|dies|deren|dessen)$/u;

function germanNames({ tokens }: Sentence, sure: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const [before, first] = [tokens[start - 1], tokens[start]];
    if (!isCapital(first) || GERMAN_NOUNS.has(first.text)) continue;
    // "Mein Name ist Ada", "Frau Rohde", "in Berlin", "mein Mann Torben", "Torben arbeitet".
    const isNamed =
      isPersonNoun(before?.lower ?? '') ||
      (isInitial(tokens, start) &&
        !isPersonNoun(first.lower) &&
        !isFunctionWord('de', first.lower) &&
        !OPENS_GERMAN.test(first.lower) &&
        isPersonsVerb(tokens[start + 1]?.lower ?? '', 'de')) ||
      BEFORE_NAME.has(before?.lower.replace(/\.$/, '') ?? '') ||
      (before?.lower === 'ist' && tokens[start - 2]?.lower === 'name') ||
      sure.has(first.text);
    if (!isNamed) continue;
    let end = start + 1;
    while (isCapital(tokens[end]) && isJoined(tokens, end)) end++;
    runs.push({ start, end });
    start = end;
  }
  return runs;
}

function runsOf(sentence: Sentence, sure: ReadonlySet<string>): Run[] {
  const { tokens } = sentence;
  const isDoubtful = isShouting(sentence) || isForeign(sentence);
  const runs: Run[] = [];
  for (let start = 0; start < tokens.length; start++) {
    if (!isCapital(tokens[start])) continue;
    let end = start + 1;
    for (;;) {
      if (isCapital(tokens[end]) && isJoined(tokens, end)) end++;
      else {
        const beyond = overConnector(tokens, end);
        if (beyond === null) break;
        end = beyond;
      }
    }
    const run = trimmed(tokens, { start, end }, { sure, isDoubtful });
    if (run !== null) runs.push(run);
    start = end - 1;
  }
  return runs;
}

function isJoined(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.spaceBefore === ' ';
}

/** "Bank | of England", "The Lord | of the Rings": where the run goes on after small words. */
function overConnector(tokens: readonly Token[], at: number): number | null {
  const before = tokens[at - 1];
  if (!CONNECTORS.has(tokens[at]?.lower ?? '') || before === undefined) return null;
  if (isNeverName(before.text) || /^\p{Lu}{2,}$/u.test(before.text)) return null;
  const isArticle = tokens[at]?.lower === 'of' && tokens[at + 1]?.lower === 'the';
  const next = at + (isArticle ? 2 : 1);
  return isCapital(tokens[next]) && !isNeverName(tokens[next]?.text ?? '') ? next + 1 : null;
}

/** The run without the words at its ends that are no part of a name; null where nothing is left. */
function trimmed(
  tokens: readonly Token[],
  run: Run,
  { sure, isDoubtful }: { sure: ReadonlySet<string>; isDoubtful: boolean },
): Run | null {
  let { start, end } = run;
  const word = (at: number): string => tokens[at]?.text ?? '';
  const opens = (at: number): boolean =>
    NAME_OPENERS.has(word(at).toLowerCase()) && end - at > 1 && !isNeverName(word(at + 1));
  // "The billing service" opens a sentence; "The Hague" within one is whole.
  const isArticle = (at: number): boolean =>
    /^the$/i.test(word(at)) && isInitial(tokens, at) && !/^["“'‘]$/.test(word(at - 1));
  while (start < end && isNeverName(word(start)) && (!opens(start) || isArticle(start))) start++;
  // "The Great Bake Off": within a sentence a small word written large belongs to the name.
  const belongs = (at: number): boolean =>
    at - start >= 2 && /^(?:Off|Up|Out|On|In|Down|Over|Me|You|All|More)$/.test(word(at));
  while (
    end > start &&
    ((isNeverName(word(end - 1)) && !belongs(end - 1)) || CONNECTORS.has(word(end - 1)))
  )
    end--;
  if (start >= end) return null;
  const first = tokens[start];
  if (first === undefined) return null;
  if (!isDoubtful && !isInitial(tokens, start)) return withVersion(tokens, { start, end });
  const isOwn = sure.has(first.text) || first.named || (!isDoubtful && !first.known);
  if (isOwn) return withVersion(tokens, { start, end });
  const rest = { start: start + 1, end };
  if (end - start === 1) return isPersonAt(tokens, start) && !isDoubtful ? { start, end } : null;
  const whole = joined(tokens.slice(start, end));
  const isKnownWhole = opens(start) || (!isDoubtful && /^(?!object|other)/.test(kindOf(whole)));
  if (isKnownWhole) return { start, end };
  return isDoubtful ? null : trimmed(tokens, rest, { sure, isDoubtful });
}

/** "Grace wrote": an ordinary word that is a first name, too, and does something. */
function isPersonAt(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return (
    lexiconKind(tokens[at]?.text ?? '') === 'person' &&
    next !== undefined &&
    (/^(VERB|AUX)$/.test(next.pos) ||
      PERSON_VERBS.has(next.lower) ||
      /^(['’](?:s|ll|ve|d)|and|no)$/.test(next.lower))
  );
}

/** "Python 3.12": a version belongs to the name before it; a count does not. */
function withVersion(tokens: readonly Token[], { start, end }: Run): Run {
  return /^\d+(?:\.\d+)+$/.test(tokens[end]?.text ?? '') && isJoined(tokens, end)
    ? { start, end: end + 1 }
    : { start, end };
}

/** A name of a table or a function. */
const TABLE = /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/;
const MARK = /^["'“”‘’`«»]$/;
const MARKABLE = 'project repo repository service app library package codename';
const MARKED_NOUN = new Set(MARKABLE.split(' '));

/** A name of software: invoice_sync, billing-api, feature/quotas, QUO-331. */
const IDENTIFIER = /^[a-z][a-z\d]*(?:[_/-][a-z\d._-]+)+$|^\p{Lu}[\p{Lu}\d]+-\d+$/u;

/** Names by their form alone, which every language writes alike. */
function shapedNames({ tokens }: Sentence): Run[] {
  return tokens.flatMap(({ named, text }, start) =>
    named && IDENTIFIER.test(text) ? [{ start, end: start + 1 }] : [],
  );
}

/**
 * Names written small, but marked as names: the project "lighthouse", the service `billing-api`.
 */
function markedNames({ tokens }: Sentence): Run[] {
  const runs: Run[] = [];
  tokens.forEach(({ text, pos }, open) => {
    // "a machine called plum-3": a code that is said to be a name.
    if (pos === 'X' && /[-_]/.test(text) && /^(called|named)$/.test(tokens[open - 1]?.lower ?? ''))
      runs.push({ start: open, end: open + 1 });
    else if (pos === 'X' && TABLE.test(text)) runs.push({ start: open, end: open + 1 });
    if (!MARK.test(text)) return;
    const close = tokens.findIndex(
      (token, at) => at > open + 1 && at <= open + 5 && MARK.test(token.text),
    );
    if (close < 0) return;
    const inside = tokens.slice(open + 1, close);
    const before = tokens[open - 1]?.lower ?? '';
    const isNamed =
      MARKED_NOUN.has(before) ||
      MARKED_NOUN.has(tokens[close + 1]?.lower ?? '') ||
      (/^(called|named)$/.test(before) &&
        tokens.slice(0, open).some(({ lower }) => MARKED_NOUN.has(lower)));
    if (isNamed && inside.every(({ text: word }) => /^[\p{L}\d._-]+$/u.test(word)))
      runs.push({ start: open + 1, end: close });
  });
  return runs;
}

function joined(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (index === 0 ? '' : token.spaceBefore) + token.text).join('');
}

/**
 * Finds every naming, longest first; "Curie" alone counts for the one person whose name ends so.
 */
function locate(sentences: readonly Sentence[], kinds: Map<string, EntityKind>): Names {
  const canonical = canonicalNames(kinds);
  const byFirst = new Map<string, { text: string; name: string }[]>();
  for (const [name, entity] of canonical) {
    const first = /^[\p{L}\d]+/u.exec(name)?.[0] ?? name;
    const list = byFirst.get(first) ?? [];
    list.push({ text: name, name: entity });
    byFirst.set(first, list);
  }
  for (const list of byFirst.values())
    list.sort((left, right) => right.text.length - left.text.length);
  const found = new Map<string, { sentences: Set<number>; mentions: number }>();
  const mark = (name: string, sentence: number): void => {
    const before = found.get(name) ?? { sentences: new Set<number>(), mentions: 0 };
    before.sentences.add(sentence);
    before.mentions++;
    found.set(name, before);
  };
  const spans = sentences.map((sentence) => {
    const { speaker, tokens, index, isProse } = sentence;
    if (speaker !== null && kinds.has(speaker)) mark(canonical.get(speaker) ?? speaker, index);
    const list: Span[] = [];
    for (let start = 0; isProse && start < tokens.length; start++) {
      const head = /^[\p{L}\d]+/u.exec(tokens[start]?.text ?? '')?.[0] ?? tokens[start]?.text ?? '';
      const match = (byFirst.get(head) ?? [])
        .map(({ text, name }) => ({ name, end: endOf(tokens, start, text) }))
        .find(({ end }) => end !== null);
      if (match === undefined || match.end === null) continue;
      list.push({ entity: match.name, sentence: index, start, end: match.end });
      mark(match.name, index);
      start = match.end - 1;
    }
    return list;
  });
  const entities = [...found].map(
    ([name, { sentences: where, mentions }]): NamedEntity => ({
      name,
      kind: kinds.get(name) ?? 'other',
      sentences: [...where].sort((left, right) => left - right),
      mentions,
    }),
  );
  return { entities, spans };
}

function canonicalNames(kinds: Map<string, EntityKind>): Map<string, string> {
  const names = [...kinds.keys()];
  const canonical = new Map(names.map((name) => [name, name]));
  for (const name of names) {
    if (name.includes(' ')) continue;
    const owners = names.filter(
      (other) => other !== name && kinds.get(other) === 'person' && other.split(' ').includes(name),
    );
    // "Northgate" is short for the one "Northgate Foods".
    const own = kinds.get(name);
    const longer = names.filter((other) => {
      const kind = kinds.get(other);
      // "Northgate moved the date": only the verb makes it a person.
      const isGuessed = own === 'person' && lexiconKind(name) === 'other';
      const isAlike = own === 'other' || own === kind || isGuessed;
      return (
        other.startsWith(`${name} `) && isAlike && /^(organization|project|other)$/.test(kind ?? '')
      );
    });
    if (owners.length === 0 && longer.length === 1 && longer[0] !== undefined)
      canonical.set(name, longer[0]);
    if (owners.length === 1 && owners[0] !== undefined) canonical.set(name, owners[0]);
    // With two persons of this last name, the reference is unclear, but it is a person.
    else if (owners.length > 1 && kinds.get(name) === 'other') kinds.set(name, 'person');
  }
  return canonical;
}

/** The token after the name that begins at `start`; null where it does not stand there whole. */
function endOf(tokens: readonly Token[], start: number, name: string): number | null {
  let text = '';
  for (let at = start; at < tokens.length && text.length < name.length; at++) {
    text += (at === start ? '' : (tokens[at]?.spaceBefore ?? '')) + (tokens[at]?.text ?? '');
    if (text === name) return at + 1;
    if (!name.startsWith(text)) return null;
  }
  return null;
}
