import {
  findAlternativesOfRuns,
  findSpokenTexts,
  listAlternatives,
} from '../../src/conversations/alternative.cypher.ts';
import type { Alternative as AlternativeModel } from '../../src/conversations/alternative.ts';
import { listForks } from '../../src/conversations/conversation.cypher.ts';
import { findRatings } from '../../src/conversations/rating.cypher.ts';
import { listChildTurns } from '../../src/conversations/turn.cypher.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';

/** The alternatives of a turn, by sequence. */
export const loadAlternatives = loader(async (context, turnIds: readonly string[]) => {
  const { userId } = viewerOf(context);
  const all = await context.graph.read((tx) => listAlternatives(tx, userId, turnIds));
  const byTurn = Map.groupBy(all, ({ turnId }) => turnId);
  return turnIds.map((id) => byTurn.get(id) ?? []);
});

/** The rating of an alternative; null if it has none. */
export const loadRating = loader(async (context, alternativeIds: readonly string[]) => {
  const { userId } = viewerOf(context);
  const all = await context.graph.read((tx) => findRatings(tx, userId, alternativeIds));
  const byId = new Map(all.map((rating) => [rating.id, rating]));
  return alternativeIds.map((id) => byId.get(id) ?? null);
});

/** Child turns of a turn, oldest first. */
export const loadChildren = loader(async (context, turnIds: readonly string[]) => {
  const { userId } = viewerOf(context);
  const all = await context.graph.read((tx) => listChildTurns(tx, userId, turnIds));
  const byParent = Map.groupBy(all, ({ parentId }) => parentId);
  return turnIds.map((id) => byParent.get(id) ?? []);
});

/** Conversations forked from a conversation, oldest first. */
export const loadForks = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const forks = await context.graph.read((tx) => listForks(tx, userId, ids));
  return ids.map((id) => forks.get(id) ?? []);
});
const loadSpoken = loader(async (context, runIds: readonly string[]) => {
  const texts = await context.graph.read((tx) => findSpokenTexts(tx, runIds));
  return runIds.map((id) => texts.get(id) ?? '');
});

/** The alternative that a run writes; null if there is none. */
export const loadAlternativeOfRun = loader(async (context, runIds: readonly string[]) => {
  const { userId } = viewerOf(context);
  const all = await context.graph.read((tx) => findAlternativesOfRuns(tx, userId, runIds));
  const byRun = new Map(all.map((alternative) => [alternative.runId, alternative]));
  return runIds.map((id) => byRun.get(id) ?? null);
});

/** The stored content. While the run is in progress, the text streamed so far. */
export async function contentOf(
  alternative: AlternativeModel | undefined,
  context: RequestContext,
): Promise<string> {
  if (alternative === undefined) return '';
  const { content, outcome, runId } = alternative;
  return outcome === null && runId !== null ? loadSpoken(context, runId) : content;
}
