import { keywords } from './rank.ts';
import type { Source } from './source.ts';

/** A note to oneself, and the place of the earlier note that it replaces; null where it is new. */
export interface SelfNote {
  readonly content: string;
  readonly position: number | null;
}

const NOTES_MAX = 5;
const FACTS_MAX = 6;
const TOPICS_MAX = 6;

/**
 * Notes about the best-known names, each from the facts that the prompt lists or the text states.
 * A fact stands in one note only. An earlier note on the same name is replaced where it differs,
 * and nothing is noted twice. Without facts, one note names the topics.
 */
export function notesOf(source: Source): SelfNote[] {
  const earlier = earlierNotes(source.reading.aside['earlier'] ?? '');
  const said = source.parsed.sentences.map(({ text }) => wordsIn(text));
  const used = new Set<string>();
  const notes: SelfNote[] = [];
  for (const [name, facts] of factsByName(source)) {
    const elsewhere = earlier.filter((note) => !note.content.startsWith(`${name}: `));
    const own = distinct(
      facts.filter(
        (fact) => !used.has(fact) && !elsewhere.some(({ content }) => content.includes(fact)),
      ),
      said,
    ).slice(0, FACTS_MAX);
    if (own.length === 0 || notes.length >= NOTES_MAX) continue;
    for (const fact of own) used.add(fact);
    const content = `${name}: ${own.join(' ')}`;
    const before = earlier.find((note) => note.content.startsWith(`${name}: `));
    if (before?.content !== content) notes.push({ content, position: before?.position ?? null });
  }
  return notes.length > 0 ? notes : topicsOf(source, earlier);
}

function topicsOf(source: Source, earlier: readonly SelfNote[]): SelfNote[] {
  const names = source.entities().map(({ name }) => name);
  const topics = [...new Set([...names, ...keywords(source.ranked, TOPICS_MAX)])];
  if (topics.length === 0) return [];
  const content = `${TOPICS} ${topics.slice(0, TOPICS_MAX).join(', ')}.`;
  const before = earlier.find((note) => note.content.startsWith(TOPICS));
  return [{ content, position: before?.position ?? null }];
}
const TOPICS = 'Topics so far:';

/** Known facts from lines `Ada: Ada lives in Rome. Ada likes tea.`, then facts of the text. */
function factsByName(source: Source): Map<string, string[]> {
  const facts = new Map<string, string[]>();
  const add = (name: string, fact: string): void => {
    const list = facts.get(name) ?? [];
    if (!list.includes(fact)) list.push(fact);
    facts.set(name, list);
  };
  const known = (source.reading.aside['known'] ?? '').split('\n').flatMap((line) => {
    const [, name, told = ''] =
      /^(?:[-*] )?([^:()]{1,80})(?:\(\w+\))?: (.+)$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : [{ name: name.trim(), told }];
  });
  const names = known.map(({ name }) => name);
  for (const { name, told } of known) for (const fact of factsIn(told, names)) add(name, fact);
  for (const { subject, text, sentence } of source.relations()) {
    const said = source.parsed.sentences[sentence];
    // A summary leaves out the part that names the person whom "he" means.
    if (said?.speaker === subject || said?.text.includes(subject) === true) add(subject, text);
  }
  return facts;
}

/** "Acme Corp. in Lucca" goes on small; the next fact begins large, or with a known name. */
function factsIn(told: string, names: readonly string[]): string[] {
  const facts: string[] = [];
  for (const part of told.split(/(?<=[.!?])\s+/u)) {
    const begins = /^[\p{Lu}\p{Lo}\d]/u.test(part) || names.some((name) => part.startsWith(name));
    const last = facts.at(-1);
    if (begins || last === undefined) facts.push(part.trim());
    else facts[facts.length - 1] = `${last} ${part.trim()}`;
  }
  return facts;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The facts, or only those that no sentence says in the same words where most are said so. */
function distinct(facts: readonly string[], said: readonly ReadonlySet<string>[]): string[] {
  const fresh = facts.filter((fact) => {
    const words = wordsIn(fact);
    return !said.some((sentence) => {
      const common = [...words].filter((word) => sentence.has(word)).length;
      return common / (words.size + sentence.size - common) >= SAME_SHARE;
    });
  });
  return fresh.length * 2 > facts.length ? [...facts] : fresh;
}
const SAME_SHARE = 0.7;

function earlierNotes(text: string): SelfNote[] {
  return text.split('\n').flatMap((line) => {
    const [, position, content] = /^\[(\d+)\] (.+)$/.exec(line.trim()) ?? [];
    return content === undefined ? [] : [{ content, position: Number(position) }];
  });
}
