import { z } from 'zod';
import { DESCRIPTION_CHARS_MAX } from '../common/limits.ts';
import type { Maybe } from '../common/maybe.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { textOrNull } from '../common/stored.ts';
import type { Turn } from './turn.ts';

export const RATING_VALUES = ['up', 'down'] as const;
export type RatingValue = (typeof RATING_VALUES)[number];

/** The owner's verdict on one answer. A later one replaces it. */
export const Rating = z.object({
  /** Id of the alternative that is rated. */
  id: z.string(),
  value: z.enum(RATING_VALUES),
  comment: textOrNull,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Rating = z.infer<typeof Rating>;

export interface RateAlternative {
  readonly id: string;
  /** Null removes the rating. */
  readonly value?: Maybe<RatingValue>;
  readonly comment?: Maybe<string>;
}

/** The problems of a verdict on an alternative of this turn. */
export function checkRating(
  { value, comment }: RateAlternative,
  { speaker }: Pick<Turn, 'speaker'>,
): Problem[] {
  const problems: Problem[] = [];
  if (speaker !== 'agent')
    problems.push(problem('INVALID', ['id'], 'Only answers of agents can be rated.'));
  if (value === undefined)
    problems.push(problem('REQUIRED', ['value'], 'Give UP or DOWN, or null to remove the rating.'));
  if ((comment?.length ?? 0) > DESCRIPTION_CHARS_MAX)
    problems.push(
      problem('INVALID', ['comment'], `A comment has at most ${DESCRIPTION_CHARS_MAX} characters.`),
    );
  return problems;
}
