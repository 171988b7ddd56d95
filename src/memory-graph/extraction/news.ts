import { entryOf } from '../../common/entry-of.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { contentWords, indexWords } from '../../text/content-words.ts';
import { sentencesOf } from '../../text/sentences.ts';

const texts = (value: Json | undefined, field: string, isWanted: (one: JsonObject) => boolean) =>
  (Array.isArray(value) ? value : []).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one) || !isWanted(one)) return [];
    const text = entryOf(one, field);
    return typeof text === 'string' ? [text] : [];
  });

/** The texts of memory that a run was given: what was recalled, entities, notes and summaries. */
export function memoryIn(context: JsonObject | null): string[] {
  if (context === null) return [];
  const { messages, recalled, workingMemory } = context;
  const inner =
    typeof workingMemory === 'object' && workingMemory !== null && !Array.isArray(workingMemory)
      ? workingMemory
      : {};
  const isSystem = ({ role }: JsonObject) => role === 'system';
  return [
    ...texts(recalled, 'text', () => true),
    ...texts(inner['recalled'], 'text', () => true),
    ...texts(messages, 'content', isSystem),
    ...texts(inner['messages'], 'content', isSystem),
  ];
}

/**
 * The sentences of an answer that tell something. Those whose words all stand in what its run was
 * given of memory only repeat it: they are not read into memory again.
 */
export function newsIn(answer: string, memory: readonly string[]): string {
  if (memory.length === 0) return answer;
  const index = indexWords(memory.join('\n'));
  const sentences = sentencesOf(answer, answer.length);
  const news = sentences.filter((sentence) =>
    contentWords(sentence).some((word) => !index.has(word)),
  );
  return news.length === sentences.length ? answer : news.join('\n');
}
