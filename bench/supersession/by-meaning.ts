import { join } from 'node:path';
import { openSentenceModel } from '../../packages/local-llm/src/sentence-model.ts';
import {
  compared,
  type Pair,
  replaces,
  textsToEmbed,
} from '../../src/memory-graph/statements/replacement.ts';

const model = await openSentenceModel(join(import.meta.dirname, '../../packages/local-llm/model'));
const vectors = new Map<string, Float32Array>();

/** Whether the later statement ends the earlier one, by the bundled sentence model. */
export function isReplaced(pair: Pair): boolean {
  const one = compared(pair);
  if (one === null) return false;
  for (const text of textsToEmbed([one]))
    if (!vectors.has(text)) vectors.set(text, model.embed(text).vector.slice());
  return replaces(one, vectors);
}
