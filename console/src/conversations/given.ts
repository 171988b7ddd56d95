import { isRecord } from '../runs/context-schema.ts';

/** A memory as it is recalled now, for the question of an answer. */
interface Recalled {
  readonly text: string;
}

/** What the run of an answer was given beside the words of its conversation. */
export interface Given<Memory> {
  /** Recalled lines as the model read them, each with its memory where that is still found. */
  readonly lines: readonly { readonly text: string; readonly memory: Memory | null }[];
  /** Its other texts: known entities, notes, summaries of the talk. */
  readonly others: readonly string[];
  /** Names of the pictures and files of its messages. */
  readonly files: readonly string[];
}

/**
 * Reads it from the context that the run was started with. A memory that was recalled later, or
 * that the run did not get, is no source of the answer.
 */
export function givenTo<Memory extends Recalled>(
  context: Readonly<Record<string, unknown>>,
  recalled: readonly Memory[],
): Given<Memory> {
  const inner = isRecord(context['workingMemory']) ? context['workingMemory'] : {};
  const messages = [...listOf(context['messages']), ...listOf(inner['messages'])];
  const told = messages.flatMap(({ role, content }) =>
    role === 'system' && typeof content === 'string' ? [content] : [],
  );
  const lines = told.flatMap(linesOf);
  const texts = [...listOf(context['recalled']), ...listOf(inner['recalled'])].flatMap(
    ({ text }) => (typeof text === 'string' ? [text] : []),
  );
  // A shorter memory may be the end of a longer one.
  const longestFirst = recalled.toSorted((left, right) => right.text.length - left.text.length);
  const memoryOf = (line: string) => longestFirst.find(({ text }) => isOf(line, text)) ?? null;
  const files = messages.flatMap(({ parts }) =>
    listOf(parts).flatMap(({ type, name, alt }) => {
      const named = name ?? alt;
      return type === 'text' || typeof named !== 'string' ? [] : [named];
    }),
  );
  const shown = new Set(lines.length > 0 ? lines : texts);
  return {
    lines: [...shown].map((text) => ({ text, memory: memoryOf(text) })),
    others: [...new Set(told.filter((text) => OTHERS.some((opening) => text.startsWith(opening))))],
    files: [...new Set(files)],
  };
}

/** The lines of the system message in which a model is given what was recalled. */
const CONTEXT = /^Quotations from earlier talks[^<]*<context>\n([\s\S]*)<\/context>$/;

/** The first lines of the other system messages; all others are turns of the talk itself. */
const OTHERS = [
  'Your notes to yourself:\n',
  'What is known of what this conversation is about:\n',
  'What was said before, summed up:\n',
];

function linesOf(message: string): string[] {
  return (CONTEXT.exec(message)?.[1] ?? '').split('\n').filter((line) => line !== '');
}

/** Whether a line is the whole of a text, after the words that tell who said it and when. */
function isOf(line: string, text: string): boolean {
  const [whole, end] = [inLine(line), inLine(text)];
  return whole === end || whole.endsWith(`: ${end}`) || whole.endsWith(`: ”${end}”`);
}

/** A text as it stands in a line: without line breaks, and with other quotation marks. */
function inLine(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('"', '”').replaceAll('<', '‹').replaceAll('>', '›');
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
