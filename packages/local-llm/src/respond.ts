import { answerFrom, COURTESY_REPLIES, courtesyFor } from './answer.ts';
import { daysOf, joinAnswers } from './days.ts';
import { fillSchema } from './fill-schema.ts';
import { firstMemory } from './first-memory.ts';
import { DEFAULT_SHAPE, type Shape, shapeInText } from './json-shape.ts';
import { contentStems, type Language } from './language.ts';
import { latestWord } from './latest-word.ts';
import { type ChatMessage, readPrompt } from './prompt.ts';
import { keywords } from './rank.ts';
import { KIND_LABELS } from './roles.ts';
import { openSource, type Source } from './source.ts';
import { summarize, titleOf } from './summary.ts';

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: Shape };

export const CHAT_MODEL = 'local-extractive-1';

/** Said instead of inventing something. */
export const NO_ANSWER =
  `Nothing in what I was given answers that. I am ${CHAT_MODEL}: I quote and rank sentences of ` +
  'the text given to me, I do not reason or know things.';
/** Said to a statement: it repeats nothing, so no memory holds a thing twice. */
export const UNDERSTOOD = 'Understood.';
export const NO_TEXT =
  `There is no text here to work on. I am ${CHAT_MODEL}: I summarise, search and extract from ` +
  'the text given to me, word for word.';

/** The reply of earlier versions to a statement; stored talks still hold it. */
const NOTED = 'Noted: ';

/** The whole answer to a conversation. Deterministic: a pure function of messages and format. */
export function respond(
  language: Language,
  messages: readonly ChatMessage[],
  format: ResponseFormat,
): string {
  const shaped = format.type !== 'text';
  const asked = readPrompt(
    messages.filter((message) => message.content.trim() !== '' && !isOwnRemark(message)),
    { shaped },
  );
  const reading = { ...asked, material: withoutOwnRemarks(asked.material) };
  const source = openSource(language, reading);
  if (shaped) {
    const schema =
      format.type === 'json_schema'
        ? format.schema
        : (shapeInText(reading.instruction) ?? DEFAULT_SHAPE);
    const answers = daysOf(reading).map((day) =>
      fillSchema(language, day === reading ? source : openSource(language, day), schema),
    );
    return JSON.stringify(joinAnswers(answers));
  }
  if (source.parsed.sentences.length === 0 && reading.task !== 'answer') return NO_TEXT;
  switch (reading.task) {
    case 'summarize':
      return summarize(source.ranked, reading.length);
    case 'title':
      return titleOf(source.ranked);
    case 'keywords':
      return keywords(source.ranked, 10).join(', ');
    case 'extract':
      return listing(source);
    case 'answer':
      return answer(language, source, messages);
  }
}

/**
 * An earlier turn in which this model said that it can't, or only repeated, is no material for a
 * later one.
 */
function isOwnRemark({ role, content }: ChatMessage): boolean {
  const remarks = [...OWN_REMARKS, UNDERSTOOD];
  return role === 'assistant' && (remarks.includes(content) || content.startsWith(NOTED));
}

/**
 * A transcript without this model's own remarks; of "Noted: …" only words that stand nowhere else
 * are kept.
 */
function withoutOwnRemarks(material: string): string {
  return OWN_REMARKS.reduce((text, remark) => text.replaceAll(remark, ''), material).replace(
    NOTED_LINE,
    (_line, speaker: string = '', said: string, at: number) =>
      material.slice(0, at).includes(said) ? '' : speaker + said,
  );
}

const OWN_REMARKS = [NO_ANSWER, NO_TEXT, ...COURTESY_REPLIES];
const NOTED_LINE = /^((?:assistant|agent): )?Noted: (.+)$/gim;

function answer(language: Language, source: Source, messages: readonly ChatMessage[]): string {
  const courtesy = courtesyFor(source.reading.question);
  if (courtesy !== null) return courtesy;
  const latest = latestWord(language, messages, source.reading.question);
  if (latest !== null) return latest;
  const memory = firstMemory(language, messages, source.reading.question);
  if (memory !== null && source.reading.asks) return memory;
  const question = language.parse(source.reading.question);
  const found = answerFrom(source.ranked, {
    question,
    parsed: source.parsed,
    entities: source.entities(),
    length: source.reading.length,
  });
  if (found !== null) return found;
  // "Tell me about X" without a question mark still names its subject.
  const focus = question.sentences.flatMap(contentStems);
  const about =
    /^(tell|describe|explain|what|who)\b/i.test(source.reading.question) && focus.length > 0;
  const some =
    about &&
    source.parsed.sentences.some((sentence) =>
      contentStems(sentence).some((stem) => focus.includes(stem)),
    );
  if (some) return summarize(source.ranked, source.reading.length, focus);
  return source.reading.asks ? NO_ANSWER : acknowledged(language, source.reading.question);
}

/** A statement is no question, and needs no repetition. */
function acknowledged(language: Language, statement: string): string {
  const said = language.parse(statement).sentences;
  // A greeting has nothing to understand.
  return said.some((sentence) => contentStems(sentence).length >= 2) ? UNDERSTOOD : NO_TEXT;
}

/** Names by kind, then facts, one per line: the output of an extraction without a schema. */
function listing(source: Source): string {
  const names = source.entities().map(({ name, kind }) => `- ${name} (${KIND_LABELS[kind]})`);
  const facts = source.relations().map((relation) => `- ${relation.text}`);
  const parts = [
    ...(names.length > 0 ? ['Names:', ...names] : ['No names found.']),
    ...(facts.length > 0 ? ['Facts:', ...facts] : []),
  ];
  return parts.join('\n');
}
