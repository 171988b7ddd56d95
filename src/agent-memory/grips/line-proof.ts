import { contentWords, indexWords, type Word, type WordIndex } from '../../text/content-words.ts';
import { UNSPACED } from '../../text/scripts.ts';
import { sentencesOf } from '../../text/sentences.ts';

/** A text that can prove a line. */
export interface EvidenceText {
  readonly text: string;
  /** Names of the speakers; empty if unknown. */
  readonly speakers: readonly string[];
}

/** Evidence in the order it was said, prepared for many lines. */
export interface Evidence {
  readonly texts: readonly EvidenceText[];
  readonly indexes: readonly WordIndex[];
  /** Texts with single spaces, for quotations. */
  readonly plain: readonly string[];
  /** Names of all speakers, each once. */
  readonly speakers: readonly string[];
  /** Distance between texts that one line may rest on. */
  readonly reach: number;
}

/** How a line is proven by its evidence. */
export interface LineProof {
  /** The line without speaker and quotation marks. */
  readonly text: string;
  /** Share of the content words that the evidence has, from 0 to 1. */
  readonly support: number;
  /** Names and numbers of the line that the evidence lacks. */
  readonly missing: readonly string[];
  /** Indexes of the texts that it rests on, ascending; never empty. */
  readonly rests: readonly number[];
  /** Index of the text that has most of it. */
  readonly best: number;
  /** Names of the speakers of these texts. */
  readonly speakers: readonly string[];
  /** Whether one text contains the line word for word. */
  readonly quotation: boolean;
  /** Words of the best text that prove the line: the quotation, or the most similar sentence. */
  readonly excerpt: string;
}

/** Texts of one line: more than these make it a patchwork of words. */
const RESTS_MAX = 4;
/** Distance of events in one conversation that still speak of one thing. */
export const REACH = 8;

const singleSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();

/** @param reach largest distance between the texts of one line */
export function openEvidence(texts: readonly EvidenceText[], reach: number = REACH): Evidence {
  return {
    texts,
    indexes: texts.map(({ text }) => indexWords(text)),
    plain: texts.map(({ text }) => singleSpaced(text)),
    speakers: [...new Set(texts.flatMap(({ speakers }) => speakers))],
    reach,
  };
}

