import type { ChatMessage, ModelMessages, ModelPart } from './message-parts.ts';

type Message = ModelMessages[number];

/**
 * Joins neighbours of one role: strict models refuse a list whose roles do not alternate. Such
 * lists come from a failed answer, from two messages in a row, and from a repair of an empty
 * answer.
 */
export function joinNeighbours(messages: ModelMessages): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    const both = before === undefined ? null : join(before, message);
    if (both === null) joined.push(message);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

/** The two as one message; null where their roles differ. */
function join(left: Message, right: Message): Message | null {
  if (left.role === 'tool')
    return right.role === 'tool'
      ? { role: 'tool', results: [...left.results, ...right.results] }
      : null;
  // Results follow the calls at once, so nothing is joined behind calls.
  if (right.role === 'tool' || left.role !== right.role || 'calls' in left) return null;
  if ('calls' in right) return { ...right, content: paragraphs(left.content, right.content) };
  const content = paragraphs(left.content, right.content);
  if (left.parts === undefined && right.parts === undefined) return { role: left.role, content };
  return { role: left.role, content, parts: [...allParts(left), ...allParts(right)] };
}

const paragraphs = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n\n');

const allParts = ({ content, parts }: ChatMessage): readonly ModelPart[] =>
  parts ?? [{ type: 'text', text: content }];
