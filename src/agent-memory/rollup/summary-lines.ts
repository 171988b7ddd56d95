import { firstChars } from '../../common/well-formed.ts';
import { contentWords, readContentWords } from '../../text/content-words.ts';
import { isQuestion } from '../../text/questions.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { CHATTER, PLEASANTRIES } from '../../text/word-lists.ts';

const LINE_CHARS_MAX = 500;
/** Maximum lines of an answer that are read. A model that says more repeats itself. */
const LINES_MAX = 60;
const CHARS_PER_LINE = 300;

/**
 * Splits a model's answer into lines: sentences, and quotations such as `Ada: "It rained. I
 * slept."` as a whole. Marks of lists, greetings, markup and words about the answer itself are left
 * out.
 */
export function linesOf(answer: string, linesMax: number = LINES_MAX): string[] {
  return firstChars(answer, linesMax * CHARS_PER_LINE)
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•#>]+|\d+[.)])\s+/, '').trim())
    .flatMap(quotationsAndSentences)
    .filter(isTelling)
    .slice(0, linesMax);
}

const QUOTATION =
  /(?<=^|[.!?…"”]\s{0,3})[\p{L}\p{N}*_][^\n:"“”.!?]{0,79}:[*_]*\s{0,3}(?:"[^"\n]+"|“[^”\n]+”)/gu;

function quotationsAndSentences(line: string): string[] {
  const found = [...line.matchAll(QUOTATION)];
  let from = 0;
  const lines: string[] = [];
  for (const { 0: quotation, index } of found) {
    lines.push(...sentencesOf(line.slice(from, index)), firstChars(quotation, LINE_CHARS_MAX));
    from = index + quotation.length;
  }
  return [...lines, ...sentencesOf(line.slice(from))];
}

const ABOUT_ITSELF =
  /^(?:here (?:is|are)\b|sure\b|certainly\b|of course\b|in summary\b|to summari[sz]e\b|summary\b|as an ai\b|i am (?:an ai|a language model|local-)|i'm (?:an ai|a language model)|nothing in what i was given|there is no text here|noted:|let me know if|i (?:cannot|can't) summari[sz]e)/i;
const MARKUP = /```|<\/?[a-z][\w-]*(?:\s[^>]*)?>|[{[]\s*["{[]|"\s*:\s*["{[\d]|^\W*[{}[\]]\W*$/i;

/** Whether a line tells something: no markup, no greeting, nothing about the answer itself. */
export function isTelling(line: string): boolean {
  const text = withoutSpeaker(line);
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  return (
    !ABOUT_ITSELF.test(line) &&
    !ABOUT_ITSELF.test(text) &&
    !MARKUP.test(text) &&
    !isPleasantry(text)
  );
}

/** The line without `Name: ` before it. */
const withoutSpeaker = (line: string): string =>
  line.replace(/^[^\n:"“”.!?]{1,80}:\s*/, '').replace(/^["“]/, '');

/** Whether a text only greets, thanks or agrees. It reads up to the first word that tells more. */
function isPleasantry(text: string): boolean {
  let greets: boolean | null = null;
  let isPleasant = false;
  for (const { key, kind } of readContentWords(text)) {
    greets ??= PLEASANTRIES.has(key);
    if (!CHATTER.has(key) && !(greets && kind === 'name')) return false;
    isPleasant ||= PLEASANTRIES.has(key);
  }
  if (greets === null) return /^\P{N}*$/u.test(text) && /\p{Script=Latin}/u.test(text);
  return isPleasant;
}

/** A line that may be chosen. */
interface Choosable {
  readonly text: string;
}

/** Lines up to which questions and quotations of earlier lines are chosen, where others are few. */
const FILLED_MAX = 3;

/**
 * Chooses lines by importance, without repeated ones, and keeps their order. Each group gives its
 * best line before any gives its second. Questions and quotations of what was said earlier come
 * last, up to three lines in all: they tell less than the lines that they ask for or repeat.
 */
export function chooseLines<Line extends Choosable>(
  groups: readonly (readonly Line[])[],
  count: number,
): Line[] {
  const all = groups
    .flatMap((lines, group) =>
      lines
        .filter(({ text }) => isTelling(text))
        .map((line) => ({ line, group, ...weighed(line.text) }))
        .sort((a, b) => Number(a.isWeak) - Number(b.isWeak) || b.weight - a.weight)
        .map((one, rank) => ({ ...one, rank })),
    )
    .sort((a, b) => a.rank - b.rank || b.weight - a.weight);
  const chosen: typeof all = [];
  const choose = (some: typeof all, most: number) => {
    for (const one of some) {
      if (chosen.length >= most) return;
      if (!chosen.some((other) => isRepeated(one, other))) chosen.push(one);
    }
  };
  choose(
    all.filter(({ isWeak }) => !isWeak),
    count,
  );
  choose(
    all.filter(({ isWeak }) => isWeak),
    Math.min(count, FILLED_MAX),
  );
  const lines = new Set(chosen.map(({ line }) => line));
  return groups.flatMap((group) => group.filter((line) => lines.has(line)));
}

interface Weighed {
  readonly weight: number;
  /** A question, or a quotation of an earlier line. */
  readonly isWeak: boolean;
  readonly stems: ReadonlySet<string>;
  /** Names and numbers. */
  readonly firm: readonly string[];
}

/** A quotation inside a line, with its own speaker: `Ada: on 3 May: 'It rained.'` */
const RETOLD = /^[^\n"“”.!?]{1,80}:\s*['‘“"][^\n]+['’”"]\W*$/;

/** Importance of a line: names and numbers count most, small talk least. */
function weighed(text: string): Weighed {
  const said = withoutSpeaker(text);
  const words = contentWords(said);
  const byStem = new Map(words.map((word) => [word.stem, word]));
  let sum = 0;
  for (const { kind, key } of byStem.values())
    sum += CHATTER.has(key) ? 0.2 : kind === 'name' ? 2 : kind === 'number' ? 1.5 : 1;
  const isWeak = isQuestion(text) || RETOLD.test(said);
  const weight = sum / (4 + byStem.size) ** 0.7;
  const firm = [...byStem.values()].filter(({ kind }) => kind === 'name' || kind === 'number');
  return { weight, isWeak, stems: new Set(byStem.keys()), firm: firm.map(({ stem }) => stem) };
}

/** Share of common words from which two lines say the same. */
const REPEATED_SHARE = 0.7;

/** Whether the shorter line says nothing that the longer one does not say. */
function isRepeated(one: Weighed, other: Weighed): boolean {
  const [shorter, longer] = one.stems.size <= other.stems.size ? [one, other] : [other, one];
  if (shorter.stems.size === 0) return longer.stems.size === 0;
  if (shorter.firm.some((stem) => !longer.stems.has(stem))) return false;
  const shared = [...shorter.stems].filter((stem) => longer.stems.has(stem)).length;
  return shared / shorter.stems.size >= REPEATED_SHARE;
}
