import { entryOf } from './entry-of.ts';
// Dates as people say them, relative to the moment they said them, in UTC.

export type Precision = 'day' | 'month' | 'year';

/** A date in a text: `start` to before `end` are its characters. */
export interface SaidDate {
  readonly start: number;
  readonly end: number;
  /** RFC 3339, at the beginning of the day, month or year. */
  readonly at: string;
  readonly precision: Precision;
  /** since and from begin a period, until ends one; on = the moment of an event. */
  readonly role: 'on' | 'since' | 'until' | 'by';
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
    ' ',
  );
const SEASONS: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
};

const MONTHS_PATTERN = MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join('|');
const MONTH = `(?:${MONTHS_PATTERN}|sept\\.?)`;
const DAY = `(?:\\d{1,2}(?:st|nd|rd|th)?|${ORDINALS.slice(1).join('|')})`;
const YEAR = '(?:1[5-9]|20)\\d\\d';
const COUNT = `(?:\\d{1,3}|an?|the|${SMALL.slice(1).join('|')}|(?:a )?couple(?: of)?|(?:a )?few)`;
const ROLE =
  '(?:(?<role>since|from|until|till|to|by|on|in|at|as of|starting|before|for) )?(?:the ' +
  ')?(?:early |mid[- ]|late |end of |beginning of )?' +
  // "Friday 11 December" is one day.
  `(?:(?:${DAYS.join('|')}),? (?:the )?(?=\\d|(?:${MONTHS_PATTERN}) ))?`;

export interface When {
  readonly now: Date;
  /** Where a date without a year lies. */
  readonly direction: 'past' | 'future';
}
export type Groups = Readonly<Record<string, string | undefined>>;
export type Found = { readonly date: Date; readonly precision: Precision } | null;

const RULES: readonly (readonly [string, (groups: Groups, when: When) => Found])[] = [
  [
    `(?<y>${YEAR})-(?<m>\\d\\d)-(?<d>\\d\\d)`,
    (g) => day(Number(g['y']), Number(g['m']) - 1, Number(g['d'])),
  ],
  [
    `(?<d>${DAY})(?: of)? (?<m>${MONTH}),? (?<y>${YEAR})`,
    (g) => day(Number(g['y']), monthOf(g['m']), dayOf(g['d'])),
  ],
  [
    `(?<m>${MONTH}) (?<d>${DAY}),? (?<y>${YEAR})`,
    (g) => day(Number(g['y']), monthOf(g['m']), dayOf(g['d'])),
  ],
  [`(?<m>${MONTH}),?(?: of)? (?<y>${YEAR})`, (g) => month(Number(g['y']), monthOf(g['m']))],
  [
    `(?<s>spring|summer|autumn|fall|winter)(?: of)? (?<y>${YEAR})`,
    (g) => month(Number(g['y']), entryOf(SEASONS, g['s'] ?? '') ?? 0),
  ],
  [
    `(?<d>${DAY})(?: of)? (?<m>${MONTH})`,
    (g, when) => dayOfYear(monthOf(g['m']), dayOf(g['d']), when),
  ],
  [
    `(?<m>${MONTH}) (?<d>${DAY})(?![:\\d])`,
    (g, when) => dayOfYear(monthOf(g['m']), dayOf(g['d']), when),
  ],
  [
    `(?<n>${COUNT}) (?<u>day|week|month|year)s? ago`,
    (g, { now }) => shifted(now, -count(g['n']), g['u']),
  ],
  [
    `(?<n>${COUNT}) (?<u>day|week|month|year)s? from now`,
    (g, { now }) => shifted(now, count(g['n']), g['u']),
  ],
  ['day before yesterday', (_g, { now }) => shifted(now, -2, 'day')],
  ['day after tomorrow', (_g, { now }) => shifted(now, 2, 'day')],
  ['yesterday|last night', (_g, { now }) => shifted(now, -1, 'day')],
  ['tomorrow', (_g, { now }) => shifted(now, 1, 'day')],
  ['today|tonight|this (?:morning|afternoon|evening)', (_g, { now }) => shifted(now, 0, 'day')],
  [
    '(?<w>last|next|this|past|coming) ' +
      '(?<u>week|month|year|weekend|spring|summer|autumn|fall|winter|' +
      `${DAYS.join('|')}|${MONTHS.join('|')})`,
    (g, when) => turned(g['w'] ?? '', g['u'] ?? '', when),
  ],
  [`(?<u>${DAYS.join('|')})`, (g, when) => turned('this', g['u'] ?? '', when)],
  [
    `(?<m>${MONTHS.join('|')})`,
    (g, when) => turned(when.direction === 'past' ? 'last' : 'next', g['m'] ?? '', when),
  ],
  [`(?<y>${YEAR})`, (g) => ({ date: utc(Number(g['y'])), precision: 'year' })],
];
const COMPILED = RULES.map(
  ([pattern, read]) =>
    [new RegExp(`(?<![\\p{L}\\d])${ROLE}(?:${pattern})(?![\\p{L}\\d])`, 'giu'), read] as const,
);
/**
 * "in May", "since March": a bare month or year needs its preposition, or it may be a name or a
 * count.
 */
