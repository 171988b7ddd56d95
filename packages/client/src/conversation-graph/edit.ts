import type { Conversation } from './conversation.ts';
import type { Graph } from './graph.ts';
import { reduceEvent } from './reduce-event.ts';
import type { ContentPart, RunEvent } from './run-event.ts';

export interface NewMessage {
  /** The message to edit, or the one that the new message follows. */
  readonly messageId: string;
  /** A new id for the new message's run. */
  readonly runId: string;
  readonly content: string | readonly ContentPart[];
}

export interface Written {
  readonly graph: Graph;
  /** The event that was applied. Send it to the server to share the change. */
  readonly event: RunEvent;
}

/**
 * Adds another version of a message as a sibling under the same parent. The old version and its
 * replies stay (S1-HYPER-03). Null for an unknown message.
 */
export function editMessage(
  conversation: Conversation,
  { messageId, runId, content }: NewMessage,
): Written | null {
  const message = conversation.messages.get(messageId);
  return message === undefined
    ? null
    : written(conversation.graph, runId, message.parentNodeId, content);
}

/** Adds a message after this one, beside the existing replies. Null for an unknown message. */
export function branchFrom(
  conversation: Conversation,
  { messageId, runId, content }: NewMessage,
): Written | null {
  const lastId = conversation.graph.lastNodeByRunId.get(messageId);
  return conversation.messages.has(messageId) && lastId !== undefined
    ? written(conversation.graph, runId, lastId, content)
    : null;
}

function written(
  graph: Graph,
  runId: string,
  parentId: string | null,
  content: NewMessage['content'],
): Written {
  const event: RunEvent = {
    kind: 'user',
    runId,
    content,
    ...(parentId === null ? {} : { parentId }),
  };
  return { graph: reduceEvent(graph, event), event };
}
