import { entryOf } from './entry-of.ts';
/** A message of a chat request: role and text only. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

export const TASKS = ['summarize', 'answer', 'extract', 'keywords', 'title'] as const;
export type Task = (typeof TASKS)[number];

/** The parsed request. */
export interface Reading {
  readonly task: Task;
  /** The text to work on: the marked text, else the messages without instruction and question. */
  readonly material: string;
  /** The question about the material; '' if there is none. */
  readonly question: string;
  /** Whether `question` is a real question and not only the last message. */
  readonly asks: boolean;
  /** Instructions, where lengths and shapes are asked for. */
  readonly instruction: string;
  readonly length: Length;
  /**
   * Text given beside the material, by its tag: `known`, `entities`, `earlier`, `before`, `found`.
   */
  readonly aside: Readonly<Record<string, string>>;
  /** The moment the instruction gives for the material, RFC 3339; null where it gives none. */
  readonly saidAt: string | null;
}

/** Requested length of the answer. Unspecified limits are absent. */
export interface Length {
  readonly sentencesMax?: number;
  readonly wordsMax?: number;
  readonly charactersMax?: number;
  /** Of the material's words. */
  readonly ratio?: number;
  /** One line each, with a bullet. */
  readonly isBulleted?: true;
}

// Only these tags mark material: HTML in a document is part of the document.
const TAGGED =
  /<(text|content|context|conversation|transcript|documents?|passage|article|notes|messages|facts|events|sources?|material|input)(?:\s[^<>]*)?>\n?([\s\S]*?)<\/\1>/gi;
// Beside marked material: neither worked on nor an instruction. A question in it is not the
// caller's.
const ASIDE = /<(before|earlier|known|found|entities)(?:\s[^<>]*)?>\n?([\s\S]*?)<\/\1>/gi;
const FENCED =
  /(?:^|\n)(?:```[^\n]*\n([\s\S]*?)\n```|"""\n?([\s\S]*?)"""|-{3,}\n([\s\S]*?)\n-{3,})/g;
const LABELLED =
  /(?:^|\n)[ \t]*(?:text|content|context|conversation|transcript|document|documents|passage|article|notes|messages|facts|events|search results|material|input)[ \t]*:[ \t]*\n?([\s\S]+?)(?=\n[ \t]*(?:question|instruction|instructions|query|task|answer)[ \t]*:|$)/i;
const QUESTION = /(?:^|\n)[ \t]*(?:question|query)[ \t]*:[ \t]*([^\n]+)/i;
const EXPLICIT_TASK = /(?:^|\n)[ \t]*task[ \t]*:[ \t]*([a-z]+)/i;

const TASK_WORDS: readonly (readonly [RegExp, Task])[] = [
  [
    /\b(summari[sz]e|summary|summaries|tl;?dr|condense|compress|shorten|recap|abstract|digest)\b/i,
    'summarize',
  ],
  [
    /\b(extract|identify|list) (all |the |every |any )*(named )?(entities|people|persons|names|places|organi[sz]ations|facts|relations|relationships)\b/i,
    'extract',
  ],
  [/\bkey ?words?\b|\bkey ?phrases?\b|\btopics\b/i, 'keywords'],
  [/\b(title|headline)\b/i, 'title'],
];

/**
 * Reads a conversation into one task on one text. `shaped` = the answer has to fill a JSON schema.
 */
export function readPrompt(
  messages: readonly ChatMessage[],
  { shaped }: { shaped: boolean },
): Reading {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const systems = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => split(content));
  const asked = split(last >= 0 ? (messages[last]?.content ?? '') : '');
  const before = messages.filter(({ role }, index) => role !== 'system' && index !== last);

  const talk = before.map(({ content }) => content);
  const systemText = systems.map(({ rest }) => rest).join('\n');
  const question =
    QUESTION.exec(asked.rest)?.[1] ?? (isQuestion(asked.rest) ? questionOf(asked.rest) : '');
  const task = taskOf(systemText, asked.rest, question, shaped);

  if (task === 'answer') {
    // In a chat everything said so far may hold the answer, and so may a system prompt that carries
    // facts.
    const material = [
      ...systems.map(({ rest, material: own }) => own || factsOf(rest)),
      ...talk,
      asked.material,
      withoutQuestion(asked.rest, question),
    ];
    return {
      task,
      question: question || asked.rest,
      asks: question !== '',
      instruction: systemText,
      material: joinTexts(material),
      aside: asked.aside,
      saidAt: momentIn(asked.rest),
      length: instructedLength(asked.rest, systemText),
    };
  }
  // A refused JSON answer is no material; the question before it is asked again.
  const refused = before.at(-1);
  const isRepair = shaped && refused?.role === 'assistant' && isJson(refused.content);
  const said = isRepair ? talk.slice(0, -1) : talk;
  const earlier = isRepair ? said.map(split) : [];
  const parts = [...systems, ...earlier, asked];
  // Where anything is marked that is all there is, also where it is empty.
  const isMarked = parts.some((part) => part.isMarked);
  const material = isMarked
    ? joinTexts([...parts.map((part) => part.material), ...(isRepair ? [] : said)])
    : joinTexts([...said, isRepair ? '' : withoutInstruction(asked.rest)]);
  const ordered = isMarked ? asked.rest : instructionsIn(asked.rest);
  return {
    task,
    question,
    asks: question !== '',
    instruction: `${systemText}\n${isMarked ? asked.rest : instructionIn(asked.rest)}`,
    material,
    aside: Object.assign({}, ...parts.map((part) => part.aside)) as Record<string, string>,
    saidAt: momentIn(parts.map((part) => part.rest).join('\n')),
    length: instructedLength(ordered, systemText),
  };
}

