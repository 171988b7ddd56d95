import model from 'wink-eng-lite-web-model';
import winkNLP, { type ItemEntity, type ItemSentence, type ItsFunction } from 'wink-nlp';

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
  readonly spaceBefore: string;
}

export interface Sentence {
  readonly index: number;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Speaker of a line `Name: …`, or null. The label is not part of the text. */
  readonly speaker: string | null;
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
  /^([A-Z][\p{L}\d.'’-]*(?: [A-Z][\p{L}\d.'’-]*){0,3}|user|assistant|agent|system):\s+(?=\S)/u;
// Labels that start a piece of text and do not name a speaker.
const HEADINGS = new Set(
  'note notes text context content summary question answer task title date subject example warning facts input output'.split(
    ' ',
  ),
);
/** Marks a line brings that are layout, not language: bullets, numbering, quotes, headings. */
const LAYOUT = /^\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)/;

const BLOCK_CHARS_MAX = 4_000;

/** Loads the model (about 0.2 s, 20 MB); one is enough for a process. */
export function openLanguage(): Language {
  const wink = winkNLP(model, ['sbd', 'pos', 'ner']);
  const { its } = wink;
  const column = (tokens: { out<T>(its: ItsFunction<T>): T[] | string[] }, of: unknown): string[] =>
    tokens.out(of as ItsFunction<string>) as string[];

  function parse(text: string): ParsedText {
    const sentences: Sentence[] = [];
    const mentions: Mention[] = [];
    for (const { block, speaker } of blocksOf(text)) {
      const document = wink.readDoc(block);
      const first = sentences.length;
      document.sentences().each((sentence: ItemSentence) => {
        const words = sentence.tokens();
        const texts = column(words, its.value);
        const stems = column(words, its.stem);
        const tags = column(words, its.pos);
        const types = column(words, its.type);
        const stops = column(words, its.stopWordFlag) as unknown as boolean[];
        const spaces = column(words, its.precedingSpaces);
        const tokens = texts.map(
          (word, index): Token => ({
            text: word,
            lower: word.toLowerCase(),
            stem: stems[index] ?? word,
            pos: tags[index] ?? 'X',
            content:
              stops[index] !== true &&
              (types[index] === 'word' || types[index] === 'number') &&
              /[\p{L}\d]/u.test(word),
            spaceBefore: spaces[index] ?? '',
          }),
        );
        const whole = tokens
          .map((token) => token.spaceBefore + token.text)
          .join('')
          .trim();
        if (/[\p{L}\d]/u.test(whole))
          sentences.push({ index: sentences.length, text: whole, tokens, speaker });
      });
      document.entities().each((entity: ItemEntity) => {
        const detail = entity.out(its.detail as ItsFunction<{ value: string; type: string }>);
        if (typeof detail === 'string') return;
        const at = sentences.findIndex(
          ({ index, text: whole }) => index >= first && whole.includes(detail.value),
        );
        mentions.push({ type: detail.type, text: detail.value, sentence: Math.max(at, 0) });
      });
    }
    return { sentences, mentions };
  }
  return { parse };
}

/** Paragraphs, list items and speeches: a sentence never runs over their ends, a wrapped line is no end. */
export function blocksOf(text: string): { block: string; speaker: string | null }[] {
  const blocks: { block: string; speaker: string | null }[] = [];
  let open = false;
  for (const raw of text.replace(/\r\n?/g, '\n').split('\n')) {
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
    const label = SPEAKER.exec(line)?.[1] ?? null;
    const speaker = label !== null && !HEADINGS.has(label.toLowerCase()) ? label : null;
    if (speaker !== null) line = line.replace(SPEAKER, '');
    const last = blocks.at(-1);
    // A heading has no full stop, so it must not flow into the paragraph under it.
    if (open && !marked && label === null && last !== undefined) last.block += ` ${line}`;
    else blocks.push({ block: line, speaker });
    open = !/^#{1,6}\s/.test(raw.trim());
  }
  return blocks.flatMap(({ block, speaker }) =>
    slices(block).map((slice) => ({ block: slice, speaker })),
  );
}

/** wink's time grows with the square of an endless sentence, so blocks of book length are read in parts. */
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
