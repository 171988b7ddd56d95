import { NAME_CHARS_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const CONVERSATION_STATUSES = ['active', 'archived'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** A dialogue tree of one owner (S4-CONV-01). Permanent: it is archived, never deleted (S4-CONV-04). */
export interface Conversation {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string | null;
  readonly status: ConversationStatus;
  /** What a UI offers for the next agent turn; what ran stands at each alternative (S4-CONV-06). */
  readonly defaultProcessId: string | null;
  readonly forkedFrom: ConversationFork | null;
  readonly createdAt: string;
  /** The last change of it, of its turns or of what is on screen. */
  readonly updatedAt: string;
}

/** Where a conversation was forked off, never changed (S4-CONV-09). */
export interface ConversationFork {
  readonly conversationId: string;
  readonly originTurnId: string;
  readonly originAlternativeId: string;
}

export function checkTitle(title: string | null | undefined): Problem[] {
  if (title === null || title === undefined) return [];
  if (title.trim() !== '' && title.length <= NAME_CHARS_MAX) return [];
  return [problem('INVALID', ['title'], `A title has 1 to ${NAME_CHARS_MAX} characters.`)];
}

/** Archived conversations keep what they have and take nothing more. */
export function checkTakesTurns(
  { status }: Pick<Conversation, 'status'>,
  path: readonly string[],
): Problem[] {
  if (status === 'active') return [];
  return [
    problem('STATE', path, 'This conversation is archived; make it active to go on with it.'),
  ];
}
