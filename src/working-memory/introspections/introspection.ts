import { z } from 'zod';
import { type Problem, problem } from '../../common/refusal.ts';

/** A note of the agent to itself (S4-INTR-01), one of its user's carousel or archived. */
export interface Introspection {
  readonly id: string;
  readonly ownerId: string;
  /** 0 to the setting introspectionMaxRotation - 1. */
  readonly carouselPosition: number;
  /** What led to it, such as `conversation-<id>, compressions 45-49`. */
  readonly conversationContext: string | null;
  /** Replaced or deleted: out of the carousel, and still found (S4-INTR-03). */
  readonly archived: boolean;
  readonly createdAt: string;
  /** Of its newest HAS_CONTENT edge. */
  readonly episodeUuid: string;
  readonly content: string;
}

/** A note of the carousel, as working memory takes it. */
export interface Note {
  readonly id: string;
  readonly position: number;
  readonly createdAt: string;
  readonly episodeUuid: string;
  readonly content: string;
}

/** A note stands in every context of its user, so it is short. */
export const NOTE_CHARS_MAX = 2_000;
export const NOTE_CONTEXT_CHARS_MAX = 500;

/** What a model is told of the carousel; '' where it is empty. */
export function notesText(notes: readonly Pick<Note, 'position' | 'content'>[]): string {
  if (notes.length === 0) return '';
  return [
    'Your notes to yourself:',
    ...notes.map(({ position, content }) => `[${position}] ${content}`),
  ].join('\n');
}

export interface InjectIntrospection {
  readonly content: string;
  /** Absent: the next free place, then that of the oldest note. */
  readonly carouselPosition?: number | null | undefined;
  readonly conversationContext?: string | null | undefined;
}

/** Every problem of a note by hand; @param maxRotation places of the carousel */
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

/** @returns REQUIRED where there is nothing to read, INVALID above NOTE_CHARS_MAX */
export function checkNoteContent(content: string): Problem[] {
  if (content.trim() === '') return [problem('REQUIRED', ['content'], 'The note says nothing.')];
  if (content.length <= NOTE_CHARS_MAX) return [];
  return [problem('INVALID', ['content'], `A note has ${NOTE_CHARS_MAX} characters at most.`)];
}

function positionRule(maxRotation: number): string {
  return `A position is a whole number from 0 to ${maxRotation - 1}.`;
}

/** Where the next note goes (S4-INTR-02): the first free place, then that of the oldest note. */
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

/** A note that an introspection wants written. */
export interface NewNote {
  /** null: wherever `nextPosition` says. */
  readonly position: number | null;
  readonly content: string;
}

const Output = z.object({
  notes: z.array(z.object({ position: z.number().nullish(), content: z.string() })),
});

/**
 * What the run of an introspection wants written (S4-INTR-09): one note or several, each at a place of its own.
 * @returns the notes, or in a sentence what is wrong with the output; then nothing of it is written
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
    const [wrong] = checkNote({ content, carouselPosition: position }, maxRotation);
    if (wrong !== undefined) return { fault: `A note of the introspection: ${wrong.message}` };
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

/** What the agent is told of the place its note will take (S4-INTR-09). */
export function replacementWarning(notes: readonly Note[], maxRotation: number): string {
  const position = nextPosition(notes, maxRotation);
  const replaced = notes.find((note) => note.position === position);
  return replaced === undefined
    ? `Position ${position} is free: a new note without a position goes there, and replaces nothing.`
    : `Position ${position} will be replaced by a new note without a position. Keep what is vital in it: ${replaced.content}`;
}
