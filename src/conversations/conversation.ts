import { NAME_CHARS_MAX } from '../common/limits.ts';
import type { Maybe } from '../common/maybe.ts';
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
  readonly recall: ConversationRecall;
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

/** How much of earlier talk working memory recalls (docs/decisions/0028). */
export interface ConversationRecall {
  /** The most tokens of recalled memories; 0 recalls nothing. */
  readonly tokens: number;
  /** Whether memories of the owner's other conversations are recalled, too. */
  readonly otherConversations: boolean;
}
export const RECALL_DEFAULT: ConversationRecall = { tokens: 600, otherConversations: true };
export const RECALL_TOKENS_MAX = 8_000;

/** A change of ConversationRecall. Absent fields stay; null restores the default. */
export interface RecallInput {
  readonly tokens?: Maybe<number>;
  readonly otherConversations?: Maybe<boolean>;
}

export function checkRecall(input: Maybe<RecallInput>): Problem[] {
  const tokens = input?.tokens;
  if (tokens == null) return [];
  if (Number.isInteger(tokens) && tokens >= 0 && tokens <= RECALL_TOKENS_MAX) return [];
  const message = `A whole number from 0, which recalls nothing, to ${RECALL_TOKENS_MAX}.`;
  return [problem('INVALID', ['recall', 'tokens'], message)];
}

/** The setting after a checked change; null restores all defaults. */
export function recallAfter(
  current: ConversationRecall,
  input: Maybe<RecallInput>,
): ConversationRecall {
  if (input === undefined) return current;
  if (input === null) return RECALL_DEFAULT;
  const { tokens = current.tokens, otherConversations = current.otherConversations } = input;
  return {
    tokens: tokens ?? RECALL_DEFAULT.tokens,
    otherConversations: otherConversations ?? RECALL_DEFAULT.otherConversations,
  };
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
