import type { Clause } from './clauses.ts';
import { datesIn, type SaidDate, saidAs } from './dates.ts';
import type { Frame } from './frames.ts';
import type { Talk } from './talk.ts';

const FUTURE =
  /\b(will|going to|plan|plans|planning|book|booked|reserved|next|upcoming|tomorrow|due|deadline|starts?|starting|begins?|signed up|getting|am \p{L}+ing|are \p{L}+ing|is \p{L}+ing)\b/u;

/** The times of a fact, and how its sentence says them. */
export function timesOf(
  { saidAt }: Talk,
  clause: Clause,
  frame: Frame,
  isOver: boolean,
): { validAt: string | null; invalidAt: string | null; phrase: string } {
  const text = clause.text.replace(/ ([,.])/g, '$1');
  // "I live in Rome until March": a present ends in time to come.
  const isToEnd = !isOver && frame.turn !== 'end' && /\b(?:until|till)\b/u.test(text);
  const isAhead =
    frame.turn !== 'past' && (isToEnd || FUTURE.test(text) || frame.relation.startsWith('PLANS_'));
  const dates = datesIn(text, saidAt, isAhead ? 'future' : 'past').filter(
    ({ start }) =>
      !(frame.turn === 'past' || isOver || frame.turn === 'end') || !text.startsWith('for ', start),
  );
  const [date] = dates;
  const until = dates.find(({ role }) => role === 'until');
  const since = dates.find(({ role }) => role === 'since');
  const on = dates.find(({ role }) => role === 'on');
  const phrase =
    date === undefined
      ? ''
      : dates
          .slice(0, 2)
          .map((one) => ` ${saidAs(one)}`)
          .join('');
  const ended = until?.at ?? null;
  if (frame.turn === 'end')
    return { validAt: since?.at ?? null, invalidAt: on?.at ?? ended ?? saidAt, phrase };
  if (isOver && since !== undefined && until === undefined)
    return { validAt: null, invalidAt: since.at, phrase };
  if (frame.turn === 'past' || isOver)
    return {
      validAt: since?.at ?? on?.at ?? null,
      invalidAt: ended ?? (on === undefined ? saidAt : endOf(on)),
      phrase,
    };
  return { validAt: since?.at ?? on?.at ?? null, invalidAt: ended, phrase };
}

/** "lived there in 2010": until the end of that year. */
function endOf({ at, precision }: SaidDate): string {
  const date = new Date(at);
  if (precision === 'year') date.setUTCFullYear(date.getUTCFullYear() + 1);
  else if (precision === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + 1);
  return `${date.toISOString().slice(0, 10)}T00:00:00Z`;
}
