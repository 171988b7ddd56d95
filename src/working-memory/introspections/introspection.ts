import { z } from 'zod';
import { type Problem, problem } from '../../common/refusal.ts';
import { textOrNull } from '../../common/stored.ts';

/** A note of the agent to itself (S4-INTR-01), in its user's carousel or archived. */
export const Introspection = z.object({
  id: z.string(),
  ownerId: z.string(),
  /** 0 to the setting introspectionMaxRotation - 1. */
  carouselPosition: z.int(),
  /** The cause, such as `conversation-<id>, compressions 45-49`. */
  conversationContext: textOrNull,
  /** Replaced or deleted: not in the carousel, but search still finds it (S4-INTR-03). */
  archived: z.boolean(),
  createdAt: z.string(),
  /** The Episode of its newest HAS_CONTENT edge. */
  episodeUuid: z.string(),
  content: z.string(),
});
export type Introspection = z.infer<typeof Introspection>;

/** A note of the carousel, as working memory reads it. */
export const Note = z.object({
  id: z.string(),
  position: z.int(),
  createdAt: z.string(),
  episodeUuid: z.string(),
  content: z.string(),
});
export type Note = z.infer<typeof Note>;

/** Notes are short because each context of their user contains them. */
export const NOTE_CHARS_MAX = 2_000;
export const NOTE_CONTEXT_CHARS_MAX = 500;

/** The carousel as one system message; '' if it is empty. */
export function notesText(notes: readonly Pick<Note, 'position' | 'content'>[]): string {
  if (notes.length === 0) return '';
  return [
    'Your notes to yourself:',
    ...notes.map(({ position, content }) => `[${position}] ${content}`),
  ].join('\n');
}

export interface InjectIntrospection {
  readonly content: string;
  /** Default: the first free position, else that of the oldest note. */
  readonly carouselPosition?: number | null | undefined;
  readonly conversationContext?: string | null | undefined;
}

/** All problems of a note. @param maxRotation number of positions in the carousel */
export function checkNote(input: InjectIntrospection, maxRotation: number): Problem[] {
  const { content, carouselPosition: position, conversationContext } = input;
  const problems = checkNoteContent(content);
  if (position != null && !(Number.isInteger(position) && position >= 0 && position < maxRotation))
    problems.push(problem('INVALID', ['carouselPosition'], positionRule(maxRotation)));
  if (conversationContext != null && conversationContext.length > NOTE_CONTEXT_CHARS_MAX) {
    const message = `It has ${NOTE_CONTEXT_CHARS_MAX} characters at most.`;
    problems.push(problem('INVALID', ['conversationContext'], message));
  }
  return problems;
}

/** @returns REQUIRED if the text is blank, INVALID above NOTE_CHARS_MAX */
export function checkNoteContent(content: string): Problem[] {
  if (content.trim() === '') return [problem('REQUIRED', ['content'], 'The note says nothing.')];
  if (content.length <= NOTE_CHARS_MAX) return [];
  return [problem('INVALID', ['content'], `A note has ${NOTE_CHARS_MAX} characters at most.`)];
}

const positionRule = (maxRotation: number): string =>
  `A position is a whole number from 0 to ${maxRotation - 1}.`;

/** Position of the next note: the first free one, else that of the oldest note (S4-INTR-02). */
export function nextPosition(
  notes: readonly Pick<Note, 'id' | 'position' | 'createdAt'>[],
  maxRotation: number,
): number {
  const taken = new Set(notes.map(({ position }) => position));
  for (let position = 0; position < maxRotation; position++)
    if (!taken.has(position)) return position;
  const [oldest] = notes
    .filter(({ position }) => position < maxRotation)
    .sort((one, other) =>
      one.createdAt === other.createdAt
        ? one.id < other.id
          ? -1
          : 1
        : one.createdAt < other.createdAt
          ? -1
          : 1,
    );
  return oldest?.position ?? 0;
}

/** A note to be written. */
export interface NewNote {
  /** Null: the result of `nextPosition`. */
  readonly position: number | null;
  readonly content: string;
}

const Output = z.object({
  notes: z.array(z.object({ position: z.number().nullish(), content: z.string() })),
});

/**
 * Parses the output of an introspection's run: one note or several, each at a different position
 * (S4-INTR-09). @returns the notes, or a sentence that says why the output is invalid
 */
export function readNotes(
  output: string | null,
  maxRotation: number,
): { readonly notes: readonly NewNote[] } | { readonly fault: string } {
  const parsed = Output.safeParse(jsonOf(output));
  if (!parsed.success)
    return { fault: 'The introspection gave no JSON object {"notes": [{"position", "content"}]}.' };
  const notes = parsed.data.notes.map(({ position, content }) => ({
    position: position ?? null,
    content: content.trim(),
  }));
  if (notes.length === 0) return { fault: 'The introspection wrote no note.' };
  if (notes.length > maxRotation)
    return { fault: `The introspection wrote ${notes.length} notes for ${maxRotation} places.` };
  for (const { position, content } of notes) {
    const [fault] = checkNote({ content, carouselPosition: position }, maxRotation);
    if (fault !== undefined) return { fault: `A note of the introspection: ${fault.message}` };
  }
  const named = notes.flatMap(({ position }) => (position === null ? [] : [position]));
  if (new Set(named).size < named.length)
    return { fault: 'The introspection wrote two notes at one position.' };
  return { notes };
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** `conversation-<id>, compressions 45-49` (S4-INTR-01). */
export function describeCause(
  conversationId: string,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  return `conversation-${conversationId}, compressions ${from}-${to}`;
}

/** Tells the agent which note its next note will replace (S4-INTR-09). */
export function replacementWarning(notes: readonly Note[], maxRotation: number): string {
  const position = nextPosition(notes, maxRotation);
  const replaced = notes.find((note) => note.position === position);
  if (replaced === undefined)
    return (
      `Position ${position} is free: a new note without a position goes there, and replaces ` +
      'nothing.'
    );
  const warning = `Position ${position} will be replaced by a new note without a position.`;
  return `${warning} Keep what is vital in it: ${replaced.content}`;
}
