const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2 min ago`, `in 3 h`, `yesterday`-like forms of `Intl`, in the shortest unit that fits. */
/** Beyond this a date says more than a number of days. */
const RELATIVE_MAX = 30 * DAY;

export function relativeTime(atMs: number, nowMs: number): string {
  const away = Math.abs(nowMs - atMs);
  if (away > RELATIVE_MAX) return localDateOf(atMs);
  if (away < 10 * SECOND) return 'just now';
  const [amount, unit] =
    away < MINUTE
      ? [Math.round(away / SECOND), 's']
      : away < HOUR
        ? [Math.round(away / MINUTE), 'min']
        : away < DAY
          ? [Math.round(away / HOUR), 'h']
          : [Math.round(away / DAY), 'd'];
  return atMs <= nowMs ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}

/** `today`, `yesterday`, or the date, all in the time of the reader. */
export function dayName(atMs: number, nowMs: number): string {
  if (nowMs - atMs > 300 * DAY) return localDateOf(atMs);
  const dateIn = (date: Date) =>
    date.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  const day = dateIn(new Date(atMs));
  if (day === dateIn(new Date(nowMs))) return 'today';
  // Not 24 hours ago: a day may have 23 or 25.
  const yesterday = new Date(nowMs);
  yesterday.setDate(yesterday.getDate() - 1);
  return day === dateIn(yesterday) ? 'yesterday' : day;
}

/** `25 Nov 2026`, in the time of the reader. */
function localDateOf(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { dateStyle: 'medium' });
}

/** `25 Nov 2026`, in UTC, in which facts have their dates. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}

export function absoluteTime(at: string): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** `340 ms`, `2.4 s`, `3 min 12 s`, `4 h 5 min`. */
export function durationOf(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1, notation: 'compact' });

/** `950`, `1.2K`. */
export function countOf(amount: number): string {
  return NUMBER.format(amount);
}

/** `1 step`, `3 steps`, `2 summaries`. */
export function plural(amount: number, noun: string): string {
  return `${countOf(amount)} ${amount === 1 ? noun : pluralOf(noun)}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}

export function costOf(usd: number): string {
  return `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** The first line of a text, for a row of a list. */
export function firstLine(text: string, max = 160): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > max ? `${line.slice(0, max).toWellFormed()}…` : line;
}
