import { NAME_CHARS_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const CONVERSATION_STATUSES = ['active', 'archived'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** A tree of turns of one owner (S4-CONV-01). It can be archived, never deleted (S4-CONV-04). */
export interface Conversation {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string | null;
  readonly status: ConversationStatus;
  /**
   * The Process of the next agent turn unless the request names one. Each alternative names the
   * Process that wrote it (S4-CONV-06).
   */
  readonly defaultProcessId: string | null;
  readonly forkedFrom: ConversationFork | null;
  readonly createdAt: string;
  /** Time of the last change of the conversation, its turns or its path on screen. */
  readonly updatedAt: string;
}

/** The alternative a conversation was forked at. It never changes (S4-CONV-09). */
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

/** STATE if the conversation is archived: it takes no new turns or alternatives. */
export function checkTakesTurns(
  { status }: Pick<Conversation, 'status'>,
  path: readonly string[],
): Problem[] {
  if (status === 'active') return [];
  return [
    problem('STATE', path, 'This conversation is archived; make it active to go on with it.'),
  ];
}
