import type { RecalledFieldsFragment as Recalled } from '../generated/documents.ts';
import { oneLine } from '../terminal.ts';

/**
 * The recalled memories that an answer uses: those that share a word with it which the question
 * does not have. A model does not say which ones it used.
 */
export function usedIn(
  { question, answer }: { readonly question: string; readonly answer: string },
  recalled: readonly Recalled[],
): Recalled[] {
  const [asked, answered] = [wordsOf(question), wordsOf(answer)];
  return recalled.filter(({ text }) =>
    [...wordsOf(text)].some((word) => answered.has(word) && !asked.has(word)),
  );
}

/** Words of at least four letters, and numbers: shorter words are in every text. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.filter((word) => word.length >= 4 || /\p{N}/u.test(word) || isName(word, text)),
  );
}

/** Short words with a capital are names, except at the start of the text. */
function isName(word: string, text: string): boolean {
  return text.slice(1).includes(`${word[0]?.toUpperCase()}${word.slice(1)}`) && word.length >= 2;
}

/** One line per memory: `ada, 12 May 2026, in "Pets" (0190…): "My dogs are called Max."` */
export function sourceLines(recalled: readonly Recalled[]): string[] {
  return recalled.map(({ text, isQuotation, sources }) => {
    const [source] = sources;
    const quote = isQuotation ? `"${oneLine(text, 60)}"` : oneLine(text, 60);
    return source === undefined ? quote : `${placeOf(source)}: ${quote}`;
  });
}

function placeOf({ saidBy, saidAt, conversation }: Recalled['sources'][number]): string {
  const day = DAY.format(new Date(String(saidAt)));
  if (conversation === null) return `${saidBy}, ${day}`;
  const { title, id } = conversation;
  return `${saidBy}, ${day}, in ${title === null ? id : `"${oneLine(title, 40)}" (${id})`}`;
}
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
