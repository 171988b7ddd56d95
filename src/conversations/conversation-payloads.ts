import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';

const AT = { turnId: z.string(), alternativeId: z.string() };

/** The facts of conversations in the event log; what `conversationEvents` and later projections start from. */
export const ConversationPayloads = {
  'conversation.created': z.object({ title: textOrNull, forkedFromId: textOrNull }),
  /** `wasStatus`: before; absent in entries of installations before it was recorded. */
  'conversation.updated': z.object({
    title: textOrNull,
    status: z.string(),
    wasStatus: z.string().optional(),
    defaultProcessId: textOrNull,
  }),
  'turn.added': z.object({ ...AT, copiedFromId: textOrNull }),
  'alternative.added': z.object(AT),
  /** `staleAlternativeIds`: the answers to the version that stepped down. */
  'alternative.activated': z.object({
    ...AT,
    staleAlternativeIds: z.array(z.string()).readonly(),
  }),
  /** Its content is written; `status` is how its run ended. */
  'alternative.completed': z.object({ ...AT, status: z.string() }),
} as const;
export type ConversationEntryKind = keyof typeof ConversationPayloads;
export type ConversationEntryPayloads = {
  [K in ConversationEntryKind]: z.infer<(typeof ConversationPayloads)[K]>;
};
