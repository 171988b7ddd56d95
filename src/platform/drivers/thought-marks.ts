import { openEnd } from '../../common/open-end.ts';
import { lastChars } from '../../common/well-formed.ts';

// Marks with which models write their thoughts into their answer, where their server does not part
// the two: tags, Mistral's, Kimi's, Cohere's, and the channels of gpt-oss (harmony).

/** The marks of one kind of thought. */
export interface MarkPair {
  /** Sticky. */
  readonly open: RegExp;
  /** Global: a closing mark as its first group, or an opening one. */
  readonly either: RegExp;
}

const TAGS = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning'],
  ...['seed:think', 'mm:think', 'antml:thinking'],
];
const ATTRIBUTES = `(?:\\s+[\\w:-]+\\s*=\\s*(?:"[^"<>]*"|'[^'<>]*'|[^\\s"'<>/]+))*\\s*`;
/** Marks without attributes, in lower case. */
const PLAIN = [
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|start_thinking|>', '<|end_thinking|>'],
] as const;
/** The text between the mark of a channel and its message: a name, a recipient, and a format. */
const HEADER = '[^<]{0,64}(?:<\\|constrain\\|>[^<]{0,32})?';
const ANSWER_BEGINS = [
  ...['<|message|>', '<|begin_of_solution|>', '<|start_response|>', '<|start_text|>'],
];
/** Marks behind the answer itself, at its end. */
const ANSWER_ENDS = [
  ...['<|return|>', '<|end|>', '<|call|>'],
  ...['<|end_of_solution|>', '<|end_response|>', '<|end_text|>'],
];

const escaped = (mark: string) => mark.replace(/[[\]|]/g, '\\$&');
const anyOf = (marks: readonly string[]) => marks.map(escaped).join('|');

const pairOf = (open: string, close: string): MarkPair => ({
  open: new RegExp(open, 'iy'),
  either: new RegExp(`(${close})|${open}`, 'gi'),
});

const PAIRS: readonly MarkPair[] = [
  ...TAGS.map((name) => pairOf(`<${name}${ATTRIBUTES}>`, `</${name}\\s*>`)),
  ...PLAIN.map(([open, close]) => pairOf(escaped(open), escaped(close))),
  pairOf(
    `<\\|channel\\|>\\s*(?:analysis|commentary)\\b${HEADER}<\\|message\\|>`,
    // A server may drop the mark of the end. The next message ends the thought, too.
    '<\\|(?:end|call|return)\\|>|(?=<\\|(?:start|channel)\\|>)',
  ),
];

const EMPTY_THOUGHT = new RegExp(`<(?:${TAGS.join('|')})${ATTRIBUTES}/>`, 'iy');

const BEFORE_ANSWER = new RegExp(
  [
    '<\\|start\\|>assistant(?:\\s+to=[^\\s<]{1,64}\\s*)?',
    `<\\|channel\\|>${HEADER}<\\|message\\|>`,
    anyOf(ANSWER_BEGINS),
  ].join('|'),
  'iy',
);

/**
 * Closing marks whose opening mark may stand in the prompt. Those of gpt-oss end an answer, too.
 */
const CLOSING = new RegExp(
  `</(?:${TAGS.join('|')})\\s*>|${anyOf(PLAIN.map(([, close]) => close))}`,
  'iy',
);

const MAY_END_ANSWER = /<\|[^\s]{0,20}\s{0,200}$/;

/** The first characters of all marks. */
export const FIRST = /[<[◁]/g;

/** A mark that is no part of the answer. */
export interface MarkFound {
  readonly end: number;
  /** Null: the mark stands alone, and is left out. */
  readonly pair: MarkPair | null;
  /** False: it comes before the answer itself. */
  readonly isThought: boolean;
}

/** The mark at this place of the text. */
export function markAt(text: string, at: number): MarkFound | null {
  for (const pair of PAIRS) {
    const end = endAt(pair.open, text, at);
    if (end !== null) return { end, pair, isThought: true };
  }
  const empty = endAt(EMPTY_THOUGHT, text, at);
  const end = empty ?? endAt(BEFORE_ANSWER, text, at);
  return end === null ? null : { end, pair: null, isThought: empty !== null };
}

/** The end of the closing mark at this place that may come without its opening one. */
export function closingAt(text: string, at: number): number | null {
  return endAt(CLOSING, text, at);
}

function endAt(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : null;
}

/** Where the mark of a thought stands in a text. */
export interface MarkPlace {
  readonly at: number;
  readonly end: number;
  readonly isClosing: boolean;
}

/** The opening and closing marks of one kind after `from`, in order. */
export function* marksOf({ either }: MarkPair, text: string, from = 0): Generator<MarkPlace> {
  for (let start = from; start <= text.length; ) {
    either.lastIndex = start;
    const found = either.exec(text);
    if (found === null) return;
    const end = found.index + found[0].length;
    start = Math.max(end, found.index + 1);
    yield { at: found.index, end, isClosing: found[1] !== undefined };
  }
}

/** Beginnings of marks, in lower case; the longer ones go on with other characters. */
const BEGINNINGS = [
  ...TAGS.flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...PLAIN.flat(),
  ...ANSWER_BEGINS,
  ...ANSWER_ENDS,
  ...['<|start|>assistant', '<|channel|>'],
];
const BEGINNING_CHARS_MAX = Math.max(...BEGINNINGS.map(({ length }) => length));
const ATTRIBUTES_CHARS_MAX = 200;
/** A mark with attributes or a header, of which the end is missing. */
const UNFINISHED = new RegExp(
  [
    `</?(?:${TAGS.join('|')})(?:\\s[^<>]{0,${ATTRIBUTES_CHARS_MAX}}|/)?$`,
    '<\\|start\\|>assistant(?:\\s+(?:t|to|to=[^\\s<]{0,64}\\s*)?)?$',
    '<\\|channel\\|>[^<]{0,64}(?:<\\|constrain\\|>[^<]{0,32})?(?:<[|a-z]{0,11})?$',
  ].join('|'),
  'i',
);

/** Length of the end of `text` that may be the beginning of a mark. */
export function openMark(text: string): number {
  const end = lastChars(text, BEGINNING_CHARS_MAX).toLowerCase();
  const at = text.search(UNFINISHED);
  return Math.max(openEnd(end, BEGINNINGS), at < 0 ? 0 : text.length - at);
}

/** Length of the end of `text` that may be a mark behind the answer. */
export function openAnswerEnd(text: string): number {
  const at = text.search(MAY_END_ANSWER);
  return at < 0 ? 0 : text.length - at;
}

export function withoutAnswerEnd(text: string): string {
  const end = text.trimEnd();
  const low = lastChars(end, BEGINNING_CHARS_MAX).toLowerCase();
  const mark = ANSWER_ENDS.find((one) => low.endsWith(one));
  return mark === undefined ? text : end.slice(0, end.length - mark.length);
}
