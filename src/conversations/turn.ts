import { CONTENT_BYTES_MAX, SAID_AHEAD_MS_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const SPEAKERS = ['user', 'agent', 'system'] as const;
export type Speaker = (typeof SPEAKERS)[number];
export const TURN_TYPES = ['message', 'tool_result', 'summary'] as const;
export type TurnType = (typeof TURN_TYPES)[number];

/** A node of a conversation's tree (S4-TURN-01). It never changes; alternatives hold its texts. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  /** Depth in the tree; 1 for the root. Siblings share it. */
  readonly sequence: number;
  readonly speaker: Speaker;
  readonly turnType: TurnType;
  readonly timestamp: string;
  readonly parentId: string | null;
  /** The parent's alternative that was active when the turn was created; null for the root. */
  readonly viaAlternativeId: string | null;
}

/** The name of a turn's author: the user's, the agent's or `Assistant`, or `System`. */
export function nameOfSpeaker(
  speaker: Speaker,
  names: { readonly user: string; readonly agent: string | null },
): string {
  if (speaker === 'user') return names.user;
  return speaker === 'agent' ? (names.agent ?? 'Assistant') : 'System';
}

/**
 * The name of a turn's author in texts for a model. An agent is `Assistant`: the name of its
 * Process, such as `chat`, would not tell a model that an agent speaks.
 */
export function nameForModel(speaker: Speaker, userName: string): string {
  return nameOfSpeaker(speaker, { user: userName, agent: null });
}

/** @returns REQUIRED if the text is blank, INVALID above 256 KiB as UTF-8 */
export function checkContent(content: string): Problem[] {
  if (content.trim() === '') return [problem('REQUIRED', ['content'], 'There is nothing said.')];
  // A UTF-16 unit takes at least one byte of UTF-8, so very long texts are refused uncounted.
  const isTooLong = content.length > CONTENT_BYTES_MAX || utf8Bytes(content) > CONTENT_BYTES_MAX;
  if (!isTooLong) return [];
  return [problem('INVALID', ['content'], `A turn may have ${CONTENT_BYTES_MAX} bytes of text.`)];
}

/**
 * Checks the time at which a turn was said. Any order is accepted: imports mix devices with their
 * own clocks, and `sequence` orders the tree.
 * @returns INVALID before 1970, unless it is a time, or more than a minute after `nowMs`
 */
export function checkSaidAt(saidAt: string | null, nowMs: number): Problem[] {
  if (saidAt === null) return [];
  const ms = Date.parse(saidAt);
  if (Number.isNaN(ms) || ms < 0)
    return [problem('INVALID', ['saidAt'], 'A time is RFC 3339 from 1970 on.')];
  if (ms <= nowMs + SAID_AHEAD_MS_MAX) return [];
  return [problem('INVALID', ['saidAt'], 'This time is in the future.')];
}

/** A checked time in UTC; a time ahead of the clock counts as now. Null: it is said now. */
export function saidAtOf(saidAt: string | null, nowMs: number): string | null {
  return saidAt === null ? null : new Date(Math.min(Date.parse(saidAt), nowMs)).toISOString();
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
