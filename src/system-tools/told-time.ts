/** A moment as a person of a time zone reads it: `2026-03-01 14:05:09` and the day's name. */
export interface ToldTime {
  readonly utc: string;
  readonly timeZone: string;
  readonly local: string;
  readonly weekday: string;
}

/** @returns null where there is no such time zone */
export function timeIn(timeZone: string, utc: string): ToldTime | null {
  const at = new Date(utc);
  try {
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(at);
    const weekday = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(at);
    return { utc, timeZone, local, weekday };
  } catch {
    return null;
  }
}
