import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { isNamedIn, nameKey, sentenceKey } from '../entities/name-match.ts';
import { findForgottenSince } from '../forgetting/forget.cypher.ts';
import { forgottenKey } from '../forgetting/forgotten-key.service.ts';
import type { Extraction } from './extraction.ts';

/**
 * The findings of a text without memories that its owner deleted after it was said: a run may
 * have read the text before, or reads it later. Under the owner's lock.
 */
export async function withoutForgotten(
  tx: ReadTx,
  { ownerId, saidAt }: { readonly ownerId: string; readonly saidAt: string },
  extraction: Extraction,
): Promise<Extraction> {
  const { uuids, keys } = await findForgottenSince(tx, ownerId, saidAt);
  if (uuids.size === 0) return extraction;
  const { entities, facts, statements, same, repeated } = extraction;
  const isForgotten = (uuid: string | undefined) => uuid !== undefined && uuids.has(uuid);
  const [gone = [], left = []] = [true, false].map((wanted) =>
    entities.filter(
      ({ name }) =>
        wanted ===
        (keys.has(forgottenKey(ownerId, 'entity', name)) || isForgotten(same.get(nameKey(name)))),
    ),
  );
  return {
    ...extraction,
    // The summary of a text that is older than a forgetting may tell it.
    entities: left.map((one) => ({ ...one, summary: '' })),
    facts: facts.filter(
      ({ fact }) =>
        !keys.has(forgottenKey(ownerId, 'fact', fact)) &&
        !isForgotten(repeated.get(sentenceKey(fact))),
    ),
    statements: statements.filter(
      ({ text, about }) =>
        !keys.has(forgottenKey(ownerId, 'statement', text)) &&
        !about.some((name) => keys.has(forgottenKey(ownerId, 'entity', name))) &&
        !gone.some(({ name }) => isNamedIn(text, name)),
    ),
  };
}
