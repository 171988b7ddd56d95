import nlp from 'compromise';
import type { Sentence, Token } from './language.ts';
import { NAME_CHARS_MAX } from './limits.ts';

export const ENTITY_KINDS = ['person', 'place', 'organization', 'other'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export interface NamedEntity {
  readonly name: string;
  readonly kind: EntityKind;
  /** Indexes of the sentences that name it, rising. */
  readonly sentences: readonly number[];
  readonly mentions: number;
}

/** One naming of an entity: tokens `start` to before `end` of a sentence. */
export interface Span {
  readonly entity: string;
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

export interface Names {
  readonly entities: readonly NamedEntity[];
  readonly spans: readonly (readonly Span[])[];
}

const ORGANIZATION_END =
  /^(inc|ltd|llc|plc|corp|corporation|company|co|gmbh|ag|sa|university|institute|foundation|agency|bank|group|labs?|laboratory|laboratories|college|school|hospital|association|union|ministry|department|committee|council|dynamics|systems|technologies|industries|airlines|press|society|academy)\.?$/i;
const PLACE_END =
  /^(river|lake|mountains?|island|islands|street|avenue|road|square|bay|ocean|sea|valley|county|city|park|bridge|airport)$/i;
const TITLE = /^(mr|mrs|ms|dr|prof|professor|sir|lady|president|minister|captain)\.?$/i;
// Capitalised for other reasons than being a name.
const NO_NAME =
  /^(i|i'm|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|today|tomorrow|yesterday|ok|okay|yes|no|thanks|please|hello|hi|hey|user|assistant|system|agent|ai|the|this|that)$/i;

/**
 * People, places and organisations, and other capitalised names, by compromise's tagging, wink's parts of speech
 * and a few suffixes. A name found once is found wherever it stands. In order of first mention.
 */
export function findNames(sentences: readonly Sentence[]): Names {
  const kinds = new Map<string, EntityKind>();
  const learn = (name: string, kind: EntityKind): void => {
    const clean = name
      .replace(/['’]s$/u, '')
      .replace(/^[^\p{L}\d]+|[^\p{L}\d.]+$|(?<![A-Z]|Corp|Inc|Ltd|Co)\.$/gu, '')
      .trim();
    if (!/^\p{Lu}/u.test(clean) || NO_NAME.test(clean) || clean.length > 80) return;
    if (!kinds.has(clean) || kinds.get(clean) === 'other') kinds.set(clean, kind);
  };
  for (const sentence of sentences)
    if (sentence.speaker !== null) learn(sentence.speaker, 'person');
  for (const name of capitalisedRuns(sentences)) learn(name, kindByShape(name));
  const text = textWithNames(sentences);
  if (text !== '') {
    const document = nlp(text);
    // Organisations first: "Acme Corp." is no person, whatever its first word looks like.
    for (const name of document.organizations().out('array') as string[])
      learn(name, 'organization');
    for (const name of document.places().out('array') as string[]) learn(name, 'place');
    for (const name of document.people().out('array') as string[]) learn(name, 'person');
  }
  return locate(sentences, kinds);
}

/** Compromise is the slow part, so it only reads sentences that can hold a name. */
function textWithNames(sentences: readonly Sentence[]): string {
  let text = '';
  for (const sentence of sentences) {
    if (!sentence.tokens.some(({ pos, text: word }) => pos === 'PROPN' && /^\p{Lu}/u.test(word)))
      continue;
    if (text.length + sentence.text.length > NAME_CHARS_MAX) break;
    text += `${sentence.text}\n`;
  }
  return text;
}

function isNameToken(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    token.pos === 'PROPN' &&
    /^\p{Lu}/u.test(token.text) &&
    !NO_NAME.test(token.text)
  );
}

function capitalisedRuns(sentences: readonly Sentence[]): string[] {
  const runs: string[] = [];
  for (const { tokens } of sentences) {
    for (let start = 0; start < tokens.length; start++) {
      if (!isNameToken(tokens[start])) continue;
      let end = start + 1;
      while (isNameToken(tokens[end])) end++;
      runs.push(joined(tokens.slice(start, end)));
      start = end;
    }
  }
  return runs;
}

function kindByShape(name: string): EntityKind {
  const words = name.split(' ');
  if (TITLE.test(words[0] ?? '')) return 'person';
  if (words.length > 1 && ORGANIZATION_END.test(words.at(-1) ?? '')) return 'organization';
  if (/^(University|Institute|Ministry|Bank|College|Academy) of\b/.test(name))
    return 'organization';
  if (words.length > 1 && PLACE_END.test(words.at(-1) ?? '')) return 'place';
  return 'other';
}

function joined(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (index === 0 ? '' : token.spaceBefore) + token.text).join('');
}

/** Finds every naming, longest first; "Curie" alone counts for the one person whose name ends so. */
function locate(sentences: readonly Sentence[], kinds: Map<string, EntityKind>): Names {
  const names = [...kinds.keys()];
  const canonical = new Map<string, string>();
  for (const name of names) canonical.set(name, name);
  for (const name of names) {
    if (name.includes(' ')) continue;
    const owners = names.filter(
      (other) => other !== name && kinds.get(other) === 'person' && other.split(' ').includes(name),
    );
    if (owners.length === 1 && owners[0] !== undefined) canonical.set(name, owners[0]);
    // With two persons of this last name, the reference is unclear, but it is a person.
    else if (owners.length > 1 && kinds.get(name) === 'other') kinds.set(name, 'person');
  }
  const byFirst = new Map<string, { words: string[]; name: string }[]>();
  for (const name of names) {
    const words = wordsOf(name);
    const first = words[0];
    if (first === undefined) continue;
    const list = byFirst.get(first) ?? [];
    list.push({ words, name: canonical.get(name) ?? name });
    byFirst.set(first, list);
  }
  for (const list of byFirst.values())
    list.sort((left, right) => right.words.length - left.words.length);

  const found = new Map<string, { sentences: Set<number>; mentions: number }>();
  const mark = (name: string, sentence: number): void => {
    const known = found.get(name) ?? { sentences: new Set<number>(), mentions: 0 };
    known.sentences.add(sentence);
    known.mentions++;
    found.set(name, known);
  };
  const spans = sentences.map((sentence) => {
    if (sentence.speaker !== null && kinds.has(sentence.speaker))
      mark(sentence.speaker, sentence.index);
    const list: Span[] = [];
    for (let start = 0; start < sentence.tokens.length; start++) {
      const candidates = byFirst.get(sentence.tokens[start]?.text ?? '') ?? [];
      const match = candidates.find(({ words }) =>
        words.every((word, offset) => sentence.tokens[start + offset]?.text === word),
      );
      if (match === undefined) continue;
      const end = start + match.words.length;
      list.push({ entity: match.name, sentence: sentence.index, start, end });
      mark(match.name, sentence.index);
      start = end - 1;
    }
    return list;
  });
  const entities = [...found].map(
    ([name, { sentences: where, mentions }]): NamedEntity => ({
      name,
      kind: kinds.get(name) ?? 'other',
      sentences: [...where].sort((left, right) => left - right),
      mentions,
    }),
  );
  return { entities, spans };
}

/** Splits a name as wink's tokens do, near enough: at spaces, before 's, at marks inside but for full stops. */
function wordsOf(name: string): string[] {
  return name.match(/[\p{L}\d]+(?:[.'’&-][\p{L}\d]+)*\.?|[^\s\p{L}\d]/gu) ?? [];
}
