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
export function checkCron(text: string, path: readonly string[] = ['cron']): Problem[] {
  const invalid = (message: string) => [problem('INVALID', path, message)];
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

/** The values of one field, or a sentence that says why it is invalid. */
function readField(field: Field, text: string): Set<number> | string {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, range = '', step] = /^([^/]*)(?:\/(.*))?$/.exec(part) ?? [];
    const every = step === undefined ? 1 : /^\d{1,4}$/.test(step) ? Number(step) : 0;
    if (every < 1) return `The ${field.name} has a step that is no whole number above 0: ${part}.`;
    const [first, last, ...more] = range === '*' ? [field.from, field.to] : endsOf(field, range);
    if (first === undefined || last === undefined || more.length > 0)
      return `The ${field.name} can not be "${part}": ${meaning(field)}.`;
    if (first > last) return `The ${field.name} ${range} ends before it begins.`;
    // `5/15`: every 15 from 5 to the end of the field.
    const end = step !== undefined && !range.includes('-') ? field.to : last;
    for (let value = first; value <= end; value += every) values.add(value);
  }
  return values;
}

function endsOf(field: Field, range: string): (number | undefined)[] {
  const ends = range.split('-').map((end) => numberOf(field, end));
  return ends.length === 1 ? [ends[0], ends[0]] : ends;
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

/** INVALID unless the text is a time zone of the IANA database, in its spelling. */
export function checkTimezone(text: string, path: readonly string[] = ['timezone']): Problem[] {
  if (/^(UTC|GMT|[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*){1,2})$/.test(text)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text });
      return [];
    } catch {
      // An unknown zone: reported below.
    }
  }
  return [
    problem('INVALID', path, 'This is no time zone. Give a name such as Europe/Berlin, or UTC.'),
  ];
}
