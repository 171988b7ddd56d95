import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemEntity, type ItemSentence, type ItsFunction } from 'wink-nlp';
import { goesOn } from './abbreviations.ts';
import { hidePieces, pieceOf, showPieces } from './name-shapes.ts';
import { isFunctionWord, tongueOf } from './tongues.ts';
import { MODERN_WORDS } from './words.ts';

/** A word, number or mark of a sentence. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  /** Porter stem, for comparisons of texts. */
  readonly stem: string;
  /** Universal part of speech: NOUN, PROPN, VERB, … */
  readonly pos: string;
  /** Carries meaning of its own: a word or number that is no stop word. */
  readonly content: boolean;
  /** An ordinary English word when written small. */
  readonly known: boolean;
  /** Has the form of a name by itself: C++, iPhone, v2.3.1. */
  readonly named: boolean;
  readonly spaceBefore: string;
}

export interface Sentence {
  readonly index: number;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Speaker of a line `Name: …`, or null. The label is not part of the text. */
  readonly speaker: string | null;
  /** Language, and no code, log, JSON or table; no result of a Tool. */
  readonly isProse: boolean;
  /** Two-letter code of its language; `other` where that is not known. */
  readonly tongue: string;
}

/** A date or an amount as wink's recogniser found it. */
export interface Mention {
  readonly type: string;
  readonly text: string;
  readonly sentence: number;
}

export interface ParsedText {
  readonly sentences: readonly Sentence[];
  readonly mentions: readonly Mention[];
}

/** Turns text into sentences of tagged tokens. Pure: the same text gives the same sentences. */
export interface Language {
  parse(text: string): ParsedText;
}

const SPEAKER =
  /^(\p{Lu}[\p{L}\d.'’-]*(?: \p{Lu}[\p{L}\d.'’-]*){0,3}|user|assistant|agent|system):\s+(?=\S)/u;
// Labels that start a piece of text and do not name a speaker.
const HEADINGS = new Set(
  (
    'note notes text context content summary question answer task title date subject example ' +
    'warning facts input output error info debug todo update result results plan goal status ' +
    'name value key type id url http https time from to cc re ps fyi tldr version step total'
  ).split(' '),
);
/** Marks a line brings that are layout, not language: bullets, numbering, quotes, headings. */
const LAYOUT = /^\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)/;

const BLOCK_CHARS_MAX = 4_000;
const DICTIONARY_MAX = 20_000;

/** Loads the model (about 0.2 s, 20 MB); one is enough for a process. */
export function openLanguage(): Language {
  const wink = winkNLP(model, ['sbd', 'pos', 'ner']);
  const { its } = wink;
  const column = (tokens: { out<T>(its: ItsFunction<T>): T[] | string[] }, of: unknown): string[] =>
    tokens.out(of as ItsFunction<string>) as string[];

  const unknownFrom = idOf('zqxjunheardof');
  const dictionary = new Map<string, boolean>();

  function idOf(word: string): number {
    return Number(wink.readDoc(word).tokens().itemAt(0).out(its.uniqueId));
  }

  /** wink numbers the words of its dictionary first, and those it meets later after them. */
  function isKnown(lower: string): boolean {
    const before = dictionary.get(lower);
    if (before !== undefined) return before;
    const known = MODERN_WORDS.has(lower) || (lower !== '' && idOf(lower) < unknownFrom);
    if (dictionary.size >= DICTIONARY_MAX) dictionary.clear();
    dictionary.set(lower, known);
    return known;
  }

  function parse(text: string): ParsedText {
    const sentences: Said[] = [];
    const mentions: Mention[] = [];
    for (const { block, speaker, isProse } of blocksOf(text)) {
      const { text: hidden, pieces } = hidePieces(block);
      const document = wink.readDoc(hidden);
      const first = sentences.length;
      const parts: Token[][] = [];
      document.sentences().each((sentence: ItemSentence) => {
        const words = sentence.tokens();
        const texts = column(words, its.value);
        const stems = column(words, its.stem);
        const tags = column(words, its.pos);
        const types = column(words, its.type);
        const stops = column(words, its.stopWordFlag) as unknown as boolean[];
        const spaces = column(words, its.precedingSpaces);
        const tokens = texts.map((raw, index): Token => {
          const piece = pieceOf(raw, pieces);
          const word = piece?.text ?? raw;
          const lower = word.toLowerCase();
          const isWord = types[index] === 'word' || types[index] === 'number';
          return {
            text: word,
            lower,
            stem: piece === undefined ? (stems[index] ?? word) : lower,
            pos: piece === undefined ? (tags[index] ?? 'X') : piece.kind === 'name' ? 'PROPN' : 'X',
            content: stops[index] !== true && isWord && /[\p{L}\d]/u.test(word),
            known: piece === undefined && isKnown(lower),
            named: piece?.kind === 'name',
            spaceBefore: spaces[index] ?? '',
          };
        });
        const before = parts.at(-1);
        if (before !== undefined && goesOn(written(before), written(tokens)))
          before.push(...tokens);
        else parts.push(tokens);
      });
      for (const tokens of parts) {
        const whole = written(tokens);
        const index = sentences.length;
        if (!/[\p{L}\d]/u.test(whole)) continue;
        const tongue = isProse ? tongueOf(tokens) : 'en';
        sentences.push({ index, text: whole, tokens, speaker, isProse, tongue });
      }
      document.entities().each((entity: ItemEntity) => {
        const detail = entity.out(its.detail as ItsFunction<{ value: string; type: string }>);
        if (typeof detail === 'string') return;
        const value = showPieces(detail.value, pieces);
        const at = sentences.findIndex(
          ({ index, text: whole }) => index >= first && whole.includes(value),
        );
        mentions.push({ type: detail.type, text: value, sentence: Math.max(at, 0) });
      });
    }
    return { sentences: inTongues(sentences), mentions };
  }
  return { parse };
}

