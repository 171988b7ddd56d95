import { contentStems, type ParsedText, type Sentence } from './language.ts';
import type { NamedEntity } from './names.ts';
import type { Length } from './prompt.ts';
import { asks, pickSentences, type RankedText, relevance } from './rank.ts';

/** The kind of word that a question asks for. */
type Wanted = 'person' | 'place' | 'organization' | 'date' | 'number' | null;

const WANTED: readonly (readonly [RegExp, Wanted])[] = [
  [/\bwho(m|se)?\b/i, 'person'],
  [/\bwhere\b|\b(which|what) (city|country|place|town)\b/i, 'place'],
  [/\bwhen\b|\b(which|what) (year|date|day|month|time)\b/i, 'date'],
  [
    /\bhow (many|much|old|long|far|big|tall)\b|\b(which|what) (number|amount|price|percentage)\b/i,
    'number',
  ],
  [/\b(which|what) (company|organi[sz]ation|firm|university|institution)\b/i, 'organization'],
];

/** Replies to messages of courtesy alone, by their first words. */
const COURTESIES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:hello|hi|hey|hiya|greetings|welcome|good (?:morning|afternoon|evening|day))\b/i,
    'Hello! Tell me something, or ask about what was said.',
  ],
  [
    /^how (?:are|do) you(?: do| doing)?\b/i,
    'Fine, thank you! Tell me something, or ask about what was said.',
  ],
  [/^(?:thanks|thank you|thx|cheers)\b/i, 'You are welcome!'],
  [/^(?:ok|okay|all right|great|cool|nice|perfect)\b/i, 'All right!'],
  [/^(?:bye|goodbye|good night|see you)\b/i, 'Goodbye!'],
];
export const COURTESY_REPLIES = COURTESIES.map(([, reply]) => reply);
const COURTEOUS_REST =
  /^[\s,.!?]*(?:(?:there|again|all|everyone|you|today|so much|very much|a lot|soon|later|how are you(?: doing)?)[\s,.!?]*)*$/i;

/** The reply to a greeting, thanks or goodbye; null if the message says more than that. */
export function courtesyFor(message: string): string | null {
  const text = message.trim();
  for (const [words, reply] of COURTESIES) {
    const opening = words.exec(text)?.[0];
    if (opening !== undefined && COURTEOUS_REST.test(text.slice(opening.length))) return reply;
  }
  return null;
}

const FIRST_PERSON = /\b(I|I'm|my|me|we|our)\b/;

/**
 * Sentences of the material that answer the question, unchanged; null if there are none. The score
 * is the share of the question's significant words, so one common word is not enough.
 */
export function answerFrom(
  text: RankedText,
  {
    question,
    parsed,
    entities,
    length,
  }: {
    question: ParsedText;
    parsed: ParsedText;
    entities: readonly NamedEntity[];
    length: Length;
  },
): string | null {
  const query = question.sentences.flatMap(contentStems);
  const asked = question.sentences.map((sentence) => sentence.text).join(' ');
  const wanted = WANTED.find(([words]) => words.test(asked))?.[1] ?? null;
  const aboutSpeaker = (): string | null => {
    // "Where am I going?" shares no word with "I am planning a trip to Lisbon": the latest such
    // word of theirs answers.
    if (wanted === null || !FIRST_PERSON.test(asked)) return null;
    const said = text.sentences.findLast(
      (sentence) =>
        FIRST_PERSON.test(sentence.text) && holds(wanted, sentence, parsed, entities, query),
    );
    return said === undefined ? null : spoken(said, said.text);
  };
  if (query.length === 0) return aboutSpeaker();
  const scores = relevance(text, query);
  const all = [...new Set(query)];
  // Where all of the material is about one thing, its word is no less significant.
  const rarest = Math.max(...all.map((stem) => text.idf(stem)));
  const weight = (stem: string) => Math.max(text.idf(stem), rarest / 2);
  const total = all.reduce((sum, stem) => sum + weight(stem), 0);
  const held = text.sentences.map((sentence) => {
    const stems = new Set(contentStems(sentence));
    return all.reduce((sum, stem) => sum + (stems.has(stem) ? weight(stem) : 0), 0) / total;
  });
  const boosted = scores.map((score, index) => {
    const sentence = text.sentences[index];
    if (sentence === undefined || score === 0) return 0;
    // A question in the material is seldom the answer.
    const question = asks(sentence) ? 0.2 : 1;
    const fits = holds(wanted, sentence, parsed, entities, query) ? 1.6 : 1;
    return score * fits * question * (0.4 + (held[index] ?? 0));
  });
  const best = Math.max(...boosted, 0);
  const top = boosted.indexOf(best);
  if (best <= 0 || (held[top] ?? 0) < 0.3) return aboutSpeaker();
  const most = length.sentencesMax ?? 3;
  const isAsked = text.sentences.map(asks);
  // Much weaker sentences would only dilute the answer, and so would a question.
  const strong = boosted.map((score, index) => {
    const dilutes = score < best * 0.6 || (isAsked[index] === true && isAsked[top] === false);
    return dilutes ? 0 : score;
  });
  const sentences = pickSentences(text, strong, (picked) => picked.length < most);
  const said = new Set<number>();
  return sentences
    .filter(({ index }) => !said.has(index))
    .map((sentence) => {
      const whole = toEndOfQuotation(text.sentences, sentence);
      for (const { index } of whole) said.add(index);
      const words = whole.map((one) => one.text).join(' ');
      return spoken(sentence, words);
    })
    .join(' ');
}

/** Words with the name of their speaker, where the material has it. */
function spoken({ speaker }: Sentence, words: string): string {
  return speaker === null ? inMarks(words) : `${speaker}: ${inMarks(words)}`;
}

/** A part of a quotation, whose other mark stands in another sentence. */
function inMarks(words: string): string {
  if (words.split('"').length % 2 === 1) return words;
  return words.endsWith('"') ? words.slice(0, -1) : `${words}"`;
}

/** Sentences after the first one that may belong to its quotation. */
const QUOTED_SENTENCES_MAX = 3;

/** A sentence that opens a quotation, with those up to its end: a part may say the contrary. */
function toEndOfQuotation(all: readonly Sentence[], first: Sentence): readonly Sentence[] {
  const from = all.indexOf(first);
  for (let length = 1; length <= QUOTED_SENTENCES_MAX; length++) {
    const part = all.slice(from, from + length);
    const marks = part.reduce((sum, { text }) => sum + text.split('"').length - 1, 0);
    if (marks % 2 === 0) return part;
  }
  return [first];
}

function holds(
  wanted: Wanted,
  sentence: Sentence,
  parsed: ParsedText,
  entities: readonly NamedEntity[],
  query: readonly string[],
): boolean {
  if (wanted === null) return false;
  if (wanted === 'number')
    return sentence.tokens.some(({ pos, stem }) => pos === 'NUM' && !query.includes(stem));
  if (wanted === 'date') {
    return parsed.mentions.some(
      (mention) => mention.sentence === sentence.index && /DATE|TIME|DURATION/.test(mention.type),
    );
  }
  return entities.some(
    ({ kind, name, sentences }) =>
      kind === wanted &&
      sentences.includes(sentence.index) &&
      // In "Who is Ada?" the name is not the answer.
      !name
        .toLowerCase()
        .split(' ')
        .every((word) => query.some((stem) => word.startsWith(stem))),
  );
}
