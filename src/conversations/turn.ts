import { CONTENT_BYTES_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const SPEAKERS = ['user', 'agent', 'system'] as const;
export type Speaker = (typeof SPEAKERS)[number];
export const TURN_TYPES = ['message', 'tool_result', 'summary'] as const;
export type TurnType = (typeof TURN_TYPES)[number];

/** A place in the tree of a conversation (S4-TURN-01); what was said there are its alternatives. Nothing of it changes. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  /** Its depth, from 1 (C-15): siblings share it, and along a path it rises by one. */
  readonly sequence: number;
  readonly speaker: Speaker;
  readonly turnType: TurnType;
  readonly timestamp: string;
  readonly parentId: string | null;
  /** The alternative of the parent that was active when it was made; null for the root. */
  readonly viaAlternativeId: string | null;
}

/** @returns REQUIRED where there is nothing to read, INVALID above 256 KiB as UTF-8 */
export function checkContent(content: string): Problem[] {
  if (content.trim() === '') return [problem('REQUIRED', ['content'], 'There is nothing said.')];
  // One UTF-16 unit is one byte at least, so a long text needs no encoding to be refused.
  const isTooLong = content.length > CONTENT_BYTES_MAX || utf8Bytes(content) > CONTENT_BYTES_MAX;
  if (!isTooLong) return [];
  return [problem('INVALID', ['content'], `A turn may have ${CONTENT_BYTES_MAX} bytes of text.`)];
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What choosing between the children of a turn needs to know of each. */
export interface ChildTurn {
  readonly id: string;
  readonly timestamp: string;
  readonly viaAlternativeId: string | null;
  /** What its active alternative answers. */
  readonly respondsToId: string | null;
}

/**
 * Which child is on screen: the newest that belongs to the active alternative of its parent, by what it answers or by what
 * it was made under; else the newest, stale. Null where there is none. `showChildren` (turn.cypher.ts) says the same.
 */
export function childOnScreen<T extends ChildTurn>(
  activeAlternativeId: string,
  children: readonly T[],
): T | null {
  const fits = (child: T): boolean =>
    child.respondsToId === activeAlternativeId || child.viaAlternativeId === activeAlternativeId;
  const fitting = children.filter(fits);
  return newest(fitting.length > 0 ? fitting : children);
}

function newest<T extends ChildTurn>(turns: readonly T[]): T | null {
  const isNewer = (a: T, b: T): boolean =>
    a.timestamp === b.timestamp ? a.id > b.id : a.timestamp > b.timestamp;
  return turns.reduce<T | null>(
    (best, turn) => (best === null || isNewer(turn, best) ? turn : best),
    null,
  );
}

/** A turn as the tree of a conversation holds it. */
export interface TreeTurn extends ChildTurn {
  readonly parentId: string | null;
  readonly activeAlternativeId: string;
}

/** What is on screen, root first (S4-ALT-10): from the root down by `childOnScreen`. */
export function activePathOf(turns: readonly TreeTurn[]): TreeTurn[] {
  const children = Map.groupBy(turns, ({ parentId }) => parentId);
  const path: TreeTurn[] = [];
  let next = newest(children.get(null) ?? []);
  while (next !== null) {
    path.push(next);
    next = childOnScreen(next.activeAlternativeId, children.get(next.id) ?? []);
  }
  return path;
}
