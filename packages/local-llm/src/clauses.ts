import { entryOf } from './entry-of.ts';
import type { Sentence, Token } from './language.ts';
import type { Span } from './names.ts';

/**
 * A clause in lower case, its names as `⟨n⟩` (the n-th naming of the sentence), without
 * contractions and adverbs that change nothing: "I'm still living in Rome" → "i am living in ⟨0⟩".
 */
export interface Clause {
  readonly text: string;
  /** The same words as they were written, for each word of `text`. */
  readonly words: readonly string[];
  /** Said as a question, a condition, a possibility or a wish: it states nothing. */
  readonly isStated: boolean;
  /** A question or a condition; "my brother Luca thinks" is neither, and names a brother. */
  readonly isAsked: boolean;
}

const ADVERBS = new Set(
  (
    'now currently just still also really actually recently always usually already finally ' +
    'definitely basically mostly mainly officially both all even absolutely totally truly ' +
    'simply sometimes often originally temporarily permanently together unfortunately luckily ' +
    'sadly happily later then ever so too very much quite presently lately primarily ' +
    'exclusively successfully'
  ).split(' '),
);
const CONTRACTED: Readonly<Record<string, string>> = {
  "'m": 'am',
  "'re": 'are',
  "'ve": 'have',
  "'ll": 'will',
  "'d": 'would',
  "n't": 'not',
  ca: 'can',
  wo: 'will',
  an: 'a',
};
const WHOLE = /^(i|you|we|they|he|she|it|that|who)['’](m|re|ve|ll|d|s)$/i;

/** Words after which a clause only supposes. */
const SUPPOSED =
  /\b(if|unless|whether|imagine|suppose|supposing|assuming|wish|wished|wonder|wondering|let us|let's|hypothetically|pretend|dreamed|dreamt|as if|in case|someday|one day|eventually)\b/;
const POSSIBLE =
  /\b(maybe|perhaps|probably|possibly|might|could|would|should|may|can|cannot|must|ought|think|thinks|guess|heard|almost|nearly|considering|thinking|hope|hopes|try|trying|need|needs|supposedly|apparently|allegedly|joking|kidding)\b/;
const CONDITION = /\b(if|unless|suppose|supposing|assuming|imagine|in case)\b/;
/** The month, which is no possibility. */
const MAY =
  /(?<=\b(?:in|of|on|since|until|till|by|last|next|this|early|mid|late|from|to|\d+(?:st|nd|rd|th)?) )may\b|\bmay(?= \d)/g;
/** Where one clause ends and the next begins; a comma alone may stand in a list. */
const BOUNDARY =
  /^([.;:!?…—–]+|that|because|but|although|though|while|when|after|before|where|so that|which means|\(|\))$/;
const LINK = /^(and|,|then)$/;
const PRONOUN = /^(i|we|he|she|they|it|you|my|our|his|her|their|there|this|that|who|which)$/;

interface Word {
  readonly text: string;
  readonly raw: string;
}

/** The clauses of a sentence. A list of names or nouns is not parted. */
export function clausesOf(sentence: Sentence, spans: readonly Span[]): Clause[] {
  const words = wordsOf(sentence, spans);
  const isConditional = CONDITION.test(words.map(({ text }) => text).join(' '));
  const asked = new Set<Word[]>();
  const parts: Word[][] = [[]];
  let opened = 0;
  words.forEach((word, at) => {
    const part = parts.at(-1) ?? [];
    const next = words[at + 1]?.text ?? '';
    const opens = PRONOUN.test(next) || (/^⟨/.test(next) && isVerbal(words[at + 2]?.text ?? ''));
    // "Daisy and Max love": a list of subjects is no clause.
    const hasVerb = part.some(({ text }) => isVerbal(text));
    const isEnd =
      BOUNDARY.test(word.text) || (hasVerb && LINK.test(word.text) && (opens || isVerbal(next)));
    if (/^[.!?…]+$/.test(word.text)) {
      if (word.text.includes('?')) for (const one of parts.slice(opened)) asked.add(one);
      opened = parts.length;
    }
    if (!isEnd) part.push(word);
    else if (part.length > 0) parts.push([]);
    // ", who lives": the relative clause is about the name before the comma.
    if (isEnd && /^(who|which)$/.test(next) && part.length > 0) {
      const name = part.findLast(({ text }) => /^⟨/.test(text));
      if (name !== undefined) parts.at(-1)?.push(name);
    }
  });
  return parts
    .filter((part) => part.length > 0)
    .map((part) => {
      const text = part.map((word) => word.text).join(' ');
      return {
        text,
        words: part.map(({ raw }) => raw),
        isAsked: isConditional || asked.has(part),
        isStated:
          !isConditional &&
          !asked.has(part) &&
          !SUPPOSED.test(text) &&
          !POSSIBLE.test(text.replace(MAY, '')),
      };
    });
}

const VERBAL =
  /^(am|is|are|was|were|have|has|had|will|do|does|did|live[sd]?|work(s|ed)?|move[sd]?|left|quit|joined|got|bought|sold|own(s|ed)?|use[sd]?|love[sd]?|like[sd]?|hate[sd]?|play(s|ed)?|born|grew|met|married|built|chose|decided|switched|migrated|deployed|runs?|depends?|started|stopped|studied|studies|speaks?|leads?|led|manage[sd]?|maintain(s|ed)?|replaced|went|visited|booked|founded|acquired|plans?|want(s|ed)?|prefers?|teach(es)?|taught|wrote|directed|reports?|ended|became|stayed|comes?|came|knows?|knew|makes?|made|takes?|took|owns?|sings?|learns?|learned|learnt|studies|hired|told|said|says|flew|drove|adopted|signed|teaches|runs?|ran|maintains?|approves?|requires?|needs?|costs?|not)$/;
export const isVerbal = (word: string): boolean => VERBAL.test(word);

function wordsOf({ tokens }: Sentence, spans: readonly Span[]): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const index = spans.findIndex(({ start }) => start === at);
    const span = spans[index];
    if (span !== undefined) {
      words.push({ text: `⟨${index}⟩`, raw: joined(tokens.slice(span.start, span.end)) });
      at = span.end - 1;
      continue;
    }
    // "She's an architect", but "Ada's team".
    const isVerb =
      /^['’]s$/.test(tokens[at]?.text ?? '') &&
      /^(he|she|it|that|there|who|here)$/.test(words.at(-1)?.text ?? '');
    if (isVerb) words.push({ text: 'is', raw: 'is' });
    else words.push(...plainWords(tokens[at]));
  }
  return words;
}

function plainWords(token: Token | undefined): Word[] {
  if (token === undefined || ADVERBS.has(token.lower) || /^["“”*_`]+$/.test(token.text)) return [];
  const lower = token.lower.replaceAll('’', "'");
  const whole = WHOLE.exec(lower);
  if (whole?.[1] !== undefined && whole[2] !== undefined) {
    const second = `'${whole[2]}`;
    return [
      { text: whole[1], raw: whole[1] },
      { text: entryOf(CONTRACTED, second) ?? second, raw: second },
    ];
  }
  return [{ text: entryOf(CONTRACTED, lower) ?? lower, raw: token.text }];
}

function joined(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (index === 0 ? '' : token.spaceBefore) + token.text).join('');
}
