import type { Key, KeyFact } from './talk.ts';

// Grades a memory as a reader of the public API sees it, against the key of the conversation.

export interface SeenFact {
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly text: string;
  readonly validAt: string | null;
  readonly invalidAt: string | null;
  readonly expiredAt: string | null;
}
export interface SeenNode {
  readonly nodeId: string;
  /** Number of segments in it; 1 for a segment. */
  readonly segments: number;
  readonly bullets: readonly string[];
}
export interface SeenHit {
  readonly kind: string;
  readonly text: string;
  /** Id of the turn with this text; null where no single turn has it. */
  readonly turnId: string | null;
}
export interface Tokens {
  /** Of the runs that the product started by itself, by the name of their Process. */
  readonly background: Readonly<Record<string, number>>;
  /** Of the compressions and introspections that the player asked for. */
  readonly asked: number;
  /** Of the talk itself. */
  readonly own: number;
}
/** The parts of a memory that a reader sees. */
export interface Seen {
  /** Names that a line may give as the speaker's: the user, the agent, its Tools. */
  readonly speakers: readonly string[];
  /** Events of the agent memory. `isTheirs`: said in the talk, or answered by one of its Tools. */
  readonly events: readonly { readonly text: string; readonly isTheirs: boolean }[];
  readonly entities: readonly { readonly name: string; readonly summary: string }[];
  readonly facts: readonly SeenFact[];
  readonly nodes: readonly SeenNode[];
  readonly summaries: readonly string[];
  readonly introspections: readonly string[];
  readonly searches: readonly { readonly ask: string; readonly hits: readonly SeenHit[] }[];
  readonly tokens: Tokens;
}

/** A share, from 0 to 1, as a fraction. */
export interface Share {
  readonly of: number;
  readonly good: number;
}
export const shareOf = ({ good, of }: Share): number => (of === 0 ? 1 : good / of);

export interface Grade {
  readonly figures: {
    readonly eventsTheirs: Share;
    readonly entitiesSensible: Share;
    readonly entitiesFound: Share;
    readonly factsRight: Share;
    readonly factsFound: Share;
    readonly datesRight: Share;
    /** Facts that a later statement corrected and that no longer hold. */
    readonly settled: Share;
    /** Nodes of several segments with 3 to 7 bullets. */
    readonly nodesFull: Share;
    /** Bullets of these nodes that name a speaker. */
    readonly bulletsNamed: Share;
    readonly linesClean: Share;
    readonly introspectionsDistinct: Share;
    readonly hit1: Share;
    readonly hit10: Share;
  };
  readonly tokens: Tokens;
  readonly offending: readonly Offence[];
}
export interface Offence {
  readonly figure: keyof Grade['figures'];
  readonly line: string;
}
export type Figure = keyof Grade['figures'];

