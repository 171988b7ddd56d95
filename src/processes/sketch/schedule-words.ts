import { plainOf } from './plain.ts';

/** When a Process shall run, as its sentence says. */
export interface SketchedSchedule {
  /** Minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** The words of the sentence. */
  readonly words: string;
  /** Whether the sentence names no time of day, so that one was assumed. */
  readonly isAssumed: boolean;
}

/** A schedule in a sentence: null where it names none, or one that no cron expression has. */
export interface FoundSchedule {
  readonly schedule: SketchedSchedule | null;
  /** Words that ask for a schedule and were not understood; null: none. */
  readonly missed: string | null;
  /** The sentence without these words. */
  readonly rest: string;
}

/** Hour of the words for a part of the day. */
const PARTS_OF_DAY: readonly (readonly [RegExp, number])[] = [
  [/^(?:morning|morgen|manana)/, 7],
  [/^(?:noon|mittag|mediodia)/, 12],
  [/^(?:afternoon|nachmittag|tarde)/, 15],
  [/^(?:evening|abend)/, 18],
  [/^(?:night|nacht|noche)/, 22],
];

const DAYS: readonly RegExp[] = [
  /^(?:sunday|sonntag|domingo)/,
  /^(?:monday|montag|lunes)/,
  /^(?:tuesday|dienstag|martes)/,
  /^(?:wednesday|mittwoch|miercoles)/,
  /^(?:thursday|donnerstag|jueves)/,
  /^(?:friday|freitag|viernes)/,
  /^(?:saturday|samstag|sonnabend|sabado)/,
];
const DAY_WORD =
  'sundays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|' +
  'sonntags?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonnabends?|' +
  'domingos?|lunes|martes|miercoles|jueves|viernes|sabados?';
const PART_WORD =
  'mornings?|noon|afternoons?|evenings?|nights?|morgen|mittag|nachmittag|abend|nacht|' +
  'mananas?|mediodia|tardes?|noches?';
const EVERY = 'every|each|jede[nrs]?|cada|tod[oa]s l[oa]s';
const UNITS = 'minutes?|minuten?|minutos?|hours?|stunden?|horas?|days?|tage?|dias?';

const pattern = (source: string) => new RegExp(`\\b(?:${source})\\b`);
const INTERVAL = pattern(`(?:every|alle|cada) (\\d{1,4}) (${UNITS})`);
const WORKDAYS = pattern(
  `(?:${EVERY}) (?:week|work(?:ing)? ?)days?|on weekdays|weekdays|werktags|(?:${EVERY}) werktag|` +
    'de lunes a viernes|from monday to friday|monday to friday|von montag bis freitag|' +
    `(?:${EVERY}) dias? laborables?|entre semana`,
);
const TAGS = '(?:(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)';
const NAMED_DAYS = pattern(
  `(?:${EVERY}|on|am|los?|el) ((?:${DAY_WORD})(?:(?:,| and| und| y) (?:${DAY_WORD}))*)` +
    `(?: (${PART_WORD}))?|(${TAGS}(?:(?:,| und) ${TAGS})*)`,
);
const PART = pattern(`(?:${EVERY}|in the|por la) (${PART_WORD})|morgens|abends`);
const HOURLY = pattern(`hourly|stundlich|(?:${EVERY}) (?:hour|stunde|hora)`);
const WEEKLY = pattern(
  `weekly|once a week|wochentlich|semanalmente|(?:${EVERY}) (?:week|woche|semana)`,
);
const MONTHLY = pattern(
  `monthly|once a month|monatlich|mensualmente|(?:${EVERY}) (?:month|monat|mes)`,
);
const DAILY = pattern(
  `daily|once a day|taglich|diariamente|a diario|(?:${EVERY}) (?:day|tag|dia)s?`,
);
const TIME = pattern(
  '(?:at|um|gegen|a las?) (\\d{1,2})(?:[:.h](\\d{2}))?' +
    '(?: ?(am|pm|uhr|a\\.m|p\\.m|h)| de la (?:manana|(tarde|noche)))?|' +
    '(\\d{1,2})(?:[:.](\\d{2}))? ?(am|pm|uhr)|' +
    '(?:at|um|al) (noon|midnight|mitternacht|mediodia|medianoche)',
);
/** A wish that comes again, in words that none of the others has. */
const UNKNOWN = /^(?:every|each time|jede[nrs]?|alle|cada|todos los|todas las)\b[^,.;]*/;

const HOUR_ASSUMED = 7;