type Said = Omit<Sentence, 'tongue'> & { readonly tongue: string | null };

function written(tokens: readonly Token[]): string {
  return tokens
    .map((token) => token.spaceBefore + token.text)
    .join('')
    .trim();
}

/** A sentence that does not show its language has that of the speaker, else that of the text. */
function inTongues(sentences: readonly Said[]): Sentence[] {
  const [most] = [...Map.groupBy(sentences, ({ tongue }) => tongue)]
    .filter(([tongue]) => tongue !== null)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([tongue]) => tongue);
  const bySpeaker = new Map<string | null, string>();
  return sentences.map((sentence) => {
    const { speaker } = sentence;
    const tongue = sentence.tongue ?? bySpeaker.get(speaker) ?? most ?? 'en';
    bySpeaker.set(speaker, tongue);
    if (tongue === 'en') return { ...sentence, tongue };
    const tokens = sentence.tokens.map((token) =>
      isFunctionWord(tongue, token.lower) ? { ...token, content: false } : token,
    );
    return { ...sentence, tongue, tokens };
  });
}

/**
 * Paragraphs, list items and speeches: a sentence never runs over their ends, a wrapped line is no
 * end.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const smallLabels = smallLabelsOf(text);
  let current: string | null = null;
  let open = false;
  let isFenced = false;
  let isTrace = false;
  for (const raw of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (FENCE.test(raw)) isFenced = !isFenced;
    const marked = LAYOUT.test(raw);
    // wink's stemmer takes time quadratic in the word length. Such long runs without spaces
    // (base64) are no words.
    let line = raw
      .replace(LAYOUT, '')
      .trim()
      .replace(/\S{200}(?=\S)/gu, '$& ');
    // Rules and frames separate the text above and below, and have no content.
    if (!/[\p{L}\d]/u.test(line)) {
      open = false;
      continue;
    }
    const small = SMALL_LABEL.exec(line)?.[1];
    const label =
      SPEAKER.exec(line)?.[1] ?? (small !== undefined && smallLabels.has(small) ? small : null);
    const isLabel = label !== null && !HEADINGS.has(label.toLowerCase()) && !FAULT.test(label);
    const named = isLabel ? label : null;
    if (named !== null) line = unquoted(line.slice(named.length + 1).trim());
    // A turn goes on over its paragraphs until the next label.
    const speaker: string | null = named ?? current;
    current = speaker;
    const last = blocks.at(-1);
    // A heading has no full stop, so it must not flow into the paragraph under it.
    isTrace = isTrace && named === null ? !FAULT.test(line) : TRACE.test(line);
    const isOfTool = speaker !== null && TOOL.test(speaker);
    const isProse = !isFenced && !isTrace && !isOfTool && !isCode(line);
    const flows = open && !marked && !isLabel && isProse === last?.isProse;
    if (flows && last !== undefined) last.block += ` ${line}`;
    else blocks.push({ block: line, speaker, isProse });
    open = !/^#{1,6}\s/.test(raw.trim());
  }
  return blocks.flatMap(({ block, ...rest }) =>
    slices(block).map((slice) => ({ ...rest, block: slice })),
  );
}

interface Block {
  block: string;
  readonly speaker: string | null;
  readonly isProse: boolean;
}

const SMALL_LABEL = /^([\p{Ll}\p{Lo}\d][\p{L}\d._@:-]{0,60}):\s+(?=\S)/u;
const ROLES = /^(?:assistant|agent|user):\s/im;

/** Labels written small: one that opens the text, or stands in a talk more than once. */
function smallLabelsOf(text: string): ReadonlySet<string> {
  const lines = text.slice(0, 200_000).split('\n');
  const isTalk = ROLES.test(text);
  const counts = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const label = SMALL_LABEL.exec(line.replace(LAYOUT, '').trim())?.[1];
    if (label === undefined || HEADINGS.has(label)) continue;
    counts.set(label, (counts.get(label) ?? 0) + (index === 0 || isTalk ? 2 : 1));
  }
  return new Set([...counts].filter(([, count]) => count >= 2).map(([label]) => label));
}