export function grade(seen: Seen, key: Key): Grade {
  const offending: Offence[] = [];
  /** The share of good ones; the others become offences. */
  const share = <T>(
    figure: Figure,
    all: readonly T[],
    isGood: (one: T) => boolean,
    show: (one: T) => string,
  ): Share => {
    const bad = all.filter((one) => !isGood(one));
    offending.push(...bad.map((one) => ({ figure, line: show(one) })));
    return { good: all.length - bad.length, of: all.length };
  };

  const canonical = canonicalOf(key);
  const known = new Set(key.entities.map(({ name }) => plain(name)));
  const acceptable = new Set(key.acceptable.map(plain));
  const seenNames = new Set(seen.entities.map(({ name }) => canonical(name)));
  const isNamed = ({ name }: { name: string }) =>
    known.has(canonical(name)) || acceptable.has(plain(name));

  const fits = (fact: SeenFact, wanted: KeyFact) => isAbout(fact, wanted, canonical);
  const wanted = key.facts.filter(({ optional }) => !optional);
  const right = [...key.facts, ...key.acceptableFacts];
  const never = key.never.map((pattern) => new RegExp(pattern, 'i'));
  const isNever = (text: string) => never.some((pattern) => pattern.test(text));
  const dated = key.facts
    .filter(({ began, ended }) => began !== undefined || ended !== undefined)
    .map((fact) => ({ fact, found: seen.facts.filter((one) => fits(one, fact)) }))
    .filter(({ found }) => found.length > 0);

  const several = seen.nodes.filter(({ segments }) => segments > 1);
  const lines = linesOf(seen);
  const hits = seen.searches.map(({ ask, hits }) => {
    const question = key.questions.find((one) => one.ask === ask);
    const rank = hits.findIndex((hit) => question !== undefined && answers(hit, question));
    return { ask, rank, first: hits[0] };
  });
  const miss = ({ ask, rank, first }: (typeof hits)[number]) =>
    `${ask} (rank ${rank < 0 ? 'none' : rank + 1}; first: ${first?.kind ?? 'nothing'} ` +
    `${cut(first?.text ?? '', 80)})`;

  const figures: Grade['figures'] = {
    eventsTheirs: share(
      'eventsTheirs',
      seen.events,
      ({ isTheirs }) => isTheirs,
      ({ text }) => cut(text, 200),
    ),
    entitiesSensible: share('entitiesSensible', seen.entities, isNamed, ({ name }) => name),
    entitiesFound: share(
      'entitiesFound',
      key.entities,
      ({ name }) => seenNames.has(plain(name)),
      ({ name }) => name,
    ),
    factsRight: share(
      'factsRight',
      seen.facts,
      (fact) => right.some((one) => fits(fact, one)) && !isNever(fact.text),
      showFact,
    ),
    factsFound: share(
      'factsFound',
      wanted,
      (one) => seen.facts.some((fact) => fits(fact, one)),
      ({ between, says }) => `${between.join(' – ')}: ${says.join(', ')}`,
    ),
    datesRight: share(
      'datesRight',
      dated,
      ({ fact, found }) => found.some((one) => isDated(one, fact)),
      ({ fact, found }) =>
        `${fact.began ?? ''}${fact.ended === undefined ? '' : ` until ${fact.ended}`}: ` +
        `${found.map(showFact).join('; ')}`,
    ),
    settled: share(
      'settled',
      key.settled,
      (one) => !seen.facts.some((fact) => stillHolds(fact, one, canonical)),
      ({ between, began, by }) => `${between.join(' – ')} from ${began}, corrected by ${by}`,
    ),
    nodesFull: share(
      'nodesFull',
      several,
      ({ bullets }) => bullets.length >= 3 && bullets.length <= 7,
      ({ nodeId, bullets, segments }) =>
        `${nodeId}: ${bullets.length} bullets for ${segments} segments`,
    ),
    bulletsNamed: share(
      'bulletsNamed',
      several.flatMap(({ nodeId, bullets }) => bullets.map((bullet) => ({ nodeId, bullet }))),
      ({ bullet }) => seen.speakers.some((name) => namesSpeaker(bullet, name)),
      ({ nodeId, bullet }) => `${nodeId}: ${bullet}`,
    ),
    linesClean: share(
      'linesClean',
      lines,
      ({ text }) => faultOf(text, seen.speakers) === null && !isNever(text),
      ({ where, text }) =>
        `${where}: ${faultOf(text, seen.speakers) ?? 'never'}: ${cut(text, 200)}`,
    ),
    introspectionsDistinct: share(
      'introspectionsDistinct',
      seen.introspections.map((note, index) => ({
        note,
        others: [...seen.introspections.filter((_other, at) => at !== index), ...seen.summaries],
      })),
      ({ note, others }) => !repeats(note, others),
      ({ note }) => cut(note, 200),
    ),
    hit1: share('hit1', hits, ({ rank }) => rank === 0, miss),
    hit10: share('hit10', hits, ({ rank }) => rank >= 0 && rank < 10, miss),
  };
  return { figures, tokens: seen.tokens, offending };
}

/** Tokens of all runs that the product started by itself. */
export const backgroundOf = ({ background }: Tokens): number =>
  Object.values(background).reduce((sum, tokens) => sum + tokens, 0);

/** Background tokens over the talk's own. */
export const tokenRatioOf = ({ tokens }: Grade): number =>
  tokens.own === 0 ? 0 : backgroundOf(tokens) / tokens.own;