/** Reads when a Process shall run from its sentence, and takes these words out of it. */
export function scheduleIn(sentence: string): FoundSchedule {
  const plain = plainOf(sentence);
  const found = repeated(plain);
  if (found === null) {
    const missed = UNKNOWN.exec(plain);
    if (missed === null) return { schedule: null, missed: null, rest: sentence };
    const [words] = missed;
    return without(sentence, [[0, words.length]], (text) => ({ schedule: null, missed: text }));
  }
  const time = found.isWholeCron ? null : TIME.exec(plain);
  const places: Place[] = [[found.from, found.to], ...(time === null ? [] : [placeOf(time)])];
  const at = time === null ? null : timeOf(time);
  const cron = found.isWholeCron
    ? found.cron
    : `${at?.minute ?? 0} ${at?.hour ?? found.hour ?? HOUR_ASSUMED} ${found.cron}`;
  return without(sentence, places, (words) =>
    cron === ''
      ? { schedule: null, missed: words }
      : {
          schedule: { cron, words, isAssumed: !found.isWholeCron && at === null },
          missed: null,
        },
  );
}

type Place = readonly [from: number, to: number];

interface Repeated {
  readonly from: number;
  readonly to: number;
  /** All five fields where `isWholeCron`, else the last three; empty: there is no such cron. */
  readonly cron: string;
  readonly isWholeCron: boolean;
  readonly hour?: number | undefined;
}

const placeOf = (match: RegExpExecArray): Place => [match.index, match.index + match[0].length];

function repeated(plain: string): Repeated | null {
  const hit = (
    match: RegExpExecArray,
    cron: string,
    more: { readonly isWholeCron?: true; readonly hour?: number | undefined } = {},
  ): Repeated => {
    const [from, to] = placeOf(match);
    return { from, to, cron, isWholeCron: false, ...more };
  };
  const interval = INTERVAL.exec(plain);
  if (interval !== null)
    return hit(interval, intervalCron(Number(interval[1]), interval[2] ?? ''), {
      isWholeCron: true,
    });
  const hourly = HOURLY.exec(plain);
  if (hourly !== null) return hit(hourly, '0 * * * *', { isWholeCron: true });
  const workdays = WORKDAYS.exec(plain);
  if (workdays !== null) return hit(workdays, '* * 1-5');
  const named = NAMED_DAYS.exec(plain);
  if (named !== null) {
    const words = (named[1] ?? named[3] ?? '').split(/,| and | und | y /);
    const days = words.map((word) => DAYS.findIndex((day) => day.test(word.trim())));
    const list = [...new Set(days)].filter((day) => day >= 0).sort((a, b) => a - b);
    return hit(named, `* * ${list.join(',')}`, { hour: hourOf(named[2]) });
  }
  const monthly = MONTHLY.exec(plain);
  if (monthly !== null) return hit(monthly, '1 * *');
  const weekly = WEEKLY.exec(plain);
  if (weekly !== null) return hit(weekly, '* * 1');
  const daily = DAILY.exec(plain);
  if (daily !== null) return hit(daily, '* * *');
  const part = PART.exec(plain);
  return part === null
    ? null
    : hit(part, '* * *', { hour: hourOf(part[1] ?? part[0].replace(/s$/, '')) });
}

const hourOf = (word: string | undefined): number | undefined =>
  word === undefined ? undefined : PARTS_OF_DAY.find(([pattern]) => pattern.test(word))?.[1];

/** Empty where no cron expression has this interval: 60 is no multiple of 45. */
function intervalCron(number: number, unit: string): string {
  const divides = (whole: number) => number > 0 && number <= whole && whole % number === 0;
  if (unit.startsWith('min')) {
    if (number === 60) return '0 * * * *';
    return divides(30) || divides(60) ? `*/${number} * * * *` : '';
  }
  if (/^(?:h|s)/.test(unit))
    return divides(12) ? `0 */${number} * * *` : number === 24 ? '0 0 * * *' : '';
  return number === 1 ? `0 ${HOUR_ASSUMED} * * *` : '';
}

function timeOf(match: RegExpExecArray): { readonly hour: number; readonly minute: number } | null {
  const [, atHour, atMinute, atHalf, late, hourText, minuteText, half, named] = match;
  if (named !== undefined) return { hour: /^(?:noon|mediodia)/.test(named) ? 12 : 0, minute: 0 };
  const hour = Number(atHour ?? hourText);
  const minute = Number(atMinute ?? minuteText ?? 0);
  const suffix = late === undefined ? (atHalf ?? half ?? '').charAt(0) : 'p';
  const hours = suffix === 'p' && hour < 12 ? hour + 12 : suffix === 'a' && hour === 12 ? 0 : hour;
  return hours <= 23 && minute <= 59 ? { hour: hours, minute } : null;
}

function without(
  sentence: string,
  places: readonly Place[],
  told: (words: string) => Omit<FoundSchedule, 'rest'>,
): FoundSchedule {
  const sorted = places.toSorted(([a], [b]) => a - b);
  const words = sorted.map(([from, to]) => sentence.slice(from, to)).join(' ');
  let rest = '';
  let last = 0;
  for (const [from, to] of sorted) {
    rest += sentence.slice(last, Math.max(last, from));
    last = Math.max(last, to);
  }
  return { ...told(words), rest: (rest + sentence.slice(last)).replace(/^[\s,;:]+/, '') };
}
