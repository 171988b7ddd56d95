import { z } from 'zod';
import { stemsIn } from '../../text/words.ts';
import type { Ranked } from './rank.ts';

/** A turn that was said after another one. */
export const LaterTurn = z.object({
  uuid: z.string(),
  text: z.string(),
  speaker: z.string(),
  saidAt: z.string(),
});
export type LaterTurn = z.infer<typeof LaterTurn>;

/** A statement of an Episode, and whether it has ended. */
export const StatementOf = z.object({
  text: z.string(),
  isOver: z.boolean(),
  /** The turn that ended it; null where it has not ended, or the end was known before it. */
  endedBy: LaterTurn.nullable(),
});
export type StatementOf = z.infer<typeof StatementOf>;

/** Whether an ended statement, or the turn that ended it, has a word of the question. */
export function asksFor(asked: readonly string[], { text, endedBy }: StatementOf): boolean {
  const stems = stemsIn(`${text} ${endedBy?.text ?? ''}`);
  return asked.some((stem) => stems.has(stem));
}

/**
 * The hits with the turns that ended a statement before the turn that said it.
 * @param stated the statements of each Episode, by its uuid
 * @param asked stems of the query
 */
export function endingFirst(
  ranked: readonly Ranked[],
  stated: ReadonlyMap<string, readonly StatementOf[]>,
  asked: readonly string[],
): Ranked[] {
  const placed = new Set<string>();
  const byUuid = new Map(ranked.map((one) => [one.uuid, one]));
  const place = (one: Ranked) => {
    if (placed.has(one.uuid)) return [];
    placed.add(one.uuid);
    return [one];
  };
  return ranked.flatMap((one) => {
    if (placed.has(one.uuid)) return [];
    const later = one.fits ? endingTurns(stated.get(one.uuid) ?? [], asked) : [];
    const before = later.flatMap(({ uuid }) =>
      place({
        ...(byUuid.get(uuid) ?? { ...one, uuid, matched: [], reasons: [], same: [] }),
        score: one.score,
        fits: true,
      }),
    );
    return [...before.map(ending), ...place(one)];
  });
}

const ENDS = { measure: 'time', points: 0, text: 'ends an earlier statement' } as const;

const ending = (one: Ranked): Ranked =>
  one.reasons.includes(ENDS) ? one : { ...one, reasons: [...one.reasons, ENDS] };

/**
 * The turns that ended the statements of an Episode with the most words of the question, the latest
 * first; none where one of those statements holds. "I deploy mail-relay" says little of its host.
 */
function endingTurns(statements: readonly StatementOf[], asked: readonly string[]): LaterTurn[] {
  const had = statements.map(({ text }) => {
    const stems = stemsIn(text);
    return asked.filter((stem) => stems.has(stem)).length;
  });
  const most = Math.max(0, ...had);
  const fitting = statements.filter((_one, at) => had[at] === most);
  if (fitting.some(({ isOver }) => !isOver)) return [];
  return fitting
    .flatMap(({ endedBy }) => endedBy ?? [])
    .sort((a, b) => b.saidAt.localeCompare(a.saidAt));
}