/** A summary's line is a quotation: `Ada: "I live in Rome."`. */
function unquoted(line: string): string {
  return /^["“].*["”]$/.test(line) && !/["“”]/.test(line.slice(1, -1)) ? line.slice(1, -1) : line;
}

/** The label of what a Tool returned. */
const TOOL = /^tool$/i;
/** A stack trace begins; its lines are code until the fault that ends it. */
const TRACE = /^(?:Traceback \(|Stack ?trace:?$|Exception in thread )/i;
const FAULT = /^[\w.$]*(?:Error|Exception|Fault|Interrupt)\b/;

const FENCE = /^(?:.*: )?\s*```/;

/** A line of code, a log, JSON, markup or a table; one mark in a sentence makes none. */
function isCode(line: string): boolean {
  if (CODE_LINE.test(line) || LOG_LINE.test(line)) return true;
  if (/[;{]$/.test(line) && /[=(){}]/.test(line)) return true;
  const marks = line.match(/[{}[\]<>|=;\\$]|::|=>|\(\)/g)?.length ?? 0;
  return marks >= 3 && marks > line.length / 25;
}
const CODE_LINE =
  /^[[{].*[:,].*|^<\/?\w+[^<>]*>|^at .+\(.+:\d+(?::\d+)?\)|^\.{3} \d+ more$|^\$ \w|^\|.*\|$|^(?:import|export|const|let|var|def|class|function|return) .*[;({=]/;
/** A file with its line, a fault with its class, a line of a log. */
const LOG_LINE =
  /^File ".*", line \d+|^(?:Caused by: )?[\w$]+(?:\.[\w$]+)+: |^\w*(?:Error|Exception): |^\[?\d{4}-\d\d-\d\d[T ][\d:.,]+\S*\]? |^(?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?)[ :]/;

/**
 * wink's time grows with the square of an endless sentence, so blocks of book length are read in
 * parts.
 */
function slices(block: string): string[] {
  const parts: string[] = [];
  let rest = block;
  while (rest.length > BLOCK_CHARS_MAX) {
    const head = rest.slice(0, BLOCK_CHARS_MAX);
    const stop = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? '), head.lastIndexOf('! '));
    const space = head.lastIndexOf(' ');
    const end =
      stop > BLOCK_CHARS_MAX / 2 ? stop + 1 : space > BLOCK_CHARS_MAX / 2 ? space : BLOCK_CHARS_MAX;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

/** The stems a text is about, in order, repeats kept. */
export function contentStems(sentence: Pick<Sentence, 'tokens'>): string[] {
  return sentence.tokens.filter(({ content }) => content).map(({ stem }) => stem);
}
