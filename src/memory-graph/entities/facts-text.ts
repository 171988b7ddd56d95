import { MONTHS } from '../../common/clock.ts';
import type { Fact } from './fact.ts';

type Dated = Pick<Fact, 'fact' | 'validAt' | 'invalidAt'>;

/** Sentences of facts that hold or will hold, each with its dates, the newest first. */
export function factsText(facts: readonly Dated[], now: string, charsMax: number): string {
  const at = Date.parse(now);
  const holding = facts
    .filter(({ invalidAt }) => invalidAt === null || Date.parse(invalidAt) > at)
    .toSorted((a, b) => Date.parse(b.validAt ?? now) - Date.parse(a.validAt ?? now));
  const lines: string[] = [];
  for (const line of new Set(holding.map((fact) => dated(fact, at)))) {
    if ([...lines, line].join('\n').length > charsMax) break;
    lines.push(line);
  }
  return lines.join('\n');
}

/** A sentence with the dates that it does not name itself. @param at milliseconds since 1970 */
export function dated({ fact, validAt, invalidAt }: Dated, at: number): string {
  const word = validAt !== null && Date.parse(validAt) > at ? 'from' : 'since';
  const dates = [
    ...(validAt === null ? [] : [[word, validAt] as const]),
    ...(invalidAt === null ? [] : [['until', invalidAt] as const]),
  ].flatMap(([when, moment]) => {
    const date = new Date(moment);
    const year = String(date.getUTCFullYear());
    const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${year}`;
    return fact.includes(year) ? [] : [`${when} ${day}`];
  });
  return dates.length === 0 ? fact : `${fact.replace(/\.$/, '')} (${dates.join(', ')}).`;
}
