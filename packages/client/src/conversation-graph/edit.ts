import type { Conversation } from './conversation.ts';
import type { Graph } from './graph.ts';
import { reduceEvent } from './reduce-event.ts';
import type { ContentPart, RunEvent } from './run-event.ts';

export interface NewMessage {
  /** The message that is edited, or that the new one follows. */
  readonly messageId: string;
  /** A fresh id for the new message's run. */
  readonly runId: string;
  readonly content: string | readonly ContentPart[];
}

export interface Written {
  readonly graph: Graph;
  /** The event that was folded in; what to send on so that others see it too. */
  readonly event: RunEvent;
}

/**
 * Another version of a message: a sibling under the same parent; the old one and all that follows it stay
 * (S1-HYPER-03). Null for an unknown message.
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

/** A message that follows this one, beside whatever followed it before. Null for an unknown message. */
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