const LABEL = /^([^\n:"“”]{1,80}):\s*(.+)$/s;
const QUOTED = /^["“](.+?)["”]?$/s;
const ROLES = /^(?:user|assistant|system|tool|agent|human|ai)$/i;

/** Splits `Name: "sentence"` if the name is a speaker, a role, or the sentence is quoted. */
export function splitLine(
  line: string,
  speakers: readonly string[],
): { readonly speaker: string | null; readonly text: string } {
  const [, name = '', rest = ''] = LABEL.exec(line.trim()) ?? [];
  const label = name.replace(/[*_`]+/g, '').trim();
  const isSpeaker = speakers.some((one) => sameName(one, label)) || ROLES.test(label);
  if (name !== '' && (isSpeaker || QUOTED.test(rest)))
    return { speaker: label, text: unquoted(rest) };
  return { speaker: null, text: unquoted(line.trim()) };
}

const unquoted = (text: string) => (QUOTED.exec(text.trim())?.[1] ?? text).trim();
const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * Proves a line by the evidence. Null: no text has any word of it.
 * @param given words that need no evidence, such as names that the model was told
 */
export function proveLine(
  line: string,
  evidence: Evidence,
  given: readonly string[] = [],
): LineProof | null {
  const { speaker, text } = splitLine(line, evidence.speakers);
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  return quotationOf(text, speaker, evidence) ?? paraphraseOf({ text, speaker, given }, evidence);
}

function quotationOf(text: string, speaker: string | null, evidence: Evidence): LineProof | null {
  const wanted = singleSpaced(text);
  // Quotation marks within a quotation are written as apostrophes.
  const isIn = (plain: string) =>
    plain.includes(wanted) || plain.replaceAll('"', "'").includes(wanted);
  const found = evidence.plain.flatMap((plain, index) => (isIn(plain) ? [index] : []));
  const best = found.find((index) => isSaidBy(evidence.texts[index], speaker ?? '')) ?? found[0];
  // Part of a word is no quotation: "art" in "party".
  if (best === undefined || !isWhole(evidence.plain[best] ?? '', wanted)) return null;
  const plain = evidence.plain[best] ?? '';
  const at = plain.replaceAll('"', "'").indexOf(wanted.replaceAll('"', "'"));
  return {
    text,
    support: 1,
    missing: [],
    rests: [best],
    best,
    speakers: speakersOf([best], evidence),
    quotation: true,
    excerpt: plain.slice(at, at + wanted.length),
  };
}

function isWhole(plain: string, wanted: string): boolean {
  const at = Math.max(plain.indexOf(wanted), plain.replaceAll('"', "'").indexOf(wanted));
  const letter = /[\p{L}\p{N}]/u;
  const isCut = (one: string, other: string) =>
    letter.test(one) && letter.test(other) && !UNSPACED.test(one);
  return (
    !isCut(plain[at - 1] ?? '', wanted[0] ?? '') &&
    !isCut(wanted.at(-1) ?? '', plain[at + wanted.length] ?? '')
  );
}

function paraphraseOf(
  {
    text,
    speaker: label,
    given,
  }: { text: string; speaker: string | null; given: readonly string[] },
  evidence: Evidence,
): LineProof | null {
  const isGiven = indexWords(given.join('\n'));
  const named = participantsIn(text, evidence.speakers);
  const isLabelled = label !== null && !ROLES.test(label);
  const labelled = isLabelled && !named.includes(label) ? [label, ...named] : named;
  const participants = new Set(
    labelled.flatMap((name) => contentWords(name)).map(({ key }) => key),
  );
  const words = contentWords(text).filter(({ key }) => !participants.has(key));
  const rests = restsOf(words, labelled, evidence);
  const [best] = rests;
  if (best === undefined) return null;
  const has = (word: Word) =>
    isGiven.has(word) || rests.some((index) => evidence.indexes[index]?.has(word) === true);
  const covered = words.filter(has).length;
  const speakers = speakersOf(rests, evidence);
  // The first name is the subject: it spoke, or is spoken of.
  const strangers = labelled.filter(
    (name, at) =>
      at === 0 &&
      !speakers.some((one) => sameName(one, name)) &&
      !isSpokenOf(name, rests, evidence),
  );
  const missing = words.filter((word) => !has(word) && isDue(word)).map(({ text: one }) => one);
  return {
    text,
    support: words.length === 0 ? 0 : covered / words.length,
    missing: [...strangers, ...missing],
    rests: rests.toSorted((a, b) => a - b),
    best,
    speakers,
    quotation: false,
    excerpt: bestSentence(words, evidence.texts[best]?.text ?? ''),
  };
}

/** The sentence of a text that has most of the words; of equal ones, the shortest. */
function bestSentence(words: readonly Word[], text: string): string {
  const sentences = sentencesOf(text).map((sentence) => {
    const index = indexWords(sentence);
    return { sentence, shared: words.filter((word) => index.has(word)).length };
  });
  const [first] = sentences.sort(
    (a, b) => b.shared - a.shared || a.sentence.length - b.sentence.length,
  );
  return first?.sentence ?? '';
}

/** Speakers that a line names, in the order of the line. */
function participantsIn(text: string, speakers: readonly string[]): string[] {
  const lower = text.toLowerCase();
  const placed = speakers.flatMap((name) => {
    // The first name is enough.
    const first = name.toLowerCase().split(' ')[0] ?? '';
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(first)}(?![\\p{L}\\p{N}])`, 'u');
    const at = first === '' ? -1 : lower.search(whole);
    return at < 0 ? [] : [{ name, at }];
  });
  return placed.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const isSpokenOf = (name: string, rests: readonly number[], evidence: Evidence): boolean =>
  rests.some((index) => participantsIn(evidence.plain[index] ?? '', [name]).length > 0);

/**
 * Chooses the texts that a line rests on: the one with most of its words, then near ones that add
 * words, the best first.
 */
function restsOf(words: readonly Word[], named: readonly string[], evidence: Evidence): number[] {
  const { texts, indexes, reach } = evidence;
  const rests: number[] = [];
  let open = words;
  while (rests.length < RESTS_MAX && open.length > 0) {
    const [first = 0] = rests;
    let best = { index: -1, gain: 0 };
    for (let index = 0; index < texts.length; index++) {
      if (rests.includes(index) || (rests.length > 0 && Math.abs(index - first) > reach)) continue;
      const gained = open.filter((word) => indexes[index]?.has(word) === true).length;
      const isNamed = named.some((name) => isSaidBy(texts[index], name));
      // Of equal texts, that of a speaker whom the line names; of equal ones, the first.
      const gain = gained === 0 ? 0 : gained + (isNamed ? 0.5 : 0);
      if (gain > best.gain) best = { index, gain };
    }
    if (best.index < 0) break;
    rests.push(best.index);
    open = open.filter((word) => indexes[best.index]?.has(word) !== true);
  }
  return rests;
}

function speakersOf(rests: readonly number[], { texts }: Pick<Evidence, 'texts'>): string[] {
  return [...new Set(rests.flatMap((index) => texts[index]?.speakers ?? []))];
}

const isSaidBy = (text: EvidenceText | undefined, name: string): boolean =>
  text?.speakers.some((one) => sameName(one, name)) === true;

const VERB = /^(?:is|are|was|were|has|had|will|would|can|could|did|does)$|(?:ed|es|[^s]s)$/i;

/** Whether a missing word refuses the line by itself: numbers and names do. */
function isDue({ kind, key, next }: Word): boolean {
  if (kind === 'number' || kind === 'name') return true;
  // "Marek moved to Oslo": a capitalised first word before a verb or a name is a name.
  const isName = VERB.test(next) || /^\p{Lu}/u.test(next);
  return kind === 'opening' && !/(?:ed|ing|ly|s)$/.test(key) && isName;
}

/** Whether a proof is enough. @param threshold lowest support, from 0 to 1 */
export function holds(proof: LineProof | null, threshold: number): proof is LineProof {
  return proof !== null && proof.missing.length === 0 && proof.support >= threshold;
}

/**
 * The line as it is shown: `Name: "sentence"` for a quotation, else with the names of its speakers.
 */
export function attributed({
  text,
  speakers,
  quotation,
}: Pick<LineProof, 'text' | 'speakers' | 'quotation'>): string {
  if (speakers.length === 0) return text;
  if (quotation) return `${speakers[0]}: "${text.replaceAll('"', "'")}"`;
  if (participantsIn(text, speakers).length > 0) return text;
  return `${speakers.join(', ')}: ${text}`;
}
