import { instant } from '../common/clock.ts';
import { refuse } from '../common/refusal.ts';
import type { Viewer } from '../users/user.ts';
import { getAlternative } from './alternative.mutations.ts';
import type { Alternative } from './alternative.ts';
import type { ConversationDeps } from './conversation.mutations.ts';
import { deleteRating, saveRating } from './rating.cypher.ts';
import { checkRating, type RateAlternative } from './rating.ts';
import { findTurns } from './turn.cypher.ts';

/**
 * Writes or removes the viewer's verdict on an answer. It changes no content, so archived
 * conversations allow it too.
 * @throws Refusal NOT_FOUND, INVALID, REQUIRED
 */
export async function rateAlternative(
  deps: ConversationDeps,
  viewer: Viewer,
  input: RateAlternative,
): Promise<Alternative> {
  const { id, value, comment } = input;
  const alternative = await getAlternative(deps, viewer, id);
  const turns = await deps.graph.read((tx) => findTurns(tx, viewer.userId, [alternative.turnId]));
  refuse(turns.flatMap((turn) => checkRating(input, turn)));
  const word = comment?.trim() ?? '';
  await deps.graph.write(async (tx) => {
    if (value == null) return deleteRating(tx, viewer.userId, id);
    const now = instant(deps.clock);
    await saveRating(tx, viewer.userId, { id, value, comment: word === '' ? null : word, now });
  });
  return alternative;
}
