import type { Sentence } from './language.ts';
import type { Length } from './prompt.ts';
import { pickSentences, type RankedText, relevance } from './rank.ts';
import { isFiller, quoted, salience } from './salience.ts';

const SENTENCES_DEFAULT = 3;

/**
 * The sentences that say most, in the text's order. Of a talk each is a line of its own that names
 * its speaker: `Ada: "I live in Rome."`.
 */
export function summarize(
  text: RankedText,
  length: Length = {},
  focus: readonly string[] = [],
): string {
  const scores = salience(text);
  if (focus.length > 0) {
    // A summary about something: relevance leads, centrality decides among the relevant.
    const wanted = relevance(text, focus);
    if (wanted.some((score) => score > 0)) {
      const most = Math.max(...scores, 1e-9);
      scores.forEach((score, index) => {
        const about = wanted[index] ?? 0;
        scores[index] = about === 0 ? 0 : about + score / most;
      });
    }
  }
  const sentences = pickSentences(text, scores, limit(text, length));
  // A text of one fragment has no central sentence; itself is its summary.
  const plain = text.sentences.filter((sentence) => !isFiller(sentence));
  const chosen = sentences.length > 0 ? sentences : [...plain, ...text.sentences].slice(0, 1);
  const isTalk = chosen.some(({ speaker }) => speaker !== null);
  const lines = chosen.map(
    (sentence) => `${length.isBulleted === true ? '- ' : ''}${quoted(sentence)}`,
  );
  return cutTo(lines.join(isTalk || length.isBulleted === true ? '\n' : ' '), length);
}

function limit(
  text: RankedText,
  length: Length,
): (picked: readonly Sentence[], next: Sentence) => boolean {
  const words = text.sentences.reduce((sum, sentence) => sum + wordCount(sentence.text), 0);
  const wordsMax = Math.min(
    length.wordsMax ?? Number.POSITIVE_INFINITY,
    length.ratio === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(8, Math.round(words * length.ratio)),
  );
  const unbounded = wordsMax === Number.POSITIVE_INFINITY && length.charactersMax === undefined;
  const sentencesMax =
    length.sentencesMax ?? (unbounded ? SENTENCES_DEFAULT : Number.POSITIVE_INFINITY);
  const charactersMax = length.charactersMax ?? Number.POSITIVE_INFINITY;
  return (picked, next) => {
    if (picked.length >= sentencesMax) return false;
    const all = [...picked, next];
    // The best sentence comes in whatever its length; cutTo shortens it if need be.
    if (picked.length === 0) return true;
    return (
      all.reduce((sum, { text: part }) => sum + wordCount(part), 0) <= wordsMax &&
      all.reduce((sum, { text: part }) => sum + part.length + 1, -1) <= charactersMax
    );
  };
}

function cutTo(text: string, { wordsMax, charactersMax }: Length): string {
  let cut = text;
  const words = cut.split(/(?<=\s)(?=\S)/);
  if (wordsMax !== undefined && words.length > wordsMax)
    cut = `${words.slice(0, wordsMax).join('').trimEnd()} …`;
  return charactersMax === undefined ? cut : shorten(cut, charactersMax);
}

/** At most `most` characters, cut between words and marked with an ellipsis. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most < 8) return text.slice(0, Math.max(0, most)).toWellFormed();
  const head = text.slice(0, most - 1);
  const space = head.lastIndexOf(' ');
  // A cut inside a surrogate pair would leave half a character.
  const whole = (space > most / 2 ? head.slice(0, space) : head).replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}

export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** The shortest telling piece of the most central sentence: for headings. */
export function titleOf(text: RankedText): string {
  const scores = salience(text);
  const best = scores.reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), 0);
  const sentence = text.sentences[best]?.text ?? '';
  const clause = sentence.split(/[,;:–—(]\s?/)[0] ?? sentence;
  const chosen = wordCount(clause) >= 3 ? clause : sentence;
  return shorten(chosen.replace(/[.!?]+$/, ''), 80);
}
