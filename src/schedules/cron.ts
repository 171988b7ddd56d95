import { type Problem, problem } from '../common/refusal.ts';

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, names: MONTHS },
  { name: 'day of week', from: 0, to: 7, names: DAYS },
];
const SUNDAY = 7;
/** Days that a month can have, from January; February in a leap year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const SHORTHANDS = [
  '@hourly',
  '@daily',
  '@midnight',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
];
const CHARS_MAX = 200;

// Not croner (tried: 11.0.1). Its `domAndDow` matches Temporal's day rule, but it refuses `5/15`
// and `*/70`. It accepts `?`, `L`, `W` and `#`, which Temporal refuses, and reports only the first
// fault.
/**
 * The problems of a cron; none if a Temporal Schedule can use it. It is a shorthand, or five fields
 * (minute, hour, day of month, month, day of week) of numbers, names, lists, ranges and steps. If
 * both days are given, both have to match.
 */
export function checkCron(text: string): Problem[] {
  const invalid = (message: string) => [problem('INVALID', ['cron'], message)];
  const cron = text.trim();
  if (cron.length > CHARS_MAX) return invalid(`A cron has at most ${CHARS_MAX} characters.`);
  if (cron.startsWith('@')) {
    if (SHORTHANDS.includes(cron)) return [];
    return invalid(`There is no ${cron}; there are ${SHORTHANDS.join(', ')}.`);
  }
  const parts = cron.split(/\s+/);
  if (parts.length !== FIELDS.length || cron === '') {
    const names = FIELDS.map(({ name }) => name).join(', ');
    const count = cron === '' ? 0 : parts.length;
    return invalid(`A cron has five fields (${names}), such as "30 6 * * 1"; this has ${count}.`);
  }
  const read = FIELDS.map((field, index) => readField(field, parts[index] ?? ''));
  const problems = read.flatMap((one) => (typeof one === 'string' ? invalid(one) : []));
  if (problems.length > 0) return problems;
  const [, , days, months] = read as Set<number>[];
  const exists = [...(months ?? [])].some((month) =>
    [...(days ?? [])].some((day) => day <= (LONGEST[month - 1] ?? 31)),
  );
  return exists ? [] : invalid('None of these months has such a day, so it would never run.');
}

/**
 * The cron as Temporal reads it. There a range that ends in 7 has no Sunday, so the days of the
 * week are listed, from 0 to 6.
 * @param cron a cron without problems
 */
export function cronForTemporal(cron: string): string {
  const parts = cron.trim().split(/\s+/);
  const [days] = parts.slice(4);
  const field = FIELDS[4];
  if (days === undefined || field === undefined) return cron;
  const read = readField(field, days);
  if (days === '*' || typeof read === 'string') return cron;
  const listed = [...new Set([...read].map((day) => day % SUNDAY))].sort((one, two) => one - two);
  return [...parts.slice(0, 4), listed.join(',')].join(' ');
}

/** The values of one field, or a sentence that says why it is invalid. */
function readField(field: Field, text: string): Set<number> | string {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, range = '', step] = /^([^/]*)(?:\/(.*))?$/.exec(part) ?? [];
    const every = step === undefined ? 1 : /^\d{1,4}$/.test(step) ? Number(step) : 0;
    if (every < 1) return `The ${field.name} has a step that is no whole number above 0: ${part}.`;
    // Without an end, a week ends on Saturday: its Sunday is 0.
    const to = field.to === SUNDAY ? SUNDAY - 1 : field.to;
    const [first, last, ...more] = range === '*' ? [field.from, to] : endsOf(field, range);
    if (first === undefined || last === undefined || more.length > 0)
      return `The ${field.name} can not be "${part}": ${meaning(field)}.`;
    if (first > last) return `The ${field.name} ${range} ends before it begins.`;
    // `5/15`: every 15 from 5 to the end of the field.
    const end = step !== undefined && !range.includes('-') ? Math.max(first, to) : last;
    for (let value = first; value <= end; value += every) values.add(value);
  }
  return values;
}

function endsOf(field: Field, range: string): (number | undefined)[] {
  const ends = range.split('-').map((end) => numberOf(field, end));
  // `mon-sun` ends with the Sunday behind Saturday.
  const [first = 0] = ends;
  const isToSunday = field.to === SUNDAY && ends.length === 2 && first > 0 && ends[1] === 0;
  return ends.length === 1 ? [ends[0], ends[0]] : isToSunday ? [first, SUNDAY] : ends;
}

function numberOf({ from, to, names }: Field, text: string): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return value >= from && value <= to ? value : undefined;
}

function meaning({ from, to, names }: Field): string {
  const or = names === undefined ? '' : `, a name such as ${names[0]}`;
  return `it is *, a number from ${from} to ${to}${or}, a range a-b, or a list of them`;
}

/**
 * Zones of the IANA database without a region. Intl reads them in any case, Temporal in this one.
 */
const ZONES_WITHOUT_REGION = new Set(
  [
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST',
    'Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo',
    'PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu',
  ].flatMap((line) => line.split(' ')),
);

/** INVALID unless the text is a time zone of the IANA database, in its spelling. */
export function checkTimezone(text: string): Problem[] {
  const isZone = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*){1,2}$/.test(text);
  if (isZone || ZONES_WITHOUT_REGION.has(text)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text });
      return [];
    } catch {
      // An unknown zone: reported below.
    }
  }
  return [
    problem(
      'INVALID',
      ['timezone'],
      'This is no time zone. Give a name such as Europe/Berlin, or UTC.',
    ),
  ];
}
