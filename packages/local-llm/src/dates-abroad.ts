import {
  day,
  dayOfYear,
  type Found,
  month,
  type SaidDate,
  shifted,
  stamp,
  type When,
} from './dates.ts';
import { entryOf } from './entry-of.ts';

// Dates as German and Spanish say them. As in English, a day or month without a year lies ahead or
// back as the tense says.

interface Tongue {
  /** From January on. */
  readonly months: string;
  /** Words before a date, by the role that they give it. */
  readonly roles: readonly (readonly [SaidDate['role'], string])[];
  /** With the groups `d`, `m` and `y`. */
  readonly day: string;
  readonly month: string;
  readonly near: readonly (readonly [string, number, 'day' | 'week' | 'month' | 'year'])[];
}

const YEAR = '(?<y>(?:19|20)\\d\\d)';

const TONGUES: Readonly<Record<string, Tongue>> = {
  de: {
    months: 'januar februar märz april mai juni juli august september oktober november dezember',
    roles: [
      ['since', 'seit(?: dem)?|ab(?: dem)?|von|vom'],
      ['until', 'bis(?: zum| zu| ende| anfang)?'],
      ['on', 'am|zum|im|in|ende|anfang|mitte|der|den|dem'],
    ],
    day: `(?<d>\\d{1,2})\\. ?(?<m>MONTH)(?: ${YEAR})?`,
    month: `(?<m>MONTH)(?: ${YEAR})?`,
    near: [
      ['übermorgen', 2, 'day'],
      ['morgen', 1, 'day'],
      ['heute', 0, 'day'],
      ['vorgestern', -2, 'day'],
      ['gestern', -1, 'day'],
      ['(?:nächste|kommende)[nrsm]? woche', 1, 'week'],
      ['(?:nächste|kommende)[nrsm]? monat', 1, 'month'],
      ['(?:nächste|kommende)[nrsm]? jahr', 1, 'year'],
      ['letzte[nrsm]? woche', -1, 'week'],
      ['letzte[nrsm]? monat', -1, 'month'],
      ['letzte[nrsm]? jahr', -1, 'year'],
    ],
  },
  es: {
    months:
      'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    roles: [
      ['since', 'desde(?: el)?|a partir (?:del?|de el)'],
      ['until', 'hasta(?: el| finales de| principios de)?'],
      ['on', 'en|el|al|a (?:finales|principios|mediados) de|para(?: el)?'],
    ],
    day: `(?<d>\\d{1,2}) de (?<m>MONTH)(?: (?:de|del) ${YEAR})?`,
    month: `(?<m>MONTH)(?: (?:de|del) ${YEAR})?`,
    near: [
      ['pasado mañana', 2, 'day'],
      ['mañana', 1, 'day'],
      ['hoy', 0, 'day'],
      ['ayer', -1, 'day'],
      ['semana que viene|próxima semana', 1, 'week'],
      ['mes que viene|próximo mes', 1, 'month'],
      ['año que viene|próximo año', 1, 'year'],
      ['semana pasada', -1, 'week'],
      ['mes pasado', -1, 'month'],
      ['año pasado', -1, 'year'],
    ],
  },
};

/** The dates of a German or Spanish text, in their order; none of other languages. */
export function datesAbroad(
  text: string,
  tongue: string,
  saidAt: string | null,
  direction: When['direction'],
): Pick<SaidDate, 'start' | 'at' | 'role'>[] {
  const words = entryOf(TONGUES, tongue);
  const now = new Date(saidAt ?? Number.NaN);
  if (words === undefined) return [];
  const { roles, near } = words;
  const months = words.months.split(' ');
  const any = roles.map(([, list]) => list).join('|');
  const role = (said: string): SaidDate['role'] =>
    roles.find(([, list]) => new RegExp(`^(?:${list})$`, 'iu').test(said))?.[0] ?? 'on';
  const found: { start: number; end: number; at: string; role: SaidDate['role'] }[] = [];
  const look = (pattern: string, needsRole: boolean, read: (groups: Groups) => Found): void => {
    const lead = `(?:(?<role>${any}) )${needsRole ? '' : '?'}`;
    const whole = `(?<![\\p{L}\\d])${lead}(?:${pattern})(?![\\p{L}\\d])`;
    for (const { index: start, 0: said, groups = {} } of text.matchAll(new RegExp(whole, 'giu'))) {
      const end = start + said.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const value = read(groups);
      if (value === null || Number.isNaN(value.date.getTime())) continue;
      found.push({ start, end, at: stamp(value.date), role: role(groups['role'] ?? '') });
    }
  };
  const monthOf = (name = '') => months.indexOf(name.toLowerCase());
  const names = months.join('|');
  look(words.day.replace('MONTH', names), false, ({ d, m, y }) =>
    y === undefined
      ? dayOfYear(monthOf(m), Number(d), { now, direction })
      : day(Number(y), monthOf(m), Number(d)),
  );
  look(words.month.replace('MONTH', names), true, ({ m, y }) =>
    month(y === undefined ? yearOf(monthOf(m), { now, direction }) : Number(y), monthOf(m)),
  );
  for (const [pattern, by, unit] of near) look(pattern, false, () => shifted(now, by, unit));
  return found.sort((one, other) => one.start - other.start);
}
type Groups = Readonly<Record<string, string | undefined>>;

/** The year of the next such month, or of the last one. */
function yearOf(monthIndex: number, { now, direction }: When): number {
  const year = now.getUTCFullYear();
  const here = now.getUTCMonth();
  if (direction === 'future') return monthIndex < here ? year + 1 : year;
  return monthIndex > here ? year - 1 : year;
}
