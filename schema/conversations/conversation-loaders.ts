import {
  findAlternativesOfRuns,
  findSpokenTexts,
  listAlternatives,
} from '../../src/conversations/alternative.cypher.ts';
import type { Alternative as AlternativeModel } from '../../src/conversations/alternative.ts';
import { listForks } from '../../src/conversations/conversation.cypher.ts';
import { findRatings } from '../../src/conversations/rating.cypher.ts';
import { listChildTurns } from '../../src/conversations/turn.cypher.ts';
import type { RequestContext } from '../context.ts';
import { groupLoader, listLoader, mapLoader } from '../loader.ts';

/** The alternatives of a turn, by sequence. */
export const loadAlternatives = groupLoader(
  (tx, { userId }, turnIds) => listAlternatives(tx, userId, turnIds),
  ({ turnId }) => turnId,
);

/** The rating of an alternative; null if it has none. */
export const loadRating = listLoader(
  (tx, { userId }, alternativeIds) => findRatings(tx, userId, alternativeIds),
  ({ id }) => id,
);

/** Child turns of a turn, oldest first. */
export const loadChildren = groupLoader(
  (tx, { userId }, turnIds) => listChildTurns(tx, userId, turnIds),
  ({ parentId }) => parentId,
);

/** Conversations forked from a conversation, oldest first. */
export const loadForks = mapLoader((tx, { userId }, ids) => listForks(tx, userId, ids), []);
const loadSpoken = mapLoader((tx, _viewer, runIds) => findSpokenTexts(tx, runIds), '');

/** The alternative that a run writes; null if there is none. */
export const loadAlternativeOfRun = listLoader(
  (tx, { userId }, runIds) => findAlternativesOfRuns(tx, userId, runIds),
  ({ runId }) => runId,
);

/** The stored content. While the run is in progress, the text streamed so far. */
export async function contentOf(
  alternative: AlternativeModel | undefined,
  context: RequestContext,
): Promise<string> {
  if (alternative === undefined) return '';
  const { content, outcome, runId } = alternative;
  return outcome === null && runId !== null ? loadSpoken(context, runId) : content;
}