const NEEDS_ROLE = /^(?:\p{L}+|\d{4})$/u;
const LASTING = new RegExp(
  `(?<![\\p{L}\\d])for (?:the (?:last|past) )?(?<n>${COUNT}) ` +
    '(?<u>day|week|month|year)s?(?![\\p{L}\\d])',
  'iu',
);

/**
 * The dates of a text in their order. @param saidAt RFC 3339; null: only dates with a year count
 */
export function datesIn(
  text: string,
  saidAt: string | null,
  direction: When['direction'] = 'past',
): SaidDate[] {
  const now = new Date(saidAt ?? Number.NaN);
  const found: SaidDate[] = [];
  // Also a day that does not exist takes its words: "31 June 2024" is not June.
  const taken: { start: number; end: number }[] = [];
  for (const [pattern, read] of COMPILED) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some((other) => start < other.end && other.start < end)) continue;
      const groups: Groups = match.groups ?? {};
      const word = groups['role']?.toLowerCase();
      const bare = match[0].slice(word === undefined ? 0 : word.length + 1);
      if (word === undefined && NEEDS_ROLE.test(bare) && !isDayWord(bare)) continue;
      const isAhead = word === 'by' || word === 'before';
      const value = read(groups, {
        now,
        direction: isAhead ? 'future' : word === 'since' ? 'past' : direction,
      });
      taken.push({ start, end });
      if (value === null || Number.isNaN(value.date.getTime())) continue;
      found.push({
        start,
        end,
        at: stamp(value.date),
        precision: value.precision,
        role: roleOf(word),
      });
    }
  }
  const lasting = LASTING.exec(text);
  if (lasting !== null && !Number.isNaN(now.getTime()) && direction === 'past') {
    const value = shifted(now, -count(lasting.groups?.['n']), lasting.groups?.['u']);
    const [start, end] = [lasting.index, lasting.index + lasting[0].length];
    if (value !== null && !found.some((other) => start < other.end && other.start < end))
      found.push({ start, end, at: stamp(value.date), precision: value.precision, role: 'since' });
  }
  const sorted = found.sort((left, right) => left.start - right.start);
  const since = sorted.findIndex(({ role }) => role === 'since');
  // "Moved to Friday" neither ends nor happened on Friday; "from May to June" is a period.
  return sorted.filter(({ start }, at) => !isTo(text, start) || (since >= 0 && since < at));
}

function isTo(text: string, at: number): boolean {
  return /^to /i.test(text.slice(at));
}

function isDayWord(word: string): boolean {
  return /^(yesterday|today|tonight|tomorrow)$/i.test(word);
}

function roleOf(word: string | undefined): SaidDate['role'] {
  if (word === 'since' || word === 'from' || word === 'starting' || word === 'as of')
    return 'since';
  if (word === 'by' || word === 'before') return 'by';
  return word === 'until' || word === 'till' || word === 'to' ? 'until' : 'on';
}

