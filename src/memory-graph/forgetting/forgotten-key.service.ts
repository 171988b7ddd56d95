import { derivedId } from '../derived-id.service.ts';
import { nameKey, sentenceKey } from '../entities/name-match.ts';
import type { Forgettable } from './forgotten.ts';

/** A hash of a forgotten name or sentence, so that a mark does not keep the words. */
export function forgottenKey(ownerId: string, kind: Forgettable, text: string): string {
  const [of, key] = kind === 'entity' ? ['entity', nameKey(text)] : ['fact', sentenceKey(text)];
  return derivedId('forgotten', ownerId, of, key);
}
