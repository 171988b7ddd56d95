import { contentStems, type Language } from './language.ts';
import type { ChatMessage } from './prompt.ts';

/** A quotation of memory in the context of a system message, the best first. */
const QUOTATION =
  /<context>\n(?<line>[^\n]{1,100}?: on \d{1,2} \p{Lu}\p{Ll}+ \d{4}[^\n]*?: ".+")\n/u;

/**
 * The first quotation of memory, where it has no word of the question. Memory finds by words and by
 * attribute, so such a quotation answers by its attribute: "I rent a flat in Leeds" answers "Where
 * do I live?". Null where it has a word of the question.
 */
export function firstMemory(
  language: Language,
  messages: readonly ChatMessage[],
  question: string,
): string | null {
  const [line] = messages.flatMap(({ role, content }) =>
    role === 'system' ? (QUOTATION.exec(content)?.groups?.['line'] ?? []) : [],
  );
  if (line === undefined) return null;
  const stemsOf = (text: string) => language.parse(text).sentences.flatMap(contentStems);
  const asked = stemsOf(question);
  const said = new Set(stemsOf(line));
  return asked.length === 0 || asked.some((stem) => said.has(stem)) ? null : line;
}