/** Several grades as one: every name, fact, line and question counts the same. */
export function joinGrades(grades: readonly Grade[]): Grade {
  const sum = (of: (one: Grade) => number) => grades.reduce((all, one) => all + of(one), 0);
  const [first] = grades;
  if (first === undefined) throw new Error('There is no grade to join.');
  const names = Object.keys(first.figures) as Figure[];
  const shares = names.map((name): [Figure, Share] => [
    name,
    { good: sum(({ figures }) => figures[name].good), of: sum(({ figures }) => figures[name].of) },
  ]);
  return {
    figures: Object.fromEntries(shares) as Record<Figure, Share>,
    tokens: {
      background: Object.fromEntries(
        [...new Set(grades.flatMap(({ tokens }) => Object.keys(tokens.background)))].map((name) => [
          name,
          sum(({ tokens }) => tokens.background[name] ?? 0),
        ]),
      ),
      asked: sum(({ tokens }) => tokens.asked),
      own: sum(({ tokens }) => tokens.own),
    },
    offending: grades.flatMap(({ offending }) => offending),
  };
}

const cut = (text: string, chars: number) =>
  text.length > chars ? `${text.slice(0, chars)} …` : text;
const showFact = ({ source, target, relation, text, validAt, invalidAt }: SeenFact) =>
  `${text} [${source} ${relation} ${target}; ${validAt ?? '?'} – ${invalidAt ?? ''}]`;

/** A name without case, article and outer spaces. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^(?:the|a|an) /, '');
}

/** Returns a function that maps a name and its aliases to one plain name. */
function canonicalOf({ entities }: Key): (name: string) => string {
  const names = new Map(
    entities.flatMap(({ name, aliases }) =>
      [name, ...aliases].map((one) => [plain(one), plain(name)] as const),
    ),
  );
  return (name) => names.get(plain(name)) ?? plain(name);
}

/** Whether a fact is between these two, in either direction, and says this. */
function isAbout(
  { source, target, relation, text }: SeenFact,
  { between: [one, other], says }: KeyFact,
  canonical: (name: string) => string,
): boolean {
  const said = `${relation.replaceAll('_', ' ')} ${text}`;
  return (
    isBetween([source, target], [one, other], canonical) &&
    says.every((pattern) => new RegExp(pattern, 'i').test(said))
  );
}

function isBetween(
  ends: readonly [string, string],
  [one, other]: KeyFact['between'],
  canonical: (name: string) => string,
): boolean {
  const [source, target] = ends.map(canonical);
  const has = (names: string | readonly string[], end: string | undefined) =>
    [names].flat().some((name) => canonical(name) === end);
  return (has(one, source) && has(other, target)) || (has(one, target) && has(other, source));
}

const DAY_MS = 86_400_000;
/** Relations and texts that say that something ended at the date from which they hold. */
const ENDING = /\b(left|leaves?|leaving|quit|resign\w*|until|former\w*|ended|stopped|no longer)\b/i;

function isNear(
  date: string | null,
  wanted: string | readonly string[] | undefined,
  days: number,
): boolean {
  if (date === null || wanted === undefined) return false;
  return [wanted]
    .flat()
    .some((one) => Math.abs(Date.parse(date) - Date.parse(one)) <= (days + 0.99) * DAY_MS);
}

/** Whether a fact has the dates of the key. An ending may also be a fact that began then. */
function isDated(fact: SeenFact, { began, ended, days }: KeyFact): boolean {
  const isEnding = ENDING.test(`${fact.relation.replaceAll('_', ' ')} ${fact.text}`);
  return (
    (began === undefined || isNear(fact.validAt, began, days)) &&
    (ended === undefined ||
      isNear(fact.invalidAt, ended, days) ||
      (isEnding && isNear(fact.validAt, ended, days)))
  );
}

function stillHolds(
  fact: SeenFact,
  { between, began }: Key['settled'][number],
  canonical: (name: string) => string,
): boolean {
  return (
    fact.expiredAt === null &&
    fact.invalidAt === null &&
    isBetween([fact.source, fact.target], between, canonical) &&
    isNear(fact.validAt, began, 0)
  );
}

