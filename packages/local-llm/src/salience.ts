import type { Sentence } from './language.ts';
import { centrality, type RankedText } from './rank.ts';
import { INTERJECTIONS, isNeverName } from './words.ts';

// Which sentences of a talk are worth keeping: those with names, numbers, decisions and
// preferences.

/** Greetings, thanks, acknowledgements and talk about the talk. */
const FILLER =
  /^(?:(?:good|happy) (?:morning|afternoon|evening|night|day|weekend)|thank(?:s| you)|many thanks|you(?:'|’)?re welcome|you are welcome|no (?:problem|worries)|my pleasure|how are you|how(?:'|’)?s it going|nice to (?:meet|see|hear)|good to (?:hear|see|know)|glad to (?:hear|help)|happy to (?:hear|help)|great to (?:hear|see)|see you|talk to you|speak soon|take care|have a (?:good|great|nice|lovely)|let me know if|feel free|i hope (?:you|that helps|this helps)|hope (?:that|this) helps|that(?:'|’)?s (?:all|it|great|good|nice|awesome|cool|fine|right|wonderful|amazing|lovely|a good|a great)|sounds (?:good|great|like a plan|nice|fun|lovely)|of course|sure thing|will do|got it|i see|i (?:will|shall|'ll|’ll) (?:remember|keep|note)|one more thing|by the way$|gonna go|check you later|let(?:'|’)?s (?:go|start|do it|get started)|here (?:you go|it is)|anything else|noted|understood)\b/i;
/** A model's remarks about itself and the request. */
const META =
  /^noted:|\bi am local-extractive|\bnothing in what i was given\b|\bthere is no text here\b|\bas an ai\b|\blanguage model\b|^task:|^question:|\bjson schema\b/i;
/** Words by which people decide, prefer, promise and own. */
const TELLING =
  /\b(decided?|agreed|chose|chosen|plan(?:s|ned|ning)?|will|must|deadline|budget|due|prefers?|favou?rite|love[sd]?|like[sd]?|hate[sd]?|allergic|birthday|born|live[sd]?|moved?|moving|work(?:s|ed|ing)?|joined|left|quit|married|bought|sold|own(?:s|ed)?|booked|use[sd]?|depends?|deployed|switched|migrated|fixed|failed|passed|broke|blocked|because|until|since|named|called|promised|wants?|needs?|costs?|owes?|learn(?:ing|ed)?)\b/i;

const LEANING =
  /^(?:yes|no|ok|okay|and|but|so)?,? ?(?:he|she|it|they|this|that|these|those|there|here)\b|\b(?:it|they) (?:was|were|is|are)\b/i;

/** Whether a sentence says nothing that a memory should hold. */
export function isFiller({ text, tokens, isProse }: Sentence): boolean {
  if (!isProse || META.test(text)) return true;
  const trimmed = withoutOpening(text);
  if (FILLER.test(trimmed)) return true;
  const words = tokens.filter(({ text: word }) => /\p{L}/u.test(word));
  return words.every(({ lower, content }) => !content || INTERJECTIONS.has(lower));
}

/** The sentence without "Hi, ", "Noted, " and "No no, " at its start. */
function withoutOpening(text: string): string {
  return text.replace(/^(?:(?:[\p{L}’']+ )?[\p{L}’']+[,!.:]\s+){1,2}/u, (opening) =>
    opening
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .every((word) => word === '' || INTERJECTIONS.has(word))
      ? ''
      : opening,
  );
}

/** How much each sentence is worth in a summary; 0 for greetings, questions and code. */
export function salience(text: RankedText): number[] {
  const central = centrality(text);
  const most = Math.max(...central, 1e-9);
  return text.sentences.map((sentence, index) => {
    if (isFiller(sentence) || sentence.text.trim().endsWith('?')) return 0;
    const { tokens } = sentence;
    const content = tokens.filter(({ content: own }) => own).length;
    const names = tokens.filter(
      ({ text: word, named, known }, at) =>
        named || (/^\p{Lu}/u.test(word) && (at > 0 || !known) && !isNeverName(word)),
    ).length;
    const numbers = tokens.filter(({ text: word }) => /\d/.test(word)).length;
    const telling = TELLING.test(sentence.text) ? 0.8 : 0;
    const size = Math.min(1, content / 4);
    // "She moved there" says less once it stands alone.
    const leaning = LEANING.test(sentence.text) ? 0.6 : 1;
    const base = 0.3 + (central[index] ?? 0) / most;
    return (
      base * size * leaning * (1 + 0.4 * Math.min(3, names) + 0.4 * Math.min(2, numbers) + telling)
    );
  });
}

/** The sentence as a line of a summary: its speaker, and its words without layout. */
export function quoted({ speaker, text }: Sentence): string {
  const plain = withoutOpening(text.replace(/\*\*|__|`/g, '').trim());
  return speaker === null ? plain : `${speaker}: "${plain.replace(/["“”]/g, "'")}"`;
}
