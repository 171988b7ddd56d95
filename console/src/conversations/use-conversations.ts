import { useState } from 'react';
import type { CombinedError } from 'urql';
import { useAtMostEvery, useChanges } from '../api/use-changes.ts';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  ConversationChangesDocument,
  type ConversationRowFragment,
  ConversationsDocument,
} from '../generated/documents.ts';

/** Variables of the list. */
export const LISTED = { first: 50 };
/** Interval of readings while the changes are not followed, and while they are. */
const QUIET_MS = 8_000;
const FOLLOWED_MS = 60_000;
/** Least time between two readings that changes ask for. */
const CHANGED_MS = 400;

export interface ConversationList {
  /** Newest first; undefined until it is read. */
  readonly list: readonly ConversationRowFragment[] | undefined;
  readonly error: CombinedError | undefined;
  again(): void;
}

/**
 * The newest conversations. Changes come by subscription; while it is away, the list is read at an
 * interval.
 */
export function useConversations(pause: boolean): ConversationList {
  const [changed, setChanged] = useState<ReadonlyMap<string, ConversationRowFragment>>(new Map());
  const readSoon = useAtMostEvery(CHANGED_MS, () => again());
  const isFollowed = useChanges({
    document: ConversationChangesDocument,
    variables: {},
    changeOf: ({ conversationChanges }) => conversationChanges,
    onChange({ conversation }) {
      const known = data?.conversations.nodes;
      // Without a conversation it is the first event, and the list may have changed before.
      if (conversation == null) return readSoon();
      const isKnown = known?.some(({ id }) => id === conversation.id) === true;
      // It is new here, or was archived and leaves the list.
      if (isKnown !== (conversation.status === 'ACTIVE')) return readSoon();
      setChanged((before) => new Map(before).set(conversation.id, conversation));
    },
    pause,
  });
  const [{ data, error }, again] = useLiveQuery({
    query: ConversationsDocument,
    variables: LISTED,
    everyMs: isFollowed ? FOLLOWED_MS : QUIET_MS,
  });
  const list = data?.conversations.nodes.map((row) => newer(row, changed.get(row.id)));
  return { list, error, again };
}

function newer(
  row: ConversationRowFragment,
  changed: ConversationRowFragment | undefined,
): ConversationRowFragment {
  if (changed === undefined) return row;
  return Date.parse(changed.updatedAt) > Date.parse(row.updatedAt) ? changed : row;
}