function answers(hit: SeenHit, { evidence, answer }: Key['questions'][number]): boolean {
  return hit.turnId === null
    ? answer.every((pattern) => new RegExp(pattern, 'i').test(hit.text))
    : evidence.includes(hit.turnId);
}

/** All lines that a reader sees, each with its place. */
function linesOf(seen: Seen): { readonly where: string; readonly text: string }[] {
  const at = (where: string) => (text: string) => ({ where, text });
  return [
    ...seen.nodes.flatMap(({ nodeId, bullets }) => bullets.map(at(nodeId))),
    ...seen.summaries.flatMap((text) => sentencesOf(text).map(at('summary'))),
    ...seen.introspections.flatMap((text) => sentencesOf(text).map(at('introspection'))),
    ...seen.entities.flatMap(({ name, summary }) => sentencesOf(summary).map(at(`entity ${name}`))),
    ...seen.facts.map(({ text }) => ({ where: 'fact', text })),
  ];
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?]["”»]?)\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const FAULTS: Readonly<Record<string, RegExp>> = {
  JSON: /[{[]\s*"\w+"\s*:|"\w+"\s*:\s*(?:["{[]|\d|true|false|null)|\}\s*,\s*\{|^\s*[,}[\]]|^\s*\{(?!\{)/,
  markup: /<\/?[a-z][\w-]*>|```|\*\*|\{\{|^\s*#{1,6} |^\s*[-*•] /i,
  meta: /^(?:noted|summary|sure|certainly)\s*[:!,]|"noted:|local-extractive|\bas an ai\b|language model|\bhere (?:is|are) (?:the|a|my)\b.*(?:summary|notes?|facts|points|json)|in what i was given|nothing in (?:the|what)|^task:|said by the (?:user|agent)|there is no text|\bthe (?:text|material|transcript) (?:above|below|given|says|does)/i,
};
const GREETING =
  /^(?:(?:hi|hey|hello|good (?:morning|afternoon|evening|night)|morning|bye|goodbye|see you|thanks|thank you|thx|ty|you['’]re welcome|my pleasure|happy to help|welcome back|haha|lol|congratulations)(?![\w'’-])(?! to )|(?:great|nice|wonderful|perfect|right|ok|okay|yes|yep|no|true|hm+|oh)[\s.!,)"”:]*$)/i;

/** The kind of fault that a line has; null if it has none. */
export function faultOf(line: string, speakers: readonly string[] = []): string | null {
  const [name] = Object.entries(FAULTS).find(([, pattern]) => pattern.test(line)) ?? [];
  if (name !== undefined) return name;
  return saidIn(line, speakers).some((one) => GREETING.test(one)) ? 'greeting' : null;
}

/** The sentences of a line without the names of their speakers and without quotation marks. */
function saidIn(line: string, speakers: readonly string[]): string[] {
  const parts = speakers.reduce(
    (lines, name) => lines.flatMap((one) => one.split(`${name}: `)),
    [line.replace(/^[^:"“]{1,60}:\s*(?=["“])/, '')],
  );
  return parts.flatMap(sentencesOf).map((one) => one.replace(/^["“'\s]+/, ''));
}

function namesSpeaker(line: string, name: string): boolean {
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w])${pattern}(?![\\w])`).test(line);
}

/** Two sentences with this share of words in common say the same. */
const SAME_SHARE = 0.8;

function wordsOf(sentence: string): Set<string> {
  const said = sentence.replace(/^[^:"“]{1,60}:\s*(?=["“])/, '').toLowerCase();
  return new Set(said.match(/[\p{L}\p{N}+#'-]+/gu) ?? []);
}

function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const common = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - common;
  return all === 0 ? 1 : common / all;
}

/** Whether at least half of a note's sentences stand in one of the other texts already. */
function repeats(note: string, others: readonly string[]): boolean {
  const mine = sentencesOf(note).map(wordsOf);
  const theirs = others.flatMap((other) => sentencesOf(other).map(wordsOf));
  const same = mine.filter((one) => theirs.some((other) => likeness(one, other) >= SAME_SHARE));
  return same.length * 2 >= mine.length;
}