/** "in May 2024", "on 17 May 2024", "in 1985". */
export function saidAs({
  at,
  precision,
  role,
}: Pick<SaidDate, 'at' | 'precision' | 'role'>): string {
  const [year = '', monthNumber = '', dayNumber = ''] = at.slice(0, 10).split('-');
  const name = MONTHS[Number(monthNumber) - 1] ?? '';
  const large = name.charAt(0).toUpperCase() + name.slice(1);
  const date =
    precision === 'year'
      ? year
      : precision === 'month'
        ? `${large} ${year}`
        : `${Number(dayNumber)} ${large} ${year}`;
  const word = role === 'on' ? (precision === 'day' ? 'on' : 'in') : role;
  return `${word} ${date}`;
}

export const stamp = (date: Date): string => `${date.toISOString().slice(0, 10)}T00:00:00Z`;

function utc(year: number, monthIndex = 0, dayNumber = 1): Date {
  return new Date(Date.UTC(year, monthIndex, dayNumber));
}

export function day(year: number, monthIndex: number, dayNumber: number): Found {
  const date = utc(year, monthIndex, dayNumber);
  // "31 June" is no day.
  return date.getUTCMonth() === monthIndex ? { date, precision: 'day' } : null;
}

export function month(year: number, monthIndex: number): Found {
  return monthIndex < 0 ? null : { date: utc(year, monthIndex), precision: 'month' };
}

function monthOf(word = ''): number {
  const short = word.toLowerCase().slice(0, 3);
  return MONTHS.findIndex((name) => name.startsWith(short));
}

function dayOf(word = ''): number {
  const ordinal = ORDINALS.indexOf(word.toLowerCase());
  return ordinal > 0 ? ordinal : Number.parseInt(word, 10);
}

function count(word = ''): number {
  const text = word.toLowerCase();
  if (/couple/.test(text)) return 2;
  if (/few/.test(text)) return 3;
  if (/^(an?|the)$/.test(text)) return 1;
  return SMALL.includes(text) ? SMALL.indexOf(text) : Number.parseInt(text, 10);
}

export function shifted(now: Date, by: number, unit = 'day'): Found {
  const [year, monthIndex, dayNumber] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (unit === 'year')
    return { date: by === 0 ? utc(year) : utc(year + by, monthIndex), precision: 'month' };
  if (unit === 'month') return { date: utc(year, monthIndex + by), precision: 'month' };
  return {
    date: utc(year, monthIndex, dayNumber + by * (unit === 'week' ? 7 : 1)),
    precision: 'day',
  };
}

export function dayOfYear(monthIndex: number, dayNumber: number, { now, direction }: When): Found {
  const today = utc(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const here = day(now.getUTCFullYear(), monthIndex, dayNumber);
  if (here === null || Number.isNaN(now.getTime())) return null;
  if (direction === 'past' && here.date > today)
    return day(now.getUTCFullYear() - 1, monthIndex, dayNumber);
  return direction === 'future' && here.date < today
    ? day(now.getUTCFullYear() + 1, monthIndex, dayNumber)
    : here;
}

/** last, this and next of a unit, a weekday, a month or a season. */
function turned(which: string, unit: string, { now, direction }: When): Found {
  const sign = /last|past/i.test(which) ? -1 : /next|coming/i.test(which) ? 1 : 0;
  const lower = unit.toLowerCase();
  const [year, monthIndex, dayNumber] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const weekday = DAYS.indexOf(lower === 'weekend' ? 'saturday' : lower);
  if (weekday >= 0) {
    const ahead = (weekday - now.getUTCDay() + 7) % 7;
    const isBack = sign < 0 || (sign === 0 && direction === 'past' && ahead > 0);
    const by = isBack ? (ahead === 0 ? -7 : ahead - 7) : sign > 0 && ahead === 0 ? 7 : ahead;
    return { date: utc(year, monthIndex, dayNumber + by), precision: 'day' };
  }
  const own = MONTHS.includes(lower) ? MONTHS.indexOf(lower) : entryOf(SEASONS, lower);
  if (own !== undefined) {
    const isAhead = own > monthIndex || (own === monthIndex && sign >= 0);
    const by =
      sign < 0
        ? own < monthIndex
          ? 0
          : own === monthIndex && MONTHS.includes(lower)
            ? 0
            : -1
        : sign > 0
          ? isAhead
            ? 0
            : 1
          : 0;
    return month(year + by, own);
  }
  if (lower === 'year') return { date: utc(year + sign), precision: 'year' };
  return shifted(now, sign, lower);
}
