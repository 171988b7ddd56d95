import { MONTHS } from '../../common/clock.ts';

/** A time that a query names: `in May`, `on 3 June 2023`, `since 2021`, `before April`. */
export interface QueryTime {
  /** Words of the query that name it, in lower case. */
  readonly words: readonly string[];
  /** 0 to 11; null where only a year is named. */
  readonly month: number | null;
  readonly day: number | null;
  readonly year: number | null;
  readonly side: 'in' | 'since' | 'before';
}

const DAY_MS = 86_400_000;
/** A thing is told on its day or some days later. */
const TOLD_DAYS_MAX = 6;

const NAMES = MONTHS.map((name) => name.toLowerCase());
const SHORT: Readonly<Record<string, string>> = { may: 'may', september: 'september|sept|sep' };
const MONTH = NAMES.map(formsOf).join('|');

function formsOf(name: string): string {
  return Object.hasOwn(SHORT, name) ? (SHORT[name] ?? name) : `${name}|${name.slice(0, 3)}`;
}

const BEFORE_NAME =
  'in|on|of|since|from|during|until|till|before|after|by|early|late|mid|last|this|next|end of';
const TIMES = new RegExp(
  `(?:\\b(${BEFORE_NAME})\\s+)?(?:` +
    `(\\d{4})-(\\d{2})(?:-(\\d{2}))?|` +
    `(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+(${MONTH})\\b\\.?(?:,?\\s+(\\d{4}))?|` +
    `(${MONTH})\\b\\.?(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d))?(?:,?\\s+(\\d{4}))?|` +
    `((?:19|20)\\d{2}))(?![\\w-])`,
  'gi',
);

/** The times that a text names by day, month or year. `may` and `march` need words around them. */
export function timesIn(text: string): QueryTime[] {
  return [...text.matchAll(TIMES)].flatMap((match) => {
    const [whole, before = '', isoYear, isoMonth, isoDay, ...rest] = match;
    const [dayFirst, monthAfter, yearAfter, monthFirst, dayAfter, yearLast, yearAlone] = rest;
    const name = (monthAfter ?? monthFirst ?? '').toLowerCase();
    const day = number(isoDay ?? dayFirst ?? dayAfter);
    const year = number(isoYear ?? yearAfter ?? yearLast ?? yearAlone);
    // "They may come", "sales march on".
    const isWord = /^(?:may|mar|march)$/.test(name);
    if (isWord && before === '' && day === null && year === null) return [];
    if (yearAlone !== undefined && before === '') return [];
    const month = isoMonth === undefined ? monthOf(name) : Number(isoMonth) - 1;
    const words = whole.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return [{ words, month, day, year, side: sideOf(before.toLowerCase()) }];
  });
}

const number = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text);

function monthOf(name: string): number | null {
  const at = NAMES.findIndex((month) => name !== '' && month.startsWith(name));
  return at < 0 ? null : at;
}

function sideOf(before: string): QueryTime['side'] {
  if (before === 'since' || before === 'after') return 'since';
  return before === 'before' || before === 'until' || before === 'till' ? 'before' : 'in';
}

/** Whether a moment lies in a named time, or so shortly after it that it may be told then. */
export function isWithin({ month, day, year, side }: QueryTime, instant: string): boolean {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return false;
  // Without a year any year's fits, the one before at the turn of the year.
  const years = year === null ? [at.getUTCFullYear(), at.getUTCFullYear() - 1] : [year];
  return years.some((one) => {
    const from = Date.UTC(one, month ?? 0, day ?? 1);
    const to = day === null ? Date.UTC(one, month === null ? 12 : month + 1, 1) : from + DAY_MS;
    if (side === 'before') return at.getTime() < from;
    if (side === 'since' && year !== null) return at.getTime() >= from;
    return at.getTime() >= from && at.getTime() < to + TOLD_DAYS_MAX * DAY_MS;
  });
}

/** Which of several that match a query asks for. */
export type Sequence = 'first' | 'last';

// "Last year" is a time, and "first name" no time at all.
const OF_TIME =
  'week|weekend|month|year|night|evening|spring|summer|autumn|fall|winter|semester|season|' +
  `(?:mon|tues|wednes|thurs|fri|satur|sun)day|${MONTH}`;
const NOT_FIRST = 'name|place|prize|aid|class|floor|half|language|lady|person|of all|and foremost';
const SEQUENCES: Readonly<Record<Sequence, RegExp>> = {
  last: new RegExp(
    `(?<!\\p{L})(?:last(?! (?:${OF_TIME}|names?|minute|place)\\b)|latest|most recent(?:ly)?|` +
      'zuletzt|letzte[mns]? mal|últim[oa] vez|por último)\\b',
    'iu',
  ),
  first: new RegExp(
    `\\b(?:first(?! (?:${NOT_FIRST})\\b)|originally|earliest|zuerst|erste[mns]? mal|` +
      'primer[ao]? vez|al principio)\\b',
    'iu',
  ),
};

/** `When did I last see her?`; null where a query asks for no place in a sequence. */
export function sequenceIn(text: string): Sequence | null {
  const last = SEQUENCES.last.test(text);
  return last === SEQUENCES.first.test(text) ? null : last ? 'last' : 'first';
}

/** What a query places itself before or after: `before I moved to Turin`. */
export interface Happening {
  readonly side: 'before' | 'after';
  readonly text: string;
}

const CLAUSE =
  /\b(before|until|after|since|bevor|nachdem|seitdem|antes de que|después de que)\s+((?:the|my|our|his|her|their|i|we|he|she|they|ich|wir|er|sie|mi|el|la|\p{Lu}\p{L}+)\b[^?.!;]*)/iu;
const BEFORE = /^(?:before|until|bevor|antes)/i;

/** Null where no happening is named; a month or a day is a time of its own. */
export function happeningIn(text: string): Happening | null {
  const [, word = '', clause = ''] = CLAUSE.exec(text) ?? [];
  if (word === '' || timesIn(`${word} ${clause}`).length > 0) return null;
  return { side: BEFORE.test(word) ? 'before' : 'after', text: clause.trim() };
}

const CHANGED =
  /(?<!\p{L})(?:what(?:['’]s| is| has| have)? (?:\p{L}+ ){0,3}?(?:changed|new|different)|was (?:hat|haben) sich (?:\p{L}+ ){0,4}?(?:geändert|verändert)|was ist (?:\p{L}+ ){0,4}?(?:neu|anders)|qué (?:\p{L}+ ){0,2}?(?:cambió|cambiado|nuevo))(?!\p{L})/iu;

/** The time whose changes a query asks for, as in `what changed since May`; null without one. */
export function changesIn(text: string): QueryTime | null {
  return CHANGED.test(text) ? (timesIn(text)[0] ?? null) : null;
}

/** A time as moments, from the first to before the second; null is open. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A named time as moments. Without a year it is the last such time that has begun. */
export function spanOf({ month, day, year, side }: QueryTime, nowMs: number): Span {
  const startOf = (one: number) => Date.UTC(one, month ?? 0, day ?? 1);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const of = year ?? (startOf(thisYear) > nowMs ? thisYear - 1 : thisYear);
  const start = startOf(of);
  const end = day === null ? Date.UTC(of, month === null ? 12 : month + 1, 1) : start + DAY_MS;
  const at = (ms: number) => new Date(ms).toISOString();
  if (side === 'before') return { from: null, to: at(start) };
  return { from: at(start), to: side === 'since' ? null : at(end) };
}