function momentIn(text: string): string | null {
  const moment = /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?/.exec(
    text,
  )?.[0];
  return moment === undefined || Number.isNaN(Date.parse(moment))
    ? null
    : new Date(Date.parse(moment)).toISOString();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The system prompt is the instruction only where the user gives none. */
function instructedLength(instruction: string, systemText: string): Length {
  return lengthOf(withoutJson(instruction.trim() === '' ? systemText : instruction));
}

/** Without the lines of a JSON schema: its descriptions and limits are about single values. */
function withoutJson(text: string): string {
  return text.replace(/^\s*[[\]{}"].*$/gm, '');
}

/** The facts of a system prompt, without its instructions: no user asks for those. */
function factsOf(text: string): string {
  const sentences = text.match(/[^\n.?!]+(?:[.?!]+|\n|$)/g) ?? [];
  return sentences
    .filter((sentence) => !INSTRUCTING.test(sentence.trim()))
    .join(' ')
    .trim();
}

const INSTRUCTING =
  /\byou(r|rself)?\b|^(answer|say|use|be|do|don't|never|always|only|respond|reply|summari[sz]e|extract|return|write|keep|if|when|think|give|make|act)\b/i;

function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Separates marked text from the text around it. */
function split(content: string): {
  material: string;
  rest: string;
  isMarked: boolean;
  aside: Record<string, string>;
} {
  const aside: Record<string, string> = {};
  const pieces: string[] = [];
  const take = (text: string): string => {
    pieces.push(text.trim());
    return '\n';
  };
  let rest = !content.includes('</')
    ? content
    : content.replace(TAGGED, (_whole, _tag: string, text: string) => take(text));
  if (pieces.length > 0)
    rest = rest.replace(ASIDE, (_whole, tag: string, text: string) => {
      aside[tag.toLowerCase()] = text.trim();
      return '\n';
    });
  rest = rest.replace(FENCED, (whole, code?: string, quoted?: string, ruled?: string) => {
    const text = code ?? quoted ?? ruled ?? '';
    // A fenced JSON object is the shape asked for, not text to read.
    return /^\s*[{[]/.test(text) ? whole : take(text);
  });
  if (pieces.length === 0) rest = rest.replace(LABELLED, (_whole, text: string) => take(text));
  return { material: joinTexts(pieces), rest: rest.trim(), isMarked: pieces.length > 0, aside };
}

function taskOf(system: string, asked: string, question: string, shaped: boolean): Task {
  const explicit = (EXPLICIT_TASK.exec(asked) ?? EXPLICIT_TASK.exec(system))?.[1]?.toLowerCase();
  const named = TASKS.find(
    (task) => task === explicit || (explicit === 'summarise' && task === 'summarize'),
  );
  if (named !== undefined) return named;
  if (shaped) return 'extract';
  // The user's own words come before the role the system prompt gives.
  const opening = firstSentence(asked);
  const imperative = TASK_WORDS.find(([words]) => words.test(opening))?.[1];
  if (imperative !== undefined) return imperative;
  if (question !== '') return 'answer';
  return TASK_WORDS.find(([words]) => words.test(system))?.[1] ?? 'answer';
}

function firstSentence(text: string): string {
  return (/^[^\n]*?[.?!:](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim().split('\n')[0] ?? '')
    .slice(0, 300)
    .toWellFormed();
}

const ASKING =
  /^(who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|tell me|show me)\b/i;

function isQuestion(text: string): boolean {
  return questionOf(text) !== '';
}

/** The last line or sentence that asks. */
function questionOf(text: string): string {
  const sentences = text.match(/[^\n.?!]+(?:[.?!]+|$)/g)?.map((part) => part.trim()) ?? [];
  return (
    sentences.findLast((part) => part.endsWith('?')) ??
    (sentences.length === 1 ? sentences.find((part) => ASKING.test(part)) : undefined) ??
    ''
  );
}

function withoutQuestion(text: string, question: string): string {
  return question === '' ? '' : text.replace(question, '').replace(QUESTION, '').trim();
}

/**
 * "Summarise this in two sentences: …" or a first line with an instruction. The text follows it.
 */
function instructionIn(text: string): string {
  const trimmed = text.trim();
  const colon = /^[^\n:]{1,200}:(?=\s|$)/.exec(trimmed)?.[0];
  if (colon !== undefined && looksLikeInstruction(colon)) return colon;
  const line = firstSentence(trimmed);
  return looksLikeInstruction(line) && line.length < trimmed.length ? line : '';
}

function withoutInstruction(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(instructionIn(trimmed).length).trim();
}

/** All instructions of an unmarked text: those that open it, and a last line that is one. */
function instructionsIn(text: string): string {
  const trimmed = text.trim();
  const first = instructionIn(trimmed);
  const rest = trimmed.slice(first.length);
  const more = rest.match(/[^\n.?!]+(?:[.?!]+|\n|$)/g)?.slice(0, 5) ?? [];
  const end = first === '' ? 0 : more.findIndex((sentence) => !FURTHER.test(sentence.trim()));
  const last = rest.slice(rest.lastIndexOf('\n') + 1);
  return [
    first,
    ...more.slice(0, end < 0 ? more.length : end),
    looksLikeInstruction(last) && last.length <= CLAUSE_CHARS_MAX ? last : '',
  ].join('\n');
}

const FURTHER = /^(answer|use|keep|be|limit|write|give|return|in|within|at most|no more|only)\b/i;

function looksLikeInstruction(text: string): boolean {
  return (
    TASK_WORDS.some(([words]) => words.test(text)) ||
    /^(please|extract|find|list|give|write|make|return|fill)\b/i.test(text)
  );
}

/** Longer clauses are cut where lengths are looked for. */
const CLAUSE_CHARS_MAX = 200;
const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  a: 1,
  single: 1,
};

/** Characters of a token, less than usual, so that a limit is kept. */
const TOKEN_CHARS = 3;
const BULLETED = /\b(?:bullets?|bullet points?|bulleted|list of (?:points|lines))\b/i;

/** "in two sentences", "at most 50 words", "under 1,200 characters", "to 30 %", "ratio: 0.3". */
export function lengthOf(text: string): Length {
  const count = (unit: string): number | undefined => {
    const numbers = `\\d{1,3}(?:,\\d{3})+|\\d{1,6}|${Object.keys(NUMBERS).join('|')}`;
    const sizes = new RegExp(
      `(?<![-\\w,])(${numbers})[ -](?:short |concise )?(?:${unit})\\b`,
      'gi',
    );
    for (const { 0: size, 1: word = '', index } of text.matchAll(sizes)) {
      const number = word.toLowerCase();
      const value = entryOf(NUMBERS, number) ?? Number(number.replaceAll(',', ''));
      const before = text.slice(Math.max(0, index - CLAUSE_CHARS_MAX), index);
      const after = text.slice(index + size.length, index + size.length + CLAUSE_CHARS_MAX);
      // "single words" is a kind of word, "a sentence of its own" a kind of sentence.
      const isKind =
        (number in NUMBERS && value === 1 && /s$/i.test(size)) ||
        (number === 'a' && !/\b(?:in|into|within|to|only|just) $/i.test(before));
      // "one point in each sentence", "each in two words", "no two sentences": the length of a
      // part.
      const isOfPart =
        /\bno $/i.test(before) ||
        /\b(?:each|every)\b[^.;:\n]*$/i.test(before) ||
        /^ (?:(?:in|for|to|of) (?:each|every)|per|each)\b/i.test(after);
      if (value >= 1 && !isKind && !isOfPart) return value;
    }
    return undefined;
  };
  const sentencesMax = count('sentences?|bullets?|points?|lines?');
  const wordsMax = count('words?');
  const tokensMax = count('tokens?');
  const charactersMax =
    count('char(?:acter)?s?') ?? (tokensMax === undefined ? undefined : tokensMax * TOKEN_CHARS);
  const percent = /(\d{1,2})\s?(?:%|percent)/i.exec(text)?.[1];
  const share = /ratio\W{1,4}(?:of\s)?(0?\.\d+)/i.exec(text)?.[1];
  const ratio =
    share !== undefined ? Number(share) : percent !== undefined ? Number(percent) / 100 : undefined;
  return {
    ...(sentencesMax === undefined ? {} : { sentencesMax }),
    ...(wordsMax === undefined ? {} : { wordsMax }),
    ...(charactersMax === undefined ? {} : { charactersMax }),
    ...(BULLETED.test(text) ? { isBulleted: true as const } : {}),
    ...(ratio === undefined || ratio <= 0 ? {} : { ratio }),
  };
}
